import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import GoalError
from core.planning.planners.lifecycle.step_graph import StepGraph
from core.planning.planners.metadata import PlannerMetadata
from tests.core.planning.planners.toy_planners import describe_step, draft

ONE = describe_step("one")
METADATA = PlannerMetadata(name="toy", description="A toy.", capabilities=("toy",), steps=(ONE,))


@st.composite
def draw_batches(draw: st.DrawFn) -> list[list[tuple[str, tuple[str, ...]]]]:
    """Return batches of steps, each step depending on any before it in its batch or in an earlier one."""
    known: list[str] = []
    batches: list[list[tuple[str, tuple[str, ...]]]] = []
    for _ in range(draw(st.integers(1, 4))):
        batch: list[tuple[str, tuple[str, ...]]] = []
        for _ in range(draw(st.integers(1, 4))):
            depends = draw(st.lists(st.sampled_from(known), unique=True, max_size=3)) if known else []
            name = f"s{len(known)}"
            batch.append((name, tuple(depends)))
            known.append(name)
        batches.append(batch)
    return batches


@given(batches=draw_batches(), data=st.data())
def test_every_step_is_handed_out_once_after_all_that_it_depends_on_also_when_more_are_added(
    batches: list[list[tuple[str, tuple[str, ...]]]], data: st.DataObject
) -> None:
    graph, running, done = StepGraph(METADATA), list[str](), list[str]()
    depends = {name: before for batch in batches for name, before in batch}
    left = list(batches)
    while left or running or len(done) < len(graph.instances):
        if left and (not running or data.draw(st.booleans())):
            graph.add([draft(ONE, *before, name=name) for name, before in left.pop(0)])
        for step in graph.take_ready():
            assert set(depends[step.instance_id]) <= set(done)
            running.append(step.instance_id)
        if running:
            name = running.pop(data.draw(st.integers(0, len(running) - 1)))
            done.append(name)
            graph.end(name)
    assert sorted(done) == sorted(depends)
    assert graph.list_outstanding() == ()


def test_what_failed_holds_up_what_depends_on_it_for_good() -> None:
    graph = StepGraph(METADATA)
    graph.add([draft(ONE, name="a"), draft(ONE, "a", name="b")])
    assert [each.instance_id for each in graph.take_ready()] == ["a"]
    graph.add([draft(ONE, "b", name="c"), draft(ONE, name="d")])
    assert [each.instance_id for each in graph.take_ready()] == ["d"]
    graph.end("d")
    assert graph.take_ready() == []
    assert graph.list_outstanding() == ("a", "b", "c")


def test_steps_that_are_refused_leave_the_graph_as_it_was() -> None:
    graph = StepGraph(METADATA)
    graph.add([draft(ONE, name="a")])
    for bad in ([draft(ONE, name="b"), draft(ONE, name="a")], [draft(ONE, "y", name="x"), draft(ONE, "x", name="y")]):
        with pytest.raises(GoalError):
            graph.add(bad)
    assert list(graph.instances) == ["a"]
    assert [each.instance_id for each in graph.take_ready()] == ["a"]


def test_a_step_that_the_metadata_does_not_name_is_refused() -> None:
    with pytest.raises(GoalError, match="none of its steps"):
        StepGraph(METADATA).add([draft(describe_step("other"))])
