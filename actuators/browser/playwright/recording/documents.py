"""The documents of a tab: which script context belongs to which frame, and by which names selectors lead into it."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.recording.recording_script import WORLD

ANSWER_S = 10.0
_NAME_FRAME = "function() { return surehandNameFrame(this); }"


async def ask_target(cdp: CDPSession, method: str, **params: Any) -> Mapping[str, Any]:
    """Ask the browser something of a page.

    Raises:
        PlaywrightError: If it is gone.
        TimeoutError: If it doesn't answer.
    """
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
    """The frames of a tab, in all processes.

    Attributes:
        names: Names of the frames that lead to each frame; None where one of them has none of its own.
    """

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
        """Return the names of the frames that lead to a frame, the outermost first; None where there are none that do.

        Args:
            anew: Whether its names may have changed since they were found.
        """
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
