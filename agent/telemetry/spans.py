"""RunSpans and PlannerSpans: a run with its goals and actions, and a planner's run with its steps, as OpenTelemetry spans.

Attributes are names, ids, digests and codes; what a page said, a person typed or a file holds is never among them.
"""

from collections import Counter
from collections.abc import Mapping

from opentelemetry.context import Context
from opentelemetry.trace import Span, StatusCode, Tracer, format_trace_id, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from agent.telemetry.correlation import CORRELATION_ID
from core.approvals.approvals import ApprovalRequest
from core.base.scope_paths import ScopePath
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction
from core.results.events import Event, Rejected
from core.results.planner_events import (
    PlannerCompleted,
    PlannerEvent,
    PlannerFailed,
    PlannerStarted,
    PlannerStepCompleted,
    PlannerStepStarted,
    PlannerThrottled,
)
from core.results.tool_results import RunResult, StepLog


class PlannerSpans:
    """Keeps the spans of one run of a planner."""

    def __init__(self, tracer: Tracer, parent: Context) -> None:
        self._tracer = tracer
        self._run = tracer.start_span("surehand.planner", parent)
        self._steps: dict[str, Span] = {}
        self.trace_id = format_trace_id(self._run.get_span_context().trace_id)

    def __call__(self, event: Event) -> None:
        """Begin or end what an event tells of."""
        match event:
            case PlannerStarted():
                self._run.set_attributes({**_name(event), "surehand.tags": event.tags})
            case PlannerStepStarted() if event.instance_id not in self._steps:
                context = set_span_in_context(self._run)
                span = self._tracer.start_span(f"planner.{event.step_id}", context, attributes=_name(event))
                self._steps[event.instance_id] = span
            case PlannerStepCompleted():
                self._end_step(event)
            case PlannerThrottled():
                self._run.add_event("planner.throttled", {"surehand.wait_s": event.wait_s})
            case PlannerCompleted() | PlannerFailed() | Rejected():
                self._end_run(event)
            case _:
                pass

    def _end_step(self, event: PlannerStepCompleted) -> None:
        span = self._steps.pop(event.instance_id, None)
        if span is not None:
            _end(span, event, event.error.code if event.error else "")

    def _end_run(self, event: PlannerCompleted | PlannerFailed | Rejected) -> None:
        for span in self._steps.values():
            span.end()
        self._steps.clear()
        self._run.set_attributes(_name(event))
        errors = () if isinstance(event, PlannerCompleted) else event.errors
        _end(self._run, event, errors[0].code if errors else "")


def _name(event: PlannerEvent | Rejected) -> dict[str, str]:
    return {"surehand.planner_id": event.planner_id, "surehand.run_id": event.run_id, "surehand.scope": event.scope}


def _end(span: Span, event: PlannerEvent | Rejected, code: str) -> None:
    outcome = event.outcome if isinstance(event, PlannerEvent) else "failed"
    span.set_attribute("surehand.outcome", outcome)
    if isinstance(event, PlannerEvent):
        span.set_attributes({"surehand.iteration": event.iteration, "surehand.tokens": event.tokens})
    if code:
        span.set_attribute("error.type", code)
    if outcome == "failed":
        span.set_status(StatusCode.ERROR, code or outcome)
    span.end()


def read_parent(carrier: Mapping[str, str]) -> Context:
    """Return the context of a caller."""
    return TraceContextTextMapPropagator().extract(carrier)


class RunSpans:
    """Keeps the spans of one run."""

    def __init__(self, tracer: Tracer, scope: ScopePath, parent: Context) -> None:
        self._tracer = tracer
        self._scope = scope
        self._ids = {"surehand.run_id": scope.read_level("run")}
        self._run = tracer.start_span("surehand.run", parent, attributes={**self._ids, "surehand.scope": str(scope)})
        if correlation_id := CORRELATION_ID.get():
            self._run.set_attribute("surehand.correlation_id", correlation_id)
        self._goals: dict[str, Span] = {}
        self._actions: dict[str, Span] = {}
        self._waiting: Counter[str] = Counter()
        self.trace_id = format_trace_id(self._run.get_span_context().trace_id)

    def accept(self, graph: PlanGraph, plan_digest: str) -> None:
        """Note what was planned."""
        self._waiting = Counter(action.goal_id for action in graph.nodes.values())
        self._run.set_attribute("surehand.plan_digest", plan_digest)
        self._run.set_attribute("surehand.actions", len(graph.nodes))

    def start(self, action: PlannedAction) -> None:
        """Begin the span of an action, and before the first of its goal that of the goal."""
        self._begin(action.action_id, action.goal_id, action.name)

    def end(self, log: StepLog) -> None:
        """End the span of an action, and after the last of its goal that of the goal."""
        result = log.result
        span = self._actions.pop(log.action_id, None) or self._begin(log.action_id, log.goal_id, log.name)
        self._actions.pop(log.action_id, None)
        span.set_attribute("surehand.status", result.status)
        span.set_attribute("surehand.effect", result.effect)
        span.set_attribute("surehand.args_digest", result.args_digest)
        span.set_attribute("surehand.tool", log.tool)
        goal = self._goals[log.goal_id]
        if result.error:
            span.set_attribute("error.type", result.error.code)
        if result.status in {"failed", "refused"}:
            code = result.error.code if result.error else result.status
            span.set_status(StatusCode.ERROR, code)
            goal.set_status(StatusCode.ERROR, code)
        span.end()
        self._waiting[log.goal_id] -= 1
        if self._waiting[log.goal_id] <= 0:
            goal.end()

    def ask(self, request: ApprovalRequest, *, answer: bool | None) -> None:
        """Note on the action's span that an approval was asked for, or what was answered."""
        span = self._actions.get(request.action_id, self._run)
        facts = {"surehand.approval": request.kind, "surehand.digest": request.digest}
        if answer is None:
            span.add_event("approval.asked", facts)
        else:
            span.add_event("approval.answered", {**facts, "surehand.approved": answer})

    def finish(self, result: RunResult) -> None:
        """End all spans with how the run ended."""
        self._run.set_attribute("surehand.outcome", result.outcome)
        if result.errors:
            self._run.set_attribute("error.type", result.errors[0].code)
        if result.outcome in {"failed", "partial"}:
            self._run.set_status(StatusCode.ERROR, result.errors[0].code if result.errors else result.outcome)
        self.close()

    def close(self) -> None:
        """End what is open: a run that was given up has no other end."""
        for span in (*self._actions.values(), *self._goals.values(), self._run):
            if span.is_recording():
                span.end()
        self._actions.clear()

    def _begin(self, action_id: str, goal_id: str, name: str) -> Span:
        ids = {**self._ids, "surehand.goal_id": goal_id, "surehand.scope": str(self._scope.child(goal_id))}
        if goal_id not in self._goals:
            context = set_span_in_context(self._run)
            self._goals[goal_id] = self._tracer.start_span("surehand.goal", context, attributes=ids)
        attributes = {**ids, "surehand.action_id": action_id, "surehand.verb": name}
        context = set_span_in_context(self._goals[goal_id])
        span = self._actions[action_id] = self._tracer.start_span(name, context, attributes=attributes)
        return span
