"""A planner carried out as one run of a session: its call, its steps, and its hands, so that everything goes through table, policy, taint and approvals."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from agent.models.guarding import Tell
from agent.models.proposing import list_verbs
from agent.planners.hands import PlannerSight, SightLine, fail_as, find_error
from agent.requests.plan_views import describe_graph
from agent.requests.planner_wishes import PlannerWish
from agent.requests.requests import Request
from agent.sessions.live_runs import begin_rows, end_rows, expect_approvals
from agent.sessions.model_help import open_guarded
from agent.sessions.planned_requests import describe_changes, limit_today, narrow_policy
from core.base.budgets import Budget
from core.base.errors import ErrorInfo, SurehandError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.scope_paths import ScopePath
from core.goals.meta_goals import ROOT, Goal
from core.journal.journal import NO_JOURNAL
from core.journal.run_rows import note_planned
from core.planning.graph import PlanGraph, build_graph
from core.planning.planners.budgets import PlannerBudget
from core.planning.planners.context import PlannerContextParts
from core.planning.planners.ports import Model
from core.planning.planners.results import PlannerResult
from core.policy.policy import Policy
from core.results.events import Emit, Event
from core.results.planner_events import PlannerStepStarted
from core.results.replies import compose_refusal, judge_outcome
from core.results.tool_results import RunOutcome, RunResult, StepLog
from core.tools.previews import ShownChanges

if TYPE_CHECKING:
    from agent.sessions.planned_requests import PlannedRequest
    from agent.sessions.request_runs import RequestRuns
    from agent.sessions.resume import InterruptedPlanner
    from agent.sessions.runs import RunRecorder
    from agent.sessions.session_parts import SessionParts
    from core.execution.run_context import RunContext
    from core.planning.context import ContextFrame

OpenModel = Callable[[str], Model | None]

GOALS = "goals"
"""The artifact of planners that act by saying what is to be done: their run plans those goals, asks and carries them out."""


VERBS = "verbs"
"""What of a planner's environment has the verbs that policy lets a model propose."""


@dataclass(slots=True)
class PlannerSteps:
    """Carries out, step by step, what a planner wants done: each is planned, asked for and written down as a step of its run.

    Attributes:
        logs: Receipts so far, those of an earlier process first.
        actions: Ids of the actions by the planner's step that they were done for.
    """

    runs: "RequestRuns"
    request: Request
    recorder: "RunRecorder"
    stop: asyncio.Event
    frames: "tuple[ContextFrame, ...]" = ()
    logs: list[StepLog] = field(default_factory=list[StepLog])
    graph: PlanGraph = field(default_factory=lambda: build_graph((), ()))
    actions: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    notes: list[str] = field(default_factory=list[str])
    is_resumed: bool = False
    _count: int = 0
    _within: str = ""
    _begun: "RunContext | None" = None
    _began_s: float = field(default_factory=time.monotonic)

    def take_up(self, found: "InterruptedPlanner") -> None:
        """Go on behind what an earlier process did of the run."""
        graph = found.recorded.graph
        self.is_resumed, self.graph, self._begun, self._count = True, graph, found.run, len(graph.nodes)
        self.logs += [found.known[each] for each in graph.nodes if each in found.known]

    def hear(self, event: Event) -> None:
        """Tell an event of the planner as one of the run."""
        if isinstance(event, PlannerStepStarted):
            self._within = event.instance_id
        self.recorder.relay(event)

    async def do(
        self, goals: Sequence[Goal], policy: Policy | None = None, secrets: Sequence[str] | None = None
    ) -> RunResult:
        """Plan goals that depend on nothing and carry them out; what may not be is a result with errors.

        Args:
            secrets: Names of the secrets that it may use; None for all that the run may.

        Raises:
            BudgetError: If nothing is left of the run's budget.
        """
        request = replace(
            self.request,
            planner=None,
            goals=tuple(goals),
            policy=self.request.policy.narrow(policy) if policy else self.request.policy,
            granted_secrets=_grant(self.request.granted_secrets, secrets),
            budget=self._find_left(),
        )
        planned = self.runs.plan(request, self.frames, self.recorder.run_id, first=self._count)
        if planned.errors or planned.orchestration is None:
            self.recorder.require(expect_approvals(planned))
            reply = compose_refusal(planned.errors)
            return RunResult(run_id=self.recorder.run_id, outcome="failed", reply=reply, errors=planned.errors)
        return await self._carry_out(request, planned)

    async def _carry_out(self, request: Request, planned: "PlannedRequest") -> RunResult:
        assert planned.orchestration is not None
        graph, executor = planned.orchestration.graph, self.runs.parts.executor
        self._count += len(planned.orchestration.meta_goal.goals)
        self._take_in(graph)
        self.recorder.require(expect_approvals(planned))
        run = self.runs.make_run_context(planned, request, self.recorder, self.stop)
        if run.journal is not NO_JOURNAL:  # what only looks is told as a step, and changes no plan
            self.recorder.extend(self.graph)
        found = await executor.preview(graph, run)
        self.recorder.expect(describe_changes(graph, found))
        await self._write_down(graph, planned, run)
        logs = await executor.execute(graph, replace(run, shown=ShownChanges(found)))
        self.notes += await self.runs.parts.end_lanes(graph)
        self.frames = (*planned.orchestration.frames, *self.frames)
        self.logs += logs
        return RunResult(run_id=run.run_id, outcome=judge_outcome(logs), reply="", step_logs=tuple(logs))

    def _take_in(self, graph: PlanGraph) -> None:
        edges = [
            (parent, child) for each in (self.graph, graph) for parent, to in each.adjacency.items() for child in to
        ]
        self.graph = build_graph((*self.graph.nodes.values(), *graph.nodes.values()), edges)
        self.actions.setdefault(self._within, []).extend(graph.nodes)

    async def _write_down(self, graph: PlanGraph, planned: "PlannedRequest", run: "RunContext") -> None:
        """Write acts down before they begin: the first with the run's own terms, whatever else limits it."""
        if run.journal is NO_JOURNAL:
            return
        if self._begun:
            rows = [note_planned(run.run_id, action, graph) for action in graph.nodes.values()]
            await run.journal.append(rows, durable=False)
            return
        assert planned.orchestration is not None
        policy = narrow_policy(self.request, planned.world, self.runs.parts.policy)
        await begin_rows(self.request, planned.orchestration, replace(run, policy=policy))
        self._begun = run

    async def end(self, outcome: RunOutcome) -> tuple[str, ...]:
        """Write down that the run ended; return what the person should know."""
        return (*self.notes, *(await end_rows(self._begun, outcome) if self._begun else ()))

    def _find_left(self) -> Budget:
        """Return what is left of the run's budget; a BudgetError if nothing is."""
        budget, elapsed_s = self.request.budget, time.monotonic() - self._began_s
        done = sum(log.result.status != "skipped" for log in self.logs)
        budget.check(elapsed_s, done)
        seconds = None if budget.seconds is None else budget.find_left(elapsed_s)
        return Budget(seconds, None if budget.actions is None else budget.actions - done)


class PlannerDesk(Protocol):
    """Carries planners out, each with what its principal has set."""

    async def plan(
        self, wish: PlannerWish, steps: PlannerSteps | None, parts: PlannerContextParts, open_model: OpenModel
    ) -> PlannerResult:
        """Carry out the planner that is wanted; ``open_model`` returns a model by its name, or the session's where that is empty."""
        ...


@dataclass(slots=True)
class PlannerCall:
    """One call of the host on behalf of a request; the models that it opens are closed with it."""

    host: "PlannerDesk"
    parts: "SessionParts"
    request: Request
    scope: ScopePath
    stop: asyncio.Event
    tell: Tell
    _verbs: tuple[str, ...] = ()
    _opened: list[Model] = field(default_factory=list[Model])

    def __post_init__(self) -> None:
        policy = limit_today(self.request.policy, self.parts.read_world(), self.parts.policy)
        self._verbs = list_verbs(self.parts.orchestrator.planner.rules, policy)

    async def make(self, wish: PlannerWish, steps: PlannerSteps | None, emit: Emit) -> PlannerResult:
        """Carry out what is wanted; what keeps it from beginning is a result with errors, too."""
        vault = self.parts.vault
        context = PlannerContextParts(
            scope=self.scope,
            settings=wish.settings,
            budget=PlannerBudget(tokens=wish.tokens, seconds=self.request.budget.seconds),
            environment={VERBS: self._verbs},
            redact=vault.redact,
            emit=emit,
            stop=self.stop,
        )
        try:
            return await self.host.plan(wish, steps, context, self._open_model)
        except SurehandError as error:
            return PlannerResult(
                planner_id=wish.capability,
                scope=str(self.scope),
                outcome="failed",
                errors=(vault.redact(error.info()),),
            )
        finally:
            for model in self._opened:
                await model.close()

    def _open_model(self, name: str) -> Model | None:
        model, is_new = open_guarded(self.parts, self.request, name, self.tell)
        self._opened += [model] if model and is_new else []
        return model


def _grant(granted: Sequence[str] | None, wanted: Sequence[str] | None) -> tuple[str, ...] | None:
    if wanted is None or granted is None:
        return tuple(granted or wanted or ()) if granted is not None or wanted is not None else None
    return tuple(name for name in wanted if name in granted)


_TOLD = ("instance_id", "step_id", "status", "iteration", "tokens", "ms", "error")


def describe_planner(result: PlannerResult, steps: PlannerSteps | None = None) -> dict[str, Any]:
    """Return what is kept of a planner within its run: its steps with the ids of what they did, what it made, and its transcript."""
    actions: Mapping[str, Sequence[str]] = steps.actions if steps else {}
    told = [
        {name: getattr(each, name) for name in _TOLD} | {"actions": list(actions.get(each.instance_id, ()))}
        for each in (*result.completed, *result.failed)
    ]
    return {
        "name": result.planner_id,
        "outcome": result.outcome,
        "steps": told,
        "outstanding": list(result.outstanding),
        "artifacts": dict(result.artifacts),
        "transcript": list(result.transcript),
        "metrics": dict(result.metrics),
        "diagnostics": list(result.diagnostics),
        "errors": list(result.errors),
        **({"plan": describe_graph(steps.graph)} if steps else {}),
    }


_FAILED = ErrorInfo("action_failed", "Nothing could be seen.")
_SNAPSHOT = "snapshot"


class SessionHands:
    """PlannerHands over the steps of a planner's run."""

    def __init__(self, steps: PlannerSteps, policy: Policy | None = None, secrets: Sequence[str] | None = None) -> None:
        self._steps = steps
        self._policy = policy
        self._secrets = secrets

    async def run(self, goals: Sequence[Goal]) -> RunResult:
        """Plan goals and carry them out one after the other; once one failed, only those that follow none. What may not be is a result with errors."""
        apart = all(goal.scope == ROOT for goal in goals)
        results: list[RunResult] = []
        for some in (goals,) if apart else ((goal,) for goal in goals):
            if some[0].scope == ROOT or all(each.outcome == "success" for each in results):
                results.append(await self._steps.do(some, self._policy, self._secrets))
        logs = tuple(log for each in results for log in each.step_logs)
        errors = tuple(error for each in results for error in each.errors)
        outcome = "failed" if errors else judge_outcome(logs)
        return RunResult(run_id="", outcome=outcome, reply="", step_logs=logs, errors=errors)

    async def look(self, **params: Any) -> PlannerSight:
        """Return the outline of the open page, or of a window where ``window`` names one."""
        domain = "desktop" if "window" in params else "browser"
        result = await self.run((Goal(domain, _SNAPSHOT, params),))
        log = result.step_logs[-1] if result.step_logs else None
        if log is None or log.result.status != "ok":
            raise fail_as(find_error(result) or _FAILED)
        return _read_sight(log.result.output, str(log.result.evidence.get("url") or params.get("window", "")))

    def narrow(self, policy: Policy, secrets: Sequence[str]) -> "SessionHands":
        """Return hands of the same run that may do only what both policies allow, and use only these secrets."""
        granted = self._secrets
        both = tuple(name for name in secrets if granted is None or name in granted)
        return SessionHands(self._steps, self._policy.narrow(policy) if self._policy else policy, both)


def _read_sight(output: Mapping[str, Any], source: str) -> PlannerSight:
    return PlannerSight(
        text=str(output.get("text", "")),
        lines=tuple(map(_read_line, output.get("lines", ()))),
        source=source,
        tokens=int(output.get("tokens", 0)),
        is_folded=bool(output.get("truncated")),
    )


def _read_line(line: Mapping[str, Any]) -> SightLine:
    return SightLine(str(line.get("text", "")), str(line.get("selector", "")), str(line.get("ref", "")))
