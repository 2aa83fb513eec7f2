"""What every back end does for reveal."""

from typing import Any

import pytest

from core.base.errors import TargetError
from tests.contracts.browser.bench import Bench


class RevealConformance:
    """Bringing elements into sight."""

    @pytest.mark.parametrize(
        ("selector", "by", "through"),
        [
            ('button "Apple"', "sections", ["First part"]),
            ('button "Pear"', "sections", ["Second part"]),
            ('control "Plum"', "sections", ["Second part", "Inner part"]),
            ('text "On the Mur"', "tabs", ["Graz"]),
            ('menuitem "Archive"', "menus", ["More"]),
            ('text "Page three"', "pages", ["Next", "Next"]),
        ],
    )
    @pytest.mark.parametrize("asked", ["any", "the same"])
    async def test_an_element_comes_into_sight_by_what_holds_it(
        self, bench: Bench, selector: str, by: str, through: list[str], asked: str
    ):
        await bench.open("hidden")
        outcome = await bench.call("reveal", selector=selector, by="any" if asked == "any" else by)
        assert outcome.output == {"by": by, "through": through}
        assert (outcome.effect, outcome.evidence["in_view"]) == ("confirmed", True)
        assert (await bench.call("expect", selector=selector, state="visible")).evidence

    async def test_an_entry_of_a_menu_is_selected_by_a_press_and_keeps_no_state(self, bench: Bench):
        await bench.open("hidden")
        await bench.call("reveal", selector='control "Archive"', by="menus")
        outcome = await bench.call("check", selector='control "Archive"')
        assert (outcome.effect, outcome.evidence["pressed"]) == ("unverified", True)
        with pytest.raises(TargetError) as caught:
            await bench.call("check", selector='control "Archive"', checked=False)
        assert caught.value.code == "target_unsuitable"

    async def test_a_click_opens_what_holds_the_element_only_where_it_is_asked_to(self, bench: Bench):
        bench.timeout_s = 3
        await bench.open("hidden")
        with pytest.raises(TargetError):
            await bench.call("click", selector='menuitem "Archive"')
        outcome = await bench.call("click", selector='menuitem "Archive"', reveal="menus")
        assert outcome.evidence["revealed"]["through"] == ["More"]
        assert outcome.evidence["received_by"]["id"] == "archive"

    async def test_what_is_in_sight_is_left_as_it_is(self, bench: Bench):
        await bench.open("hidden")
        outcome = await bench.call("reveal", selector='button "In sight"')
        assert outcome.output == {"by": "none", "through": []}
        assert (outcome.effect, outcome.evidence["tried"]) == ("confirmed", [])

    async def test_the_part_that_holds_it_is_opened_first(self, bench: Bench):
        await bench.open("hidden")
        outcome = await bench.call("reveal", selector='button "Plum"')
        assert [each["name"] for each in outcome.evidence["tried"]] == ["Second part", "Inner part"]

    @pytest.mark.parametrize(
        ("by", "tried"),
        [
            ("tabs", ["Graz"]),
            ("menus", ["More"]),
            ("sections", ["First part", "Second part", "Inner part", "Twice"]),
        ],
    )
    async def test_what_comes_up_nowhere_is_missing_and_tells_what_was_looked_through(
        self, bench: Bench, by: str, tried: list[str]
    ):
        await bench.open("hidden")
        with pytest.raises(TargetError) as caught:
            await bench.call("reveal", selector='button "Cherry"', by=by)
        assert caught.value.code == "target_missing"
        found: list[dict[str, Any]] = caught.value.evidence["tried"]
        assert sorted(each["name"] for each in found) == sorted(tried)
        assert {each["kind"] for each in found} == {by}

    async def test_two_that_come_up_at_once_are_ambiguous(self, bench: Bench):
        await bench.open("hidden")
        with pytest.raises(TargetError) as caught:
            await bench.call("reveal", selector='button "Twin"')
        assert caught.value.code == "target_ambiguous"

    async def test_what_it_aims_at_before_it_has_come_up_is_the_page(self, bench: Bench):
        await bench.open("hidden")
        aimed = await bench.identify("reveal", selector='button "Cherry"')
        assert aimed == {"address": bench.url("hidden")}

    async def test_several_elements_at_once_are_no_target(self, bench: Bench):
        await bench.open("hidden")
        with pytest.raises(TargetError) as caught:
            await bench.call("reveal", selector='every button "Twin"')
        assert caught.value.code == "bad_selector"
