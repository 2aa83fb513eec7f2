"""The engine in the main document of a page, asked over a wire: the one that Playwright's way asks as well, in the same world.

It is known by what the browser tells of that world, which is another one for each document, so that nothing is ever asked of a document that
has taken the place of the one that was meant. What the direct way doesn't know, it leaves to Playwright's (``None``).
"""

import asyncio
import json
import re
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any
from weakref import WeakKeyDictionary, ref

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, FrameLocator, Locator, Page, Request
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.direct.wire import PageWire, open_wire
from actuators.browser.playwright.engine.scripts import CHANNEL, ENGINE_HOME, read_direct

Told = dict[str, Any]
Place = Page | Frame | FrameLocator | Locator

TALLY: Counter[str] = Counter()
"""How many questions and acts went directly (``direct``) and how many were left to Playwright (``left``)."""

REACHED: list[Callable[[Page, PageWire, str], Awaitable[None]]] = []
"""Called with each page that is reached, its wire and the id of its main frame, by who hears more of it."""

# What Playwright tells nowhere else: of what a locator is made, and by what it names its own world in a page.
_MADE, _GUID = attrgetter("_impl_obj"), attrgetter("_impl_obj._guid")
_MADE_OF = attrgetter("_impl_obj._frame", "_impl_obj._selector")
_WORLD = "__playwright_utility_world_{}"
_SERVE = f"function(order){{return globalThis.{ENGINE_HOME}.serve(order)}}"
_PROVIDE = f"function(chunks){{globalThis.{ENGINE_HOME}.provide(chunks);return {{}}}}"
# An answer by which nothing was carried out, since the document was another one by then.
_STALE = re.compile("uniqueContextId not found|Cannot find context|Execution context was destroyed|navigated or closed")
_UNSENT = re.compile("uniqueContextId not found|Cannot find context")
_REPORTS: dict[str, list[Told]] = {}
DIRECT_SHARE = 0.6
"""Of the time of an act, in which it is tried directly; the rest is for Playwright's way, which says what is wrong."""
_NEW_WORLD_S = 0.5
_MOST_TRIES = 6
_KEPT_MESSAGES = 100  # of a page's console; the browser keeps what was in them until it is told to forget it


@dataclass(eq=False)
class EngineWorld:
    """The engine in whatever document a page shows.

    Attributes:
        departures: How often the page has got to another document, or its way to one has come to nothing or to a download.
        name: Of the world that Playwright makes for itself in each document of the page.
    """

    wire: PageWire
    frame_id: str
    name: str
    departures: int = field(default=0, init=False)
    _moved: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _world: str = field(default="", init=False)
    _provided: str = field(default="", init=False)  # the document that the engine was sent into
    _is_there: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _is_without: bool = field(default=False, init=False)  # as documents are that Playwright has made no world in
    _messages: int = field(default=0, init=False)

    @property
    def document(self) -> str:
        """Stands for the document that is asked now; empty while there is none."""
        return self._world

    def note_departure(self) -> None:
        """Note that the page has got to another document, or will not."""
        self.departures += 1
        self._moved.set()

    async def await_departure(self, limit_s: float) -> None:
        """Wait until that is noted; at most some seconds."""
        self._moved.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await self._moved.wait()

    async def listen(self) -> None:
        """Hear of documents, and of what the engine reports."""
        self.wire.on("Runtime.executionContextCreated", self._on_created)
        self.wire.on("Runtime.executionContextsCleared", self._on_cleared)
        self.wire.on("Runtime.bindingCalled", self._on_report)
        self.wire.on("Runtime.consoleAPICalled", self._on_message)
        await self.wire.call("Runtime.enable")
        await self._find_world()
        await self.wire.call("Runtime.addBinding", name=CHANNEL, executionContextName=self.name)

    async def order(self, order: str, timeout_ms: float, *, document: str = "", **details: Any) -> Told | None:
        """Have something done in the document; None where it is left to Playwright.

        Args:
            document: The only one that it is about; where another one is there by now, nothing is done.

        Raises:
            PlaywrightError: If the page is gone, was replaced in the middle of it, or doesn't answer in time; or the engine refuses it, by its marks.
        """
        argument = {"do": order, **details}
        for _ in range(_MOST_TRIES):
            if (document and document != self._world) or not await self._find_world():
                return None
            self._send_engine()
            told = await self._send(_SERVE, argument, timeout_ms)
            if told is None:
                continue
            if lacks := told.get("lacks"):
                await self._send(_PROVIDE, {lacks: read_direct(lacks)}, timeout_ms)
                continue
            if fault := told.get("fault"):
                raise PlaywrightError(fault)
            return told
        return None

    async def _send(self, function: str, argument: Any, timeout_ms: float) -> Told | None:
        """Return what a function returns in the document; None where that was another one by then."""
        answer = await self._call(
            "Runtime.callFunctionOn",
            timeout_ms,
            functionDeclaration=function,
            arguments=[{"value": argument}],
            returnByValue=True,
            awaitPromise=True,
        )
        if answer is None:
            return None
        found = answer["result"].get("value")
        return {"fault": f"The engine was not asked: {answer.get('exceptionDetails')}"} if found is None else found

    def _send_engine(self) -> None:
        """Send the engine into a document ahead of the first order there, which needs no answer to that."""
        if self._provided != self._world:
            self._provided = self._world
            sent = self.wire.post("Runtime.evaluate", expression=read_direct("engine"), uniqueContextId=self._world)
            sent.add_done_callback(_forget)

    async def _call(self, method: str, timeout_ms: float, **params: Any) -> Told | None:
        world = self._world
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                return await self.wire.call(method, uniqueContextId=world, **params)
        except TimeoutError:
            raise PlaywrightTimeoutError(f"Timeout {timeout_ms:.0f}ms exceeded.") from None
        except PlaywrightError as error:
            if not _STALE.search(error.message):
                raise
            if self._world == world:
                self._on_cleared({})
            if _UNSENT.search(error.message):
                return None
            raise PlaywrightError("Execution context was destroyed, most likely because of a navigation") from None

    async def _find_world(self) -> bool:
        if self._world or self._is_without:
            return bool(self._world)
        with suppress(TimeoutError):
            async with asyncio.timeout(_NEW_WORLD_S):
                await self._is_there.wait()
        self._is_without = not self._world
        return bool(self._world)

    def _on_created(self, event: Told) -> None:
        context = event["context"]
        if context["name"] == self.name and context["auxData"].get("frameId") == self.frame_id:
            self._world, self._is_without = context["uniqueId"], False
            self._is_there.set()

    def _on_cleared(self, _: Told) -> None:
        self._world, self._is_without = "", False
        self._is_there.clear()

    def _on_report(self, event: Told) -> None:
        if event["name"] == CHANNEL:
            token, _, report = event["payload"].partition(" ")
            if token in _REPORTS:
                _REPORTS[token].append(json.loads(report))

    def _on_message(self, _: Told) -> None:
        self._messages += 1
        if self._messages % _KEPT_MESSAGES == 0:
            self.wire.post("Runtime.releaseObjectGroup", objectGroup="console").add_done_callback(_forget)


@contextmanager
def hear_reports(token: str = "") -> Generator[tuple[str, list[Told]]]:
    """Collect what the engine reports under a token, which is made where none is given; yields both."""
    token = token or secrets.token_hex(8)
    _REPORTS[token] = reports = []
    try:
        yield token, reports
    finally:
        del _REPORTS[token]


def _forget(done: "asyncio.Future[Told]") -> None:
    if not done.cancelled():
        done.exception()


# The page itself keeps its world, by what listens to it; a world leads back to its page, so that neither would go if this kept one.
_WORLDS: WeakKeyDictionary[Page, Callable[[], EngineWorld | None]] = WeakKeyDictionary()
_OPENING: dict[Page, "asyncio.Future[EngineWorld | None]"] = {}


async def find_world(page: Page) -> EngineWorld | None:
    """Return the engine of a page; None where only Playwright's way leads to it."""
    if known := _WORLDS.get(page):
        return known()
    if (opening := _OPENING.get(page)) is None:
        opening = _OPENING[page] = asyncio.ensure_future(_open_world(page))
        opening.add_done_callback(lambda _: _OPENING.pop(page, None))
    return await asyncio.shield(opening)


def name_document(page: Page) -> str:
    """Return what stands for the document that a page shows now; empty where only Playwright's way leads to it."""
    known = _WORLDS.get(page)
    world = known() if known else None
    return world.document if world else ""


async def _open_world(page: Page) -> EngineWorld | None:
    world = await _reach_world(page)
    _WORLDS[page] = ref(world) if world else lambda: None
    return world


async def _reach_world(page: Page) -> EngineWorld | None:
    wire = await open_wire(page)
    if wire is None:
        return None
    try:
        tree = await wire.call("Page.getFrameTree")
        name = _WORLD.format(_GUID(page))
        world = EngineWorld(wire, tree["frameTree"]["frame"]["id"], name)
        await world.listen()
        for hear in REACHED:
            await hear(page, wire, world.frame_id)
    except (PlaywrightError, AttributeError):
        return None
    _watch_departures(page, world)
    return world


def _watch_departures(page: Page, world: EngineWorld) -> None:
    main = page.main_frame

    def note_failure(request: Request) -> None:
        with suppress(PlaywrightError):  # it is of a worker, or its frame is gone
            if request.is_navigation_request() and request.frame == main:
                world.note_departure()

    page.on("framenavigated", lambda frame: world.note_departure() if frame == main else None)
    page.on("download", lambda _: world.note_departure())
    # What a page asks to be left is answered elsewhere; where the answer is no, nothing else tells of it.
    page.on("dialog", lambda dialog: world.note_departure() if dialog.type == "beforeunload" else None)
    # Heard at the context, which hears of it anyway.
    context = page.context
    context.on("requestfailed", note_failure)
    page.once("close", lambda _: context.remove_listener("requestfailed", note_failure))


@dataclass(frozen=True, slots=True)
class DirectPlace:
    """Where something is looked for in a page's main document: the parts of a selector."""

    world: EngineWorld
    parts: tuple[str, ...]

    def __truediv__(self, part: str) -> "DirectPlace":
        return DirectPlace(self.world, (*self.parts, part))

    async def order(self, order: str, timeout_ms: float, **details: Any) -> Told | None:
        """Have something done there; None where it is left to Playwright."""
        told = await self.world.order(order, timeout_ms, parts=self.parts, **details)
        is_left = told is None or "no" in told
        TALLY["left" if is_left else "direct"] += 1
        return None if is_left else told


async def find_place(place: Place) -> DirectPlace | None:
    """Return a place as the direct way knows it; None where only Playwright's leads to it: frames, and selectors of other engines."""
    match place:
        case Page():
            page, parts = place, ()
        case Frame():
            page, parts = place.page, ()
            if place != page.main_frame:
                return None
        case Locator():
            page, found = place.page, read_parts(place)
            if found is None:
                return None
            parts = found
        case _:
            return None
    world = await find_world(page)
    return DirectPlace(world, parts) if world else None


def read_parts(locator: Locator) -> tuple[str, ...] | None:
    """Return the parts of a locator's selector; None where it doesn't begin in its page's main document or has others than are known here."""
    try:
        frame, selector = _MADE_OF(locator)
    except AttributeError:
        return None  # a version of Playwright's that makes them of something else
    parts = tuple(selector.split(" >> "))
    is_known = frame == _MADE(locator.page.main_frame) and not any(each.startswith("internal:") for each in parts)
    return parts if is_known else None
