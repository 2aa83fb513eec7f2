"""What recording pages and programs have in common: a person acts, the flow is written and tried, and what didn't come is told."""

import asyncio
import getpass
import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from pathlib import Path
from typing import Annotated, ClassVar

from agent.assembly import make_session
from agent.cli.exits import STEP_FAILED, SUCCEEDED
from agent.cli.options import BROWSER, HERE, LIMITS, OUTPUT, TASK, Hosts, Option, Quiet, Workspace
from agent.cli.recording.terminal import RecordingLines, hear_keys
from agent.cli.screen.output import is_at_terminal, write_error, write_error_text, write_notes, write_result
from agent.recording.recording_log import RecordedLog
from agent.requests.flows import parse_flow
from agent.requests.requests import Request
from agent.settings.folder_checks import locate_folder
from agent.settings.settings import Settings
from agent.store.private_files import write_whole
from core.approvals.approvals import ClassGate
from core.base.late_dataclasses import dataclass, field, replace
from core.goals.secret_values import Secret
from core.results.events import Emit
from core.results.tool_results import RunResult
from core.rules.approval_classes import ApprovalClass

_BEGIN = Option(
    "URL",
    "Where it begins; with --desktop a program, with what it is started with in the same quotes, or a window's title.",
    TASK,
)
_OUTPUT = Option("--output -o FLOW", "Write the flow to this new file.", OUTPUT)
_EXPECT = Option(
    "--expect WHICH",
    "What the flow checks after its steps: what you accept by a key (ask), all that is likely (all), or nothing (none).",
    OUTPUT,
)
_NO_WINDOW = Option("--no-window", "Show the browser at an address instead of in a window.", BROWSER)
_NO_REPLAY = Option("--no-replay", "Don't try the flow at the end.", LIMITS)
_ON_DESKTOP = Option("--desktop", "Record programs instead of pages.", TASK)


@dataclass(frozen=True, slots=True)
class RecordWish:
    """What is to be recorded, and how; without a file the flow is written to stdout."""

    begin: Annotated[str, _BEGIN]
    output: Annotated[Path | None, _OUTPUT] = None
    expect: Annotated[str, _EXPECT] = "ask"
    hosts: Hosts = ()
    workspace: Workspace = HERE
    no_window: Annotated[bool, _NO_WINDOW] = False
    no_replay: Annotated[bool, _NO_REPLAY] = False
    quiet: Quiet = False
    on_desktop: Annotated[bool, _ON_DESKTOP] = False


@asynccontextmanager
async def leave_alone() -> AsyncGenerator[None]:
    """Tidy nothing around a replay."""
    yield


@dataclass(frozen=True, slots=True)
class ReplayWish:
    """How a flow is replayed.

    Attributes:
        settings: What a person may set.
        secrets: Values that a person lent for the replay, by name; they are kept nowhere.
        approved: Classes of acts that the person has done or ordered a moment ago.
        tidying: Makes what goes around it, and puts away what it has opened while its folder is still there.
    """

    settings: Settings
    workspace: Path
    uploads: Sequence[str] = ()
    secrets: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    approved: tuple[ApprovalClass, ...] = ("apply_diff",)
    tidying: Callable[[], AbstractAsyncContextManager[None]] = leave_alone


async def replay_flow(text: str, wish: ReplayWish, emit: Emit | None = None) -> RunResult:
    """Carry a flow out in a fresh browser and a folder of its own, from which nothing is left."""
    with tempfile.TemporaryDirectory(prefix="surehand-replay-") as name:
        folder = Path(name)
        for each in wish.uploads:
            source, goal = wish.workspace / each, folder / each
            if source.is_file() and not goal.exists():
                goal.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, goal)
        settings = wish.settings.model_copy(update={"headed": False, "trace": "off"})
        session = make_session(settings, folder, lent=wish.secrets)
        async with wish.tidying(), session:
            # The person did it a moment ago, and what is saved goes into a folder that is gone right after.
            return await session.run(Request(flow=parse_flow(text), gate=ClassGate(wish.approved)), emit)


_ACCEPTING, _SKIPPING, _ENDING = "e\r\n", "s", "q\x04"
"""Keys of somebody who records: for an expectation, against it, and to end."""

_NOBODY = "Nobody was at the terminal to accept expectations; --expect all writes those that are likely."


class Recording(ABC):
    """What a person does in one kind of place."""

    trying: ClassVar[str]
    """What is told when the flow is tried."""

    name: str
    about: str

    def __init__(self, wish: RecordWish, settings: Settings, log: RecordedLog) -> None:
        self.wish = wish
        self.settings = settings
        self.ended = asyncio.Event()
        self.kept = ExitStack()
        self.lines = RecordingLines(log, quiet=wish.quiet)
        self._recorded = log

    @abstractmethod
    async def record(self) -> None:
        """Let the person act until they are done."""

    @abstractmethod
    def write(self, name: str, remarks: list[str]) -> str:
        """Return the flow."""

    @abstractmethod
    def plan_replay(self) -> ReplayWish:
        """Return how the flow is tried."""

    def tell_hindrance(self) -> tuple[str, int]:
        """Return why nothing can be tried, and the exit code then; empty where it can."""
        return "", SUCCEEDED

    def answer(self, *, accept: bool) -> None:
        """Accept or skip the expectation that is asked about."""
        self._recorded.answer(accept=accept)

    async def hear(self, over: Awaitable[object]) -> None:
        """Hear keys until the person says that they are done, or has closed what is recorded."""
        waits = [asyncio.ensure_future(each) for each in (self.ended.wait(), over)]
        with hear_keys(self._hear_key, is_wanted=is_at_terminal()):
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in waits:
                    each.cancel()

    def finish(self) -> int:
        """Write the flow, try it, say what didn't come, and return the exit code."""
        wish, log = self.wish, self._recorded
        text = self._put([self.about])
        write_notes(log.list_remarks())
        if wish.expect == "ask" and not is_at_terminal():
            write_notes([_NOBODY])
        remark, code = self._try(text)
        if remark:
            text = self._put([self.about, remark])
        write_result(f"{wish.output}: {len(log.steps)} steps.\n" if wish.output else text)
        return code

    def _hear_key(self, key: str) -> None:
        if key in _ENDING:
            self.ended.set()
        elif key in _ACCEPTING + _SKIPPING:
            self.answer(accept=key in _ACCEPTING)

    def _put(self, remarks: list[str]) -> str:
        output = self.wish.output
        text = self.write(output.stem if output else self.name, remarks)
        if output:
            write_whole(output, text.encode("utf-8"))
        return text

    def _try(self, text: str) -> tuple[str, int]:
        """Try a flow; return a remark for its file, empty where it came as recorded, and the exit code."""
        hindrance, code = self.tell_hindrance()
        is_wanted = not (self.wish.no_replay or hindrance)
        vault = make_session(self.settings, locate_folder(self.wish.workspace)).vault
        missing = [each for each in self._recorded.secrets if vault.find_lack(Secret(each))]
        lent = _ask_for_secrets(missing) if missing and is_wanted else {}
        write_notes(f"The flow needs a secret: surehand secrets set {each}" for each in missing)
        if not is_wanted:
            if self.wish.no_replay:
                return "It was not tried.", SUCCEEDED
            write_notes([hindrance])
            return hindrance, code
        if left := ", ".join(each for each in missing if each not in lent):
            write_notes([f"It was not tried, because it needs {left}."])
            return f"It was not tried: it needs secret {left}.", STEP_FAILED
        write_error_text(f"{self.trying}\n")
        return _tell(asyncio.run(replay_flow(text, replace(self.plan_replay(), secrets=lent))))


def _ask_for_secrets(names: Sequence[str]) -> dict[str, str]:
    """Return what the person lends for the trial; it is kept nowhere."""
    if not is_at_terminal():
        return {}
    write_error_text("For the trial alone; nothing of it is kept. Enter alone leaves the trial out.\n")
    given = {name: getpass.getpass(f"{name}: ") for name in names}
    return {name: value for name, value in given.items() if value}


def _tell(result: RunResult) -> tuple[str, int]:
    logs = result.step_logs
    if result.outcome == "success":
        write_error_text(f"It came as recorded: {len(logs)} of {len(logs)} steps.\n")
        return "", SUCCEEDED
    for error in result.errors:
        write_error(error)
    why = ""
    for number, log in enumerate(logs, 1):
        if log.result.error and log.result.status != "skipped":  # what only waited for it isn't told
            write_error_text(f"Step {number} did not replay: {log.description}\n")
            write_error(log.result.error)
            why = why or f"step {number} failed ({log.result.error.code})"
    return f"It did not replay when it was recorded: {why or 'it could not be planned'}.", STEP_FAILED
