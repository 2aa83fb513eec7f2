"""What a widget of a page's own making offers to choose from, and the parts of it that are touched for that.

It is pinned when it is first asked about: a list that has opened often goes by the name of its field, and hides the field.
"""

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Locator

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.causes import read_failure
from actuators.browser.playwright.finding.probes import PROBE_MS, probe
from actuators.browser.playwright.finding.settling import read_settled
from actuators.deadlines import Deadline, allow_s, pause

if TYPE_CHECKING:
    from actuators.browser.playwright.finding.actionability import ActionTarget

Part = Literal["field", "press", "text", "opener", "entry", "toggle", "remover"]
Wanted = str | int

TOUCH_MS = 2500.0
LOOK_S = 0.05
TOLD_AS_IT_IS = ("label", "value", "selected", "disabled", "expanded", "folds")  # of an entry


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to choose."""

    label: str
    texts: tuple[str, ...]
    value: str = ""
    selected: bool | None = None  # None where it says nothing of that
    disabled: bool = False
    expanded: bool | None = None  # whether what lies below it is open, where it says so
    folds: bool = False  # whether something in it may open what lies below it, though it doesn't say so

    @property
    def is_shut(self) -> bool:
        """Whether something may lie below it that is not shown."""
        return self.expanded is False or self.folds


@dataclass(frozen=True, slots=True)
class Offer:
    """What a widget shows and offers now."""

    kind: str  # native; list that is always there; opens; pressed, which may open; typed into; other
    entries: tuple[Entry, ...]
    shown: tuple[str, ...]  # without what it has opened
    model: tuple[str, ...] | None  # what the hidden field holds that it stands for
    facts: dict[str, Any] = field(default_factory=dict[str, Any])
    is_settled: bool = True

    @property
    def labels(self) -> list[str]:
        """What can be chosen now."""
        return [each.label for each in self.entries]

    def leaves(self, label: str) -> bool:
        """Whether the hidden field could hold what is called so, and does not."""
        return self.model is not None and label in self.facts["model"]["left"]

    @property
    def is_open(self) -> bool:
        """Whether it has opened something that has to be closed again."""
        told = self.facts["expanded"]
        return self.kind != "list" and (bool(self.entries) and self.facts["open"] if told is None else told)

    @property
    def is_typed(self) -> bool:
        """Whether it takes a text."""
        return bool(self.facts["typed"])

    @property
    def text(self) -> str | None:
        """What stands in it, where it is typed into itself."""
        return self.facts["text"]


class OfferHand:
    """Touches one widget until its job is done."""

    def __init__(self, aim: "ActionTarget", frame: Frame) -> None:
        self.aim = aim
        self.frame = frame
        self.is_silent = False  # whether it has offered nothing at all for a text
        self._token = secrets.token_hex(4)
        self._pinned = frame.locator(engine_selector("offered", token=self._token, what="asked"))

    async def begin(self) -> Offer:
        """Pin the widget and ask what it offers."""
        return _read(await probe(self.aim.locator, "offer", PROBE_MS, token=self._token))

    async def ask(self) -> Offer:
        """Ask what it offers now, whatever is still under way."""
        return _read(await probe(self._pinned, "offer", PROBE_MS, token=self._token))

    async def ask_settled(self) -> Offer:
        """Ask when the page has settled after an act, or does not in time."""
        reading = await read_settled(self._pinned, "offer", token=self._token)
        return _read(reading.held, is_settled=reading.is_settled)

    async def ask_until_still(self, limit_s: float, still_s: float) -> Offer:
        """Ask until nothing is under way and the same is offered for ``still_s``, or for ``limit_s`` at most."""
        deadline, offer = Deadline(allow_s(limit_s)), await self.ask_settled()
        still = Deadline(allow_s(still_s))
        while not deadline.is_over and (not still.is_over or offer.facts["busy"]):
            await pause(LOOK_S)
            now = await self.ask_settled()
            if now.labels != offer.labels or now.facts["busy"]:
                still = Deadline(allow_s(still_s))
            offer = now
        return offer

    def find(self, part: Part, index: int = 0) -> Locator:
        """Return a part of it."""
        return self.frame.locator(engine_selector("offered", token=self._token, what=part, index=index))

    async def press(self, part: Part, index: int = 0) -> bool:
        """Press a part of it; return False where that can't be done."""
        return await self._touch(self.find(part, index).click(timeout=self._limit_ms()))

    async def key(self, keys: str, part: Part = "field", index: int = 0) -> bool:
        """Press keys in a part of it, which gets the focus; return False where it takes none."""
        return await self._touch(self.find(part, index).press(keys, timeout=self._limit_ms()))

    async def type(self, text: str) -> bool:
        """Put a text in the place of what stands in it, the last sign by its key; return False where it takes none."""
        place = self.find("text")
        if not await self._touch(place.fill(text[:-1], timeout=self._limit_ms())):
            return False
        return not text or await self._touch(place.press_sequentially(text[-1:], timeout=self._limit_ms()))

    async def leave(self) -> bool:
        """Take the focus away from it."""
        return await self._touch(self.find("text").blur(timeout=self._limit_ms()))

    async def scroll(self, *, from_start: bool = False) -> bool:
        """Scroll what it offers a little further; return False at the end."""
        return bool(await probe(self._pinned, "scroll_offer", PROBE_MS, token=self._token, from_start=from_start))

    def _limit_ms(self) -> float:
        return min(TOUCH_MS, self.aim.take_ms())

    async def _touch(self, act: Any) -> bool:
        try:
            await act
        except PlaywrightError as error:
            if read_failure(error.message).fault:
                raise
            return False
        return True


async def reach_offer(aim: "ActionTarget") -> OfferHand:
    """Return what touches a widget; waits until it is there."""
    handle = await aim.locator.element_handle(timeout=aim.take_ms())
    frame = await handle.owner_frame()
    await handle.dispose()
    return OfferHand(aim, frame or aim.page.main_frame)


def _read(told: dict[str, Any], *, is_settled: bool = True) -> Offer:
    entries = tuple(
        Entry(texts=tuple(each["texts"]), **{name: each[name] for name in TOLD_AS_IT_IS}) for each in told["options"]
    )
    model = None if told["model"] is None else tuple(told["model"]["chosen"])
    return Offer(told["kind"], entries, tuple(told["shown"]), model, told, is_settled)
