import html
import re

from hypothesis import given
from hypothesis import strategies as st

from agent.cli.screen import plan_drawings
from agent.requests.plan_views import describe_graph, digest_plan
from core.base.phrases import escape_text
from core.planning.graph import PlanGraph, build_graph
from core.planning.plans import PlannedAction
from tests.core.samples import make_rule

NODE = re.compile(r'    (\w+)(?:\["([^"]*)"\]|\(\["([^"]*)"\]\))')
EDGE = re.compile(r"    (\w+) --> (\w+)")
ENTITY = re.compile(r"#(\d+);")


def draw_tree(graph: PlanGraph, *, with_ids: bool = False) -> str:
    return plan_drawings.draw_tree(describe_graph(graph), with_ids=with_ids)


def draw_mermaid(graph: PlanGraph) -> str:
    return plan_drawings.draw_mermaid(describe_graph(graph))


def act(name: str, description: str = "", **parts: str) -> PlannedAction:
    return PlannedAction(
        action_id=name,
        domain="lamp",
        verb="switch",
        intent="lamp_control",
        description=description or f"do {name}",
        args={"room": name},
        action_class="observe" if parts.get("looks") else "actuate",
        goal_id="g0",
        digest=parts.get("digest", name),
        rule=make_rule(),
        approval="apply_diff" if parts.get("asks") else "none",
    )


def make_graph(edges: str, **descriptions: str) -> PlanGraph:
    """Return a graph of one-letter actions from edges such as ``ab ac``."""
    names = sorted(set("".join(edges.split())))
    pairs = [(edge[0], edge[1]) for edge in edges.split()]
    return build_graph([act(name, descriptions.get(name, "")) for name in names], pairs)


def test_a_chain_stays_at_one_depth() -> None:
    assert draw_tree(make_graph("ab bc")) == "└─ 1 do a\n   2 do b\n   3 do c"


def test_forks_are_branches_and_a_join_stands_below_the_last_of_its_parents() -> None:
    assert draw_tree(make_graph("ab ac bd cd de")).splitlines() == [
        "└─ 1 do a",
        "   ├─ 2 do b",
        "   └─ 3 do c",
        "      4 do d (also after 2)",
        "      5 do e",
    ]


def test_ids_and_classes_of_approvals_stand_in_a_tree_that_is_asked_to_show_them() -> None:
    graph = build_graph([act("a"), act("b", asks="yes")], [("a", "b")])
    assert draw_tree(graph, with_ids=True) == "└─ a: do a\n   b: do b [asks: apply_diff]"


def test_several_roots_are_branches_side_by_side() -> None:
    graph = build_graph([act("a"), act("b", asks="yes")], [])
    assert draw_tree(graph) == "├─ 1 do a\n└─ 2 do b (asks first)"
    assert draw_tree(build_graph([], [])) == ""


def test_a_plan_that_forks_at_every_step_can_be_drawn() -> None:
    names = [f"n{number}" for number in range(2999)]
    edges = [(names[index], names[index + step]) for index in range(0, 2998, 2) for step in (1, 2)]
    assert draw_tree(build_graph([act(name) for name in names], edges)).count("\n") == 2998


def test_a_tree_shows_what_is_invisible() -> None:
    assert draw_tree(build_graph([act("a", "x\n\x1b[2J\u202e")], [])) == r"└─ 1 x\n\x1b[2J\u202e"


@given(st.text())
def test_any_description_is_a_mermaid_label_that_says_the_same(text: str) -> None:
    lines = draw_mermaid(build_graph([act("a", text), act("b", text, looks="yes")], [("a", "b")])).split("\n")
    assert lines[0] == "flowchart TD"
    assert EDGE.fullmatch(lines[3])
    for line in lines[1:3]:
        node = NODE.fullmatch(line)
        assert node
        label = node[2] if node[2] is not None else node[3]
        assert not set(label) & set('"<>`%\\{}&')
        assert ENTITY.sub(lambda entity: chr(int(entity[1])), label) == escape_text(text or f"do {node[1]}")
        assert html.unescape(label) == label


def test_acting_and_looking_have_different_shapes_in_mermaid() -> None:
    chart = draw_mermaid(build_graph([act("a", 'Type "x"'), act("b", looks="yes")], [("a", "b")]))
    assert chart == 'flowchart TD\n    a["Type #34;x#34;"]\n    b(["do b"])\n    a --> b'


def test_the_graph_as_data_has_nodes_edges_and_layers() -> None:
    graph = describe_graph(make_graph("ab ac bd cd"))
    assert [node["action_id"] for node in graph["nodes"]] == ["a", "b", "c", "d"]
    assert graph["edges"] == [["a", "b"], ["a", "c"], ["b", "d"], ["c", "d"]]
    assert graph["layers"] == [["a"], ["b", "c"], ["d"]]
    assert graph["nodes"][0]["args"] == {"room": "a"}


def test_the_digest_of_a_plan_changes_with_any_action_and_any_edge() -> None:
    plain = digest_plan(make_graph("ab bc"))
    assert plain == digest_plan(make_graph("ab bc"))
    assert plain != digest_plan(make_graph("ab ac bc"))
    changed = build_graph([act("a"), act("b", digest="x"), act("c")], [("a", "b"), ("b", "c")])
    assert plain != digest_plan(changed)
