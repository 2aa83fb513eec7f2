"""What every back end does for click, hover, focus, drag and scroll."""

from typing import Any

import pytest

from core.base.errors import InputError, TargetError
from tests.contracts.browser.bench import Bench
from tests.contracts.browser.simulated import not_simulated


class PointerConformance:
    """Acting with the pointer."""

    async def test_a_click_reaches_the_element_and_says_so(self, bench: Bench):
        await bench.open()
        outcome = await bench.call("click", selector='button "Plain button"')
        assert outcome.effect == "confirmed"
        assert outcome.evidence["received_by"] == {
            "role": "button",
            "name": "Plain button",
            "tag": "button",
            "id": "plain",
        }
        assert "click" in outcome.evidence["events"]
        assert outcome.output == {}
        assert outcome.undo
        assert await bench.clicked() == ["plain"]

    async def test_a_click_on_a_link_leads_to_its_page(self, bench: Bench):
        await bench.open()
        outcome = await bench.call("click", selector='link "Second page" nth 1')
        assert outcome.evidence["navigated_to"] == bench.url("second")
        assert (await bench.call("read", target="title")).output["value"] == "Second page"

    async def test_a_click_that_opens_a_tab_names_it_and_stays(self, bench: Bench):
        await bench.open()
        outcome = await bench.call("click", selector="#tab")
        assert len(outcome.evidence["opened_tab"]) == 1
        assert (await bench.call("read", target="url")).output["value"] == bench.url()

    @not_simulated
    async def test_button_count_and_modifiers_reach_the_far_end(self, bench: Bench):
        await bench.open()
        await bench.call("click", selector="#plain", modifiers=("Shift",), count=2)
        first, second = await bench.far_end.events("clicked", 2)
        assert (first["id"], first["button"], first["modifiers"]) == ("plain", 0, ["Shift"])
        assert second["count"] == 2
        assert await bench.far_end.events("double-clicked")
        await bench.call("click", selector="#plain", button="middle")
        assert (await bench.far_end.events("aux-clicked"))[0]["button"] == 1

    async def test_an_element_that_comes_late_is_waited_for(self, bench: Bench):
        await bench.open()
        await bench.call("click", selector='button "Late button"')
        assert await bench.clicked() == ["late-button"]

    @pytest.mark.parametrize(
        ("selector", "code", "known"),
        [
            ('button "Disabled button"', "target_disabled", {"element"}),
            ('button "Hidden button"', "target_hidden", {"element"}),
            ('button "Plain butter"', "target_missing", {"nearest"}),
            ('button "Edit"', "target_ambiguous", {"matches", "count"}),
        ],
    )
    async def test_a_click_that_can_not_land_names_the_cause_and_does_nothing(
        self, bench: Bench, selector: str, code: str, known: set[str]
    ):
        bench.timeout_s = 3
        await bench.open()
        with pytest.raises(TargetError) as caught:
            await bench.call("click", selector=selector)
        assert caught.value.code == code
        assert caught.value.evidence["selector"] == selector
        assert caught.value.evidence["url"] == bench.url()
        assert caught.value.evidence.keys() >= {"waited_s", *known}
        await bench.call("click", selector="#plain")
        assert await bench.clicked() == ["plain"]

    @pytest.mark.parametrize(
        ("selector", "clicked"),
        [
            pytest.param('button "Edit" in "Shipping"', "edit-shipping", marks=not_simulated),
            ('button "edit" nth 1', "edit-billing"),
            ('control "Plain button"', "plain"),
            ('text "Plain button"', "plain"),
            ("#edit-billing", "edit-billing"),
            pytest.param("button[id=plain]", "plain", marks=not_simulated),
        ],
    )
    async def test_selectors_name_one_element(self, bench: Bench, selector: str, clicked: str):
        await bench.open()
        await bench.call("click", selector=selector)
        assert await bench.clicked() == [clicked]

    async def test_what_is_no_selector_is_said_so(self, bench: Bench):
        await bench.open()
        with pytest.raises(TargetError) as caught:
            await bench.call("click", selector='button "Plain')
        assert caught.value.code == "bad_selector"


class CandidateConformance:
    """What is in the way, and what is near."""

    async def test_a_click_on_what_is_covered_names_the_blocker_and_does_nothing(self, bench: Bench):
        bench.timeout_s = 3
        await bench.open()
        with pytest.raises(TargetError, match="Cookie notice") as caught:
            await bench.call("click", selector='button "Covered button"')
        assert caught.value.code == "target_covered"
        assert caught.value.evidence.keys() >= {"selector", "url", "waited_s", "element", "blocker"}
        await bench.call("click", selector="#plain")
        assert await bench.clicked() == ["plain"]

    async def test_the_nearest_candidates_are_named_with_selectors_and_never_acted_on(self, bench: Bench):
        bench.timeout_s = 3
        await bench.open()
        with pytest.raises(TargetError) as missing:
            await bench.call("click", selector='button "Plain butter"')
        nearest = missing.value.evidence["nearest"][0]
        assert nearest["name"] == "Plain button"
        with pytest.raises(TargetError) as ambiguous:
            await bench.call("click", selector='button "Edit"')
        second = ambiguous.value.evidence["matches"][1]
        await bench.call("click", selector=nearest["selector"])
        await bench.call("click", selector=second["selector"])
        assert await bench.clicked(2) == ["plain", "edit-shipping"]


class GestureConformance:
    """Hovering, focusing, dragging and scrolling."""

    async def test_hover_and_focus_are_read_back(self, bench: Bench):
        await bench.open()
        hovered = await bench.call("hover", selector="#plain")
        assert (hovered.evidence, hovered.effect) == ({"hovered": True, "on_top": True}, "confirmed")
        focused = await bench.call("focus", selector="#plain")
        assert (focused.evidence, focused.effect) == ({"focused": True}, "confirmed")
        with pytest.raises(TargetError) as caught:
            await bench.call("focus", selector="testid=prose")
        assert caught.value.code == "target_unsuitable"

    async def test_what_does_what_was_asked_for_is_found_under_another_name(self, bench: Bench):
        await bench.open("form")
        assert (await bench.call("hover", selector='control "submit"')).evidence["hovered"]

    async def test_a_part_of_a_text_or_all_of_it_is_marked_and_read_back(self, bench: Bench):
        await bench.open()
        marked = await bench.call("mark", selector='button "Plain button"', text="plain")
        assert (marked.evidence["marked"], marked.effect) == ("Plain", "confirmed")
        assert (await bench.call("mark", selector='button "Plain button"')).evidence["marked"] == "Plain button"

    async def test_a_text_that_is_not_there_is_not_marked(self, bench: Bench):
        await bench.open()
        with pytest.raises(TargetError) as caught:
            await bench.call("mark", selector='button "Plain button"', text="fancy")
        assert caught.value.code == "target_missing"

    async def test_the_focus_goes_from_field_to_field(self, bench: Bench):
        await bench.open("form")
        names = ["Name", "Motto", "Password"]
        moves = ["next", "next", "next", "previous"]
        seen = [await bench.call("focus", move=move) for move in moves]
        assert [each.evidence["element"]["name"] for each in seen] == [*names, "Motto"]
        assert {(each.evidence["focused"], each.effect) for each in seen} == {(True, "confirmed")}

    async def test_the_focus_goes_on_from_the_element_that_has_it(self, bench: Bench):
        await bench.open("form")
        await bench.call("focus", selector='button "Send"')
        assert (await bench.call("focus", move="previous")).evidence["element"]["name"] == "Photo"

    async def test_without_a_focus_the_last_field_is_the_previous_one(self, bench: Bench):
        await bench.open("form")
        assert (await bench.call("focus", move="previous")).evidence["element"]["name"] == "Photo"

    async def test_behind_the_last_field_is_none(self, bench: Bench):
        await bench.open("form")
        await bench.call("focus", selector='button "Send"')
        with pytest.raises(TargetError) as caught:
            await bench.call("focus", move="next")
        assert caught.value.code == "target_missing"

    @pytest.mark.parametrize("args", [{}, {"selector": "#name", "move": "next"}])
    async def test_focus_takes_either_an_element_or_a_move(self, bench: Bench, args: dict[str, Any]):
        await bench.open("form")
        with pytest.raises(InputError):
            await bench.call("focus", **args)

    async def test_a_drop_is_received_by_its_target(self, bench: Bench):
        await bench.open()
        outcome = await bench.call("drag", selector='button "Parcel"', target='region "Lorry"')
        assert outcome.effect == "confirmed"
        assert outcome.evidence.keys() >= {"before", "after", "received_by"}
        assert outcome.evidence["received_by"]["id"] == "lorry"
        (dropped,) = await bench.far_end.events("dropped")
        assert (dropped["id"], dropped["on"]) == ("parcel", "lorry")

    async def test_a_target_that_takes_nothing_is_an_error(self, bench: Bench):
        await bench.open()
        with pytest.raises(TargetError) as caught:
            await bench.call("drag", selector='button "Parcel"', target='region "Ship"')
        assert caught.value.code == "target_unsuitable"
        with pytest.raises(InputError):
            await bench.call("drag", selector='button "Parcel"')

    async def test_nothing_is_dragged_onto_itself(self, bench: Bench):
        await bench.open()
        with pytest.raises(TargetError) as caught:
            await bench.call("drag", selector='button "Parcel"', target='control "Parcel"')
        assert caught.value.code == "target_unsuitable"

    async def test_a_slider_is_dragged_by_an_offset(self, bench: Bench):
        await bench.open()
        outcome = await bench.call("drag", selector='slider "Size"', offset=(30, 0))
        assert outcome.effect == "confirmed"
        assert outcome.evidence["before"] != outcome.evidence["after"]

    @pytest.mark.parametrize(
        ("args", "at_end"),
        [({}, False), ({"amount": 100, "unit": "pixel"}, False), ({"to": "bottom"}, True), ({"direction": "up"}, True)],
    )
    async def test_scrolling_says_where_it_led(self, bench: Bench, args: dict[str, Any], at_end: bool):
        await bench.open()
        outcome = await bench.call("scroll", **args)
        assert outcome.output.keys() == {"x_px", "y_px", "at_end"}
        assert outcome.output["at_end"] is at_end
        assert (outcome.output["y_px"] > 0) is ("direction" not in args)
        assert outcome.evidence.keys() == {"before", "after", "at_end", "element"}
        assert outcome.evidence["after"]["y_px"] == outcome.output["y_px"]
        # At the top nothing moves upwards, so nothing can be read back.
        assert outcome.effect == ("unverified" if "direction" in args else "confirmed")


class OrderConformance:
    """Drawing, and putting in order."""

    async def test_a_line_is_drawn_where_it_is_said_and_nothing_is_drawn_without_one(self, bench: Bench):
        await bench.open()
        outcome = await bench.call("draw", selector='slider "Size"', shape="circle")
        assert outcome.evidence.keys() == {"from", "to", "points", "changed"}
        with pytest.raises(InputError):
            await bench.call("draw", selector='slider "Size"', points=((1.0, 1.0),))

    @pytest.mark.parametrize(("order", "error"), [("sideways", InputError), (("Not there", "Nor this"), TargetError)])
    async def test_an_order_that_can_not_be_is_an_error(self, bench: Bench, order: Any, error: type[Exception]):
        await bench.open()
        with pytest.raises(error):
            await bench.call("arrange", selector="every button", order=order)
