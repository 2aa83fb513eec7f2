"""Typed records from repeated elements."""

from dataclasses import replace
from typing import Any

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.ports.values import parse_boolean, parse_number
from core.base.errors import ActionError, InputError, TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.cases import each_case


@pytest.fixture
async def reading(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Hands:
    page = await session.open_page(context)
    await page.goto(f"{site.url}/table/small")
    return Hands(session)


@pytest.fixture
def short(context: ActionContext) -> ActionContext:
    return replace(context, timeout_s=1.0)


async def test_records_are_extracted_with_types(reading: Hands, context: ActionContext, site: SiteServer) -> None:
    fields = {
        "name": 'heading "mug"',
        "price": {"selector": ".price", "type": "number"},
        "link": {"selector": "a", "type": "url"},
        "id": {"attribute": "data-testid"},
        "first": "h3, p >> nth=0",
        "html": {"selector": "h3", "type": "html"},
    }
    outcome = await reading.extract(context, fields, rows="testid=card")
    assert outcome.output["count"] == 3
    assert outcome.output["rows"][2] == {
        "name": "Travel mug",
        "price": 1014.95,
        "link": f"{site.url}/echo?card=3",
        "id": "card",
        "first": "Travel mug",
        "html": "Travel mug",
    }
    assert (await reading.extract(context, {"title": "h1"})).output["rows"] == [{"title": "A small table"}]
    assert (await reading.extract(context, {"name": "h3"}, rows="article", max_rows=2)).output["count"] == 2


BAD_FIELDS: list[tuple[dict[str, Any], type[ActionError], str, str]] = [
    ({"name": "h4"}, TargetError, "target_missing", '"name" is missing in row 1'),
    ({"name": "h3, a"}, TargetError, "target_ambiguous", "row 1 matches 2"),
    ({"name": {"selector": "h3", "type": "integer"}}, ActionError, "bad_value", "'Blue mug'"),
    ({"price": {"selector": ".price", "type": "integer"}}, ActionError, "bad_value", "row 1"),
    ({"name": {"selector": "h3", "attribute": "nope"}}, TargetError, "target_missing", "no attribute nope"),
]


@pytest.mark.parametrize(("fields", "kind", "code", "words"), BAD_FIELDS)
async def test_a_bad_record_names_row_and_field(
    reading: Hands,
    short: ActionContext,
    fields: dict[str, Any],
    kind: type[ActionError],
    code: str,
    words: str,
) -> None:
    with pytest.raises(kind) as caught:
        await reading.extract(short, fields, rows="article")
    assert caught.value.code == code
    assert words in str(caught.value)
    assert caught.value.evidence["row"] == 1


@pytest.mark.parametrize(
    "fields", [{}, {"a": 3}, {"a": {}}, {"a": {"selector": "h1", "typ": "x"}}, {"a": {"selector": "h1", "type": "x"}}]
)
async def test_fields_that_make_no_sense_are_refused(
    reading: Hands, context: ActionContext, fields: dict[str, Any]
) -> None:
    with pytest.raises(InputError):
        await reading.extract(context, fields)


@each_case(
    ("text", "language", "number"),
    [
        ("€1,234.50", "", 1234.5),
        ("1.234,50 €", "", 1234.5),
        ("1 234,50 zł", "", 1234.5),
        ("1'234.50", "", 1234.5),
        ("$0.99", "", 0.99),
        ("-5 %", "", -5),
        ("−12.5", "", -12.5),
        ("(12.00)", "", -12),
        ("-€3", "", -3),
        ("1,234,567", "", 1234567),
        ("12,34,567", "", 1234567),
        ("1.234.567", "", 1234567),
        ("1,234", "en-GB", 1234),
        ("1,234", "de", 1.234),
        ("1.234", "de", 1234),
        ("0,125", "", 0.125),
        ("42 items", "", 42),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, language: str, number: float) -> None:
    assert parse_number(text, language) == number


@pytest.mark.parametrize("text", ["none", "", "3 of 5 or 7", "1,234", "1.234", "1,23,4", "1.2.3,4,5"])
def test_numbers_that_can_be_read_in_two_ways_or_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        parse_number(text)


def test_yes_and_no_are_read() -> None:
    assert [parse_boolean(text) for text in ("Yes", " true ", "✓", "no", "0", "")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]
    with pytest.raises(ValueError, match="neither"):
        parse_boolean("maybe")
