"""Records what a person does on pages, in a browser's window or on the page that shows it, and tries it in a fresh browser."""

from contextlib import AsyncExitStack
from typing import ClassVar
from urllib.parse import urlsplit

from agent.cli.recording.recordings import Recording, RecordWish, ReplayWish
from agent.cli.screen.output import write_error_text
from agent.cli.screen.stopping import stop_by_signals
from agent.console.recording_view import RecordingView
from agent.recording.desk import RecordingDesk
from agent.recording.recording_log import RecordingLog, read_wish
from agent.settings.folder_checks import locate_folder
from agent.settings.settings import STATE_FOLDER, Settings
from core.addresses.spelled_addresses import complete_address
from core.base.errors import InputError
from core.base.phrases import quote_text


class PageRecording(Recording):
    """What a person does on pages."""

    trying: ClassVar[str] = "Trying the flow in a fresh browser …"

    def __init__(self, wish: RecordWish, settings: Settings) -> None:
        """Record nothing yet."""
        self._address = complete_address(wish.begin) or ""
        if not self._address:
            raise InputError(f"{quote_text(wish.begin)} is not an address.", hint="Write it with https://.")
        self._log = RecordingLog(locate_folder(wish.workspace), wish=read_wish(wish.expect))
        super().__init__(wish, settings, self._log)
        self._desk = RecordingDesk(self._log, self.lines.refresh)
        self.ended = self._desk.ended
        self._host = urlsplit(self._address).hostname or ""
        self.name = self._host or "recording"
        self.about = f"Recorded at {self._address}."

    async def record(self) -> None:
        """Let the person act in the browser until they are done."""
        from actuators.recording_browsers import RecordingBrowser, RecordingWish, can_show_window

        desk, headed = self._desk, not self.wish.no_window and can_show_window(self.settings.browser_path)
        wanted = RecordingWish(
            artifacts_dir=self.wish.workspace.absolute() / STATE_FOLDER / "artifacts",
            headed=headed,
            executable=self.settings.browser_path,
            hosts=(self._host, *self.settings.inner_hosts, *self.wish.hosts),
        )
        async with AsyncExitStack() as stack:
            browser = RecordingBrowser(wanted, desk.take, None if headed else desk.pick_files)
            recorder = (await stack.enter_async_context(browser)).recorder
            desk.attach(recorder, browser.screen)
            stack.enter_context(stop_by_signals(desk.ended.set))
            await recorder.open(self._address)
            if not headed:
                view = RecordingView(desk)
                view.start()
                stack.push_async_callback(view.stop)
                write_error_text(f"The browser is shown at {view.address}\n")
            way = "close its window, press q here, or Ctrl-C" if headed else "press Done there, q here, or Ctrl-C"
            self.lines.write(f"Recording. When you are done, {way}.")
            if headed:
                self.lines.write("What the flow shall expect, click with Ctrl and Alt held.")
            await self.hear(recorder.wait_until_over())
            self.lines.close()
            await recorder.settle()

    def answer(self, *, accept: bool) -> None:
        """Accept or skip the expectation that is asked about, and show what the flow does now."""
        self._desk.answer(accept=accept)

    def write(self, name: str, remarks: list[str]) -> str:
        """Return the flow."""
        return self._log.write(name, remarks, self.wish.hosts or None)

    def plan_replay(self) -> ReplayWish:
        """Return how the flow is tried: with the files that were uploaded."""
        return ReplayWish(self.settings, self._log.workspace, self._log.uploads)
