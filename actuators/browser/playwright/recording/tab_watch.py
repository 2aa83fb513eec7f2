"""Listens to one tab: what our script tells in its documents, where it goes, which dialogs it opens."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from playwright.async_api import CDPSession, Frame, Page
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.recording.documents import ScriptPlace, TabDocuments, ask_target
from actuators.browser.playwright.recording.journeys import History
from actuators.browser.playwright.recording.recording_script import BINDING, WORLD, make_recording_script


@dataclass(frozen=True, slots=True)
class TabNotice:
    """Something that was heard of a tab, before it is understood.

    Attributes:
        kind: What it is: the type of a message of our script, or ``navigated``, ``dialog_opened``, ``dialog_closed``, ``download``, ``closed``.
        place: Where the script runs that told it; None for what the browser told.
    """

    watch: "TabWatch"
    kind: str
    facts: Mapping[str, Any]
    place: ScriptPlace | None = None


class TabWatch:
    """Listens to a tab for as long as it is open.

    Attributes:
        number: From 0, in the order in which tabs were opened.
        history: Where it had been when that was last looked up.
        acted_s: When the person last did something on it; minus infinity if never.
    """

    def __init__(self, page: Page, number: int, hear: Callable[[TabNotice], None]) -> None:
        """Listen to nothing yet.

        Args:
            hear: Told all that is noticed, in order.
        """
        self.page = page
        self.number = number
        self.documents = TabDocuments()
        self.history = History()
        self.acted_s = float("-inf")
        self.dialog: Mapping[str, Any] = {}
        self._hear = hear
        self._cdp: CDPSession | None = None

    async def begin(self) -> None:
        """Listen from now on, also in the documents that are open already.

        Raises:
            PlaywrightError: If the tab is gone.
        """
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
        """Return where it has been.

        Raises:
            PlaywrightError: If the tab is gone.
            TimeoutError: If the browser doesn't answer.
        """
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
