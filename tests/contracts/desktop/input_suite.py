"""What all hands do, and the tools over them."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from core.base.errors import ActionError, TargetError
from core.goals.secret_values import Secret
from tests.contracts.desktop.bench import PIN, DesktopBench

EVERYTHING = "żółć 日本 😀 a<b>c|\"q\" 'x' ~`€ Ünï"


class HandsConformance:
    """The port ``Hands``."""

    def test_hands_are_available(self, bench: DesktopBench):
        found = bench.parts.hands.assess()
        assert (found.capability, found.available) == ("input", True)

    async def test_the_pointer_is_where_it_was_moved_to(self, bench: DesktopBench):
        await bench.parts.hands.move_to(321, 234)
        assert await bench.parts.hands.position() == (321, 234)

    async def test_keys_that_are_held_are_let_go(self, bench: DesktopBench):
        await bench.open_window("one")
        await bench.parts.hands.key_down("Control")
        await bench.parts.hands.key_down("Shift")
        assert await bench.held()
        await bench.parts.hands.release_all()
        assert not await bench.held()

    async def test_keys_that_are_struck_together_are_let_go(self, bench: DesktopBench):
        await bench.open_window("one")
        await bench.parts.hands.strike(["Control", "Shift", "F5"])
        assert not await bench.held()

    @pytest.mark.parametrize("key", ["a", "Z", "<", "Enter", "F5", "ArrowLeft", "Control", "PageUp", "Numpad7"])
    async def test_common_keys_are_there(self, bench: DesktopBench, key: str):
        assert await bench.parts.hands.can_press(key)

    async def test_half_of_a_character_is_refused_before_anything_is_typed(self, bench: DesktopBench):
        await bench.open_field()
        with pytest.raises(ActionError) as caught:
            await bench.parts.hands.type_text("abc\ud83d")
        assert caught.value.code == "unsupported_text"
        assert await bench.read_field() == ""


class PointerToolsConformance:
    """The tools for the pointer."""

    async def test_a_click_reaches_the_window_at_the_point(self, bench: DesktopBench):
        window = await bench.open_window("one")
        x, y = window.bounds.center
        outcome = await bench.call("click", target={"point": [x, y]})
        assert outcome.effect == "confirmed"
        assert outcome.output["window"]["title"] == "one"
        assert (outcome.evidence["x"], outcome.evidence["y"]) == (x, y)
        assert await wait_for(lambda: bench.clicks(window) == [("left", x, y)])
        assert not await bench.held()

    async def test_a_point_in_a_window_moves_with_it(self, bench: DesktopBench):
        window = await bench.open_window("one")
        await bench.call("move_window", window="one", bounds={"x": 200, "y": 150})
        await bench.call("click", target={"point": [100, 120], "space": "window"}, window="one")
        assert await wait_for(lambda: bench.clicks(window) == [("left", 300, 270)])

    async def test_a_double_click_is_two_clicks(self, bench: DesktopBench):
        window = await bench.open_window("one")
        await bench.call("double_click", target={"point": list(window.bounds.center)})
        assert await wait_for(lambda: len(bench.clicks(window)) == 2)

    async def test_a_right_click_uses_the_right_button(self, bench: DesktopBench):
        window = await bench.open_window("one")
        await bench.call("right_click", target={"point": list(window.bounds.center)})
        assert await wait_for(lambda: [each[0] for each in bench.clicks(window)] == ["right"])

    async def test_a_click_with_a_modifier_lets_it_go(self, bench: DesktopBench):
        window = await bench.open_window("one")
        await bench.call("click", target={"point": list(window.bounds.center)}, modifiers=("Control",))
        assert await wait_for(lambda: len(bench.clicks(window)) == 1)
        assert not await bench.held()

    async def test_a_covered_window_is_not_clicked(self, bench: DesktopBench):
        below = await bench.open_window("below")
        await bench.open_window("above")
        for name in ("below", "above"):
            await bench.call("move_window", window=name, bounds={"x": 100, "y": 100, "width": 400, "height": 300})
        with pytest.raises(TargetError, match="above") as caught:
            await bench.call("click", target={"point": [100, 100], "space": "window"}, window="below")
        assert caught.value.code == "target_covered"
        assert caught.value.evidence["covered_by"]["title"] == "above"
        assert bench.clicks(below) == []

    async def test_another_programs_notification_covers(self, bench: DesktopBench):
        if not bench.has_popups:
            pytest.skip("no windows without a window manager here")
        window = await bench.open_window("one")
        await bench.pop_up(window, own=False)
        with pytest.raises(TargetError) as caught:
            await bench.call("click", target={"point": [200, 150], "space": "window"}, window="one")
        assert caught.value.code == "target_covered"

    async def test_a_windows_own_menu_does_not_cover_it(self, bench: DesktopBench):
        if not bench.has_popups:
            pytest.skip("no windows without a window manager here")
        window = await bench.open_window("one")
        await bench.pop_up(window, own=True)
        outcome = await bench.call("click", target={"point": [200, 150], "space": "window"}, window="one")
        assert outcome.effect == "confirmed"

    @pytest.mark.parametrize("point", [(-5, 10), (10, -5), (100_000, 10), (10, 100_000)])
    async def test_a_point_on_no_display_is_refused(self, bench: DesktopBench, point: tuple[int, int]):
        await bench.parts.hands.move_to(300, 300)
        with pytest.raises(TargetError) as caught:
            await bench.call("click", target={"point": list(point)})
        assert caught.value.code == "target_off_screen"
        assert await bench.parts.hands.position() == (300, 300)

    async def test_a_corner_is_not_pointed_at(self, bench: DesktopBench):
        with pytest.raises(TargetError) as caught:
            await bench.call("move", target={"point": [0, 0]})
        assert caught.value.code == "target_unsuitable"

    async def test_moving_is_confirmed_by_where_the_pointer_is(self, bench: DesktopBench):
        outcome = await bench.call("move", target={"point": [411, 322]})
        assert (outcome.output["x"], outcome.output["y"], outcome.effect) == (411, 322, "confirmed")
        assert await bench.parts.hands.position() == (411, 322)

    async def test_a_drag_presses_where_it_starts_and_ends_where_it_shall(self, bench: DesktopBench):
        window = await bench.open_window("one")
        x, y = window.bounds.center
        outcome = await bench.call("drag", target={"point": [x, y]}, to={"point": [x + 60, y + 40]})
        assert (outcome.output["x"], outcome.output["y"]) == (x + 60, y + 40)
        assert (outcome.output["from"]["x"], outcome.output["from"]["y"]) == (x, y)
        assert not await bench.held()

    async def test_the_wheel_turns_over_what_is_named(self, bench: DesktopBench):
        window = await bench.open_window("one")
        outcome = await bench.call("scroll", direction="down", amount=4, window="one")
        assert (outcome.output["x"], outcome.output["y"]) == window.bounds.center
        assert outcome.effect == "unverified"
        assert await wait_for(lambda: bench.wheel_turns(window) == ["down"] * 4)

    async def test_the_wheel_turns_where_the_pointer_is(self, bench: DesktopBench):
        window = await bench.open_window("one")
        await bench.call("move", target={"point": list(window.bounds.center)})
        await bench.call("scroll", direction="up", amount=2)
        assert await wait_for(lambda: bench.wheel_turns(window) == ["up"] * 2), bench.wheel_turns(window)


class GuardConformance:
    """The fail-safe, and people who use the pointer."""

    @pytest.mark.parametrize("verb", ["click", "type", "press", "scroll"])
    async def test_a_pointer_in_a_corner_stops_everything(self, bench: DesktopBench, verb: str):
        window = await bench.open_window("one")
        await bench.call("move", target={"point": list(window.bounds.center)})
        await bench.move_by_hand((0, 0))
        point = {"point": list(window.bounds.center)}
        args: dict[str, dict[str, Any]] = {
            "click": {"target": point},
            "type": {"text": "abc"},
            "press": {"keys": "a"},
            "scroll": {},
        }
        with pytest.raises(ActionError) as caught:
            await bench.call(verb, **args[verb])
        assert caught.value.code == "fail_safe"
        assert bench.clicks(window) == []
        assert bench.keys(window) == []

    async def test_a_person_who_moves_the_pointer_is_waited_for(self, bench: DesktopBench):
        window = await bench.open_window("one")
        await bench.call("move", target={"point": [300, 300]})
        await bench.move_by_hand((500, 400))
        outcome = await bench.call("click", target={"point": list(window.bounds.center)})
        assert outcome.evidence["paused_s"] >= 0.9
        assert outcome.effect == "confirmed"

    async def test_a_person_who_goes_on_moving_it_is_not_disturbed(self, bench: DesktopBench):
        window = await bench.open_window("one")
        await bench.call("move", target={"point": [300, 300]})
        await bench.move_by_hand((399, 400))
        places = [(400 + step, 400) for step in range(60)]
        moving = asyncio.ensure_future(bench.move_by_hand(*places))
        with pytest.raises(ActionError) as caught:
            await bench.call("click", target={"point": list(window.bounds.center)}, timeout_s=1.0)
        moving.cancel()
        await asyncio.wait({moving})
        assert caught.value.code == "person_active"
        assert bench.clicks(window) == []


class KeyToolsConformance:
    """The tools for keys."""

    async def test_text_is_typed_losslessly(self, bench: DesktopBench):
        await bench.open_field()
        text = EVERYTHING if bench.types_everything else "abc <d> 12"
        outcome = await bench.call("type", text=text)
        assert outcome.output["way"] in {"keys", "clipboard"}
        assert await wait_for_field(bench, text)

    async def test_a_secret_is_typed_by_keys_and_never_told(self, bench: DesktopBench):
        await bench.open_field()
        outcome = await bench.call("type", text=Secret("pin"))
        assert (outcome.output["way"], outcome.evidence["secret"]) == ("keys", "pin")
        assert PIN not in repr(outcome)
        assert await wait_for_field(bench, PIN)

    async def test_text_that_keys_cannot_type_is_refused_whole(self, bench: DesktopBench):
        await bench.open_field()
        with pytest.raises(ActionError) as caught:
            await bench.call("type", text="good\ud83d")
        assert caught.value.code == "unsupported_text"
        assert await bench.read_field() == ""

    async def test_a_combination_reaches_the_window_that_has_the_focus(self, bench: DesktopBench):
        window = await bench.open_window("one")
        outcome = await bench.call("press", keys="ctrl+S")
        assert (outcome.output["keys"], outcome.output["window"]["title"]) == ("Control+s", "one")
        assert outcome.effect == "unverified"
        assert await wait_for(lambda: bench.keys(window) == ["Control+s"])
        assert not await bench.held()

    async def test_the_window_that_is_named_gets_the_focus_first(self, bench: DesktopBench):
        first = await bench.open_window("first")
        second = await bench.open_window("second")
        await bench.call("press", keys="x", window="first")
        assert await wait_for(lambda: bench.keys(first) == ["x"])
        assert bench.keys(second) == []

    async def test_a_key_that_does_not_exist_is_refused_before_anything_is_pressed(self, bench: DesktopBench):
        window = await bench.open_window("one")
        with pytest.raises(ActionError) as caught:
            await bench.call("press", keys="ctrl+wurst")
        assert caught.value.code == "unknown_key"
        assert bench.keys(window) == []
        assert not await bench.held()

    async def test_keys_without_a_window_that_has_the_focus_are_refused(self, bench: DesktopBench):
        with pytest.raises(ActionError) as caught:
            await bench.call("press", keys="a")
        assert caught.value.code == "window_missing"


async def wait_for(is_so: Callable[[], bool], timeout_s: float = 3.0) -> bool:
    """Look until something is so."""
    end_s = asyncio.get_running_loop().time() + timeout_s
    while not (answer := is_so()) and asyncio.get_running_loop().time() < end_s:
        await pause_shortly()
    return answer


async def wait_for_field(bench: DesktopBench, text: str) -> bool:
    """Look until the field holds a text."""
    for _ in range(20):
        if await bench.read_field() == text:
            return True
        await pause_shortly()
    return False


async def pause_shortly() -> None:
    """Let others get on."""
    try:
        await asyncio.wait_for(asyncio.Event().wait(), 0.02)
    except TimeoutError:
        return
