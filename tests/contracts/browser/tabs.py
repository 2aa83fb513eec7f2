"""What every back end does for tabs, and for how large they show their pages."""

from typing import Any

import pytest

from core.base.errors import ActionError, InputError, NavigationError, TargetError
from tests.contracts.browser.bench import Bench

TAB = {"index", "url", "title"}


async def open_four(bench: Bench) -> None:
    """Open four tabs, and be on the third."""
    await bench.open()
    for path in ("people", "second", "form"):
        await bench.call("open_tab", url=bench.url(path))
    await bench.call("switch_tab", tab=2)


class TabConformance:
    """Tabs."""

    async def test_a_new_tab_becomes_the_current_one(self, bench: Bench):
        await bench.open()
        outcome = await bench.call("open_tab", url=bench.url("second"))
        assert outcome.output == {"index": 1, "url": bench.url("second"), "title": "Second page"}
        assert outcome.effect == "confirmed"
        assert outcome.evidence.keys() >= TAB
        assert (await bench.call("read", target="title")).output["value"] == "Second page"

    async def test_a_tab_whose_address_is_not_reached_is_closed_again(self, bench: Bench):
        await bench.open()
        with pytest.raises(NavigationError):
            await bench.call("open_tab", url=f"{bench.far_end.url}/status/404")
        assert (await bench.call("list_tabs")).output["count"] == 1

    @pytest.mark.parametrize("tab", [0, "0", "first", "previous", "Conformance", "/conformance/people"])
    async def test_tabs_are_named_by_number_place_title_or_address(self, bench: Bench, tab: Any):
        titles = {"/conformance/people": "People"}
        await bench.open("people" if tab in titles else "")
        await bench.call("open_tab", url=bench.url("second"))
        outcome = await bench.call("switch_tab", tab=tab)
        assert outcome.output.keys() == TAB
        assert outcome.output["title"] == titles.get(tab, "Conformance")
        assert outcome.effect == "confirmed"

    async def test_the_tab_that_a_click_opened_is_the_new_one(self, bench: Bench):
        await bench.open()
        await bench.call("click", selector="#tab")
        outcome = await bench.call("switch_tab", tab="new")
        assert outcome.output["url"] == bench.url("second")

    @pytest.mark.parametrize(("tab", "code"), [(7, "target_missing"), ("conformance", "target_ambiguous")])
    async def test_a_tab_that_is_not_clear_lists_them_all(self, bench: Bench, tab: Any, code: str):
        await bench.open()
        await bench.call("open_tab", url=bench.url("second"))
        with pytest.raises(TargetError) as caught:
            await bench.call("switch_tab", tab=tab)
        assert caught.value.code == code
        assert [each["title"] for each in caught.value.evidence["tabs"]] == ["Conformance", "Second page"]

    async def test_closing_a_tab_returns_to_the_one_before(self, bench: Bench):
        await bench.open()
        await bench.call("open_tab", url=bench.url("second"))
        outcome = await bench.call("close_tab")
        assert outcome.output == {"closed": bench.url("second"), "count": 1, "remaining": 1}
        assert outcome.effect == "confirmed"
        assert outcome.evidence["now_at"] == bench.url()
        assert (await bench.call("read", target="title")).output["value"] == "Conformance"

    async def test_tabs_are_listed(self, bench: Bench):
        await bench.open()
        await bench.call("open_tab", url=bench.url("second"))
        outcome = await bench.call("list_tabs")
        assert outcome.output.keys() == {"tabs", "count", "text"}
        assert outcome.output["tabs"] == [
            {"index": 0, "url": bench.url(), "title": "Conformance", "current": False},
            {"index": 1, "url": bench.url("second"), "title": "Second page", "current": True},
        ]
        assert outcome.output["count"] == len(outcome.output["text"].splitlines()) == 2
        assert outcome.effect == "none"

    @pytest.mark.parametrize(
        ("which", "closed", "now_at"),
        [
            ("all", ["", "people", "second", "form"], None),
            ("others", ["", "people", "form"], "second"),
            ("left", ["", "people"], "second"),
            ("right", ["form"], "second"),
        ],
    )
    async def test_several_tabs_are_closed_by_where_they_are(
        self, bench: Bench, which: str, closed: list[str], now_at: str | None
    ):
        await open_four(bench)
        outcome = await bench.call("close_tab", which=which)
        assert outcome.output["closed"].splitlines() == [bench.url(path) for path in closed]
        assert (outcome.output["count"], outcome.output["remaining"]) == (len(closed), 4 - len(closed))
        assert outcome.effect == "confirmed"
        assert outcome.evidence["now_at"] == (None if now_at is None else bench.url(now_at))
        assert (await bench.call("list_tabs")).output["count"] == 4 - len(closed)

    @pytest.mark.parametrize("which", ["others", "left", "right"])
    async def test_where_no_such_tab_is_none_is_closed(self, bench: Bench, which: str):
        await bench.open()
        outcome = await bench.call("close_tab", which=which)
        assert outcome.output == {"closed": "", "count": 0, "remaining": 1}

    async def test_a_tab_that_another_branch_is_on_stays(self, bench: Bench):
        await bench.open()
        await bench.call("open_tab", lane="g1", url=bench.url("second"))
        outcome = await bench.call("close_tab", which="all")
        assert (outcome.output["count"], outcome.output["remaining"]) == (1, 1)
        assert (await bench.call("read", lane="g1", target="title")).output["value"] == "Second page"

    async def test_without_a_page_there_is_nothing_to_close(self, bench: Bench):
        with pytest.raises(ActionError) as caught:
            await bench.call("close_tab", which="all")
        assert caught.value.code == "no_page"

    @pytest.mark.parametrize(
        ("text", "title"),
        [("it WAS  reached", "Second page"), ("does the same here", "Conformance"), ("Grace", "People")],
    )
    async def test_a_tab_goes_by_what_is_on_its_page(self, bench: Bench, text: str, title: str):
        await open_four(bench)
        outcome = await bench.call("switch_tab", contains=text)
        assert outcome.output["title"] == title
        assert outcome.effect == "confirmed"

    @pytest.mark.parametrize(("text", "code"), [("nowhere said", "target_missing"), ("form", "target_ambiguous")])
    async def test_a_text_of_no_tab_or_of_several_lists_them_all(self, bench: Bench, text: str, code: str):
        await open_four(bench)
        with pytest.raises(TargetError) as caught:
            await bench.call("switch_tab", contains=text)
        assert caught.value.code == code
        assert len(caught.value.evidence["tabs"]) == 4
        assert (await bench.call("read", target="title")).output["value"] == "Second page"

    async def test_only_one_way_to_say_which_tab_is_taken(self, bench: Bench):
        await bench.open()
        with pytest.raises(InputError):
            await bench.call("switch_tab", tab=0, contains="Buttons")
        with pytest.raises(InputError):
            await bench.call("close_tab", tab=0, which="all")
        with pytest.raises(InputError):
            await bench.call("switch_tab")


class ZoomConformance:
    """How large a tab shows its pages, and what is in their frames."""

    async def test_a_tab_goes_by_what_is_in_a_frame_of_its_page(self, bench: Bench):
        await open_four(bench)
        outcome = await bench.call("switch_tab", contains="words in a FRAME")
        assert (outcome.output["title"], outcome.effect) == ("Conformance", "confirmed")

    async def test_zooming_goes_by_steps_and_back_to_where_it_was(self, bench: Bench):
        await bench.open()
        seen = [await bench.call("zoom", direction=each) for each in ("in", "in", "out", "out", "out", "reset")]
        assert [each.output["level_percent"] for each in seen] == [110, 125, 110, 100, 90, 100]
        assert {each.effect for each in seen} == {"confirmed"}
        assert (seen[1].evidence["before_percent"], seen[1].evidence["after_percent"]) == (110, 125)

    async def test_a_level_is_taken_as_it_is_and_steps_go_on_from_there(self, bench: Bench):
        await bench.open()
        outcome = await bench.call("zoom", level=160)
        assert outcome.output == {"level_percent": 160}
        assert (await bench.call("zoom", direction="in")).output == {"level_percent": 175}

    @pytest.mark.parametrize(("level", "direction"), [(500, "in"), (25, "out")])
    async def test_further_than_it_goes_is_an_error(self, bench: Bench, level: float, direction: str):
        await bench.open()
        await bench.call("zoom", level=level)
        with pytest.raises(ActionError) as caught:
            await bench.call("zoom", direction=direction)
        assert caught.value.code == "zoom_limit"

    async def test_the_pages_that_the_tab_goes_to_are_zoomed_as_well_and_other_tabs_are_not(self, bench: Bench):
        await bench.open()
        await bench.call("zoom", level=200)
        await bench.open("second")
        assert (await bench.call("zoom", direction="in")).evidence["before_percent"] == 200
        await bench.call("open_tab", url=bench.url("second"))
        assert (await bench.call("zoom", direction="in")).evidence["before_percent"] == 100

    @pytest.mark.parametrize("level", [50, 200])
    async def test_a_zoomed_page_is_acted_on_as_before(self, bench: Bench, level: float):
        await bench.open()
        await bench.call("zoom", level=level)
        assert (await bench.call("click", selector='button "Plain button"')).effect == "confirmed"
        assert (await bench.call("scroll", to="bottom")).output["at_end"] is True
        assert (await bench.call("drag", selector='button "Parcel"', target='region "Lorry"')).effect == "confirmed"
        assert await bench.clicked() == ["plain"]

    @pytest.mark.parametrize("args", [{}, {"direction": "in", "level": 50}])
    async def test_either_a_direction_or_a_level_is_needed(self, bench: Bench, args: dict[str, Any]):
        await bench.open()
        with pytest.raises(InputError):
            await bench.call("zoom", **args)
