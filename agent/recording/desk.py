"""RecordingDesk: one recording under way; what terminal and page show of it, and what a person answers there."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any

from actuators.browser.ports.recordings import PageEvent, RecordingPort
from actuators.browser.ports.screens import ScreenFrame, ScreenPort
from actuators.browser.ports.touches import read_touches
from actuators.deadlines import finish_within
from agent.recording.recording_log import RecordingLog
from agent.recording.steps import tell_expectation, tell_step
from core.base.errors import RefusedError

CHOOSE_S = 300.0
"""Seconds in which a person has to say which files a page gets."""


class RecordingDesk:
    """Keeps what was recorded, and passes on what a person answers.

    Attributes:
        dialog: The dialog that is open; empty for none.
    """

    def __init__(self, log: RecordingLog, show: Callable[[], None]) -> None:
        self.log = log
        self.ended = asyncio.Event()
        self.dialog: Mapping[str, Any] = {}
        self._show = show
        self._recorder: RecordingPort | None = None
        self._screen: ScreenPort | None = None
        self._files: asyncio.Future[list[str]] | None = None

    @property
    def chooses(self) -> bool:
        """Whether a page waits for files."""
        return self._files is not None and not self._files.done()

    def attach(self, recorder: RecordingPort, screen: ScreenPort) -> None:
        """Say where answers and touches go."""
        self._recorder, self._screen = recorder, screen

    def take(self, event: PageEvent) -> None:
        """Take an event."""
        if event.kind == "dialog_opened":
            self.dialog = event.detail
        elif event.kind == "dialog":
            self.dialog = {}
        self.log.take(event)
        self._show()

    async def pick_files(self) -> list[str]:
        """Return the paths that a person gives for a page's files; none where they don't."""
        self._files = asyncio.get_running_loop().create_future()
        self._show()
        try:
            return await finish_within(self._files, CHOOSE_S)
        except TimeoutError:
            return []

    def give_files(self, paths: Sequence[str]) -> None:
        """Give a page the files that it waits for; a path counts from the workspace."""
        if self._files and not self._files.done():
            self._files.set_result([str(self.log.workspace / each) for each in paths])

    def answer(self, *, accept: bool) -> None:
        """Accept or skip the expectation that is asked about."""
        if self.log.answer(accept=accept):
            self._show()

    async def answer_dialog(self, *, accept: bool, text: str | None = None) -> None:
        """Answer the dialog that is open on the page."""
        if self._recorder:
            await self._recorder.answer_dialog(accept=accept, text=text)

    async def go(self, url: str) -> None:
        """Show an address; a NavigationError if it can't be opened."""
        if self._recorder:
            await self._recorder.go(url)

    async def watch(self) -> AsyncGenerator[ScreenFrame]:
        """Yield what is to be seen of the page."""
        screen = self._require_screen()
        await screen.hold()
        async for frame in screen.watch():
            yield frame

    async def touch(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Do what the person does on the picture."""
        screen = self._require_screen()
        await screen.hold()
        await screen.touch(read_touches(events))

    def describe(self) -> dict[str, Any]:
        """Return what there is to show besides the picture."""
        question = self.log.question
        return {
            "steps": [tell_step(each) for each in self.log.steps],
            "question": tell_expectation(question) if question else "",
            "dialog": dict(self.dialog),
            "chooses": self.chooses,
            "ended": self.ended.is_set(),
        }

    def _require_screen(self) -> ScreenPort:
        if self._screen is None:
            raise RefusedError("The browser is not open yet.", code="no_screen", hint="Wait a moment.")
        return self._screen
