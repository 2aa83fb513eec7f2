"""The console's modules that only reckon: where steps stand, what a diff says, how events become a run."""

import difflib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.agent.console.conftest import Scripts

TOLD = "../../../tests/agent/console/told.js"

Edges = list[tuple[str, str]]


@st.composite
def draw_plans(draw: st.DrawFn) -> dict[str, Any]:
    """A plan of layers, each step but the first ones behind some of any layer before."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=7))
    layers = [[f"a{depth}_{place}" for place in range(size)] for depth, size in enumerate(sizes)]
    edges: Edges = []
    for depth, layer in enumerate(layers[1:], start=1):
        before = [name for each in layers[:depth] for name in each]
        for name in layer:
            parents = draw(st.lists(st.sampled_from(before), min_size=1, max_size=3, unique=True))
            edges += [(parent, name) for parent in parents]
    return {"nodes": [], "edges": edges, "layers": layers}


def place(scripts: Scripts, plan: dict[str, Any]) -> Any:
    # A Map is written as its entries.
    return scripts.call(TOLD, "tellPlaced", plan)


@given(plan=draw_plans())
def test_no_two_steps_and_no_line_share_a_cell(scripts: Scripts, plan: dict[str, Any]) -> None:
    placed = place(scripts, plan)
    steps = [(cell["column"], cell["row"]) for cell in placed["cells"].values()]
    between = [(cell["column"], cell["row"]) for way in placed["ways"] for cell in way["cells"][1:-1]]
    assert len({*steps, *between}) == len(steps) + len(between)
    assert len(steps) == sum(len(layer) for layer in plan["layers"])


@given(plan=draw_plans())
def test_every_line_goes_one_column_to_the_right_at_a_time(scripts: Scripts, plan: dict[str, Any]) -> None:
    placed = place(scripts, plan)
    assert [(way["from"], way["to"]) for way in placed["ways"]] == plan["edges"]
    for way in placed["ways"]:
        columns = [cell["column"] for cell in way["cells"]]
        assert columns == list(range(columns[0], columns[0] + len(columns)))
    assert all(cell["row"] < placed["rows"] for cell in placed["cells"].values())


def test_a_chain_is_straight(scripts: Scripts) -> None:
    layers = [[f"a{number}"] for number in range(9)]
    edges = [(f"a{number}", f"a{number + 1}") for number in range(8)]
    placed = place(scripts, {"nodes": [], "edges": edges, "layers": layers})
    assert {cell["row"] for cell in placed["cells"].values()} == {0}


LINES = st.lists(st.sampled_from(["a", "-- b", "++ c", "", "@@ d", "--- e"]), max_size=8)


@given(before=LINES, after=LINES)
def test_a_diff_is_read_back_to_both_its_texts(scripts: Scripts, before: list[str], after: list[str]) -> None:
    diff = "".join(f"{line}\n" for line in difflib.unified_diff(before, after, "x", "y", n=99, lineterm=""))
    if not diff:
        return
    lines = scripts.call("parts/diffs.js", "readDiff", diff)
    assert [each["text"] for each in lines if each["kind"] in {"cut", "same"}] == before
    assert [each["text"] for each in lines if each["kind"] in {"add", "same"}] == after
    assert [each["after"] for each in lines if each["after"] is not None] == list(range(1, len(after) + 1))


EVENTS: list[dict[str, Any]] = [
    {"event": "accepted", "plan": {"nodes": [{"action_id": "a", "name": "x.y", "description": "A", "args": {}}]}},
    {"event": "step", "action_id": "a", "status": "started", "description": "A"},
    {"event": "step", "action_id": "a", "status": "ok", "effect": "confirmed", "output": {}, "evidence": {}, "ms": 4},
    {"event": "say", "text": "Done."},
    {"event": "final", "outcome": "success", "reply": "Done.", "steps": []},
]


@given(cuts=st.lists(st.integers(0, len(EVENTS)), max_size=6))
def test_events_that_come_again_change_nothing(scripts: Scripts, cuts: list[int]) -> None:
    numbered = [{**each, "run_id": "r", "seq": seq, "at_ms": seq} for seq, each in enumerate(EVENTS)]
    once = scripts.call(TOLD, "tellRun", numbered)
    again = [each for cut in cuts for each in numbered[:cut]] + numbered
    assert scripts.call(TOLD, "tellRun", again) == once
    assert once["steps"]["a"]["status"] == "ok"


def test_what_was_never_told_of_did_not_happen(scripts: Scripts) -> None:
    ended = [EVENTS[0], {**EVENTS[4], "outcome": "cancelled"}]
    numbered = [{**each, "run_id": "r", "seq": seq, "at_ms": seq} for seq, each in enumerate(ended)]
    told = scripts.call(TOLD, "tellRun", numbered)
    assert told["steps"]["a"]["status"] == "left"


def test_pictures_before_and_after_an_act_are_told_by_their_names(scripts: Scripts) -> None:
    def make(name: str, action: str = "g1_click_1", media: str = "image/jpeg") -> dict[str, str]:
        return {"name": name, "action_id": action, "media_type": media}

    given = [
        make("g1_click_1.after.jpg"),
        make("g1_click_1.before.jpg"),
        make("g1_click_1.png"),
        make("x.before", "g2"),
    ]
    told = scripts.call(
        "runs/told_pictures.js", "picturesOf", [*given, make("before.txt", media="text/plain")], "g1_click_1"
    )
    assert (told["before"], told["after"], told["others"]) == (given[1], given[0], [given[2]])
