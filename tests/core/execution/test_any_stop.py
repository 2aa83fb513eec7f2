"""Any small graph of tools that end well, fail, crash or wait, stopped at any moment."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction
from core.results.tool_results import StepLog
from tests.core.toys import ToyRun, plan_toys, toy

VERBS = ["note", "look", "fail", "crash", "hold", "meet"]
PARAMS: dict[str, dict[str, Any]] = {
    "note": {"text": "x"},
    "look": {"text": "x"},
    "hold": {"room": "kitchen"},
    "meet": {"parties": 2},
}
Shape = list[tuple[str, set[int]]]

shapes = st.lists(st.tuples(st.sampled_from(VERBS), st.sets(st.integers(0, 9), max_size=3)), min_size=1, max_size=10)


def make_graph(shape: Shape) -> PlanGraph:
    """Return the graph of a shape; of the parents named, those that come earlier count."""
    nodes = plan_toys([toy(verb, **PARAMS.get(verb, {})) for verb, _ in shape]).nodes
    names = list(nodes)
    children: dict[str, set[str]] = {}
    for index, (_, parents) in enumerate(shape):
        for parent in parents:
            if parent < index:
                children.setdefault(names[parent], set()).add(names[index])
    return PlanGraph(nodes, {parent: frozenset(each) for parent, each in children.items()})


@dataclass
class Record:
    """What was told of a run; it is stopped at the told number of events, and tools that wait are let go then."""

    run: ToyRun
    stop_at: int
    told: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    called_before: int | None = None

    def stop(self) -> None:
        self.run.context.limits.stop.set()
        if self.called_before is None:
            self.called_before = len(self.run.toys.contexts)

    def start(self, action: PlannedAction) -> None:
        self.note(action.action_id, "started")

    def end(self, log: StepLog) -> None:
        self.note(log.action_id, log.result.status)

    def note(self, action_id: str, status: str) -> None:
        self.told.append((action_id, status))
        if len(self.told) == self.stop_at:
            self.stop()


async def execute(graph: PlanGraph, stop_at: int) -> tuple[Record, tuple[StepLog, ...]]:
    run = ToyRun()
    record = Record(run, stop_at)
    run.hold_to(on_start=record.start, on_end=record.end)
    if stop_at == 0:
        record.stop()
    stopper = asyncio.get_running_loop().call_later(0.01, record.stop)  # tools may wait for each other in vain
    before = asyncio.all_tasks()
    logs = await run.executor.execute(graph, run.context)
    stopper.cancel()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before
    return record, logs


@given(shapes, st.integers(0, 30))
def test_wherever_a_run_is_stopped_every_action_has_one_receipt_that_fits_its_parents(
    shape: Shape, stop_at: int
) -> None:
    graph = make_graph(shape)
    record, logs = asyncio.run(execute(graph, stop_at))
    assert [log.action_id for log in logs] == list(graph.nodes)
    assert record.called_before in {None, len(record.run.toys.contexts)}  # after a stop no tool is called
    status = {log.action_id: log.result.status for log in logs}
    ends = [(action_id, how) for action_id, how in record.told if how != "started"]
    assert sorted(ends) == sorted(status.items())
    for log in logs:
        parents = [status[each] for each in graph.parents(log.action_id)]
        began = (log.action_id, "started") in record.told
        ended = record.told.index((log.action_id, log.result.status))
        assert log.result.status in {"ok", "failed", "skipped", "cancelled"}
        assert not began or set(parents) <= {"ok"}
        assert not began or record.told.index((log.action_id, "started")) < ended
        assert began or log.result.status in {"skipped", "cancelled"}
        assert log.result.status != "skipped" or {"failed", "skipped"} & set(parents)
        assert log.result.status != "cancelled" or record.run.context.limits.stop.is_set()
