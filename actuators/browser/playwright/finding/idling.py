"""When to stop looking, or to begin to act.

A page that is still being built is left alone, once for each document: what is done to it then, it may do over.

Once a page has been idle for a while, what it does not show now it will not show by itself: it is loaded, no request of its own is open, nothing in it
changes or is animated, and no timer goes off in the time that is left. Where it keeps a line open, by which a server may say something at any time,
it has to be idle for longer.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from playwright.async_api import Frame, Locator, Page

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.causes import answer_or
from actuators.browser.playwright.finding.probes import PROBE_MS, probe
from actuators.browser.playwright.session.loading import loads_of
from actuators.deadlines import Deadline, allow_s, pause

T = TypeVar("T")

CALM_MS = 500.0
"""How long ago the last of what it fetches has to have come."""
MOST_S = 5.0
MOST_SHARE = 0.4
"""Of the time that the act has left."""
AGAIN_S = 0.05
BLOCKED_S = 0.3
"""A page that takes longer for an answer is at work, which it shows when it is done."""
SHOWING_S = 0.1
"""In which a page asks for more, or shows what has come."""
SCRIPTS = frozenset({"script"})
DOCUMENTS = SCRIPTS | {"document"}


BUILDING = engine_selector("probe", what="building", options={})
"""Asks a document whether it is being built."""


async def await_calm(
    page: Page, frames: Sequence[Frame], left_s: float, kinds: frozenset[str] = SCRIPTS, seen: str | None = None
) -> None:
    """Wait until a page that builds itself from what it fetches stands still; return also where it never does.

    Args:
        seen: What ``BUILDING`` has told of the page's main document just now.
    """
    if (
        seen
        and frames == [page.main_frame]
        and not _is_built_still(json.loads(seen))
        and not loads_of(page).is_coming(kinds)
    ):
        return
    limit, came_s = Deadline(min(allow_s(MOST_S), left_s * MOST_SHARE)), 0.0
    while not limit.is_over:
        asked = Deadline(PROBE_MS / 1000)
        building = [loads_of(page).is_coming(kinds), *await asyncio.gather(*map(_is_building, frames))]
        came_s = time.monotonic() if building[0] else came_s
        if not any(building) and asked.elapsed_s < BLOCKED_S and time.monotonic() - came_s > SHOWING_S:
            return
        await pause(AGAIN_S)


async def _is_building(frame: Frame) -> bool:
    """Tell whether a document fetches scripts or data, or has got something so lately that it may be about to show it."""
    return _is_built_still(await answer_or(probe(frame, "building"), {"is_building": False, "fetched_ms": 0}))


def _is_built_still(seen: dict[str, Any]) -> bool:
    return seen["is_building"] or 0 < seen["fetched_ms"] < CALM_MS


async def ask_until(
    ask: Callable[[], Awaitable[T]],
    is_enough: Callable[[T], bool],
    limit_s: float,
    look_s: float = AGAIN_S,
    idle: "IdleWatch | None" = None,
) -> T:
    """Ask until the answer is enough, the page idle or the time over, with a pause between two questions; return the last answer."""
    deadline = Deadline(allow_s(limit_s))
    while not is_enough(told := await ask()) and not deadline.is_over:
        if idle and await idle.is_idle(deadline.remaining_s):
            break
        await pause(min(look_s, deadline.remaining_s))
    return told


LATEST_S = 2.0  # until a timer goes off that may bring something to choose
LONGEST_S = 6.0  # where something says that it is loading
COMING = frozenset({"loading", "requests"})
BRINGING = frozenset({"requests", "timers", "animations", "busy"})  # what goes on where something may still come


async def is_awaiting(place: Frame | Locator, left_s: float) -> bool:
    """Tell whether a document waits for an answer, or for a time that is soon over."""
    idle = await answer_or(probe(place, "idle", within_ms=min(left_s, LATEST_S) * 1000, wholly=False), {"busy": ()})
    return bool(BRINGING & set(idle["busy"]))


IDLE_MS = 1000.0
IDLE_ON_LINE_MS = 5000.0
IDLE_WHOLLY_MS = 5000.0
Patience = Literal["brief", "wholly", "full"]
"""When an idle page is given up: ``brief`` soon, since what comes by itself comes at once; ``wholly`` once nothing at all can bring
anything any more, neither what goes off again and again nor an open line; ``full`` never before the time is over."""
HOW = "no request, change, animation or timer"


@dataclass(slots=True)
class IdleWatch:
    """Watches the documents of some frames from the first question on.

    Attributes:
        quiet_ms: For how long nothing has gone on, when it was asked last.
        rests_ms: The same of each frame, without what it only waits for: requests, timers, what it is made of.
        busy: What went on when it was asked last: ``loading``, ``requests``, ``timers``, ``animations`` …
        since_act_ms: Milliseconds since the latest act, or since the youngest document was opened, when it was asked last.
        is_over: Whether the page was idle for long enough, when it was asked last.
    """

    frames: Callable[[], Sequence[Frame]]
    patience: Patience = "brief"
    quiet_ms: float = field(default=0.0, init=False)
    rests_ms: list[float] = field(default_factory=list[float], init=False)
    busy: list[str] = field(default_factory=list[str], init=False)
    since_act_ms: float = field(default=0.0, init=False)
    is_over: bool = field(default=False, init=False)
    _came_s: float = field(default=0.0, init=False)

    async def is_idle(self, left_s: float) -> bool:
        """Tell whether nothing has gone on for long enough, and nothing is to come in the seconds that are left."""
        if self.patience == "full":
            return False
        is_wholly = self.patience == "wholly"
        query = {"within_ms": left_s * 1000, "wholly": is_wholly}
        seen = await asyncio.gather(*(answer_or(probe(each, "idle", **query), _LEAVING) for each in self.frames()))
        self.quiet_ms = min((each["quiet_ms"] for each in seen), default=0.0)
        self.rests_ms = [each["rest_ms"] for each in seen]
        self.busy = sorted({word for each in seen for word in each["busy"]})
        self.since_act_ms = min((each["since_act_ms"] for each in seen), default=0.0)
        on_line = any(each["lines"] for each in seen)
        enough_ms = IDLE_WHOLLY_MS if is_wholly else IDLE_ON_LINE_MS if on_line else IDLE_MS
        self.quiet_ms = min(self.quiet_ms, (time.monotonic() - self._came_s) * 1000)
        if self.quiet_ms >= enough_ms:
            self._ask_browser()
        self.is_over = self.quiet_ms >= enough_ms
        return self.is_over

    def _ask_browser(self) -> None:
        frames = self.frames()
        if frames and loads_of(frames[0].page).is_coming(DOCUMENTS):
            self.busy, self.quiet_ms = [*self.busy, "loading"], 0.0
            self.begin_again()

    def begin_again(self) -> None:
        """Count from now on, since something was done or has just come."""
        self._came_s = time.monotonic()

    def tell(self) -> str:
        """Say how it is known, for a message."""
        return f"the page was idle for {self.quiet_ms / 1000:.1f} s ({HOW})"

    def evidence(self) -> dict[str, Any]:
        """Return how it is known, as evidence."""
        return {"idle_s": round(self.quiet_ms / 1000, 3)}


_LEAVING: dict[str, Any] = {"quiet_ms": 0.0, "rest_ms": 0.0, "busy": ["loading"], "lines": 0, "since_act_ms": 0.0}
