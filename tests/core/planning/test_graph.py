import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import GoalError
from core.planning.graph import PlanGraph, build_graph
from core.planning.plans import PlannedAction
from tests.core.samples import make_rule

Edges = list[tuple[str, str]]


def make_action(action_id: str) -> PlannedAction:
    return PlannedAction(
        action_id=action_id,
        domain="toy",
        verb="look",
        intent="toy_control",
        description=action_id,
        args={},
        action_class="observe",
        goal_id=action_id,
        digest="",
        rule=make_rule(),
    )


def make_graph(names: str, edges: Edges) -> PlanGraph:
    return build_graph([make_action(name) for name in names], edges)


def test_layers_hold_what_may_run_side_by_side_in_plan_order() -> None:
    graph = make_graph("dcba", [("d", "b"), ("c", "b"), ("b", "a")])
    assert graph.layers() == (("d", "c"), ("b",), ("a",))


def test_parents_and_children_stand_in_plan_order() -> None:
    graph = make_graph("zyxw", [("x", "w"), ("z", "w"), ("y", "w"), ("z", "x"), ("z", "y")])
    assert graph.parents("w") == ("z", "y", "x")
    assert graph.children("z") == ("y", "x", "w")
    assert graph.parents("z") == ()
    assert graph.children("w") == ()


def test_an_empty_graph_has_no_layers() -> None:
    assert make_graph("", []).layers() == ()


def test_the_same_edge_twice_is_one_edge() -> None:
    graph = make_graph("ab", [("a", "b"), ("a", "b")])
    assert graph.parents("b") == ("a",)


@pytest.mark.parametrize("edges", [[("a", "a")], [("a", "b"), ("b", "a")], [("a", "b"), ("b", "c"), ("c", "a")]])
def test_a_cycle_is_refused_and_shown(edges: Edges) -> None:
    with pytest.raises(GoalError, match=r"has a cycle: .+ → .+") as caught:
        make_graph("abc", edges)
    assert caught.value.code == "cycle"


@pytest.mark.parametrize("edges", [[("a", "x")], [("x", "a")]])
def test_an_edge_to_an_unknown_action_is_refused(edges: Edges) -> None:
    with pytest.raises(GoalError, match="unknown actions: x"):
        make_graph("ab", edges)


def test_two_actions_of_one_name_are_refused() -> None:
    with pytest.raises(GoalError, match="Two actions of the plan are called a"):
        make_graph("aba", [])


@given(st.integers(1, 12), st.data())
def test_every_layer_waits_only_for_earlier_ones(count: int, data: st.DataObject) -> None:
    names = "abcdefghijkl"[:count]
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names)).filter(lambda pair: pair[0] < pair[1])
    edges = data.draw(st.lists(pairs, max_size=20)) if count > 1 else []
    graph = make_graph(names, edges)
    layer_of = {name: index for index, layer in enumerate(graph.layers()) for name in layer}
    assert set(layer_of) == set(names)
    assert all(layer_of[parent] < layer_of[child] for parent, child in edges)
    for name in names:
        parents = {parent for parent, child in edges if child == name}
        assert set(graph.parents(name)) == parents
        assert layer_of[name] == max((layer_of[each] + 1 for each in parents), default=0)


def test_a_graph_of_many_actions_looks_nothing_up_by_walking_over_all_of_them() -> None:
    class CountedNodes(dict[str, PlannedAction]):
        walks = 0

        def __iter__(self):
            type(self).walks += 1
            return super().__iter__()

    names = [f"n{index}" for index in range(50)]
    nodes = CountedNodes((name, make_action(name)) for name in names)
    graph = PlanGraph(nodes, {left: frozenset([right]) for left, right in itertools.pairwise(names)})
    before = CountedNodes.walks
    assert [graph.parents(name) for name in names][1:] == [(name,) for name in names[:-1]]
    assert [graph.children(name) for name in names][:-1] == [(name,) for name in names[1:]]
    assert CountedNodes.walks == before
