"""Choosing a time of day in what a field has opened: fields for hours and minutes, a list of times, columns of numbers."""

import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import time
from typing import TYPE_CHECKING, Any

from actuators.browser.playwright.controls.controls import aim_at, find_part
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import read_settled
from core.base.dates import NOON, read_time
from core.base.errors import InputError

if TYPE_CHECKING:
    from actuators.browser.playwright.finding.actionability import ActionTarget

SetField = Callable[["ActionTarget", str], Awaitable[Any]]


async def pick_time(aim: "ActionTarget", clock: time, set_field: SetField) -> bool:
    """Choose a time in what the field has opened; return False where it has nothing for that.

    Raises:
        InputError: If the time isn't offered.
    """
    shown = await probe(aim.locator, "clock")
    if shown["fields"]:
        await _fill_fields(aim, shown, clock, set_field)
    elif shown["times"]:
        await _press(aim, "time", _find_time(shown["times"], clock))
    elif shown["columns"]:
        await _pick_columns(aim, shown, clock)
    else:
        return False
    return True


async def _fill_fields(aim: "ActionTarget", shown: dict[str, Any], clock: time, set_field: SetField) -> None:
    is_halved = bool(shown["halves"]) or "dayPeriod" in shown["fields"]
    values = {
        "time": clock.isoformat("minutes"),
        "hour": str((clock.hour % NOON or NOON) if is_halved else clock.hour),
        "minute": str(clock.minute),
        "second": str(clock.second),
        "dayPeriod": "PM" if clock.hour >= NOON else "AM",
    }
    for place, unit in enumerate(shown["fields"]):
        await set_field(aim_at(aim, find_part(aim, "clock", place, "field")), values[unit])
    await _press_half(aim, shown["halves"], clock)


async def _press_half(aim: "ActionTarget", halves: Sequence[str], clock: time) -> None:
    """Press the half of the day: the button of that name, or the only one, which goes to the other half."""
    wanted = "p" if clock.hour >= NOON else "a"
    places = [at for at, each in enumerate(halves) if each.casefold().startswith(wanted)]
    if len(halves) == 1 and not places:
        await _press(aim, "half", 0)
    elif len(halves) > 1 and places:
        await _press(aim, "half", places[0])


async def _pick_columns(aim: "ActionTarget", shown: dict[str, Any], clock: time) -> None:
    """Press an hour, then the minutes, which may come up only then, the seconds where there are some, then the half of the day."""
    columns = shown["columns"]
    is_halved = bool(shown["halves"]) or any(not each[0]["label"].isdecimal() for each in columns)
    hour = (clock.hour % NOON or NOON) if is_halved else clock.hour
    await _press(aim, "0", _find_number(columns[0], hour))
    after = (await read_settled(aim.locator, "clock")).held
    place = 1 if len(after["columns"]) > 1 and after["columns"][1][0]["label"].isdecimal() else 0
    if place < len(after["columns"]):
        await _press(aim, str(place), _find_number(after["columns"][place], clock.minute))
    later = (await read_settled(aim.locator, "clock")).held
    if place and len(later["columns"]) > place + 1 and later["columns"][place + 1][0]["label"].isdecimal():
        await _press(aim, str(place + 1), _find_number(later["columns"][place + 1], clock.second))
    for at, column in enumerate(later["columns"]):
        if not column[0]["label"].isdecimal():
            half = "p" if clock.hour >= NOON else "a"
            await _press(
                aim, str(at), next(n for n, each in enumerate(column) if each["label"].casefold().startswith(half))
            )
            return
    await _press_half(aim, later["halves"], clock)


def _find_time(times: Sequence[dict[str, Any]], clock: time) -> int:
    for place, each in enumerate(times):
        if not each["off"] and read_time(re.sub(r"\s+", " ", each["label"])) == clock:
            return place
    raise _unavailable(clock.isoformat("minutes"))


def _find_number(column: Sequence[dict[str, Any]], wanted: int) -> int:
    for place, each in enumerate(column):
        if not each["off"] and each["label"].isdecimal() and int(each["label"]) == wanted:
            return place
    raise _unavailable(str(wanted))


async def _press(aim: "ActionTarget", side: str, place: int) -> None:
    await aim_at(aim, find_part(aim, "clock", place, side)).begun.click(timeout=aim.take_ms())


def _unavailable(what: str) -> InputError:
    return InputError(
        f"The list of times does not offer {what}.",
        code="bad_value",
        hint="Choose a time that can be picked.",
        evidence={"time": what},
    )
