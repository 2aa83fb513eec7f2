"""Listens to one tab: which documents it has, what our script tells in them, where it goes, which dialogs it opens."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from playwright.async_api import CDPSession, Frame, Page
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.engine.scripts import CHUNKS, SETTINGS, read_chunk

HowGone = Literal["typed", "back", "forward", "reload", "caused"]

CAUSED_S = 1.0
"""Seconds after an act in which what looks like the browser's own buttons may be the page's doing."""

_BY_HAND = frozenset({"typed", "address_bar", "generated", "keyword", "keyword_generated", "auto_bookmark"})


@dataclass(frozen=True, slots=True)
class History:
    """Where a tab has been, as the browser tells it, oldest first."""

    entries: Sequence[Mapping[str, Any]] = ()
    index: int = -1

    @property
    def current(self) -> Mapping[str, Any]:
        """What is shown."""
        return self.entries[self.index] if 0 <= self.index < len(self.entries) else {}

    @property
    def asked_url(self) -> str:
        """The address that was asked for, before it led anywhere else."""
        typed = str(self.current.get("userTypedURL", ""))
        return typed if typed.startswith(("http://", "https://")) else str(self.current.get("url", ""))


def judge_journey(before: History, after: History, since_act_s: float) -> HowGone:
    """Tell how a tab came to what it shows, so many seconds after the person did something on it; infinite where nothing was done."""
    by_page = since_act_s < CAUSED_S
    kept = [each.get("id") for each in before.entries]
    if kept and kept == [each.get("id") for each in after.entries] and before.index != after.index:
        return "caused" if by_page else "back" if after.index < before.index else "forward"
    kind = after.current.get("transitionType")
    if kind == "reload":
        return "caused" if by_page else "reload"
    return "typed" if kind in _BY_HAND else "caused"


WORLD = "surehand-recording"
BINDING = "surehandTell"


def make_recording_script() -> str:
    """Return what begins to notice in a document: the engine that names elements, and the listeners over it."""
    chunks = ",".join(f"{json.dumps(name)}:{read_chunk(name)}" for name in (*CHUNKS, "recording"))
    return (
        "(()=>{if(globalThis.surehandRecords)return;globalThis.surehandRecords=true;"
        f"const chunks={{{chunks}}},made={{}},settings={json.dumps(SETTINGS)};"
        "const chunk=(name)=>(made[name]||=chunks[name](settings,chunk));"
        "chunk('core').provideChunks(chunk);chunk('recording').beginRecording();})()"
    )


ANSWER_S = 10.0
_NAME_FRAME = "function() { return surehandNameFrame(this); }"


async def ask_target(cdp: CDPSession, method: str, **params: Any) -> Mapping[str, Any]:
    """Ask the browser something of a page; PlaywrightError if it is gone; TimeoutError if it doesn't answer."""
    async with asyncio.timeout(ANSWER_S):
        return await cdp.send(method, params)


@dataclass(frozen=True, slots=True)
class ScriptPlace:
    """Where our script runs in a frame."""

    cdp: CDPSession
    context: int
    frame: str


@dataclass(slots=True)
class TabDocuments:
    """The frames of a tab, in all processes, and the names that lead to each; None where one of them has none of its own."""

    names: dict[str, tuple[str, ...] | None] = field(default_factory=dict[str, "tuple[str, ...] | None"])
    _places: dict[tuple[int, int], ScriptPlace] = field(default_factory=dict[tuple[int, int], ScriptPlace])
    _by_frame: dict[str, ScriptPlace] = field(default_factory=dict[str, ScriptPlace])
    _parents: dict[str, str] = field(default_factory=dict[str, str])

    def note_context(self, cdp: CDPSession, context: Mapping[str, Any]) -> None:
        """Note that a script context was made."""
        if context["name"] == WORLD:
            place = ScriptPlace(cdp, context["id"], context["auxData"]["frameId"])
            self._places[id(cdp), place.context] = self._by_frame[place.frame] = place

    def note_parent(self, frame: str, parent: str) -> None:
        """Note what frame a frame is in."""
        self._parents[frame] = parent

    def note_tree(self, tree: Mapping[str, Any]) -> None:
        """Note all frames that are there already."""
        if parent := tree["frame"].get("parentId"):
            self._parents[tree["frame"]["id"]] = parent
        for child in tree.get("childFrames", ()):
            self.note_tree(child)

    def find(self, cdp: CDPSession, context: int) -> ScriptPlace | None:
        """Return where a script context is."""
        return self._places.get((id(cdp), context))

    async def name_frames(self, frame: str, *, anew: bool = False) -> tuple[str, ...] | None:
        """Return the names of the frames that lead to a frame, the outermost first, found anew if they may have changed; None if one has none."""
        if frame not in self._parents:
            return ()
        if anew or self.names.get(frame) is None:
            self.names[frame] = await self._find_names(frame)
        return self.names[frame]

    async def _find_names(self, frame: str) -> tuple[str, ...] | None:
        parent = self._parents[frame]
        around, place = await self.name_frames(parent), self._by_frame.get(parent)
        if around is None or place is None:
            return None
        try:
            owner = await ask_target(place.cdp, "DOM.getFrameOwner", frameId=frame)
            node = {"backendNodeId": owner["backendNodeId"], "executionContextId": place.context}
            element = await ask_target(place.cdp, "DOM.resolveNode", **node)
            named = {"functionDeclaration": _NAME_FRAME, "objectId": element["object"]["objectId"]}
            told = await ask_target(place.cdp, "Runtime.callFunctionOn", returnByValue=True, **named)
        except (PlaywrightError, TimeoutError):
            return None  # it has just gone
        name = told["result"].get("value")
        return (*around, name) if name else None

    async def list_files(self, place: ScriptPlace, act: str, count: int) -> list[str]:
        """Return the paths of files that a person picked; fewer where the browser doesn't say."""
        paths: list[str] = []
        for number in range(count):
            expression = f"surehandFiles.get({act!r})[{number}]"
            try:
                file = await ask_target(place.cdp, "Runtime.evaluate", expression=expression, contextId=place.context)
                found = await ask_target(place.cdp, "DOM.getFileInfo", objectId=file["result"]["objectId"])
            except (PlaywrightError, TimeoutError, KeyError):
                continue
            paths.append(str(found["path"]))
        return paths


@dataclass(frozen=True, slots=True)
class TabNotice:
    """What was heard of a tab, before it is understood: from our script at a place, or from the browser."""

    watch: "TabWatch"
    kind: str
    facts: Mapping[str, Any]
    place: ScriptPlace | None = None


class TabWatch:
    """Listens to a tab while it is open; ``acted_s`` is when the person last did something, or minus infinity."""

    def __init__(self, page: Page, number: int, hear: Callable[[TabNotice], None]) -> None:
        self.page = page
        self.number = number
        self.documents = TabDocuments()
        self.history = History()
        self.acted_s = float("-inf")
        self.dialog: Mapping[str, Any] = {}
        self._hear = hear
        self._cdp: CDPSession | None = None

    async def begin(self) -> None:
        """Listen from now on, also in the documents that are open already; PlaywrightError if the tab is gone."""
        self.page.on("download", lambda download: self._tell("download", {"name": download.suggested_filename}))
        self._cdp = await self.page.context.new_cdp_session(self.page)
        self._cdp.on("Page.frameNavigated", self._on_navigation)
        self._cdp.on("Page.navigatedWithinDocument", lambda event: self._tell("navigated", {"url": event["url"]}))
        self._cdp.on("Page.javascriptDialogOpening", lambda event: self._tell("dialog_opened", event))
        self._cdp.on("Page.javascriptDialogClosed", lambda event: self._tell("dialog_closed", event))
        await self._listen_to(self._cdp)
        self.page.on("frameattached", self._on_frame)
        self.page.on("framenavigated", self._on_frame)
        for frame in self.page.frames[1:]:
            self._on_frame(frame)

    async def look_up_history(self) -> History:
        """Return where it has been; fails as ``ask_target`` does."""
        if self._cdp is None:
            return self.history
        told = await ask_target(self._cdp, "Page.getNavigationHistory")
        return History(told["entries"], told["currentIndex"])

    async def listen_to_process(self, frame: Frame) -> None:
        """Listen to a frame that has a process of its own; where it has none, it is heard already."""
        with suppress(PlaywrightError, TimeoutError):  # it shares the process of what it is in, or is gone
            await self._listen_to(await self.page.context.new_cdp_session(frame))

    def _on_frame(self, frame: Frame) -> None:
        if frame.parent_frame is not None:
            self._tell("frame", {"frame": frame})

    async def _listen_to(self, cdp: CDPSession) -> None:
        cdp.on("Runtime.executionContextCreated", lambda event: self.documents.note_context(cdp, event["context"]))
        cdp.on("Runtime.bindingCalled", lambda event: self._on_message(cdp, event))
        cdp.on("Page.frameAttached", lambda event: self.documents.note_parent(event["frameId"], event["parentFrameId"]))
        await ask_target(cdp, "Page.enable")
        await ask_target(cdp, "Runtime.enable")
        self.documents.note_tree((await ask_target(cdp, "Page.getFrameTree"))["frameTree"])
        await ask_target(cdp, "Runtime.addBinding", name=BINDING, executionContextName=WORLD)
        script = {"source": make_recording_script(), "worldName": WORLD, "runImmediately": True}
        await ask_target(cdp, "Page.addScriptToEvaluateOnNewDocument", **script)

    def _on_message(self, cdp: CDPSession, event: Mapping[str, Any]) -> None:
        place = self.documents.find(cdp, event["executionContextId"])
        if event["name"] == BINDING and place:
            message: dict[str, Any] = json.loads(event["payload"])
            self._tell(message.pop("type"), message, place)

    def _on_navigation(self, event: Mapping[str, Any]) -> None:
        if "parentId" not in event["frame"]:
            self._tell("navigated", {"url": event["frame"]["url"]})

    def _tell(self, kind: str, facts: Mapping[str, Any], place: ScriptPlace | None = None) -> None:
        self._hear(TabNotice(self, kind, facts, place))
