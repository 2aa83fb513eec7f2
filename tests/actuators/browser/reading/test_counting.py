"""Like parts that are counted on from page to page."""

import pytest

from actuators.browser.playwright.acting.revealing import find_counted, shift_counted
from core.selectors.selectors import parse_selector


@pytest.mark.parametrize(
    ("selector", "number", "later"),
    [
        ("record nth 7", 3, "record nth 4"),
        ("link in (record nth 7) nth 1", 6, "link in (record nth 1) nth 1"),
    ],
)
def test_what_is_counted_is_nearer_on_a_later_page(selector: str, number: int, later: str):
    assert shift_counted(parse_selector(selector), number).source == later


@pytest.mark.parametrize(
    "selector", ['record "Ada"', "record nth last", 'button "Save" nth 2', "#hits", 'link in "Hits" nth 3']
)
def test_what_goes_by_its_name_or_from_the_end_is_not_counted_on(selector: str):
    spec = parse_selector(selector)
    assert find_counted(spec) is None
    assert shift_counted(spec, 3) == spec
