"""Jobs: disk work in a thread of its own, with the folders that it holds and a way to stop it."""

import asyncio
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import PurePath
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, TypeVar

from actuators.anchors import explain_path
from actuators.files.ports import FilePlace, Held
from actuators.files.stores.failures import explain_failure, explaining, refuse
from actuators.files.stores.ground import GroundFolder
from actuators.files.stores.temporary_names import make_mark
from core.addresses.own_ground import OwnGround
from core.base.errors import FileError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.phrases import escape_text
from core.policy.policy import Policy
from core.results.tool_results import ToolOutcome, UndoRecord

if TYPE_CHECKING:
    from actuators.base import Environment
    from actuators.files.ports import FileHands
    from core.tools.ports import ActionContext

Result = TypeVar("Result")
HeldThing = TypeVar("HeldThing", bound=Held)

UNDO_FOLDER = "undo"
_ENDING_S = 2.0
"""Seconds that a job which was told to stop is waited for; it stops at its next piece, whoever waits."""


class StoppedError(Exception):
    """The job was told to stop; what it had begun is taken away."""


@dataclass(slots=True)
class FileJob:
    """One piece of disk work; it runs in a thread.

    Attributes:
        mark: In the names of what it makes on the way; the same when the action is looked at after a crash.
    """

    hands: "FileHands"
    environment: "Environment"
    roots: Sequence[str]
    policy: Policy = Policy()
    mark: str = field(default_factory=partial(make_mark, "", ""))
    stop: threading.Event = field(default_factory=threading.Event)
    held: ExitStack = field(default_factory=ExitStack)
    settled: bool = False

    @property
    def own_ground(self) -> OwnGround:
        """What no goal reaches."""
        return self.environment.own_ground

    def check(self) -> None:
        """End here by a StoppedError if nobody waits any more, unless it is done already."""
        if self.stop.is_set() and not self.settled:
            raise StoppedError

    def settle(self) -> None:
        """Say that the change is made: what is left, reading it back, is no longer stopped."""
        self.settled = True

    @contextmanager
    def part(self) -> "Generator[FileJob]":
        """Give a job for a part of this one; it lets go of its folders when the part is done."""
        part = replace(self, held=ExitStack())
        with part.held:
            yield part

    def find(self, path: str, *, follow: bool = True) -> "FilePlace":
        """Find the place of a path in the roots and hold its folder until the job ends."""
        with explaining("reach", path):
            try:
                spot = self.hold(self.hands.store.find(self.roots, path, follow=follow))
            except FileNotFoundError as error:
                raise self._refuse_missing(path) from error
        self.own_ground.check(path)
        self.own_ground.check(self.spell(spot))
        return FilePlace(GroundFolder(spot.folder, self.own_ground), spot.name)

    def _refuse_missing(self, path: str) -> FileError:
        """Return the refusal of a path whose way isn't there; a root counts as such a way itself."""
        folder = path if path in self.roots else str(self.path(path).parent)
        what = "does not exist" + f": the folder “{escape_text(folder)}” is missing" * (folder != path)
        return refuse(path, what, code="not_found", hint="Create the folder first, with file.create.", missing=folder)

    def find_own(self, path: str) -> "FilePlace":
        """Find a place outside the roots that the program itself uses, such as the trash."""
        with explaining("reach", path):
            return self.hold(self.hands.store.find((self.path(path).anchor,), path))

    def hold(self, thing: HeldThing) -> HeldThing:
        """Let go of a place or folder when the job ends."""
        self.held.callback(thing.close)
        return thing

    def path(self, text: str) -> PurePath:
        """Return a path as this machine writes it."""
        return self.hands.store.flavour(text)

    def spell(self, spot: "FilePlace") -> str:
        """Return the absolute path of a place, without links."""
        return str(self.path(spot.folder.path) / spot.name)

    def describe(self, path: str) -> dict[str, Any]:
        """Return an absolute path with the anchor that it hangs on, for an output."""
        found = explain_path(path, self.hands.anchors, self.hands.store.platform)
        if not found["anchor"]:
            return {"path": path, "anchor": None}
        anchor = {"name": found["anchor"], "source": found["source"], "redirected": found["redirected"]}
        return {"path": path, "anchor": anchor}

    def confirm(
        self, path: str, output: Mapping[str, Any], evidence: Mapping[str, Any], undo: tuple[str, UndoRecord | None]
    ) -> ToolOutcome:
        """Return the outcome of a change that was read back; its output also has the path and its anchor."""
        words, record = undo
        return ToolOutcome({**self.describe(path), **output}, "confirmed", evidence, words, undo_record=record)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedChange:
    """What a verb is about to do from which states, by absolute path; ``predict`` gives JSON that tells after a crash if it was done."""

    operation: Mapping[str, Any]
    before: Mapping[str, str]
    carry_out: Callable[[], ToolOutcome]
    diff: str = ""
    predict: Callable[[], Mapping[str, Any]] = dict


class JobRunner:
    """Runs jobs in threads, so that the event loop never waits for a disk."""

    def __init__(self, hands: "FileHands", environment: "Environment") -> None:
        self.hands = hands
        self.environment = environment
        self._threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="files")

    def open_job(self, context: "ActionContext") -> FileJob:
        """Return a job that may use what the action's policy allows."""
        mark = make_mark(context.run_id, context.action_id)
        return FileJob(self.hands, self.environment, self._list_roots(context), context.policy, mark)

    async def run(self, context: "ActionContext", work: Callable[[FileJob], Result]) -> Result:
        """Do disk work; cancelling waits until it has tidied up."""
        job = self.open_job(context)
        future = asyncio.get_running_loop().run_in_executor(self._threads, _do, job, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            job.stop.set()
            future.add_done_callback(lambda done: done.cancelled() or done.exception())
            await asyncio.wait([future], timeout=_ENDING_S)
            raise

    def close(self) -> None:
        """End the threads; what they do now is finished."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _list_roots(self, context: "ActionContext") -> Sequence[str]:
        if context.policy.roots is not None:
            return context.policy.roots
        if self.hands.store.flavour("a\\b").name == "b":
            return [f"{letter}:\\" for letter in ascii_uppercase]
        return ["/"]


def check_before(shown: Mapping[str, str], now: Mapping[str, str], since: str = "the change was shown") -> None:
    """Refuse by ``changed_since`` to go on from other states, by absolute path, than those that were shown."""
    changed = sorted(path for path in {*shown, *now} if shown.get(path) != now.get(path))
    if changed:
        raise FileError(
            f"“{escape_text(changed[0])}” has changed since {since}.",
            code="changed_since",
            hint="Look at it and repeat the request.",
            evidence={"paths": changed, "shown": {each: shown.get(each, "") for each in changed}},
        )


def _do(job: FileJob, work: Callable[[FileJob], Result]) -> Result:
    try:
        with job.held:
            job.check()
            return work(job)
    except OSError as error:
        raise explain_failure(error, "work with", str(error.filename or "")) from error
