"""Sliders whose steps have names: brought by their keys to the one that they say by that name."""

from contextlib import suppress
from typing import Any

from actuators.browser.playwright.controls.control_values import read_number, write_text
from actuators.browser.playwright.controls.controls import PageControl, find_part, read_control
from actuators.browser.playwright.finding.actionability import ActionTarget, begin_act
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import read_settled
from actuators.browser.ports.forms import Value
from actuators.deadlines import Deadline, allow_s, pause
from core.base.errors import InputError
from core.base.matching import fold_space

ANSWER_S = 0.4  # until a key that has moved nothing counts as one that moves nothing
LOOK_S = 0.02
MOST_STEPS = 120


def has_named_steps(control: PageControl, value: Value) -> bool:
    """Tell whether a value is the name of a step, of a slider that says where it is in words."""
    if not _fold(control.facts["said"]):
        return False
    with suppress(InputError):
        read_number(value)
        return False
    return True


async def bring_to_step(aim: ActionTarget, control: PageControl, value: Value) -> tuple[str, dict[str, Any]]:
    """Bring a slider to the step of a name; return what it says then, and evidence if the page has not settled.

    Raises:
        InputError: If it has no such step; it stands where it stood then.
    """
    wanted, before = write_text(value), str(control.facts["said"])
    seen = [before]
    if _fold(before) != _fold(wanted) and not await _walk(aim, wanted, seen, "ArrowUp"):
        passed = len(seen) - 1
        if not await _walk(aim, wanted, seen, "ArrowDown", passed):
            await _walk(aim, before, [], "ArrowUp")
            raise InputError(
                f"The slider has no step {wanted!r}; it has: {', '.join(dict.fromkeys(seen))}.",
                code="bad_value",
                hint="Choose one of them.",
                evidence={"value": wanted, "options": list(dict.fromkeys(seen))},
            )
    reading = await read_settled(aim.locator, "control")
    return reading.held["said"], reading.evidence


async def _walk(aim: ActionTarget, wanted: str, seen: list[str], key: str, back: int = 0) -> bool:
    """Press a key until the slider says what is wanted, or nothing else any more; what it says is added to what was seen."""
    handle = find_part(aim, "handle")
    await begin_act(handle).focus(timeout=aim.take_ms())
    if not (await probe(handle, "focused"))["focused"]:
        return False  # the keys would go to another control
    said = str((await read_control(aim)).facts["said"])
    for _ in range(MOST_STEPS + back):
        await aim.page.keyboard.press(key)
        now = await _wait_for_step(aim, said)
        if now == said:
            return False
        seen.append(now)
        said = now
        if _fold(said) == _fold(wanted):
            return True
    return False


async def _wait_for_step(aim: ActionTarget, before: str) -> str:
    deadline = Deadline(allow_s(ANSWER_S))
    while (said := str((await read_control(aim)).facts["said"])) == before and not deadline.is_over:
        await pause(LOOK_S)
    return said


def _fold(text: str) -> str:
    return fold_space(text).casefold()
