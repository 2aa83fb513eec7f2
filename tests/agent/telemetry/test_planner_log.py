"""What planners do is told in log lines, with the scope of each step and without what was asked or answered."""

import json
from collections.abc import Mapping
from typing import Any

from agent.telemetry.logs import LogBook, Outlets
from agent.telemetry.observing import SessionTelemetry
from core.base.errors import ActionError
from core.goals.secret_values import NO_VAULT
from core.planning.planners.context import PlannerContext
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.steps import PlannerStepInstance
from core.results.events import Emit
from tests.core.planning.planners.toy_planners import (
    SCOPE,
    ToyModel,
    ToyPlanner,
    ask_once,
    describe_step,
    draft,
    make_parts,
)

ONE, TWO = describe_step("one"), describe_step("two")
TRACE = "0af7651916cd43dd8448eb211c80319c"


async def fail(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
    raise ActionError("It broke.")


async def run_watched(emit: Emit) -> None:
    planner = ToyPlanner(draft(ONE), draft(TWO, "one"), deeds={"one": ask_once, "two": fail}, tags=("t",))
    await run_planner(planner, {}, make_parts(emit=emit, model=ToyModel(tokens=7)))


def watch(lines: list[str]) -> Emit:
    book = LogBook(Outlets([("debug", lines.append)]))
    carrier = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
    return SessionTelemetry(book=book, carrier=carrier).watch_planner(NO_VAULT)


async def test_every_event_of_a_planner_is_a_line_with_its_scope() -> None:
    lines: list[str] = []
    await run_watched(watch(lines))
    told = [json.loads(line) for line in lines]
    assert [(line["event"], line["level"]) for line in told] == [
        ("planner.started", "info"),
        ("planner.step.started", "debug"),
        ("planner.step.completed", "info"),
        ("planner.step.started", "debug"),
        ("planner.step.completed", "warning"),
        ("planner.completed", "warning"),
    ]
    run = str(SCOPE)
    assert [line["scope"] for line in told] == [run, f"{run}/one", f"{run}/one", f"{run}/two", f"{run}/two", run]
    assert {line["trace_id"] for line in told} == {TRACE}
    assert {line["run_id"] for line in told} == {"r1"}
    assert (told[2]["tokens"], told[2]["outcome"]) == (7, "done")
    assert (told[4]["error"], told[4]["message"]) == ("action_failed", "It broke.")
    assert "Propose" not in "".join(lines)


async def test_a_run_that_may_not_begin_is_a_warning_with_its_code() -> None:
    lines: list[str] = []
    await run_planner(ToyPlanner(draft(ONE)), {"ghost": 1}, make_parts(emit=watch(lines)))
    (line,) = map(json.loads, lines)
    assert (line["event"], line["level"], line["errors"]) == ("planner.rejected", "warning", ["bad_parameters"])
    assert (line["planner_id"], line["scope"]) == ("toy", str(SCOPE))
