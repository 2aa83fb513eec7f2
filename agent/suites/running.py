"""SuiteRunner: runs flows as tests, several at once, each in a session of its own; what failed may be tried again."""

import asyncio
import re
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from actuators.catalog import BrowserShare
from agent.assembly import make_session
from agent.reports.results import FlowOutcome, FlowResult, SuiteResult, tell_error
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from agent.store.session_files import KeptRun
from agent.suites.flow_files import ReadFlow
from agent.suites.flow_updates import Attempt, FlowUpdate, update_flow
from agent.suites.trials import NOTHING_DONE, STOPPED, FlowTrial, judge
from core.approvals.approvals import ClassGate
from core.base.budgets import Budget
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass, field, replace
from core.policy.policy import Policy
from core.results.events import Event
from core.results.records import to_data
from core.rules.approval_classes import ApprovalClass

_LONGEST_NAME = 40
_PLAIN = re.compile(r"[^a-z0-9]+")


@dataclass(slots=True)
class Workspaces:
    """Makes folders for flows, and removes those of flows that passed.

    Attributes:
        given: The folder in which all flows are run; None for a new one each.
    """

    given: Path | None = None
    keeps_all: bool = False
    _root: Path | None = None
    _made: int = field(default=0)

    async def open(self, name: str) -> Path:
        """Return the folder for one run of a flow.

        Args:
            name: Of the flow; the folder is called so, as far as every system can name a folder.
        """
        if self.given is not None:
            return self.given
        return await asyncio.to_thread(self._make, name)

    async def end(self, folder: Path, *, is_wanted: bool) -> None:
        """Remove the folder of a run that is over, unless somebody wants to look at it."""
        if self.given is None and not is_wanted and not self.keeps_all:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def close(self) -> None:
        """Remove the folder that all others lie in, if nothing was kept."""
        if self._root is not None:
            await asyncio.to_thread(_remove_empty, self._root)

    def _make(self, name: str) -> Path:
        if self._root is None:
            self._root = Path(tempfile.mkdtemp(prefix="surehand-test-"))
        self._made += 1
        folder = self._root / f"{self._made:03}-{name_folder(name)}"
        folder.mkdir()
        return folder


def name_folder(name: str) -> str:
    """Return a name for a folder or file that every system takes."""
    return _PLAIN.sub("-", name.casefold()).strip("-")[:_LONGEST_NAME].rstrip("-") or "flow"


def _remove_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


_NOT_RUN = "Not run: the tests were stopped before."

KeepRun = Callable[[KeptRun, Path, ReadFlow], None]
"""Takes what a report needs of a run before its folder, which is named, is gone; blocks."""


@dataclass(frozen=True, slots=True)
class EndedFlow:
    """What came of a flow, with what only this machine knows of it.

    Attributes:
        workspace: Where its last run is kept; None where nothing is.
        update: What was written anew in its file, or why nothing was; None where that wasn't asked.
    """

    result: FlowResult
    workspace: Path | None = None
    update: FlowUpdate | None = None


@dataclass(frozen=True, slots=True)
class EndedSuite:
    """What came of a suite.

    Attributes:
        was_stopped: Whether it was stopped before all flows had run.
    """

    result: SuiteResult
    flows: tuple[EndedFlow, ...]
    was_stopped: bool = False


class SuiteWatcher:
    """Is told how a suite goes on, and shows nothing of it."""

    def begin(self, flow: ReadFlow, attempt: int) -> None:
        """Hear that a flow begins, for the first time or again."""

    def show(self, flow: ReadFlow, event: Event) -> None:
        """Hear an event of its run."""

    def end(self, ended: EndedFlow) -> None:
        """Hear what came of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteTerms:
    """What holds for all flows of a suite, and how it is run.

    Attributes:
        policy: What may be touched; that of a flow narrows it.
        budget: How long and how much a flow may take.
        approved: Classes of approval that are given beforehand; all else is answered no.
        prepare: Gives each session in a workspace what its front end has for it, such as telemetry.
    """

    settings: Settings
    policy: Policy = field(default_factory=Policy)
    budget: Budget = field(default_factory=Budget)
    approved: Sequence[ApprovalClass] = ()
    prepare: Callable[[AgentSession, Path], None] = lambda _session, _workspace: None
    name: str = "surehand"
    workers: int = 1
    retries: int = 0
    updates: bool = False
    keep_run: KeepRun | None = None


class SuiteRunner:
    """Runs the flows of a suite once; all sessions have their pages from one browser."""

    def __init__(self, terms: SuiteTerms, workspaces: Workspaces, watcher: SuiteWatcher) -> None:
        self._terms = terms
        self._workspaces = workspaces
        self._watcher = watcher
        self._share = BrowserShare()
        self._open: set[AgentSession] = set()
        self._stopped = False

    async def run(self, flows: Sequence[ReadFlow]) -> EndedSuite:
        """Run the flows, and return what came of each; one that fails stops no other."""
        began_at, began = datetime.now(UTC).isoformat(timespec="milliseconds"), time.perf_counter()
        waiting = deque(enumerate(flows))
        ended: dict[int, EndedFlow] = {}

        async def work() -> None:
            while waiting:
                index, flow = waiting.popleft()
                ended[index] = await self._run_flow(flow)
                self._watcher.end(ended[index])

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self._terms.workers, len(flows))):
                    group.create_task(work())
        finally:
            await self._share.close()
            await self._workspaces.close()
        listed = tuple(ended[index] for index in range(len(flows)))
        results = tuple(each.result for each in listed)
        return EndedSuite(SuiteResult(self._terms.name, began_at, _measure(began), results), listed, self._stopped)

    def stop(self) -> None:
        """Begin no other flow, and stop those that run; each ends in order, and what it did is told."""
        self._stopped = True
        for session in self._open:
            session.stop()

    async def _run_flow(self, flow: ReadFlow) -> EndedFlow:
        if flow.flow is None:
            told = " ".join(filter(None, (flow.fault, flow.hint)))
            return EndedFlow(FlowResult(flow.name, flow.file.name, NOTHING_DONE, attempts=0, error=told))
        if self._stopped:
            return EndedFlow(FlowResult(flow.name, flow.file.name, STOPPED, attempts=0, error=_NOT_RUN))
        trials: list[FlowTrial] = []

        async def attempt(changed: ReadFlow) -> FlowTrial:
            if trials:
                await self._put_away(trials[-1], flow, is_last=False)
            trials.append(await self._try(changed, len(trials) + 1))
            return trials[-1]

        update = await update_flow(flow, attempt) if self._terms.updates else await self._repeat(flow, attempt)
        await self._put_away(trials[-1], flow, is_last=True)
        # What passes with --update passes because its expectations were written anew, not by chance.
        return EndedFlow(_add_up(flow, trials, may_be_flaky=update is None), self._find_kept(trials[-1]), update)

    async def _repeat(self, flow: ReadFlow, attempt: Attempt) -> None:
        for _ in range(self._terms.retries + 1):
            trial = await attempt(flow)
            if not trial.may_be_repeated or self._stopped:
                return

    async def _try(self, flow: ReadFlow, number: int) -> FlowTrial:
        self._watcher.begin(flow, number)
        workspace = await self._workspaces.open(flow.name)
        began = time.perf_counter()
        try:
            trial = await self._run_session(flow, workspace)
        except SurehandError as error:
            trial = FlowTrial(NOTHING_DONE, tell_error(to_data(error.info())), workspace)
        return replace(trial, ms=_measure(began))

    async def _run_session(self, flow: ReadFlow, workspace: Path) -> FlowTrial:
        terms = self._terms
        session = await asyncio.to_thread(make_session, terms.settings, workspace, self._share)
        terms.prepare(session, workspace)
        request = Request(flow=flow.flow, policy=terms.policy, budget=terms.budget, gate=ClassGate(terms.approved))
        self._open.add(session)
        try:
            async with session:
                result = await session.run(request, lambda event: self._watcher.show(flow, event))
        finally:
            self._open.discard(session)
        return await asyncio.to_thread(judge, result, workspace, flow.list_lines())

    async def _put_away(self, trial: FlowTrial, flow: ReadFlow, *, is_last: bool) -> None:
        kept = trial.kept
        if is_last and self._terms.keep_run and kept.run_id:
            await asyncio.to_thread(self._terms.keep_run, kept, trial.workspace, flow)
        await self._workspaces.end(trial.workspace, is_wanted=trial.outcome != "passed" and bool(kept.run_id))

    def _find_kept(self, trial: FlowTrial) -> Path | None:
        is_there = self._workspaces.given or self._workspaces.keeps_all or trial.outcome != "passed"
        return trial.workspace if trial.kept.run_id and is_there else None


def _add_up(flow: ReadFlow, trials: Sequence[FlowTrial], *, may_be_flaky: bool) -> FlowResult:
    last, count = trials[-1], len(trials)
    outcome: FlowOutcome = last.outcome
    error = last.error
    if outcome == "passed" and count > 1 and may_be_flaky:
        outcome, error = "flaky", f"Passed at attempt {count}. Before: {trials[-2].error}"
    attempts = 0 if outcome == NOTHING_DONE else count
    ms = round(sum(each.ms for each in trials), 3)
    return FlowResult(flow.name, flow.file.name, outcome, attempts, ms, last.kept.run_id, last.steps, error)


def _measure(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 3)
