import json
from dataclasses import fields

import pytest

from core.base.errors import ErrorInfo
from core.results.events import Accepted, Event, Final, Intervened, Question, Rejected, Say, Step, to_record
from core.results.planner_events import (
    PlannerCompleted,
    PlannerEvent,
    PlannerFailed,
    PlannerStarted,
    PlannerStepCompleted,
    PlannerStepStarted,
    PlannerThrottled,
)
from core.results.records import to_data

EVENTS: list[tuple[Event, str]] = [
    (Accepted(run_id="r1", plan={"nodes": []}, plan_digest="d"), "accepted"),
    (Rejected(run_id="r1", errors=(ErrorInfo("bad", "No."),)), "planner.rejected"),
    (
        Question(run_id="r1", kind="confirm", action_id="a", prompt="Do it?", digest="d", approval="confirm"),
        "question",
    ),
    (Step(run_id="r1", action_id="a", status="started", description="Do it"), "step"),
    (Say(run_id="r1", text="Done."), "say"),
    (Final(run_id="r1", outcome="success", reply="Done."), "final"),
    (PlannerStarted(planner_id="p"), "planner.started"),
    (Intervened(held=False, deeds=("clicked button “Pay”",)), "intervened"),
    (PlannerStepStarted(planner_id="p", step_id="one"), "planner.step.started"),
    (PlannerStepCompleted(planner_id="p", step_id="one", outcome="done"), "planner.step.completed"),
    (PlannerCompleted(planner_id="p", outcome="success", metrics={"tokens": 3.0}), "planner.completed"),
    (PlannerFailed(planner_id="p", errors=(ErrorInfo("bad", "No."),), metrics={}), "planner.failed"),
    (PlannerThrottled(planner_id="p", reason="8 run already"), "planner.throttled"),
]


@pytest.mark.parametrize(("event", "kind"), EVENTS)
def test_a_record_begins_with_the_kind_of_the_event_and_where_it_stands(event: Event, kind: str) -> None:
    record = to_record(event)
    assert list(record)[:4] == ["event", "run_id", "seq", "at_ms"]
    assert record["event"] == kind


@pytest.mark.parametrize(("event", "kind"), EVENTS)
def test_a_record_holds_every_field_once_and_nothing_else(event: Event, kind: str) -> None:
    record = to_record(event)
    assert set(record) == {"event", *(each.name for each in fields(event))}
    assert all(record[each.name] == getattr(event, each.name) for each in fields(event))


@pytest.mark.parametrize(("event", "kind"), EVENTS)
def test_a_record_can_be_written_as_json(event: Event, kind: str) -> None:
    assert json.loads(json.dumps(to_data(to_record(event))))["event"] == kind


def test_every_kind_of_event_is_tested_and_has_its_own_name() -> None:
    # A class with slots is made twice, so that a name may come up twice; the last one is it.
    kinds = {each.__name__: each.event_name for each in (*Event.__subclasses__(), *PlannerEvent.__subclasses__())}
    del kinds["PlannerEvent"]
    assert sorted(kinds.values()) == sorted(kind for _, kind in EVENTS)
    assert len(set(kinds.values())) == len(kinds)
