"""What pages load, where they are on their way to, and what they were refused: pictures, frames, scripts and style sheets that have not come yet, and how their documents were answered."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urldefrag
from weakref import WeakKeyDictionary

from playwright.async_api import BrowserContext, Page, Request, Response
from playwright.async_api import Error as PlaywrightError

LOADED = {
    "document": "frame",
    "image": "picture",
    "script": "script",
    "stylesheet": "style sheet",
    "font": "font",
    "media": "media",
    "texttrack": "subtitles",
}
"""The kinds that tell their page when they are there; the page itself tells of those that it asks for by scripts."""
SHOWN_S = 0.03
"""In which a page is told that one has come."""
HANGING_S = 10.0


class PageLoads:
    """The loads of one page, its requests without an answer, and the answer to the latest request for its own document.

    Attributes:
        failed: The requests of the latest act that were refused, each with ``url`` and ``status``, 0 where none came.
        said: What the page has said since the first of them where it speaks to people.
    """

    def __init__(self) -> None:
        # Weak, since a request leads to its page, which would never go else.
        self._begun_s: WeakKeyDictionary[Request, float] = WeakKeyDictionary()
        self._ended: WeakKeyDictionary[Request, tuple[float, float]] = WeakKeyDictionary()
        self._unanswered: WeakKeyDictionary[Request, float] = WeakKeyDictionary()
        self._frames_s: dict[str, tuple[float, float]] = {}
        self._leaving = self._moved = False
        self._turn = asyncio.Event()
        self._step_s = 0.0
        self.answer: tuple[str, int] | None = None
        self.failed: list[dict[str, Any]] = []
        self.said = ""

    def begin_step(self) -> None:
        """Note that a step begins."""
        self._step_s, self._moved = time.monotonic(), False
        self.failed, self.said = [], ""

    def leave(self) -> None:
        """Note that the page is on its way to another document."""
        self._leaving = True
        self._turn.set()

    def arrive(self, *, moved: bool) -> None:
        """Note that it has got there, or that nothing has come of it."""
        self._leaving, self._moved = False, self._moved or moved
        self._turn.set()

    async def await_arrival(self, limit_s: float, *, setting_out_s: float = 0.0) -> bool:
        """Wait until the page has got where it is on its way to; return whether it isn't on its way any more.

        Args:
            limit_s: At most so long.
            setting_out_s: How long it may take to set out.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(setting_out_s or None):
                while setting_out_s and not self._leaving and not self._moved:
                    await self._await_turn()
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                while self._leaving:
                    await self._await_turn()
        return not self._leaving

    async def _await_turn(self) -> None:
        self._turn.clear()
        await self._turn.wait()

    def watch_frames(self, hear: Callable[[str, Callable[[dict[str, Any]], None]], None], main: str) -> None:
        """Hear of each frame that begins to load, however that is begun, and of the page's own document by its id, as Chromium tells it."""
        frames = self._frames_s

        def begin(event: dict[str, Any]) -> None:
            if event["frameId"] == main:
                self.leave()
            else:
                frames[event["frameId"]] = (time.monotonic(), 0.0)

        def end(event: dict[str, Any]) -> None:
            if event["frameId"] == main:
                self.arrive(moved=False)
                frames.clear()  # they were those of the document before
            elif begun := frames.get(event["frameId"]):
                frames[event["frameId"]] = (begun[0], time.monotonic())

        def forget(event: dict[str, Any]) -> None:
            frames.pop(event["frameId"], None)

        hear("Page.frameStartedLoading", begin)
        hear("Page.frameStoppedLoading", end)
        hear("Page.frameDetached", forget)

    def begin(self, request: Request, *, is_load: bool) -> None:
        """Note a request that the page has begun; of a load, that it has left."""
        self._unanswered[request] = time.monotonic()
        if is_load:
            self._begun_s[request] = self._unanswered[request]

    def hear(self, request: Request) -> None:
        """Note a request that was answered."""
        self._unanswered.pop(request, None)

    def list_unanswered(self, since_s: float) -> list[str]:
        """Return the addresses of requests of any kind that were begun since a time and have no answer."""
        return [each.url for each, begun_s in self._unanswered.items() if begun_s >= since_s]

    def end(self, request: Request) -> None:
        """Note one that has come, or failed."""
        self.hear(request)
        now_s = time.monotonic()
        if begun_s := self._begun_s.pop(request, None):
            for each in [each for each, told in self._ended.items() if now_s - told[1] >= SHOWN_S]:
                del self._ended[each]
            self._ended[request] = (begun_s, now_s)

    def list_open(self, age_s: float) -> tuple[str, ...]:
        """Return the kinds of those that left since so many seconds ago and have not come."""
        now_s = time.monotonic()
        coming = [each for each, begun_s in self._begun_s.items() if now_s - begun_s < min(age_s, HANGING_S)]
        coming += [
            each
            for each, (begun_s, end_s) in self._ended.items()
            if now_s - begun_s < age_s and now_s - end_s < SHOWN_S
        ]
        kinds = [LOADED[each.resource_type] for each in coming]
        kinds += [
            "frame"
            for begun_s, end_s in self._frames_s.values()
            if now_s - begun_s < min(age_s, HANGING_S) and not 0 < end_s < now_s - SHOWN_S
        ]
        return tuple(dict.fromkeys(kinds))

    def note_refusal(self, request: Request, status: int) -> None:
        """Note how one was answered that has left since the step began."""
        if status >= 400 and self._begun_s.get(request, 0) > self._step_s > 0:
            self.failed.append({"url": request.url, "status": status})

    def is_coming(self, kinds: frozenset[str]) -> bool:
        """Tell whether one of such kinds, as browsers name them, has left and not come; what hangs is not waited for."""
        now_s = time.monotonic()
        return any(
            each.resource_type in kinds and now_s - begun_s < HANGING_S for each, begun_s in self._begun_s.items()
        )

    def take_status(self, url: str) -> int | None:
        """Return how the document of an address that is opened now was answered, once; None where it needed no answer."""
        answer, self.answer = self.answer, None
        return answer[1] if answer and urldefrag(answer[0])[0] == urldefrag(url)[0] else None


_LOADS: WeakKeyDictionary[Page, PageLoads] = WeakKeyDictionary()


def loads_of(page: Page) -> PageLoads:
    """Return what a page loads."""
    return _LOADS.setdefault(page, PageLoads())


def watch_loads(context: BrowserContext) -> None:
    """Listen to what a context's pages load, for as long as it lives."""
    context.on("request", _begin)
    context.on("requestfinished", _end)
    context.on("requestfailed", _fail)
    context.on("response", _answer)


def _find(request: Request) -> tuple[PageLoads, bool] | None:
    try:
        frame = request.frame
        return loads_of(frame.page), request.is_navigation_request() and frame.parent_frame is None
    except PlaywrightError:
        return None  # its frame is not there yet, or is gone


def _begin(request: Request) -> None:
    if found := _find(request):
        loads, is_own = found
        loads.begin(request, is_load=request.resource_type in LOADED and not is_own)
        if is_own:
            loads.leave()


def _end(request: Request) -> None:
    if found := _find(request):
        found[0].end(request)


def _fail(request: Request) -> None:
    if (found := _find(request)) and found[1]:
        found[0].arrive(moved=False)
    _end(request)


def _answer(response: Response) -> None:
    if found := _find(response.request):
        found[0].hear(response.request)
        if found[1]:
            found[0].answer = (response.url, response.status)
        else:
            found[0].note_refusal(response.request, response.status)
        if response.request.resource_type == "media":
            found[0].end(response.request)  # it may come as slowly as it is played
