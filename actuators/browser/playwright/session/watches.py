"""What happened in the time of an action: dialogs, pop-ups, downloads, navigations, crashes."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeVar

from playwright.async_api import Page

from actuators.browser.playwright.session.dialogs import DialogDesk, HeldDialog

T = TypeVar("T")

HappeningKind = Literal[
    "dialog",
    "opened_tab",
    "closed_tab",
    "navigated_to",
    "download",
    "crash",
    "blocked",
    "unreached",
    "unanswered",
    "unopened",
]
KEPT_HAPPENINGS = 500


@dataclass(frozen=True, slots=True, eq=False)
class Happening:
    """Something that a page did.

    Attributes:
        number: Position in the session's log, from 1.
        page: The page that did it; for ``opened_tab``, the new one.
        detail: What is known of it, JSON-compatible; filled in further as it becomes known (a download's end).
        at_ms: When, in milliseconds since 1970, as pages tell the time.
    """

    number: int
    kind: HappeningKind
    lane: str
    page: Page
    detail: dict[str, Any]
    at_ms: float = field(default_factory=lambda: time.time() * 1000)


@dataclass(slots=True)
class HappeningLog:
    """A session's latest happenings, how far lanes reported them, and whether an action failed since the last look."""

    entries: deque[Happening] = field(default_factory=lambda: deque[Happening](maxlen=KEPT_HAPPENINGS))
    count: int = 0
    added: asyncio.Event = field(default_factory=asyncio.Event)
    reported: dict[str, int] = field(default_factory=dict[str, int])
    has_trouble: bool = False

    def add(self, kind: HappeningKind, lane: str, page: Page, detail: dict[str, Any]) -> Happening:
        """Write down a happening and return it."""
        self.count += 1
        happening = Happening(self.count, kind, lane, page, detail)
        self.entries.append(happening)
        self.added.set()
        return happening

    def since(self, mark: int, lane: str) -> Iterator[Happening]:
        """Iterate over the happenings of a lane after a mark, oldest first."""
        return (entry for entry in tuple(self.entries) if entry.number > mark and entry.lane == lane)

    async def wait_for(self, kind: HappeningKind, mark: int, lane: str, timeout_s: float) -> Happening | None:
        """Return the first happening of a kind and lane after a mark; None if there is none in time."""
        try:
            async with asyncio.timeout(timeout_s):
                while True:
                    for entry in self.since(mark, lane):
                        if entry.kind == kind:
                            return entry
                    self.added.clear()
                    await self.added.wait()
        except TimeoutError:
            return None


class Watch:
    """One action's time: what happens on the lane's pages in it, and a way to act without hanging on a dialog.

    What happened between the lane's previous action and this one is reported with this one, so that nothing goes
    unreported, and apart from what came of this one.
    """

    def __init__(self, log: HappeningLog, desk: DialogDesk, lane: str, *, holds_dialogs: bool) -> None:
        self._log = log
        self._desk = desk
        self._lane = lane
        self._holds_dialogs = holds_dialogs
        self._mark = log.reported.get(lane, 0)
        self._start = log.count
        self._armed = desk.is_armed(lane)

    async def __aenter__(self) -> Self:
        self._desk.expect(self._lane, held=self._holds_dialogs)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *exception: object) -> None:
        self._log.has_trouble |= kind is not None
        self._log.reported[self._lane] = self._log.count

    @property
    def held_dialog(self) -> HeldDialog | None:
        """The dialog that is open now and waits for ``browser.dialog``; while it is, the page answers nothing."""
        return self._desk.held(self._lane)

    async def run(self, act: Awaitable[T]) -> T | None:
        """Act; if a dialog opens that a following action will answer, return None and let the act go on behind it."""
        if not self._holds_dialogs:
            return await act
        task = asyncio.ensure_future(act)
        opened = asyncio.create_task(self._desk.wait_held(self._lane))
        try:
            await asyncio.wait({task, opened}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            opened.cancel()
        held = self._desk.held(self._lane)
        if task.done() or held is None:
            return await task
        held.act = task
        return None

    @property
    def has_opened_tab(self) -> bool:
        """Whether a tab was opened since this action began."""
        return any(entry.kind == "opened_tab" for entry in self._log.since(self._start, self._lane))

    def outcomes(self, kind: HappeningKind) -> list[dict[str, Any]]:
        """Return the details of what has happened since this action began, of one kind."""
        return [entry.detail for entry in self._log.since(self._start, self._lane) if entry.kind == kind]

    @property
    def dismissed(self) -> list[dict[str, Any]]:
        """The dialogs of this action's time that were dismissed because nothing in the plan answers them."""
        dialogs = self.outcomes("dialog")[1 if self._armed else 0 :]
        return [each for each in dialogs if each.get("answer") == "dismiss"]

    async def wait_for(self, kind: HappeningKind, timeout_s: float) -> Happening | None:
        """Return the first happening of a kind in this action's time; None if there is none within the seconds."""
        return await self._log.wait_for(kind, self._mark, self._lane, timeout_s)

    def happenings(self, kind: HappeningKind) -> list[dict[str, Any]]:
        """Return the details of what happened so far, of one kind."""
        return [entry.detail for entry in self._log.since(self._mark, self._lane) if entry.kind == kind]

    def evidence(self) -> dict[str, Any]:
        """Return what happened so far, for an outcome's evidence; empty if nothing did.

        ``navigated_to`` is the last address; ``opened_tab`` a list of addresses; ``dialogs``, ``downloads`` and
        ``closed_tabs`` lists of details; ``blocked_requests`` a list of addresses that the wall refused,
        ``unreached`` of those that it could not reach, ``unanswered`` of those that a server may have taken and left
        without an answer; ``unopened`` the page that could not be opened;
        ``page_crashed`` is true if one did; ``since_last_action`` the same of what happened before this action began.
        """
        entries = list(self._log.since(self._mark, self._lane))
        earlier = _list_facts(entry for entry in entries if entry.number <= self._start)
        found = _list_facts(entry for entry in entries if entry.number > self._start)
        return found | ({"since_last_action": earlier} if earlier else {})


def _add_once(known: list[str], url: str) -> None:
    if url not in known:
        known.append(url)


def _list_facts(entries: Iterable[Happening]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for entry in entries:
        match entry.kind:
            case "navigated_to":
                found["navigated_to"] = entry.detail["url"]
            case "crash":
                found["page_crashed"] = True
            case "blocked":
                _add_once(found.setdefault("blocked_requests", []), entry.detail["url"])
            case "unreached" | "unanswered" as kind:
                _add_once(found.setdefault(kind, []), entry.detail["url"])
            case "unopened":
                found["unopened"] = entry.detail
            case "opened_tab":
                found.setdefault("opened_tab", []).append(entry.page.url)
            case kind:
                found.setdefault(f"{kind}s", []).append(entry.detail)
    return found
