"""RequestRuns: single requests from planning to their result, runs that are gone on with, and runs that are taken back."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent.requests.planner_wishes import PlannerWish
from agent.requests.real_paths import find_real_paths
from agent.requests.requests import Request
from agent.requests.run_archive import describe_run
from agent.sessions.live_runs import begin_rows, end_rows, expect_approvals, hold_run, make_run_context
from agent.sessions.model_help import report_failure, understand_request
from agent.sessions.planned_requests import (
    PlannedRequest,
    describe_changes,
    find_left_out,
    limit_today,
    plan_request,
)
from agent.sessions.planner_port import PlannerRequest, SentenceRequest
from agent.sessions.resume import InterruptedPlanner, Resumer, ResumeRequest
from agent.sessions.runs import RunRecorder, refuse_by_system
from agent.sessions.undo import Undoer, UndoRequest, UndoResult
from agent.telemetry.observing import UNOBSERVED, Telemetry
from core.approvals.approvals import ApprovalTerms
from core.base.errors import GoalError, InputError, ModelError, PolicyError, SurehandError
from core.base.late_dataclasses import dataclass, replace
from core.base.shortages import explain_system_error
from core.base.time_limits import finish_unless_stopped
from core.execution.run_context import RunContext, RunLimits, make_run_id
from core.journal.journal import NO_JOURNAL, Journal
from core.language.meanings.interpretation import Interpretation
from core.planning.context import ContextFrame
from core.planning.graph import PlanGraph
from core.planning.orchestrator import Orchestration
from core.results.events import Emit, Event
from core.results.replies import judge_outcome
from core.results.tool_results import RunResult
from core.tools.previews import ShownChanges

if TYPE_CHECKING:
    from agent.sessions.session_parts import SessionParts

Frames = tuple[ContextFrame, ...]


@dataclass(frozen=True, slots=True)
class RequestRuns:
    """Carries single requests out; what outlives a run is the business of whoever asks."""

    parts: "SessionParts"
    telemetry: Telemetry

    def plan(self, request: Request, frames: Frames, run_id: str = "", first: int = 0) -> PlannedRequest:
        """Interpret and plan a request; nothing is done.

        Args:
            frames: Context of the session, the latest first.
        """
        return plan_request(self.parts, request, frames, run_id, first)

    async def carry_out(
        self, request: Request, frames: Frames, emit: Emit | None, stop: asyncio.Event
    ) -> tuple[RunResult, Frames]:
        """Plan a request and carry it out.

        Returns:
            What came of it, and the context that its goals leave.
        """
        run_id, vault = request.run_id or make_run_id(), self.parts.vault
        scope = self.parts.scope_run(run_id, request.principal)
        observer = UNOBSERVED if request.mode == "plan" else self.telemetry.watch(run_id, vault, scope)
        recorder = RunRecorder(scope, emit, vault, observer)
        if request.utterance is not None:
            recorder.hear(request.utterance)
        try:
            observe = self.telemetry.watch_planner(vault)

            def hear(event: Event) -> None:
                observe(event)
                recorder.relay(event)

            def note(told: Mapping[str, Any]) -> None:
                recorder.planner = told

            wanted = SentenceRequest(
                parts=self.parts, request=request, run_id=run_id, stop=stop, tell=recorder.note_exchange, emit=hear
            )
            request = await understand_request(wanted, note)
            return await self._carry_out(request, frames, recorder, stop)
        except ModelError as error:
            refusal = self.parts.interpreter.interpret(request.utterance or "").refusal
            return recorder.refuse(report_failure(error, refusal), ""), ()
        except OSError as error:
            return refuse_by_system(recorder, error), ()

    async def _carry_out(
        self, request: Request, frames: Frames, recorder: RunRecorder, stop: asyncio.Event
    ) -> tuple[RunResult, Frames]:
        run_id = recorder.run_id
        if request.planner:
            wanted = PlannerRequest(runs=self, request=request, recorder=recorder, stop=stop, frames=frames)
            found, left = await self.parts.planners.carry_out(wanted)
            if isinstance(found, RunResult):
                return found, left
            request = replace(request, planner=None, utterance=found.source, understood=Interpretation(meta_goal=found))
        planned = self.plan(request, frames, run_id)
        orchestration = planned.orchestration
        expected = expect_approvals(planned)
        if planned.errors or orchestration is None:
            recorder.require(expected)
            return recorder.refuse(planned.errors, planned.question), ()
        recorder.accept(orchestration.graph)
        if request.mode != "plan":
            self.parts.prepare(orchestration.graph)
        run = self.make_run_context(planned, request, recorder, stop)
        found = await self.parts.executor.preview(orchestration.graph, run)
        run = replace(run, shown=ShownChanges(found))
        changes = describe_changes(orchestration.graph, found)
        recorder.expect(changes)
        try:
            left_out = find_left_out(request.selected_diff_ops, changes, tuple(orchestration.graph.nodes))
        except InputError as error:
            recorder.require(expected)
            return recorder.refuse((error.info(),), ""), ()
        run = replace(run, limits=replace(run.limits, left_out=left_out))
        recorder.require(each for each in expected if each.action_id not in left_out)
        if request.mode == "plan":
            diagnostics = orchestration.meta_goal.diagnostics
            return recorder.show(orchestration.graph, diagnostics, planned.planning_ms), ()
        return await self._execute(request, planned, orchestration, recorder, run)

    async def _execute(
        self,
        request: Request,
        planned: PlannedRequest,
        orchestration: Orchestration,
        recorder: RunRecorder,
        run: RunContext,
    ) -> tuple[RunResult, Frames]:
        keeper, graph = self.parts.keeper, orchestration.graph
        try:
            run = replace(run, sightings=await keeper.open_book(request.flow))
            kept = await keeper.begin(describe_run(recorder.scope, request, graph, run.sightings))
            begun = await finish_unless_stopped(begin_rows(request, orchestration, run), run.limits.stop)
            noted = run.journal.take_notes()
        except SurehandError as error:
            return await keeper.end(recorder.refuse((error.info(),), "")), ()
        if not begun:  # stopped before it began, perhaps while another process wrote: all its steps are told as stopped
            run = replace(run, journal=NO_JOURNAL)
        with hold_run(recorder.run_id, self.parts.executor.list_leftovers), self.parts.screen.tell(recorder):
            try:
                logs = await self.parts.executor.execute(graph, run)
            finally:
                left = await self.parts.end_lanes(graph)
        told = (*orchestration.meta_goal.diagnostics, *kept, *noted, *left, *await end_rows(run, judge_outcome(logs)))
        return await keeper.end(recorder.finish(graph, logs, told, planned.planning_ms)), orchestration.frames

    def make_run_context(
        self, planned: PlannedRequest, request: Request, recorder: RunRecorder, stop: asyncio.Event
    ) -> RunContext:
        """Return what a planned request of a run is carried out in."""
        run, graph = make_run_context(planned, request), planned.orchestration.graph if planned.orchestration else None
        return replace(
            run,
            limits=replace(run.limits, stop=stop),
            hooks=recorder.hooks,
            run_id=recorder.run_id,
            scope=recorder.scope,
            journal=self._choose_journal(graph) if graph else NO_JOURNAL,
        )

    def _take_up(self, request: ResumeRequest | UndoRequest, stop: asyncio.Event) -> RunContext:
        world = self.parts.read_world()
        return RunContext(
            world=world,
            policy=limit_today(request.policy, world, self.parts.policy),
            run_id=request.run_id,
            scope=self.parts.scope_run(request.run_id, ""),
            limits=RunLimits(budget=request.budget, stop=stop),
            approvals=ApprovalTerms(gate=request.gate),
            journal=self.parts.journal,
            vault=self.parts.vault,
            find_real=find_real_paths,
        )

    async def resume(self, request: ResumeRequest, emit: Emit | None, stop: asyncio.Event) -> RunResult:
        """Go on with a run whose process ended."""
        parts = self.parts
        scope = parts.scope_run(request.run_id, "")
        observer = self.telemetry.watch(request.run_id, parts.vault, scope)
        recorder = RunRecorder(scope, emit, parts.vault, observer)
        try:
            run = replace(self._take_up(request, stop), hooks=recorder.hooks)
            with hold_run(request.run_id, self.parts.executor.list_leftovers), parts.screen.tell(recorder):
                found = await Resumer(parts).resume(request, recorder, run)
            if isinstance(found, InterruptedPlanner):
                return await self._go_on(found, request, recorder, stop)
            return await parts.keeper.end(found)
        except (GoalError, PolicyError) as error:
            return recorder.refuse((error.info(),), "")
        except OSError as error:
            return refuse_by_system(recorder, error)

    async def _go_on(
        self, found: InterruptedPlanner, asked: ResumeRequest, recorder: RunRecorder, stop: asyncio.Event
    ) -> RunResult:
        recorded = found.recorded
        request = Request(
            planner=PlannerWish(**recorded.planner),
            model=recorded.model,
            run_id=recorded.run_id,
            policy=found.run.policy,
            budget=asked.budget,
            gate=asked.gate,
            principal=recorded.principal,
            granted_secrets=recorded.secrets,
        )
        wanted = PlannerRequest(runs=self, request=request, recorder=recorder, stop=stop, found=found)
        result, _ = await self.parts.planners.carry_out(wanted)
        assert isinstance(result, RunResult)
        return result

    async def undo(self, request: UndoRequest, stop: asyncio.Event) -> UndoResult:
        """Take back what a run did.

        Args:
            stop: Set to stop before the next act is taken back.
        """
        parts = self.parts
        try:
            run = self._take_up(request, stop)
            undoer = Undoer(parts.families, parts.orchestrator.planner.rules, run)
            with hold_run(request.run_id, parts.executor.list_leftovers):
                return await undoer.undo(dry=request.dry)
        except (GoalError, PolicyError) as error:
            return UndoResult(request.run_id, errors=(error.info(),))
        except OSError as error:
            return UndoResult(request.run_id, errors=(explain_system_error(error),), dry=request.dry)

    def _choose_journal(self, graph: PlanGraph) -> Journal:
        """Return where a run is written down; one that only looks is not, since there is nothing to find out of it."""
        acts = any(action.action_class == "actuate" for action in graph.nodes.values())
        return self.parts.journal if acts else NO_JOURNAL
