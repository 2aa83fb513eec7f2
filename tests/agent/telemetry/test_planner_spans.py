"""A planner's run and its steps as spans, as a real collector receives them."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from agent.telemetry.logs import LogBook, Outlets
from agent.telemetry.observing import SessionTelemetry
from core.base.errors import ActionError
from core.goals.secret_values import NO_VAULT
from core.planning.planners.context import PlannerContext
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.steps import PlannerStepInstance
from tests.core.planning.planners.toy_planners import (
    SCOPE,
    ToyModel,
    ToyPlanner,
    ask_once,
    describe_step,
    draft,
    make_parts,
)

pytest.importorskip("opentelemetry.sdk", reason="surehand[telemetry] is not installed")

from agent.telemetry.exporting import SpanExport
from agent.telemetry.spans import PlannerSpans, read_parent
from fixtures.collector import Collector, read_attributes

ONE, TWO = describe_step("one"), describe_step("two")


async def fail(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
    raise ActionError("It broke.")


async def run_traced(planner: ToyPlanner, **parameters: Any) -> tuple[Collector, list[Mapping[str, Any]]]:
    """Run a planner and send its spans to a collector; return that and the log lines."""
    lines: list[str] = []
    with Collector() as collector:
        export = SpanExport(collector.url, print)
        telemetry = SessionTelemetry(
            book=LogBook(Outlets([("debug", lines.append)])),
            carrier={},
            begin_planner_spans=lambda: PlannerSpans(export.tracer, read_parent({})),
        )
        parts = make_parts(emit=telemetry.watch_planner(NO_VAULT), model=ToyModel(tokens=7))
        await run_planner(planner, parameters, parts)
        await export.close()
    return collector, [json.loads(line) for line in lines]


async def test_a_planner_and_its_steps_are_a_tree_of_spans_with_scopes_and_tokens() -> None:
    planner = ToyPlanner(draft(ONE), draft(TWO, "one"), deeds={"one": ask_once, "two": fail}, tags=("t",))
    collector, lines = await run_traced(planner)
    run, one, two = (collector.find(name) for name in ("surehand.planner", "planner.one", "planner.two"))
    assert one.parent_span_id == two.parent_span_id == run.span_id
    assert {line["trace_id"] for line in lines} == {run.trace_id.hex()}
    assert read_attributes(one)["surehand.scope"] == f"{SCOPE}/one"
    assert read_attributes(one)["surehand.tokens"] == 7
    assert read_attributes(two)["error.type"] == "action_failed"
    assert read_attributes(run)["surehand.outcome"] == "partial"
    assert read_attributes(run)["surehand.scope"] == str(SCOPE)
    assert "Propose" not in str(collector.spans)


async def test_a_run_that_may_not_begin_is_one_span_with_its_code() -> None:
    collector, _ = await run_traced(ToyPlanner(draft(ONE)), ghost=1)
    (run,) = collector.spans
    assert read_attributes(run)["error.type"] == "bad_parameters"
    assert read_attributes(run)["surehand.scope"] == str(SCOPE)
