"""What every accessibility tree shows, and what the tools over it do."""

from typing import Any

import pytest

from actuators.desktop.ports.desktop import Element
from core.base.errors import ActionError, DeadlineError, DeviceError, SurehandError, TargetError
from tests.contracts.desktop_perception.bench import CALCULATOR, PREFERENCES, ElementBench

WIDTH = 'field "Minimal button width"'
FONT = 'checkbox "Use custom button font"'
BASE = 'combobox in "Numbers"'
DISPLAY = 'textbox in "galculator"'


class AccessibilityConformance:
    """The port ``Accessibility``."""

    def test_accessibility_is_available(self, bench: ElementBench):
        found = bench.parts.accessibility.assess()
        assert (found.capability, found.available, found.remedy) == ("accessibility", True, "")

    async def test_parents_come_before_what_is_in_them(self, bench: ElementBench):
        above: list[tuple[str, str]] = []
        base = 1
        for each in await bench.list_elements(CALCULATOR):
            assert len(each.path) - base <= len(above)
            above = above[: len(each.path) - base]
            assert [name for _, name in each.path[base:]] == [name for _, name in above]
            above.append((each.role, each.name))

    async def test_everything_names_its_window_first(self, bench: ElementBench):
        assert {each.path[0][1] for each in await bench.list_elements(PREFERENCES)} == {PREFERENCES}

    async def test_keys_are_in_reading_order(self, bench: ElementBench):
        names = [each.name for each in await bench.list_elements(CALCULATOR) if each.role == "button"]
        assert [name for name in names if name in {"7", "8", "9", "4", "5", "6", "1"}] == list("7894561")

    async def test_what_is_visible_is_within_its_window(self, bench: ElementBench):
        window = next(each for each in await bench.parts.windows.windows() if each.title == CALCULATOR)
        shown = [each for each in await bench.list_elements(CALCULATOR) if "visible" in each.states]
        assert all(each.bounds is not None and window.bounds.contains(*each.bounds.center) for each in shown)

    async def test_entries_of_a_closed_menu_are_known_but_not_visible(self, bench: ElementBench):
        found = next(each for each in await bench.list_elements(CALCULATOR) if each.name == "Quit")
        assert (found.bounds, "visible" in found.states, found.path[-1][1]) == (None, False, "File")

    async def test_a_depth_keeps_out_what_is_deeper(self, bench: ElementBench):
        assert {len(each.path) for each in await bench.list_elements(CALCULATOR, depth=1)} == {1}

    async def test_an_element_is_read_again(self, bench: ElementBench):
        display = await self._find_display(bench)
        await bench.press("C", "5")
        now = await bench.parts.accessibility.refresh(display)
        assert now is not None
        assert (now.value, now.role, now.path) == ("5", display.role, display.path)

    async def test_waiting_for_a_change_ends_with_its_time(self, bench: ElementBench):
        await bench.parts.accessibility.wait_for_change(0.05)

    async def _find_display(self, bench: ElementBench) -> Element:
        return next(each for each in await bench.list_elements(CALCULATOR) if each.role == "textbox")


class ElementToolsConformance:
    """``invoke`` and ``set_value``."""

    async def test_keys_are_pressed_and_the_result_is_read(self, bench: ElementBench):
        await bench.press("C", "7", "8", "*", "9", "=")
        outcome = await bench.call("read", role="textbox", window=CALCULATOR)
        assert (outcome.output["text"], outcome.output["value"]) == ("702", "702")

    async def test_a_press_is_confirmed_by_what_it_changed(self, bench: ElementBench):
        await bench.press("C")
        outcome = await bench.call("invoke", target='button "4"', window=CALCULATOR)
        assert (outcome.effect, outcome.output["action"], outcome.output["found"]["name"]) == (
            "confirmed",
            "Click",
            "4",
        )
        assert "4" in [each["value"] for each in outcome.evidence["changed"]]

    async def test_a_disabled_button_is_refused(self, bench: ElementBench):
        assert await self._fail(bench, "invoke", target='button "MR"', window=CALCULATOR) == "target_disabled"

    async def test_a_missing_button_is_an_error_that_lists_the_nearest(self, bench: ElementBench):
        with pytest.raises(TargetError) as caught:
            await bench.call("invoke", target='button "77"', window=CALCULATOR)
        assert caught.value.code == "target_missing"
        assert 'button "7"' in caught.value.evidence["nearest"]

    async def test_two_fields_are_an_error_that_names_each_alone(self, bench: ElementBench):
        await bench.open_tab("Buttons")
        with pytest.raises(TargetError) as caught:
            await bench.call("set_value", target='spinbutton in "Buttons"', value=50, window=PREFERENCES)
        assert caught.value.code == "target_ambiguous"
        named = [each["selector"] for each in caught.value.evidence["matches"]]
        assert named == ['field "Minimal button width"', 'field "Minimal button height"']
        for number, selector in ((61, named[0]), (62, 'spinbutton in "Buttons" nth 2')):
            outcome = await bench.call("set_value", target=selector, value=number, window=PREFERENCES)
            assert outcome.output["value"] == str(number)

    async def test_more_than_there_are_is_an_error(self, bench: ElementBench):
        await bench.open_tab("Buttons")
        code = await self._fail(bench, "invoke", target='spinbutton in "Buttons" nth 9', window=PREFERENCES)
        assert code == "target_missing"

    async def test_a_number_is_set_by_the_label_before_it_and_set_back(self, bench: ElementBench):
        await bench.open_tab("Buttons")
        await bench.call("set_value", target=WIDTH, value=40, window=PREFERENCES)
        outcome = await bench.call("set_value", target=WIDTH, value="44", window=PREFERENCES)
        assert (outcome.effect, dict(outcome.output)) == ("confirmed", {"value": "44", "before": "40"})
        record = outcome.undo_record
        assert record is not None
        assert (record.domain, record.operation, dict(record.guard)) == ("desktop", "set_value", {"value": "44"})
        assert (await bench.undo(outcome)).output["value"] == "40"
        with pytest.raises(ActionError) as caught:
            await bench.undo(outcome)
        assert (caught.value.code, caught.value.evidence["now"]) == ("changed_since", {"value": "40"})

    async def test_a_number_out_of_range_is_refused_with_the_range(self, bench: ElementBench):
        await bench.open_tab("Buttons")
        with pytest.raises(TargetError) as caught:
            await bench.call("set_value", target=WIDTH, value=101, window=PREFERENCES)
        assert (caught.value.code, caught.value.evidence["range"]) == ("target_unsuitable", [0.0, 100.0])

    async def test_a_word_is_no_number(self, bench: ElementBench):
        await bench.open_tab("Buttons")
        code = await self._fail(bench, "set_value", target=WIDTH, value="wide", window=PREFERENCES)
        assert code == "target_unsuitable"

    async def test_a_box_is_ticked_once(self, bench: ElementBench):
        await bench.open_tab("Buttons")
        await bench.call("set_value", target=FONT, value="off", window=PREFERENCES)
        first = await bench.call("set_value", target=FONT, value="on", window=PREFERENCES)
        second = await bench.call("set_value", target=FONT, value="on", window=PREFERENCES)
        assert [dict(each.output) for each in (first, second)] == [
            {"value": "on", "before": "off"},
            {"value": "on", "before": "on"},
        ]

    async def test_an_entry_is_chosen_by_its_name(self, bench: ElementBench):
        await bench.open_tab("Numbers")
        await bench.call("set_value", target=BASE, value="Decimal", window=PREFERENCES)
        outcome = await bench.call("set_value", target=BASE, value="octal", window=PREFERENCES)
        assert (outcome.effect, dict(outcome.output)) == ("confirmed", {"value": "Octal", "before": "Decimal"})

    async def test_an_unknown_entry_is_an_error_that_lists_those_there(self, bench: ElementBench):
        await bench.open_tab("Numbers")
        with pytest.raises(TargetError) as caught:
            await bench.call("set_value", target=BASE, value="Roman", window=PREFERENCES)
        assert caught.value.code == "target_unsuitable"
        assert set(caught.value.evidence["entries"]) == {"Octal", "Binary", "Decimal", "Hexadecimal"}

    async def test_what_is_on_another_page_is_refused_as_hidden(self, bench: ElementBench):
        await bench.open_tab("Buttons")
        assert await self._fail(bench, "set_value", target=BASE, value="Octal", window=PREFERENCES) == "target_hidden"

    async def test_a_display_can_not_be_written_to(self, bench: ElementBench):
        code = await self._fail(bench, "set_value", target=DISPLAY, value="1", window=CALCULATOR)
        assert code == "target_readonly"

    async def test_a_point_is_no_element(self, bench: ElementBench):
        assert await self._fail(bench, "invoke", target={"point": [1, 1]}) == "bad_selector"

    async def _fail(self, bench: ElementBench, verb: str, **args: Any) -> str:
        with pytest.raises(SurehandError) as caught:
            await bench.call(verb, **args)
        return caught.value.code


class PerceptionConformance:
    """``find``, ``read``, ``wait`` and where targets are."""

    async def test_elements_are_found_with_their_places(self, bench: ElementBench):
        outcome = await bench.call("find", role="button", name="7", window=CALCULATOR)
        assert (outcome.output["count"], outcome.effect) == (1, "none")
        match = outcome.output["matches"][0]
        spot = await bench.locate('button "7"', CALCULATOR)
        assert match["x"] < spot.x < match["x"] + match["width"]
        assert match["y"] < spot.y < match["y"] + match["height"]
        assert spot.window is not None
        assert spot.window.title == CALCULATOR

    async def test_finding_nothing_is_no_error(self, bench: ElementBench):
        outcome = await bench.call("find", name="Nowhere", window=CALCULATOR)
        assert (outcome.output["count"], outcome.output["matches"]) == (0, [])

    async def test_a_region_keeps_out_what_is_elsewhere(self, bench: ElementBench):
        region = {"x": 0, "y": 0, "width": 5, "height": 5, "space": "window"}
        assert (await bench.call("find", role="button", region=region, window=CALCULATOR)).output["count"] == 0

    async def test_a_region_outside_the_window_is_refused(self, bench: ElementBench):
        with pytest.raises(TargetError) as caught:
            await bench.call(
                "find", role="button", region={"x": -900, "y": 0, "width": 5, "height": 5}, window=CALCULATOR
            )
        assert caught.value.code == "target_off_screen"

    async def test_a_text_and_an_element_are_not_looked_for_at_once(self, bench: ElementBench):
        with pytest.raises(TargetError) as caught:
            await bench.call("find", text="7", role="button")
        assert caught.value.code == "bad_selector"

    async def test_a_closed_menus_entry_has_no_place(self, bench: ElementBench):
        with pytest.raises(TargetError) as caught:
            await bench.locate('menuitem "Quit"', CALCULATOR)
        assert caught.value.code == "target_hidden"
        assert "'File' is closed" in caught.value.message

    async def test_a_point_of_a_window_is_turned_into_one_of_the_screen(self, bench: ElementBench):
        window = next(each for each in await bench.parts.windows.windows() if each.title == CALCULATOR)
        spot = await bench.locate({"point": [7, 9], "space": "window"}, CALCULATOR)
        assert (spot.x, spot.y) == (window.bounds.x + 7, window.bounds.y + 9)

    async def test_a_point_outside_the_window_is_refused(self, bench: ElementBench):
        with pytest.raises(TargetError) as caught:
            await bench.locate({"point": [5000, 9], "space": "window"}, CALCULATOR)
        assert caught.value.code == "target_off_screen"

    async def test_a_missing_window_is_an_error_that_lists_those_there(self, bench: ElementBench):
        with pytest.raises(DeviceError) as caught:
            await bench.call("snapshot", window="Nowhere")
        assert caught.value.code == "window_missing"
        assert CALCULATOR in [each["title"] for each in caught.value.evidence["windows"]]

    async def test_waiting_for_what_is_there_ends_at_once(self, bench: ElementBench):
        outcome = await bench.call("wait", role="button", name="7", window=CALCULATOR)
        assert (outcome.output["name"], outcome.output["waited_s"] < 2) == ("7", True)

    async def test_waiting_for_a_window_needs_nothing_else(self, bench: ElementBench):
        assert (await bench.call("wait", window=CALCULATOR)).output["title"] == CALCULATOR

    async def test_what_is_not_there_is_hidden(self, bench: ElementBench):
        await bench.call("wait", role="button", name="Nowhere", window=CALCULATOR, state="hidden")
        await bench.call("wait", window="Nowhere", state="hidden")

    async def test_waiting_in_vain_says_what_was_seen_last(self, bench: ElementBench):
        with pytest.raises(DeadlineError) as caught:
            await bench.call("wait", role="button", name="88", window=CALCULATOR, timeout=0.3)
        assert 'button "8"' in caught.value.evidence["seen"]


class OutlineConformance:
    """``snapshot``."""

    async def test_an_outline_tells_things_to_act_on_with_what_they_hold(self, bench: ElementBench):
        await bench.press("C")
        outcome = await bench.call("snapshot", window=CALCULATOR)
        told = [line.strip().partition(", covered by")[0] for line in outcome.output["text"].splitlines()]
        lines = [line.partition(" # covered by")[0] for line in told]
        assert lines[0] == "# galculator"
        assert {'menu "File" # choose: Quit', 'button "7"', 'button "MR" # disabled'} <= set(lines)
        assert any(line.startswith("textbox") and '# = "0"' in line for line in lines)
        assert outcome.output["text"] == "\n".join(each["text"] for each in outcome.output["lines"])
        assert outcome.evidence["window"]["title"] == CALCULATOR

    @pytest.mark.parametrize("window", [CALCULATOR, PREFERENCES])
    async def test_each_line_of_an_outline_names_exactly_the_element_that_it_was_made_for(
        self, bench: ElementBench, window: str
    ):
        assert await bench.count_lines(window) > 4

    async def test_what_a_tab_opens_is_told_and_can_be_looked_at_before_it_is_shown(self, bench: ElementBench):
        await bench.open_tab("Buttons")
        whole = (await bench.call("snapshot", window=PREFERENCES)).output["text"]
        told = next(line for line in whole.splitlines() if line.startswith('tab "Numbers"'))
        assert "# opens: " in told
        inside = (await bench.call("snapshot", window=PREFERENCES, scope='tab "Numbers"')).output["text"]
        assert '  field "Configure number base" # = ' in inside
        choices = inside.partition("choose: ")[2].partition("\n")[0].split(" | ")
        assert set(choices) == {"Octal", "Binary", "Decimal", "Hexadecimal"}
        assert 'tab "Buttons"' not in inside

    async def test_words_find_the_entry_of_a_closed_menu(self, bench: ElementBench):
        text = (await bench.call("snapshot", window=CALCULATOR, find="Quit")).output["text"]
        assert 'menuitem "Quit" # hidden' in text
        assert 'button "7"' not in text

    async def test_what_has_changed_since_the_last_look_is_told_alone(self, bench: ElementBench):
        await bench.press("C")
        await bench.call("snapshot", window=CALCULATOR)
        await bench.press("7")
        text = (await bench.call("snapshot", window=CALCULATOR, since=True)).output["text"]
        assert 'was: "0"' in text
        assert 'button "8"' not in text

    async def test_a_short_outline_keeps_to_its_tokens_and_says_what_is_folded(self, bench: ElementBench):
        outcome = await bench.call("snapshot", window=CALCULATOR, max_tokens=50)
        assert outcome.output["truncated"] is True
        assert outcome.output["tokens"] <= 50
        assert outcome.evidence["left_out"] > 0
        assert "…" in outcome.output["text"]

    async def test_a_ref_names_an_element_that_was_outlined_for_as_long_as_it_lives(self, bench: ElementBench):
        lines = (await bench.call("snapshot", window=CALCULATOR)).output["lines"]
        ref = next(line["ref"] for line in lines if line["selector"] == 'button "8"')
        await bench.press("C", "7")
        assert [line["ref"] for line in (await bench.call("snapshot", window=CALCULATOR)).output["lines"]][1:] == [
            line["ref"] for line in lines
        ][1:]
        await bench.call("invoke", target=f"ref={ref}", window=CALCULATOR)
        assert (await bench.call("read", role="textbox", window=CALCULATOR)).output["value"] == "78"
        assert await self._miss(bench, "ref=e99999") == "target_missing"

    async def test_a_picture_has_the_numbers_of_the_lines(self, bench: ElementBench):
        outcome = await bench.call("snapshot", window=CALCULATOR, picture=True)
        numbers = [line["number"] for line in outcome.output["lines"] if line["number"]]
        assert numbers == list(range(1, len(numbers) + 1)) != []
        assert outcome.output["picture"].endswith(".png")
        assert outcome.artifacts == (outcome.output["picture"],)

    async def _miss(self, bench: ElementBench, target: str) -> str:
        with pytest.raises(TargetError) as caught:
            await bench.locate(target, CALCULATOR)
        return caught.value.code


class ElementConformance(AccessibilityConformance, ElementToolsConformance, PerceptionConformance, OutlineConformance):
    """All of it."""
