"""AgentSession: the one door that every front end uses."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from actuators.base import Family
from agent.capabilities import MachineCapabilities
from agent.change_previews import preview_changes
from agent.requests import Request
from agent.runs import RunRecorder
from core.context import ContextFrame
from core.errors import ErrorInfo, PolicyError
from core.events import Emit
from core.executor import PlanExecutor
from core.goals import Goal, MetaGoal
from core.ids import make_run_id
from core.language.interpretation import Interpretation
from core.language.interpreter import GoalInterpreter
from core.orchestrator import GoalOrchestrator, Orchestration
from core.planner import Setting, resolve_roots
from core.plans import PlanResult
from core.policy import Policy
from core.ports import MAIN_LANE
from core.results import RunResult, StepLog
from core.run_terms import RunTerms
from core.scopes import build_meta_goal
from core.world import WorldState

_KEPT_FRAMES = 50
_KEPT_RESULTS = 200


@dataclass(frozen=True, slots=True)
class PlannedRequest:
    """A request after interpretation and planning, before anything is done.

    Attributes:
        orchestration: The graph; None if there is nothing to plan.
        errors: Why it can't be executed; empty if it can.
        question: What to ask the person, where one answer would do.
        interpretation: How the utterance was understood, if there was one.
        planning_ms: Milliseconds that it took.
        world: What it was planned with; the machine is looked at once a request.
    """

    orchestration: Orchestration | None
    errors: tuple[ErrorInfo, ...] = ()
    question: str = ""
    interpretation: Interpretation | None = None
    planning_ms: float = 0.0
    world: WorldState = field(default_factory=WorldState)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionParts:
    """What a session is put together from.

    Attributes:
        interpreter: Reads utterances.
        orchestrator: Plans.
        executor: Runs plans.
        families: The actuator families, by domain.
        world: The parts of the WorldState that stay the same.
    """

    interpreter: GoalInterpreter
    orchestrator: GoalOrchestrator
    executor: PlanExecutor
    families: tuple[Family, ...]
    world: WorldState


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

    async def __aenter__(self) -> Self:
        """Return the session."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        await self.close()

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
                return _refuse_utterance(interpretation)
            meta_goal = interpretation.meta_goal
        else:
            meta_goal = build_meta_goal(request.flow.goals if request.flow else request.goals or ())
        world = self._read_world()
        try:
            policy = _narrow_policy(request, world)
        except PolicyError as error:
            return PlannedRequest(None, (error.info(),), interpretation=interpretation)
        setting = Setting(world, policy, self._memory.frames)
        orchestration = self._parts.orchestrator.orchestrate(meta_goal, setting, run_id=run_id)
        errors = (*_report_diagnostics(meta_goal, request), *_report_failures(orchestration, request))
        elapsed_ms = round((time.perf_counter() - began) * 1000, 3)
        return PlannedRequest(orchestration, errors, "", interpretation, elapsed_ms, world)

    async def preview(self, planned: PlannedRequest, request: Request) -> tuple[Mapping[str, Any], ...]:
        """Return what a planned request would change, one operation each; nothing is done.

        Args:
            planned: The request after planning.
            request: The request.
        """
        if planned.errors or planned.orchestration is None:
            return ()
        terms = _make_terms(planned, request)
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
            return _refuse(ErrorInfo("session_closed", "The session is closed.", "Open a new one."), emit)
        if request.request_id in self._memory.forgotten:
            text = f'The request "{request.request_id}" was carried out before, and its result is no longer kept.'
            return _refuse(ErrorInfo("already_executed", text, "Give a new request a new id."), emit)
        stop = self._begin()
        if not request.request_id:
            return await self._run_once(request, emit, stop)
        run = asyncio.ensure_future(self._run_once(request, emit, stop))
        self._remember(request.request_id, run)
        return await asyncio.shield(run)

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

    def _begin(self) -> asyncio.Event:
        """Return what stops the run that begins now."""
        stop = asyncio.Event()
        self._stops.add(stop)
        self._idle.clear()
        return stop

    def _end(self, stop: asyncio.Event) -> None:
        self._stops.discard(stop)
        if not self._stops:
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
            self._end(stop)

    async def _carry_out(self, request: Request, emit: Emit | None, stop: asyncio.Event) -> RunResult:
        recorder = RunRecorder(make_run_id(), emit)
        if request.utterance is not None:
            recorder.hear(request.utterance)
        planned = self.plan(request, recorder.run_id)
        if planned.errors or planned.orchestration is None:
            return recorder.refuse(planned.errors, planned.question)
        orchestration = planned.orchestration
        recorder.accept(orchestration.graph)
        terms = replace(
            _make_terms(planned, request),
            on_start=recorder.start,
            on_end=recorder.end,
            on_question=recorder.ask,
            stop=stop,
        )
        recorder.expect(await preview_changes(orchestration.graph, self._parts.executor, terms))
        diagnostics = orchestration.meta_goal.diagnostics
        if request.mode == "plan":
            return recorder.show(orchestration.graph, diagnostics, planned.planning_ms)
        logs = await self._execute(orchestration, terms)
        self._memory.frames = (orchestration.frames + self._memory.frames)[:_KEPT_FRAMES]
        return recorder.finish(orchestration.graph, logs, diagnostics, planned.planning_ms)

    async def _execute(self, orchestration: Orchestration, terms: RunTerms) -> tuple[StepLog, ...]:
        try:
            return await self._parts.executor.execute(orchestration.graph, terms)
        finally:
            await self._end_lanes(orchestration)

    async def _end_lanes(self, orchestration: Orchestration) -> None:
        for lane in dict.fromkeys(action.lane for action in orchestration.graph.nodes.values()):
            if lane != MAIN_LANE:
                for family in self._parts.families:
                    await family.end_lane(lane)

    def _read_world(self) -> WorldState:
        world = self._parts.world
        sessions = frozenset(kind for family in self._parts.families for kind in family.open_sessions())
        capabilities = MachineCapabilities(self._parts.families)
        return WorldState(world.platform, capabilities, sessions, (), world.anchors, world.values)


def _refuse(error: ErrorInfo, emit: Emit | None) -> RunResult:
    return RunRecorder(make_run_id(), emit).refuse((error,), "")


def _refuse_utterance(interpretation: Interpretation) -> PlannedRequest:
    refusal = interpretation.refusal
    if refusal is None:
        return PlannedRequest(None, (ErrorInfo("no_intent_match", "There is nothing to do."),))
    hint = f"Understood would be: {'; '.join(refusal.nearest)}." if refusal.nearest else ""
    evidence = {"clause": refusal.clause, "nearest": list(refusal.nearest)}
    error = ErrorInfo(refusal.code, refusal.message, hint, evidence)
    return PlannedRequest(None, (error,), refusal.question, interpretation)


def _make_terms(planned: PlannedRequest, request: Request) -> RunTerms:
    """Return what a planned request is held to."""
    return RunTerms(
        world=planned.world,
        policy=_narrow_policy(request, planned.world),
        budget=request.budget.narrow(request.flow.budget) if request.flow else request.budget,
        gate=request.gate,
    )


def _narrow_policy(request: Request, world: WorldState) -> Policy:
    """Return what both the request and its flow allow; a flow can't reach beyond the folders of the request.

    Raises:
        PolicyError: If a root can't be resolved.
    """
    policy = resolve_roots(request.policy, world)
    if request.flow is None:
        return policy
    flow = request.flow.policy
    return policy.narrow(flow if flow.roots is None else resolve_roots(flow, world))


def _report_diagnostics(meta_goal: MetaGoal, request: Request) -> list[ErrorInfo]:
    """Return bad scopes as errors where a person or program wrote them; what a sentence implies is only noted."""
    if request.utterance is not None:
        return []
    by_id = {goal.goal_id: index for index, goal in enumerate(meta_goal.goals)}
    return [
        _locate(request, by_id.get(text.split(" ")[0], 0), ErrorInfo("bad_scope", text))
        for text in meta_goal.diagnostics
    ]


def _report_failures(orchestration: Orchestration, request: Request) -> list[ErrorInfo]:
    goals = orchestration.meta_goal.goals
    return [_locate_failure(request, goals.index(goal), goal, result) for goal, result in orchestration.failures]


def _locate_failure(request: Request, index: int, goal: Goal, result: PlanResult) -> ErrorInfo:
    error = result.error or ErrorInfo(result.status, f"{goal.name} can't be planned.")
    return _locate(request, index, error)


def _locate(request: Request, index: int, error: ErrorInfo) -> ErrorInfo:
    if request.flow is None:
        return error
    params = error.evidence.get("params", ())
    found = request.flow.locate(index, error.message, params=params, hint=error.hint, code=error.code).info()
    return ErrorInfo(found.code, found.message, found.hint, {**error.evidence, **found.evidence})
