"""What a control is made of, as the page engine tells it, and the parts of it that are pressed."""

import copy
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from playwright.async_api import Locator

from actuators.browser.playwright.controls.control_values import ControlLimits, read_limit
from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import read_settled
from core.base.dates import DateOrder, find_order
from core.base.errors import TargetError

if TYPE_CHECKING:
    from actuators.browser.playwright.finding.actionability import ActionTarget

PartKind = Literal[
    "radio", "choice", "handle", "suggestion", "step", "day", "turn", "picker", "section", "cell", "accept", "clock"
]
# In the browser's language, in which its own fields write dates.
_ORDERS: dict[str, DateOrder] = {"dmy": "dmy", "mdy": "mdy", "ymd": "ymd"}

AWAY_MS = 2000.0
"""How long a control that was just acted on may be away while its page makes it anew; an editor in a cell is gone for good."""


@dataclass(frozen=True, slots=True)
class PageControl:
    """What a control is made of.

    Attributes:
        kind: ``select``, ``list`` (of a page's own making), ``choices`` (things beside each other of which one is chosen), ``radios``,
            ``box``, ``slider``, ``spin`` (counted up and down), ``sections`` (a date in
            parts, each in a field of its own), ``text``, ``other``, or the type of a native field.
    """

    kind: str
    held: str
    facts: dict[str, Any]

    @property
    def limits(self) -> ControlLimits:
        """What numbers it takes."""
        return ControlLimits(*(read_limit(self.facts[name]) for name in ("lowest", "highest", "step")))

    @property
    def order(self) -> DateOrder:
        """The order in which it writes dates: as its hint or its value shows, else as the browser's language has it."""
        return find_order(self.facts["hint"], self.held) or _ORDERS.get(self.facts["order"], "dmy")


async def read_control(aim: "ActionTarget") -> PageControl:
    """Ask the page what a control is made of; waits until it is there."""
    facts = await probe(aim.locator, "control", aim.take_ms())
    return PageControl(facts["kind"], facts["held"], facts)


async def read_back(aim: "ActionTarget") -> tuple[PageControl, dict[str, Any]]:
    """Ask the same after an act, when the page has settled; evidence says if it has not."""
    reading = await read_settled(aim.locator, "control", min(AWAY_MS, aim.take_ms()))
    return PageControl(reading.held["kind"], reading.held["held"], reading.held), reading.evidence


async def leave_field(aim: "ActionTarget") -> None:
    """Take the focus away from a control, as a press beside it does; many pages take a value only then.

    It belongs to the act that gave the value: what that has begun still counts.
    """
    await probe(aim.locator, "leave", min(AWAY_MS, aim.take_ms()))


def find_widget(aim: "ActionTarget") -> "ActionTarget":
    """Return the same aim at the control itself, where its label or something around it was named."""
    return aim_at(aim, aim.locator.locator(engine_selector("widget")))


def find_part(aim: "ActionTarget", what: PartKind, index: int = 0, side: str = "") -> Locator:
    """Return a part of a control, or of what it has opened.

    Args:
        index: Which of them, from 0.
        side: ``up`` or ``down`` of a counter, ``next`` or ``prev`` of a calendar, ``month`` or ``year`` of its lists.
    """
    return aim.locator.locator(engine_selector("part", what=what, index=index, side=side))


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
    return TargetError(
        f"The field is disabled: {why}.",
        code="target_disabled",
        hint="Check what the page needs first.",
        evidence={"url": aim.page.url, **evidence},
    )
