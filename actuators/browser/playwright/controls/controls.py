"""What a control is made of, as the page engine tells it, and what a value that people give becomes in it."""

import copy
import math
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from playwright.async_api import Locator

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import read_settled
from core.base.dates import DateOrder, find_order, write_for_field
from core.base.errors import ActionError, InputError, TargetError

if TYPE_CHECKING:
    from actuators.browser.playwright.finding.actionability import ActionTarget

TIMELY = frozenset({"date", "time", "datetime-local", "month", "week"})
NUMERIC = frozenset({"number", "range", "slider", "spin"})
_NUMBER = re.compile(
    r"[^\w.+−-]?\s*([+−-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?)\s*(?:%|°|per ?cent|[^\W\d_]{0,12}\.?)"
)
_ENDS = re.compile(
    r"(?:from |between )?(.*?\d.*?)(?:\s+(?:to|and|until)\s+|\s*[\u2013\u2014]\s*|\s+-\s+|(?<=\d)-(?=\d))(.*\d.*)",
    re.IGNORECASE,
)
_HEX = re.compile(r"[0-9a-f]{3}(?:[0-9a-f]{3})?")
_ON = frozenset({"on", "true", "yes", "checked", "ticked", "enabled", "selected", "active", "1"})
_OFF = frozenset({"off", "false", "no", "unchecked", "unticked", "disabled", "cleared", "inactive", "0"})
BYTE = 255


@dataclass(frozen=True, slots=True)
class ControlLimits:
    """The numbers that a control takes, as far as it says; steps are counted from the lowest or else from 0."""

    lowest: Decimal | None = None
    highest: Decimal | None = None
    step: Decimal | None = None


def write_text(value: str | bool | float) -> str:
    """Return a value as it is written into a field of text."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return value if isinstance(value, str) else format(Decimal(repr(value)).normalize(), "f")


def read_number(value: str | bool | float) -> Decimal:
    """Return the number that a value is, whatever sign or unit is written beside it; ``bad_value`` if it is none."""
    match = _NUMBER.fullmatch(write_text(value).strip())
    if match is None or not any(map(str.isdigit, match[1])):
        raise refuse_value(f"{value!r} is not a number.", "Give a number, such as 40.", value=value)
    return Decimal(match[1].replace(",", "").replace("−", "-"))


def read_ends(value: str | bool | float) -> list[float]:
    """Return the two numbers of a range, such as ``30 to 60`` or ``30 - 60``, lowest first; empty where it is none."""
    match = _ENDS.fullmatch(write_text(value).strip())
    if match is None:
        return []
    try:
        return sorted(float(read_number(each)) for each in match.groups())
    except InputError:
        return []


def is_same_number(one: str, other: str) -> bool:
    """Tell whether two texts are the same number, whatever signs, marks between digits or units are written with it."""
    try:
        return read_number(one) == read_number(other)
    except InputError:
        return False


def fit_number(value: str | bool | float, limits: ControlLimits) -> Decimal:
    """Return the number that a value is; ``bad_value`` if it is none, or beyond the limits, or between two steps."""
    number = read_number(value)
    lowest, highest = limits.lowest, limits.highest
    if (lowest is not None and number < lowest) or (highest is not None and number > highest):
        span = f"from {'…' if lowest is None else lowest} to {'…' if highest is None else highest}"
        raise refuse_value(
            f"{number} is outside the control's range: {span}.", "Choose a number in that range.", value=value
        )
    if limits.step and (number - (lowest or 0)) % limits.step:
        below = number - (number - (lowest or 0)) % limits.step
        near = f"{below.normalize():f} and {(below + limits.step).normalize():f}"
        raise refuse_value(f"{number} lies between two steps of the control.", f"The nearest are {near}.", value=value)
    return number


def read_state(value: str | bool | float) -> bool:
    """Return whether a value means that a box is ticked; ``bad_value`` if it means neither that nor the contrary."""
    word = write_text(value).strip().lower()
    if word in _ON or word in _OFF:
        return word in _ON
    raise refuse_value(f"{value!r} is neither on nor off.", "Write on or off.", value=value)


def is_on(value: str | bool | float) -> bool:
    """Tell whether a value means that a box is ticked, or a radio button chosen."""
    return write_text(value).strip().lower() in _ON


def read_colour(value: str | bool | float) -> str:
    """Return the colour that a value means, as ``#rrggbb``; ``bad_value`` if it means none."""
    text = "".join(write_text(value).lower().split()).replace("-", "")
    numbers = text.removeprefix("rgb").strip("()")
    written = f"#{text}" if _HEX.fullmatch(text) else f"rgb({numbers})" if "," in text else text
    with suppress(ValueError):
        parts: tuple[int, ...] = import_module("PIL.ImageColor").getrgb(written)
        if len(parts) == len("rgb") and max(parts) <= BYTE:
            return "#" + "".join(f"{each:02x}" for each in parts)
    raise refuse_value(f"{value!r} is not a colour.", "Write it as #rrggbb.", value=value)


def write_value(kind: str, value: str | bool | float, limits: ControlLimits, order: DateOrder) -> str:
    """Return what a native field of a kind, such as ``number``, shall hold; ``bad_value`` if the value doesn't fit."""
    if kind in NUMERIC:
        return f"{fit_number(value, limits).normalize():f}"
    if kind == "color":
        return read_colour(value)
    return write_for_field(kind, write_text(value), order) if kind in TIMELY else write_text(value)


def read_limit(text: str | None) -> Decimal | None:
    """Return a limit as a control's attribute has it; None where there is none."""
    try:
        return Decimal(text) if text and text != "any" else None
    except ArithmeticError:
        return None


def refuse_value(message: str, hint: str, **evidence: Any) -> InputError:
    """Return the error for a value that a control doesn't take."""
    return InputError(message, code="bad_value", hint=hint, evidence=evidence)


def tell_difference(message: str, hint: str, expected: Any, actual: Any, **evidence: Any) -> ActionError:
    """Return the error for a control that holds something else than it was given."""
    evidence = {"expected": expected, "actual": actual, **evidence}
    return ActionError(message, code="value_differs", hint=hint, evidence=evidence).after_act()


@dataclass(frozen=True, slots=True)
class SettingResult:
    """What came of giving a control a value: what it holds now, read back; empty for a secret."""

    held: str
    is_read: bool = True
    notes: dict[str, Any] = field(default_factory=dict[str, Any])


PartKind = Literal["radio", "choice", "handle", "step", "day", "turn", "picker", "section", "cell", "accept", "clock"]
# In the browser's language, in which its own fields write dates.
ORDERS: dict[str, DateOrder] = {"dmy": "dmy", "mdy": "mdy", "ymd": "ymd"}
AWAY_MS = 2000.0  # how long a control may be away while its page makes it anew; an editor in a cell is gone for good


@dataclass(frozen=True, slots=True)
class PageControl:
    """What a control is made of; the notes say if the page had not settled when it was read back.

    Attributes:
        kind: ``select``, ``list`` (of a page's own making), ``choices`` (things beside each other of which one is
            chosen), ``radios``, ``box``, ``slider``, ``spin`` (counted up and down), ``sections`` (a date in parts, each
            in a field of its own), ``text``, ``other``, or the type of a native field.
    """

    kind: str
    held: str
    facts: dict[str, Any]
    notes: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def result(self) -> SettingResult:
        """That it holds what it does."""
        return SettingResult(self.held, not self.notes, self.notes)

    @property
    def limits(self) -> ControlLimits:
        """What numbers it takes."""
        return ControlLimits(*(read_limit(self.facts[name]) for name in ("lowest", "highest", "step")))

    @property
    def order(self) -> DateOrder:
        """The order in which it writes dates: as its hint or its value shows, else as the browser's language has it."""
        return find_order(self.facts["hint"], self.held) or ORDERS.get(self.facts["order"], "dmy")


async def read_control(aim: "ActionTarget") -> PageControl:
    """Ask the page what a control is made of; waits until it is there."""
    facts = await probe(aim.locator, "control", aim.take_ms())
    return PageControl(facts["kind"], facts["held"], facts)


async def read_back(aim: "ActionTarget") -> PageControl:
    """Ask the same after an act, when the page has settled; its notes say if it has not."""
    reading = await read_settled(aim.locator, "control", min(AWAY_MS, aim.take_ms()))
    return PageControl(reading.held["kind"], reading.held["held"], reading.held, reading.evidence)


async def leave_field(aim: "ActionTarget") -> None:
    """Take the focus away from a control, which is when many pages take a value; it belongs to the act that gave that."""
    await probe(aim.locator, "leave", min(AWAY_MS, aim.take_ms()))


def find_widget(aim: "ActionTarget") -> "ActionTarget":
    """Return the same aim at the control itself, where its label or something around it was named."""
    return aim_at(aim, aim.locator.locator(engine_selector("widget")))


def find_part(aim: "ActionTarget", what: PartKind, index: int = 0, side: str = "") -> Locator:
    """Return a part of a control, or of what it has opened; its side is ``up`` of a counter, ``next`` of a calendar."""
    return aim.locator.locator(engine_selector("part", what=what, index=index, side=side))


async def press_part(
    aim: "ActionTarget", what: PartKind, index: int = 0, side: str = "", most_ms: float = math.inf
) -> None:
    """Press a part of a control, or of what it has opened."""
    part = aim_at(aim, find_part(aim, what, index, side))
    await part.begun.click(timeout=min(most_ms, aim.take_ms()))


def aim_at(aim: "ActionTarget", locator: Locator) -> "ActionTarget":
    """Return an aim at another element, on the same page and within the same time."""
    other = copy.copy(aim)
    other.locator = locator
    return other


async def hold_element(aim: "ActionTarget") -> tuple["ActionTarget", "ActionTarget"]:
    """Keep an element that may be called otherwise once it is touched; return it, also where the page makes it anew, and only itself."""
    token = secrets.token_hex(4)
    await probe(aim.locator, "pin", aim.take_ms(), token=token)
    handle = await aim.locator.element_handle(timeout=aim.take_ms())
    frame = await handle.owner_frame() or aim.page.main_frame
    await handle.dispose()
    held, same = (
        aim_at(aim, frame.locator(engine_selector("pinned", token=token, is_same=is_same))) for is_same in (False, True)
    )
    return held, same


def refuse_disabled(aim: "ActionTarget", why: str, **evidence: Any) -> TargetError:
    """Return the error for a field that takes nothing now."""
    message = f"The field is disabled: {why}."
    return aim.refuse(message, "Check what the page needs first.", "target_disabled", **evidence)
