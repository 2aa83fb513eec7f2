"""PlannerSpans: a planner's run and its steps as OpenTelemetry spans; names, ids, counts and codes, and nothing that was read or said."""

from opentelemetry.context import Context
from opentelemetry.trace import Span, StatusCode, Tracer, format_trace_id, set_span_in_context

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
