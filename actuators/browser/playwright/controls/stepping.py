"""Bringing sliders and counters to a number, by keys, buttons or the pointer, as far as the page shows where they are; and sliders to a step that has a name."""

import math
import operator
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

from actuators.browser.playwright.acting.gestures import drag_along
from actuators.browser.playwright.controls.controls import (
    PageControl,
    SettingResult,
    aim_at,
    find_part,
    fit_number,
    press_part,
    read_control,
    read_number,
    refuse_value,
    tell_difference,
    write_text,
)
from actuators.browser.playwright.finding.actionability import ActionTarget, begin_act
from actuators.browser.playwright.finding.idling import ask_until
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import read_settled
from actuators.browser.ports.acts import Value
from actuators.deadlines import Deadline, allow_s, pause
from core.base.errors import ActionError, InputError
from core.base.matching import fold_space

MOST_STEPS = 120


def has_named_steps(control: PageControl, value: Value) -> bool:
    """Tell whether a value is the name of a step, of a slider that says where it is in words."""
    if not _fold(control.facts["said"]):
        return False
    with suppress(InputError):
        read_number(value)
        return False
    return True


async def bring_to_step(aim: ActionTarget, control: PageControl, value: Value) -> SettingResult:
    """Bring a slider to the step of a name; InputError if it has no such step; it stands where it stood then."""
    wanted, before = write_text(value), str(control.facts["said"])
    seen = [before]
    if _fold(before) != _fold(wanted) and not await _walk(aim, wanted, seen, "ArrowUp"):
        passed = len(seen) - 1
        if not await _walk(aim, wanted, seen, "ArrowDown", passed):
            await _walk(aim, before, [], "ArrowUp")
            steps = list(dict.fromkeys(seen))
            message = f"The slider has no step {wanted!r}; it has: {', '.join(steps)}."
            raise refuse_value(message, "Choose one of them.", value=wanted, options=steps)
    reading = await read_settled(aim.locator, "control")
    return SettingResult(reading.held["said"], reading.is_settled, reading.evidence)


async def _walk(aim: ActionTarget, wanted: str, seen: list[str], key: str, back: int = 0) -> bool:
    if not await _takes_keys(aim):
        return False

    async def read() -> str:
        return str((await read_control(aim)).facts["said"])

    said = await read()
    for _ in range(MOST_STEPS + back):
        await aim.page.keyboard.press(key)
        before, said = said, await ask_until(read, partial(operator.ne, said), ANSWER_S, LOOK_S)
        if said == before:
            return False
        seen.append(said)
        if _fold(said) == _fold(wanted):
            return True
    return False


async def _takes_keys(aim: ActionTarget) -> bool:
    handle = find_part(aim, "handle")
    await begin_act(handle).focus(timeout=aim.take_ms())
    return (await probe(handle, "focused"))["focused"]  # else its keys would go to another control


def _fold(text: str) -> str:
    return fold_space(text).casefold()


ANSWER_S = 0.4  # until a press that has moved nothing counts as one that moves nothing
LOOK_S = 0.02
ROUNDS = 8
MOST_PRESSES = 150  # at once; what is farther away is dragged first
PULLS = 16
PULLS_IN_VAIN = 4
NUDGE_PX = 12.0

Press = Callable[[ActionTarget, bool, int], Awaitable[None]]


@dataclass(slots=True)
class Gauge:
    """Reads where a slider or counter is: by ARIA or its own text, else by the number beside it that moves with it, 0 while that isn't known."""

    aim: ActionTarget
    number: int = 0
    is_told: bool = False

    async def look(self) -> dict[str, Any]:
        """Return all that the page shows of it."""
        return await probe(self.aim.locator, "gauge")

    def read(self, seen: dict[str, Any]) -> float | None:
        """Return where it is; None where that isn't known yet."""
        if self.is_told:
            return seen["told"]
        return dict(map(tuple, seen["numbers"])).get(self.number)

    async def wait_for_move(self, before: dict[str, Any]) -> dict[str, Any]:
        """Look until something has moved and come to rest, or for a while."""
        seen = await ask_until(self.look, lambda seen: self._learn(before, seen), ANSWER_S, LOOK_S)
        deadline = Deadline(allow_s(ANSWER_S))
        while not deadline.is_over:
            await pause(LOOK_S)
            seen, earlier = await self.look(), seen
            if self.read(seen) == self.read(earlier):
                break
        return seen

    def _learn(self, before: dict[str, Any], seen: dict[str, Any]) -> bool:
        if self.is_told:
            return seen["told"] != before["told"]
        earlier = dict(map(tuple, before["numbers"]))
        moved = [name for name, number in seen["numbers"] if name in earlier and number != earlier[name]]
        if moved and not self.number:
            self.number = moved[0]
        return self.number in moved


async def bring_to(aim: ActionTarget, control: PageControl, value: Value) -> SettingResult:
    """Bring a slider or counter to a number.

    InputError if it doesn't take that, TargetError with several handles or if nothing shows where it is, else ActionError.
    """
    wanted = float(fit_number(value, control.limits))
    gauge = Gauge(aim)
    seen = await gauge.look()
    if seen["handles"] > 1:
        raise aim.refuse(f"The slider has {seen['handles']} handles.", "Name one of the handles.")
    gauge.is_told = seen["told"] is not None
    if gauge.read(seen) != wanted:
        await _step_or_pull(gauge, control, seen, wanted)
    reading = await read_settled(aim.locator, "gauge")
    reached = gauge.read(reading.held)
    if reached is None or abs(reached - wanted) > 1e-9 * max(1.0, abs(wanted)):
        raise _stopped(control, wanted, reached)
    return SettingResult(f"{Decimal(repr(reached)).normalize():f}", reading.is_settled, reading.evidence)


async def bring_each(
    aim: ActionTarget, ends: Sequence[float], bring: Callable[[ActionTarget, float], Awaitable[None]]
) -> None:
    """Bring the handles of a slider for a range to their numbers, so that none has to pass the other."""
    places = list(range(len(ends)))
    first = find_part(aim, "handle", 0)
    seen = await probe(first, "gauge")
    if seen["told"] is not None and ends[0] > seen["told"]:
        places.reverse()  # they go up, so the upper one goes first
    for place in places:
        await bring(aim_at(aim, find_part(aim, "handle", place)), ends[place])


async def _step_or_pull(gauge: Gauge, control: PageControl, seen: dict[str, Any], wanted: float) -> None:
    presses: list[Press] = [_press_keys]
    if seen["steps"]:
        presses.insert(0 if control.kind == "spin" else 1, _press_buttons)
    for press in presses:
        if await _step(gauge, press, wanted):
            return
    if control.kind == "slider":
        await _pull(gauge, wanted)
    if not gauge.is_told and not gauge.number:
        message = "The page does not show the control's value, so it can't be set to a number."
        element = control.facts["element"]
        raise gauge.aim.refuse(message, "Drag it and check the result.", element=element)


async def _press_keys(aim: ActionTarget, is_up: bool, count: int) -> None:
    if await _takes_keys(aim):
        for _ in range(count):
            await aim.page.keyboard.press("ArrowUp" if is_up else "ArrowDown")


async def _press_buttons(aim: ActionTarget, is_up: bool, count: int) -> None:
    for _ in range(count):
        await press_part(aim, "step", side="up" if is_up else "down")


async def _step(gauge: Gauge, press: Press, wanted: float) -> bool:
    before = await gauge.look()
    at = gauge.read(before)
    is_up = at is None or wanted > at
    for direction in (is_up, not is_up) if at is None else (is_up,):
        await press(gauge.aim, direction, 1)
        seen = await gauge.wait_for_move(before)
        start, at = gauge.read(before), gauge.read(seen)
        if at is not None and start is not None and at != start:
            unit = (at - start) if direction else (start - at)  # what one press up adds
            await _repeat(gauge, press, wanted, unit)
            return True
    return False


async def _repeat(gauge: Gauge, press: Press, wanted: float, unit: float) -> None:
    seen = await gauge.look()
    for _ in range(ROUNDS):
        at = gauge.read(seen)
        count = 0 if at is None else round((wanted - at) / unit)
        if not count:
            return
        if abs(count) > MOST_PRESSES:
            await _pull(gauge, wanted)
            seen = await gauge.look()
            continue
        await press(gauge.aim, count > 0, abs(count))
        after = await gauge.wait_for_move(seen)
        if gauge.read(after) == at:
            return
        seen = after


async def _pull(gauge: Gauge, wanted: float) -> None:
    seen = await gauge.look()
    distance_px, slope = NUDGE_PX, 0.0  # how much a pixel adds, as far as that is known
    for pull in range(PULLS):
        if gauge.read(seen) == wanted or (not slope and pull >= PULLS_IN_VAIN):
            return
        await _drag(gauge.aim, distance_px)
        seen, before = await gauge.wait_for_move(seen), seen
        start, at = gauge.read(before), gauge.read(seen)
        if start is None or at is None or at == start:
            # At first it may be at its end; later the pull was too short to be seen.
            distance_px *= 2 if slope or pull % 2 else -1
            continue
        if not slope or abs(distance_px) >= NUDGE_PX / 2:
            slope = (at - start) / distance_px
        left_px = (wanted - at) / slope
        distance_px = math.copysign(max(1.0, abs(left_px)), left_px)


async def _drag(aim: ActionTarget, distance_px: float) -> None:
    await find_part(aim, "handle").scroll_into_view_if_needed(timeout=aim.take_ms())
    seen = await probe(aim.locator, "gauge")
    thumb, track = seen["thumb"], seen["track"]
    x_px, y_px = to_x, to_y = thumb["x_px"] + thumb["width_px"] / 2, thumb["y_px"] + thumb["height_px"] / 2
    if seen["vertical"]:
        to_y = min(max(y_px - distance_px, track["y_px"]), track["y_px"] + track["height_px"])
    else:
        to_x = min(max(x_px + distance_px, track["x_px"]), track["x_px"] + track["width_px"])
    await drag_along(aim.page, [(x_px, y_px), (to_x, to_y)], steps=4)


def _stopped(control: PageControl, wanted: float, reached: float | None) -> ActionError:
    message = f"The control did not reach {wanted:g}: it shows {'nothing' if reached is None else f'{reached:g}'}."
    hint = "It may end earlier, or move in larger steps."
    return tell_difference(message, hint, wanted, reached, before=control.held)
