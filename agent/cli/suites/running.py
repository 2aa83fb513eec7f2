"""SuiteRunner: runs flows as tests, several at once, each in a session of its own; what failed may be tried again."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from agent.cli.suites.endings import NOTHING_DONE, STOPPED, EndedFlow, EndedSuite, FlowTrial
from agent.cli.suites.flow_updates import update_flow
from agent.cli.suites.reading import ReadFlow
from agent.cli.suites.trials import TrialSessions, TrialTerms
from agent.cli.suites.workspaces import Workspaces
from agent.reports.results import FlowResult, SuiteResult, tell_error
from agent.store.session_files import KeptRun
from core.base.errors import SurehandError
from core.results.events import Event
from core.results.records import to_data

MOST_WORKERS = 64
MOST_RETRIES = 10
_NOT_RUN = "Not run: the tests were stopped before."


class SuiteWatcher(Protocol):
    """Is told how a suite goes on."""

    def begin(self, flow: ReadFlow, attempt: int) -> None:
        """Hear that a flow begins, for the first time or again."""
        ...

    def show(self, flow: ReadFlow, event: Event) -> None:
        """Hear an event of its run."""
        ...

    def end(self, ended: EndedFlow) -> None:
        """Hear what came of it."""
        ...


class ReportKeeper(Protocol):
    """Takes what a report needs of a run before its folder is gone."""

    def keep_run(self, run: KeptRun, workspace: Path, flow: ReadFlow) -> None:
        """Take it; blocks."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteWish:
    """How a suite is run.

    Attributes:
        reports: Takes what reports need; None where none is wanted.
    """

    name: str = "surehand"
    workers: int = 1
    retries: int = 0
    updates: bool = False
    reports: ReportKeeper | None = None


@dataclass(slots=True)
class _Attempts:
    """The runs of one flow."""

    trials: list[FlowTrial] = field(default_factory=list[FlowTrial])

    def add_up(self, flow: ReadFlow) -> FlowResult:
        last = self.trials[-1]
        outcome, error = last.outcome, last.error
        if outcome == "passed" and len(self.trials) > 1:
            outcome, error = "flaky", f"Passed at attempt {len(self.trials)}. Before: {self.trials[-2].error}"
        return FlowResult(
            name=flow.name,
            path=flow.file.name,
            outcome=outcome,
            attempts=0 if outcome == NOTHING_DONE else len(self.trials),
            ms=round(sum(each.ms for each in self.trials), 3),
            run_id=last.run_id,
            steps=last.steps,
            error=error,
        )


class SuiteRunner:
    """Runs the flows of a suite once."""

    def __init__(self, terms: TrialTerms, wish: SuiteWish, workspaces: Workspaces, watcher: SuiteWatcher) -> None:
        """Run nothing yet."""
        self._wish = wish
        self._workspaces = workspaces
        self._watcher = watcher
        self._sessions = TrialSessions(terms)
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
                for _ in range(min(self._wish.workers, len(flows))):
                    group.create_task(work())
        finally:
            await self._sessions.close()
            await self._workspaces.close()
        listed = tuple(ended[index] for index in range(len(flows)))
        ms = round((time.perf_counter() - began) * 1000, 3)
        result = SuiteResult(self._wish.name, began_at, ms, tuple(each.result for each in listed))
        return EndedSuite(result, listed, self._stopped)

    def stop(self) -> None:
        """Begin no other flow, and stop those that run."""
        self._stopped = True
        self._sessions.stop()

    async def _run_flow(self, flow: ReadFlow) -> EndedFlow:
        if flow.flow is None:
            told = " ".join(filter(None, (flow.fault, flow.hint)))
            return EndedFlow(FlowResult(flow.name, flow.file.name, NOTHING_DONE, attempts=0, error=told))
        if self._stopped:
            return EndedFlow(FlowResult(flow.name, flow.file.name, STOPPED, attempts=0, error=_NOT_RUN))
        if self._wish.updates:
            return await self._update_flow(flow)
        attempts = _Attempts()
        while True:
            trial = await self._try(flow, len(attempts.trials) + 1)
            attempts.trials.append(trial)
            is_last = not trial.may_be_repeated or len(attempts.trials) > self._wish.retries or self._stopped
            await self._put_away(trial, flow, is_last=is_last)
            if is_last:
                return EndedFlow(attempts.add_up(flow), self._find_kept(trial))

    async def _update_flow(self, flow: ReadFlow) -> EndedFlow:
        attempts = _Attempts()

        async def attempt(changed: ReadFlow) -> FlowTrial:
            if attempts.trials:
                await self._put_away(attempts.trials[-1], flow, is_last=False)
            attempts.trials.append(await self._try(changed, len(attempts.trials) + 1))
            return attempts.trials[-1]

        update = await update_flow(flow, attempt)
        last = attempts.trials[-1]
        await self._put_away(last, flow, is_last=True)
        result = attempts.add_up(flow)
        if result.outcome == "flaky":  # it passed because its expectations were written anew, not by chance
            result = replace(result, outcome="passed", error="")
        return EndedFlow(result, self._find_kept(last), update)

    async def _try(self, flow: ReadFlow, attempt: int) -> FlowTrial:
        assert flow.flow is not None
        self._watcher.begin(flow, attempt)
        workspace = await self._workspaces.open(flow.name)
        began = time.perf_counter()
        try:
            trial = await self._sessions.run(
                flow.flow, workspace, flow.list_lines(), lambda event: self._watcher.show(flow, event)
            )
        except SurehandError as error:
            trial = FlowTrial(NOTHING_DONE, tell_error(to_data(error.info())), workspace)
        return replace(trial, ms=round((time.perf_counter() - began) * 1000, 3))

    async def _put_away(self, trial: FlowTrial, flow: ReadFlow, *, is_last: bool) -> None:
        if is_last and self._wish.reports and trial.run_id:
            await asyncio.to_thread(self._wish.reports.keep_run, trial.kept, trial.workspace, flow)
        await self._workspaces.end(trial.workspace, is_wanted=trial.outcome != "passed" and bool(trial.run_id))

    def _find_kept(self, trial: FlowTrial) -> Path | None:
        is_there = self._workspaces.given or self._workspaces.keeps_all or trial.outcome != "passed"
        return trial.workspace if trial.run_id and is_there else None
