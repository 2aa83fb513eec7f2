"""AgentSession: the one door that every front end uses."""

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Self

from actuators.base import Family
from agent.capabilities import MachineCapabilities
from agent.change_previews import preview_changes
from agent.diff_selection import find_left_out
from agent.keeping import NO_KEEPER, RunKeeper, describe_run
from agent.live_runs import choose_run, hold_run
from agent.planned_requests import (
    PlannedRequest,
    describe_plan,
    end_rows,
    expect_approvals,
    make_terms,
    narrow_policy,
    refuse_utterance,
    report_diagnostics,
    report_failures,
)
from agent.requests import Request
from agent.resuming import Resumer, ResumeRequest
from agent.runs import RunRecorder
from agent.telemetry.observing import NO_TELEMETRY, UNOBSERVED, Telemetry
from agent.telemetry.watched_journal import WatchedJournal
from agent.undoing import Undoer, UndoResult
from core.context import ContextFrame
from core.errors import ErrorInfo, GoalError, InputError, PolicyError, SurehandError
from core.events import Emit
from core.executor import PlanExecutor
from core.ids import make_run_id
from core.journal import NO_JOURNAL, Journal
from core.language.interpreter import GoalInterpreter
from core.orchestrator import GoalOrchestrator, Orchestration
from core.planner import Setting
from core.policy import Policy
from core.ports import MAIN_LANE, ActionContext
from core.results import RunResult, StepLog
from core.run_terms import RunTerms
from core.scopes import build_meta_goal
from core.secret_values import NO_VAULT, Vault
from core.world import WorldState

_KEPT_FRAMES = 50
_KEPT_RESULTS = 200

_CLOSED = ErrorInfo("session_closed", "The session is closed.", "Open a new one.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionParts:
    """What a session is put together from.

    Attributes:
        interpreter: Reads utterances.
        orchestrator: Plans.
        executor: Runs plans.
        families: The actuator families, by domain.
        world: The parts of the WorldState that stay the same.
        vault: The secrets of the person.
        journal: Where acts are written down before they begin.
        keeper: Keeps what runs were.
        policy: What the settings of the workspace ask and deny, whatever is requested.
    """

    interpreter: GoalInterpreter
    orchestrator: GoalOrchestrator
    executor: PlanExecutor
    families: tuple[Family, ...]
    world: WorldState
    vault: Vault = NO_VAULT
    journal: Journal = NO_JOURNAL
    keeper: RunKeeper = NO_KEEPER
    policy: Policy = field(default_factory=Policy)


@dataclass(slots=True)
class _Memory:
    frames: tuple[ContextFrame, ...] = ()
    results: dict[str, asyncio.Future[RunResult]] = field(default_factory=dict[str, "asyncio.Future[RunResult]"])
    forgotten: set[str] = field(default_factory=set[str])


class AgentSession:
    """Plans and runs requests one after another or side by side, and remembers context in between.

    Use it as an async context manager, so that browsers and files are gone afterwards.
    """

    def __init__(self, parts: SessionParts) -> None:
        """Put the session together; nothing is started."""
        self._parts = parts
        self._memory = _Memory()
        self._stops: set[asyncio.Event] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False
        self._telemetry: Telemetry = NO_TELEMETRY

    async def __aenter__(self) -> Self:
        """Return the session."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        await self.close()

    def observe(self, telemetry: Telemetry) -> None:
        """Let somebody observe the runs that begin from now on; closing the session closes that too."""
        self._telemetry = telemetry
        self._parts = replace(self._parts, journal=WatchedJournal(self._parts.journal, telemetry))

    def plan(self, request: Request, run_id: str = "") -> PlannedRequest:
        """Interpret and plan a request; nothing is done.

        Args:
            request: What is asked for.
            run_id: The run that it is planned for.
        """
        began = time.perf_counter()
        interpretation = None
        if request.utterance is not None:
            interpretation = self._parts.interpreter.interpret(request.utterance)
            if interpretation.refusal or interpretation.meta_goal is None:
                return refuse_utterance(interpretation)
            meta_goal = interpretation.meta_goal
        else:
            meta_goal = build_meta_goal(request.flow.goals if request.flow else request.goals or ())
        world = self._read_world()
        try:
            policy = narrow_policy(request, world, self._parts.policy)
        except PolicyError as error:
            return PlannedRequest(None, (error.info(),), interpretation=interpretation)
        vault = self._parts.vault.limit(request.flow.secrets if request.flow else None)
        setting = Setting(world, policy, self._memory.frames, vault=vault)
        orchestration = self._parts.orchestrator.orchestrate(meta_goal, setting, run_id=run_id)
        errors = (*report_diagnostics(meta_goal, request), *report_failures(orchestration, request))
        elapsed_ms = round((time.perf_counter() - began) * 1000, 3)
        return PlannedRequest(orchestration, errors, "", interpretation, elapsed_ms, world, vault, policy)

    async def preview(self, planned: PlannedRequest, request: Request) -> tuple[Mapping[str, Any], ...]:
        """Return what a planned request would change, one operation each; nothing is done.

        Args:
            planned: The request after planning.
            request: The request.
        """
        if planned.errors or planned.orchestration is None:
            return ()
        terms = make_terms(planned, request)
        return await preview_changes(planned.orchestration.graph, self._parts.executor, terms)

    async def run(self, request: Request, emit: Emit | None = None) -> RunResult:
        """Plan a request and carry it out.

        Args:
            request: What is asked for.
            emit: Told every event as it occurs; must not block.

        Returns:
            What came of it; a request that can't be planned is a result with errors, not an exception.
        """
        if known := self._memory.results.get(request.request_id):
            return await asyncio.shield(known)
        if self._closed:
            return _refuse(_CLOSED, emit)
        if request.request_id in self._memory.forgotten:
            text = f'The request "{request.request_id}" was carried out before, and its result is no longer kept.'
            return _refuse(ErrorInfo("already_executed", text, "Give a new request a new id."), emit)
        stop = self._begin()
        if not request.request_id:
            return await self._run_once(request, emit, stop)
        run = asyncio.ensure_future(self._run_once(request, emit, stop))
        self._remember(request.request_id, run)
        return await asyncio.shield(run)

    async def resume(self, request: ResumeRequest, emit: Emit | None = None) -> RunResult:
        """Go on with a run whose process ended; nothing that was done is done again.

        Args:
            request: Which run, and who answers.
            emit: Told every event as it occurs; must not block.

        Returns:
            The receipts of the whole run; a run that can't be gone on with is a result with errors, not an exception.
        """
        if self._closed:
            return _refuse(_CLOSED, emit)
        stop = self._begin()
        parts = self._parts
        resumer = Resumer(
            journal=parts.journal,
            executor=parts.executor,
            planner=parts.orchestrator.planner,
            rules=parts.orchestrator.planner.rules,
            end_lane=self._end_lane,
        )
        observer = self._telemetry.watch(request.run_id, parts.vault)
        recorder = RunRecorder(request.run_id, emit, parts.vault, observer)
        world = self._read_world()
        terms = RunTerms(
            world=world,
            policy=Policy(),
            budget=request.budget,
            gate=request.gate,
            on_start=recorder.start,
            on_end=recorder.end,
            on_question=recorder.ask,
            stop=stop,
            vault=parts.vault,
        )
        try:
            with hold_run(request.run_id):
                setting = Setting(world, vault=parts.vault)
                return await parts.keeper.end(await resumer.resume(request, recorder, setting, terms))
        except GoalError as error:
            return recorder.refuse((error.info(),), "")
        finally:
            await self._end(stop)

    async def find_run(self, named: str) -> str:
        """Return the id of a run that is written down.

        Args:
            named: Its id, the beginning of it, or ``last``.

        Raises:
            GoalError: If there is none or several of that name.
            JournalError: If the journal can't be read.
        """
        return choose_run(await self._parts.journal.list_runs(), named)

    async def undo(self, run_id: str, *, dry: bool = False) -> UndoResult:
        """Take back what a run did, the last act first, where there is a way back and nothing was changed since.

        Args:
            run_id: The run.
            dry: Whether to say only what would be taken back.
        """
        if self._closed:
            return UndoResult(run_id, errors=(_CLOSED,))
        stop = self._begin()
        try:
            undoer = Undoer(journal=self._parts.journal, families=self._parts.families)
            with hold_run(run_id):
                return await undoer.undo(run_id, ActionContext("", vault=self._parts.vault), dry=dry)
        except GoalError as error:
            return UndoResult(run_id, errors=(error.info(),))
        finally:
            await self._end(stop)

    def stop(self) -> None:
        """Stop all runs of this session; each ends within 200 ms."""
        for stop in self._stops:
            stop.set()

    async def close(self) -> None:
        """Stop what runs, wait for its end and close every family; calling it again does nothing."""
        self._closed = True
        self.stop()
        await self._idle.wait()
        await self._parts.executor.close()
        for family in self._parts.families:
            await family.close()
        await self._parts.journal.close()
        await self._telemetry.close()
        await self._parts.keeper.close()

    def _begin(self) -> asyncio.Event:
        """Return what stops the run that begins now."""
        stop = asyncio.Event()
        self._stops.add(stop)
        self._idle.clear()
        return stop

    async def _end(self, stop: asyncio.Event) -> None:
        self._stops.discard(stop)
        if self._stops:
            return
        # What could not be written now was told by the run itself; an end that isn't written is found out on resuming.
        with suppress(SurehandError):
            await self._parts.journal.release()
        self._idle.set()

    def _remember(self, request_id: str, run: asyncio.Future[RunResult]) -> None:
        """Keep a run by its id; the oldest ended runs beyond a number leave their id only."""
        results = self._memory.results
        results[request_id] = run
        ended = [each for each, result in results.items() if result.done()]
        for stale in ended[: max(0, len(results) - _KEPT_RESULTS)]:
            del results[stale]
            self._memory.forgotten.add(stale)

    async def _run_once(self, request: Request, emit: Emit | None, stop: asyncio.Event) -> RunResult:
        try:
            return await self._carry_out(request, emit, stop)
        finally:
            await self._end(stop)

    async def _carry_out(self, request: Request, emit: Emit | None, stop: asyncio.Event) -> RunResult:
        run_id, vault = make_run_id(), self._parts.vault
        observer = UNOBSERVED if request.mode == "plan" else self._telemetry.watch(run_id, vault)
        recorder = RunRecorder(run_id, emit, vault, observer)
        if request.utterance is not None:
            recorder.hear(request.utterance)
        planned = self.plan(request, recorder.run_id)
        if planned.errors or planned.orchestration is None:
            recorder.require(expect_approvals(planned, self._parts.orchestrator.planner.rules))
            return recorder.refuse(planned.errors, planned.question)
        orchestration = planned.orchestration
        recorder.accept(orchestration.graph)
        terms = replace(
            make_terms(planned, request),
            on_start=recorder.start,
            on_end=recorder.end,
            on_question=recorder.ask,
            stop=stop,
            run_id=recorder.run_id,
            journal=self._choose_journal(orchestration),
        )
        changes = await preview_changes(orchestration.graph, self._parts.executor, terms)
        recorder.expect(changes)
        try:
            terms = replace(terms, left_out=find_left_out(request.selected_diff_ops, changes))
        except InputError as error:
            return recorder.refuse((error.info(),), "")
        expected = expect_approvals(planned, self._parts.orchestrator.planner.rules)
        recorder.require(each for each in expected if each.action_id not in terms.left_out)
        diagnostics = orchestration.meta_goal.diagnostics
        if request.mode == "plan":
            return recorder.show(orchestration.graph, diagnostics, planned.planning_ms)
        keeper = self._parts.keeper
        try:
            kept = await keeper.begin(describe_run(recorder.run_id, request, orchestration.graph))
            await terms.journal.append(describe_plan(request, orchestration, terms), durable=False)
        except SurehandError as error:
            return await keeper.end(recorder.refuse((error.info(),), ""))
        with hold_run(recorder.run_id):
            logs = await self._execute(orchestration, terms)
        self._memory.frames = (orchestration.frames + self._memory.frames)[:_KEPT_FRAMES]
        notes = await end_rows(terms, logs)
        told = (*diagnostics, *kept, *notes)
        return await keeper.end(recorder.finish(orchestration.graph, logs, told, planned.planning_ms))

    def _choose_journal(self, orchestration: Orchestration) -> Journal:
        """Return where a run is written down; one that only looks is not, since there is nothing to find out of it."""
        acts = any(action.action_class == "actuate" for action in orchestration.graph.nodes.values())
        return self._parts.journal if acts else NO_JOURNAL

    async def _execute(self, orchestration: Orchestration, terms: RunTerms) -> tuple[StepLog, ...]:
        try:
            return await self._parts.executor.execute(orchestration.graph, terms)
        finally:
            await self._end_lanes(orchestration)

    async def _end_lanes(self, orchestration: Orchestration) -> None:
        for lane in dict.fromkeys(action.lane for action in orchestration.graph.nodes.values()):
            if lane != MAIN_LANE:
                await self._end_lane(lane)

    async def _end_lane(self, lane: str) -> None:
        for family in self._parts.families:
            await family.end_lane(lane)

    def _read_world(self) -> WorldState:
        world = self._parts.world
        sessions = frozenset(kind for family in self._parts.families for kind in family.open_sessions())
        capabilities = MachineCapabilities(self._parts.families)
        return WorldState(world.platform, capabilities, sessions, (), world.anchors, world.values)


def _refuse(error: ErrorInfo, emit: Emit | None) -> RunResult:
    return RunRecorder(make_run_id(), emit).refuse((error,), "")
