"""Records what a person does in programs, writes the flow, and tries it with the programs started again."""

import asyncio
import shlex
import shutil
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from actuators.desktop.ports.recordings import DesktopEvent, TellDesktopEvent, check_platform
from agent.assembly import make_session
from agent.cli.exits import BAD_INPUT, STEP_FAILED
from agent.cli.recording.key_reading import ACCEPTING, ENDING, SKIPPING, hear_keys
from agent.cli.recording.recording_lines import RecordingLines
from agent.cli.recording.replaying import ReplayWish
from agent.cli.recording.trial import RecordedTrial, put_flow, tell_unasked, try_flow
from agent.cli.recording.wishing import check_places, wait_for_either
from agent.cli.screen.output import write_error, write_error_text, write_notes, write_result
from agent.cli.screen.reports import is_at_terminal
from agent.cli.screen.stopping import stop_by_signals
from agent.recording.accepting import Acceptance, read_wish
from agent.recording.desktop_log import DesktopLog
from agent.requests.requests import Request
from agent.settings.folder_checks import locate_folder, locate_state
from agent.settings.settings import Settings, load_settings, read_environment
from core.approvals.approvals import ClassGate
from core.base.errors import InputError, SurehandError
from core.base.phrases import quote_text
from core.base.shortages import explain_system_error
from core.goals.meta_goals import Goal

if TYPE_CHECKING:
    from actuators.recording_desktops import RecordingDesktop

_CLOSING_S = 60.0
_UNKNOWN = "app_missing"


@dataclass(frozen=True, slots=True)
class DesktopWish:
    """Which programs are to be recorded, and how.

    Attributes:
        begin: The command line of a program, else the title of a window.
        output: The flow's file; None to write it to stdout.
        expect: Which expectations are written: ``all``, ``ask`` or ``none``.
        quiet: Whether only the end is told.
        misplaced: Options that were given and mean nothing for programs.
    """

    begin: str
    output: Path | None = None
    expect: str = "ask"
    workspace: Path = Path()
    replay: bool = True
    quiet: bool = False
    misplaced: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The command line, word by word."""
        try:
            return tuple(shlex.split(self.begin))
        except ValueError:
            return (self.begin,)

    def check(self) -> None:
        """Check what nobody else does.

        Raises:
            InputError: If something makes no sense, or would be overwritten.
        """
        if self.misplaced:
            hint = "Leave it out: it is for pages."
            raise InputError(f"{self.misplaced[0]} means nothing with --desktop.", code="bad_usage", hint=hint)
        read_wish(self.expect)
        if not self.words:
            raise InputError("No program is named.", code="bad_usage", hint="Name one, or the title of a window.")
        check_places(self.workspace, self.output)


@dataclass(slots=True)
class _Course:
    """How a recording went.

    Attributes:
        left: Titles of windows that didn't close, so that nothing can be tried.
        is_running: Whether the program was there before, so that nothing can start it again.
    """

    log: DesktopLog
    left: tuple[str, ...] = ()
    is_running: bool = False


def record_desktop(wish: DesktopWish) -> int:
    """Record a flow of programs, try it, and return the exit code."""
    try:
        wish.check()
        settings = load_settings(wish.workspace)
        with _keep_files(wish) as kept:
            course = asyncio.run(_record(wish, settings))
            return _finish(wish, settings, course, kept)
    except (SurehandError, OSError) as error:
        write_error(error if isinstance(error, SurehandError) else explain_system_error(error))
        return BAD_INPUT


@contextmanager
def _keep_files(wish: DesktopWish) -> Generator[tuple[Path, tuple[str, ...]]]:
    """Keep the files that the program is started with as they are now, for the trial; yield where, and their names."""
    folder = locate_folder(wish.workspace)
    names = [each for each in wish.words[1:] if not Path(each).is_absolute() and (folder / each).is_file()]
    with tempfile.TemporaryDirectory(prefix="surehand-recording-") as name:
        for each in names:
            goal = Path(name) / each
            if goal.resolve().is_relative_to(Path(name).resolve()):
                goal.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(folder / each, goal)
        yield Path(name), tuple(names)


async def _record(wish: DesktopWish, settings: Settings) -> _Course:
    """Let the person act until they are done."""
    course, ended = _Course(DesktopLog(acceptance=Acceptance(read_wish(wish.expect)))), asyncio.Event()
    lines = RecordingLines(course.log, quiet=wish.quiet)

    def take(event: DesktopEvent) -> None:
        course.log.take(event)
        lines.refresh()

    async with _open_desktop(wish, take) as desktop:
        recorder = desktop.recorder
        await recorder.begin()
        course.is_running = not await _start(wish, settings, course.log)
        if course.is_running:
            await recorder.begin(wish.begin)
            course.log.first = Goal("desktop", "focus_window", {"window": wish.begin})
        await recorder.start()
        at_terminal = is_at_terminal()
        if not wish.quiet:
            way = "close its windows, press q here, or Ctrl-C" if at_terminal else "close its windows, or press Ctrl-C"
            write_error_text(f"Recording. When you are done, {way}.\n")
        with stop_by_signals(ended.set), hear_keys(lambda key: _hear(ended, course.log, key), is_wanted=at_terminal):
            await wait_for_either(ended.wait(), recorder.wait_until_over())
        await recorder.settle()
        lines.close()
        await recorder.stop()
        if wish.replay and not course.is_running and (left := await recorder.ask_to_close()):
            write_error_text(f"Close {', '.join(map(quote_text, left))}, so that the flow can be tried.\n")
            course.left = await recorder.wait_for_closing(_CLOSING_S)
    return course


def _open_desktop(wish: DesktopWish, take: TellDesktopEvent) -> "RecordingDesktop":
    """Return the person's desktop."""
    environment = read_environment(locate_folder(wish.workspace), locate_state(wish.workspace), {})
    check_platform(environment.platform)
    from actuators.recording_desktops import open_desktop  # needs libraries of Linux

    return open_desktop(environment, take)


async def _start(wish: DesktopWish, settings: Settings, log: DesktopLog) -> bool:
    """Start the program as the flow will; return whether there is one of that name."""
    app, *args = wish.words
    log.first = Goal("system", "launch", {"app": app, **({"args": args} if args else {}), "wait": "window"})
    async with make_session(settings, locate_folder(wish.workspace)) as session:
        # Naming the program on the command line is the order to start it.
        result = await session.run(Request(goals=(log.first,), gate=ClassGate(("run_job",))))
    failed = [each.result.error for each in result.step_logs if each.result.error]
    if error := next(iter([*result.errors, *failed]), None):
        if error.code != _UNKNOWN:
            raise SurehandError(error.message, code=error.code, hint=error.hint, evidence=error.evidence)
        return False
    return True


def _hear(ended: asyncio.Event, log: DesktopLog, key: str) -> None:
    if key in ENDING:
        ended.set()
    elif key in ACCEPTING:
        log.answer(accept=True)
    elif key in SKIPPING:
        log.answer(accept=False)


def _finish(wish: DesktopWish, settings: Settings, course: _Course, kept: tuple[Path, tuple[str, ...]]) -> int:
    """Write the flow, try it, say what didn't come, and return the exit code."""
    log = course.log
    name = wish.output.stem if wish.output else wish.words[0]
    about = f"Recorded in {wish.begin}."
    text = log.write(name, [about])
    put_flow(wish.output, text)
    write_notes(log.list_remarks())
    tell_unasked(wish.expect)
    replayed = ReplayWish(
        settings, kept[0], kept[1], approved=("apply_diff", "run_job"), tidying=partial(_close_afterwards, wish)
    )
    trial = RecordedTrial(
        replayed, locate_folder(wish.workspace), log.secrets, "Trying the flow, with the program started again …"
    )
    hindrance = _tell_hindrance(course)
    remark, code = try_flow(text, trial, is_wanted=wish.replay and not hindrance)
    if hindrance and wish.replay:
        write_notes([hindrance])
        remark, code = hindrance, STEP_FAILED if course.left else code
    if remark:
        text = log.write(name, [about, remark])
        put_flow(wish.output, text)
    write_result(f"{wish.output}: {len(log.steps)} steps.\n" if wish.output else text)
    return code


@asynccontextmanager
async def _close_afterwards(wish: DesktopWish) -> AsyncGenerator[None]:
    """Ask the windows to close that the trial opens, so that the flow finds the desktop as it was; tell which stay."""
    async with _open_desktop(wish, _hear_nothing) as desktop:
        await desktop.recorder.begin()
        try:
            yield
        finally:
            if left := await desktop.recorder.ask_to_close():
                write_error_text(f"Still open after the trial: {', '.join(map(quote_text, left))}.\n")


def _hear_nothing(_event: DesktopEvent) -> None:
    """Take nothing: nobody is recorded."""


def _tell_hindrance(course: _Course) -> str:
    """Return why nothing can be tried; empty where it can."""
    if course.is_running:
        return "It was not tried: it begins in a window that was open before, which nothing can bring back as it was."
    if course.left:
        return f"It was not tried: {', '.join(map(quote_text, course.left))} is still open."
    return ""
