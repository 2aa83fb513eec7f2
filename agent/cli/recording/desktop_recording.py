"""Records what a person does in programs, and tries it with the programs started again."""

import shlex
import shutil
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from actuators.desktop.ports.recordings import DesktopEvent, TellDesktopEvent, check_platform
from agent.assembly import make_session
from agent.cli.exits import STEP_FAILED, SUCCEEDED
from agent.cli.recording.recordings import Recording, RecordWish, ReplayWish
from agent.cli.screen.output import is_at_terminal, write_error_text
from agent.cli.screen.stopping import stop_by_signals
from agent.recording.desktop_steps import DesktopLog
from agent.recording.recording_log import read_wish
from agent.requests.requests import Request
from agent.settings.folder_checks import locate_folder, locate_state
from agent.settings.settings import Settings
from agent.settings.surroundings import read_environment
from core.approvals.approvals import ClassGate
from core.base.errors import InputError, SurehandError
from core.base.phrases import quote_text
from core.goals.meta_goals import Goal

if TYPE_CHECKING:
    from actuators.recording_desktops import RecordingDesktop

_CLOSING_S = 60.0
_UNKNOWN = "app_missing"
_WITHOUT_TERMINAL = "close its windows, or press Ctrl-C"
_ORDERED = ClassGate(("run_job",))
"""Naming the program on the command line is the order to start it."""


class DesktopRecording(Recording):
    """What a person does in programs."""

    trying: ClassVar[str] = "Trying the flow, with the program started again …"

    def __init__(self, wish: RecordWish, settings: Settings) -> None:
        """Record nothing yet, and keep the files that the program is started with as they are now, for the trial."""
        for name, is_told in (("--host", wish.hosts), ("--no-window", wish.no_window)):
            if is_told:
                hint = "Leave it out: it is for pages."
                raise InputError(f"{name} means nothing with --desktop.", code="bad_usage", hint=hint)
        self._log = DesktopLog(wish=read_wish(wish.expect))
        self._words = _split(wish.begin)
        if not self._words:
            raise InputError("No program is named.", code="bad_usage", hint="Name one, or the title of a window.")
        super().__init__(wish, settings, self._log)
        self.name = self._words[0]
        self.about = f"Recorded in {wish.begin}."
        self._is_running = False
        self._left: tuple[str, ...] = ()
        self._folder = locate_folder(wish.workspace)
        self._copies = Path(self.kept.enter_context(tempfile.TemporaryDirectory(prefix="surehand-recording-")))
        self._files = tuple(
            each for each in self._words[1:] if not Path(each).is_absolute() and (self._folder / each).is_file()
        )
        for each in self._files:
            copy = self._copies / each
            if copy.resolve().is_relative_to(self._copies.resolve()):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self._folder / each, copy)

    async def record(self) -> None:
        """Let the person act in the program until they are done."""
        async with self._open_desktop(self._take) as desktop:
            recorder = desktop.recorder
            await recorder.begin()
            self._is_running = not await self._start()
            if self._is_running:
                await recorder.begin(self.wish.begin)
                self._log.first = Goal("desktop", "focus_window", {"window": self.wish.begin})
            await recorder.start()
            way = "close its windows, press q here, or Ctrl-C" if is_at_terminal() else _WITHOUT_TERMINAL
            self.lines.write(f"Recording. When you are done, {way}.")
            with stop_by_signals(self.ended.set):
                await self.hear(recorder.wait_until_over())
            await recorder.settle()
            self.lines.close()
            await recorder.stop()
            if not (self.wish.no_replay or self._is_running) and (left := await recorder.ask_to_close()):
                write_error_text(f"Close {_list(left)}, so that the flow can be tried.\n")
                self._left = await recorder.wait_for_closing(_CLOSING_S)

    def write(self, name: str, remarks: list[str]) -> str:
        """Return the flow."""
        return self._log.write(name, remarks)

    def plan_replay(self) -> ReplayWish:
        """Return how the flow is tried: with the program's files as they were, and its windows closed afterwards."""
        approved = ("apply_diff", "run_job")
        return ReplayWish(self.settings, self._copies, self._files, approved=approved, tidying=self._close_afterwards)

    def tell_hindrance(self) -> tuple[str, int]:
        """Return why nothing can be tried: the program was there before, or its windows didn't close."""
        if self._is_running:
            told = "it begins in a window that was open before, which nothing can bring back as it was"
            return f"It was not tried: {told}.", SUCCEEDED
        return (f"It was not tried: {_list(self._left)} is still open.", STEP_FAILED) if self._left else ("", SUCCEEDED)

    def _take(self, event: DesktopEvent) -> None:
        self._log.take(event)
        self.lines.refresh()

    def _open_desktop(self, take: TellDesktopEvent) -> "RecordingDesktop":
        """Return the person's desktop."""
        environment = read_environment(self._folder, locate_state(self.wish.workspace), {})
        check_platform(environment.platform)
        from actuators.recording_desktops import open_desktop  # needs libraries of Linux

        return open_desktop(environment, take)

    async def _start(self) -> bool:
        """Start the program as the flow will; return whether there is one of that name."""
        app, *args = self._words
        first = Goal("system", "launch", {"app": app, **({"args": args} if args else {}), "wait": "window"})
        self._log.first = first
        async with make_session(self.settings, self._folder) as session:
            result = await session.run(Request(goals=(first,), gate=_ORDERED))
        failed = [each.result.error for each in result.step_logs if each.result.error]
        error = next(iter([*result.errors, *failed]), None)
        if error and error.code != _UNKNOWN:
            raise SurehandError(error.message, code=error.code, hint=error.hint, evidence=error.evidence)
        return error is None

    @asynccontextmanager
    async def _close_afterwards(self) -> AsyncGenerator[None]:
        """Ask the windows to close that the trial opens, so that the flow finds the desktop as it was; tell which stay."""
        async with self._open_desktop(lambda _: None) as desktop:
            await desktop.recorder.begin()
            try:
                yield
            finally:
                if left := await desktop.recorder.ask_to_close():
                    write_error_text(f"Still open after the trial: {_list(left)}.\n")


def _split(line: str) -> tuple[str, ...]:
    """Return a command line, word by word; as it is where it is none."""
    try:
        return tuple(shlex.split(line))
    except ValueError:
        return (line,)


def _list(titles: tuple[str, ...]) -> str:
    return ", ".join(map(quote_text, titles))
