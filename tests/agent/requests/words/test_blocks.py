from pathlib import Path

import pytest

from agent.requests.flows import Flow, collect_faults, load_flow, parse_flow
from agent.requests.words.flow_files import SentFiles
from core.base.errors import FlowError
from core.goals.references import Reference
from core.goals.step_terms import StepCondition

OPEN = "  - {id: items, browser.extract: {rows: css=.item, fields: {name: h3}}}\n"


def read(body: str, **files: str) -> Flow:
    names = {name.replace("_", "."): text for name, text in files.items()}
    return parse_flow(f"goals:\n{body}", name="f.yaml", files=SentFiles(names))


def find_fault(body: str, **files: str) -> FlowError:
    with pytest.raises(FlowError) as caught:
        read(body, **files)
    return caught.value


def list_scopes(flow: Flow) -> list[str]:
    return [goal.scope for goal in flow.goals]


# --- group


def test_the_steps_of_a_group_have_its_title_and_go_on_as_if_they_stood_alone() -> None:
    flow = read(
        "  - a.b: {}\n  - id: all\n    group: Outer\n    goals:\n      - a.b: {}\n"
        "      - group: Inner\n        goals:\n          - {id: deep, a.b: {}}\n"
        "  - {a.b: {x: '${deep.text}'}, scope: after:all}\n"
    )
    assert [goal.groups for goal in flow.goals] == [(), ("Outer",), ("Outer", "Inner"), ()]
    assert list_scopes(flow) == ["root", "after:g0", "after:g1", "after:g2"]
    assert flow.goals[3].params["x"] == Reference("g2", "text")


# --- retry


@pytest.mark.parametrize(
    ("given", "attempts", "wait_s"), [("3", 3, 0.0), ("{times: 4, wait: 0.5}", 4, 0.5), ("{times: 2, wait: 1}", 2, 1.0)]
)
def test_retry_says_how_often_and_how_far_apart(given: str, attempts: int, wait_s: float) -> None:
    (goal,) = read(f"  - a.b: {{}}\n    retry: {given}\n").goals
    assert (goal.terms.attempts, goal.terms.wait_s) == (attempts, wait_s)


# --- finally


def test_what_stands_under_finally_comes_last_and_is_always_done() -> None:
    flow = parse_flow("goals: [{a.b: {}}, {a.b: {}, scope: root}]\nfinally: [{c.d: {}}, {c.e: {}}]")
    assert [goal.terms.always for goal in flow.goals] == [False, False, True, True]
    assert list_scopes(flow) == ["root", "root", "root", "after:g2"]


# --- when, unless


def test_a_condition_looks_at_what_an_earlier_step_gave() -> None:
    flow = read("  - {id: total, a.b: {}}\n  - a.b: {}\n    when: {value: '${total.number}', above: 10}\n")
    assert flow.goals[1].terms.conditions == (StepCondition(Reference("g0", "number"), "above", 10),)


def test_a_condition_of_a_page_becomes_a_step_that_only_asks() -> None:
    flow = read("  - a.b: {}\n  - c.click: {}\n    unless: {c.expect: {x: 1}}\n    expect: {y: 2}\n  - a.b: {}\n")
    _, asked, click, expected, last = flow.goals
    assert (asked.name, asked.terms.is_question, asked.scope) == ("c.expect", True, "after:g0")
    assert click.terms.conditions == (StepCondition(Reference("g1", "holds"), "is", wanted=True, unless=True),)
    assert (expected.terms.only_with, last.scope) == ("g2", "after:g3")


def test_several_conditions_must_all_hold() -> None:
    flow = read(
        "  - {id: t, a.b: {}}\n  - a.b: {}\n    when: [{value: '${t.n}', below: 5}, {value: '${t.s}', contains: x}]\n"
        "    unless: {value: '${t.s}', empty: true}\n"
    )
    assert [(each.comparison, each.unless) for each in flow.goals[1].terms.conditions] == [
        ("below", False),
        ("contains", False),
        ("empty", True),
    ]


# --- repeat


def test_a_loop_over_a_file_is_unrolled_while_the_flow_is_read() -> None:
    flow = read(
        "  - id: each\n    repeat: {rows: a.csv, types: {count: integer}, as: order}\n    goals:\n"
        "      - {id: seen, a.b: {name: '${order.name}', text: 'n ${order.count}', count: '${order.count}'}}\n"
        "      - a.b: {x: '${seen.text}'}\n"
        "  - {a.b: {x: '${seen.2.text}'}, scope: after:each}\n",
        a_csv='name,count\nada,2\n"bob, the",3\n',
    )
    assert dict(flow.goals[0].params) == {"name": "ada", "text": "n 2", "count": 2}
    assert flow.goals[2].params["name"] == "bob, the"
    assert [goal.params["x"] for goal in flow.goals[1::2]] == [Reference("g0", "text"), Reference("g2", "text")]
    assert flow.goals[4].params["x"] == Reference("g2", "text")
    assert [goal.groups for goal in flow.goals] == [("order 1 of 2",)] * 2 + [("order 2 of 2",)] * 2 + [()]
    assert list_scopes(flow) == ["root", "after:g0", "after:g1", "after:g2", "after:g3"]


def test_a_loop_over_json_has_its_types_and_a_loop_may_only_count() -> None:
    flow = read(
        "  - repeat: {rows: a.json}\n    goals:\n      - a.b: {n: '${row.n}', d: '${row.deep.0}'}\n"
        "  - repeat: {times: 2}\n    goals:\n      - a.b: {n: '${row.number}'}\n",
        a_json='[{"n": 1.5, "deep": [true]}]',
    )
    assert [goal.params["n"] for goal in flow.goals] == [1.5, 1, 2]
    assert flow.goals[0].params["d"] is True


def test_the_rounds_of_a_loop_that_collects_wait_for_each_other_whatever_comes_of_them() -> None:
    flow = read(
        "  - a.b: {}\n  - repeat: {times: 2, on_failure: collect}\n    goals:\n      - a.b: {}\n      - a.c: {}\n  - a.d: {}\n"
    )
    assert list_scopes(flow) == ["root", "after:g0", "after:g1", "after:g0", "after:g3", "after:g0"]
    assert [goal.terms.follows for goal in flow.goals] == [(), (), (), ("g1", "g2"), (), ("g3", "g4")]


def test_a_loop_over_rows_that_are_read_in_the_run_has_its_body_once() -> None:
    flow = read(
        f"{OPEN}  - repeat: {{rows: '${{items.rows}}', as: item, at_most: 7, on_failure: collect}}\n    goals:\n"
        "      - {id: seen, a.b: {x: '${item.name}', y: 'the ${item.name}'}}\n      - a.b: {z: '${seen.text}'}\n  - a.c: {}\n"
    )
    first, second, last = flow.goals[1:]
    assert first.params["x"] == Reference("g0", "rows.*.name")
    loop = first.terms.loop
    assert loop is not None
    assert second.terms.loop == loop
    assert (loop.loop_id, loop.rows, loop.at_most, loop.title, loop.collects) == (
        "g1",
        Reference("g0", "rows"),
        7,
        "item",
        True,
    )
    assert (last.scope, last.terms.follows) == ("after:g0", ("g1", "g2"))


# --- what is refused


ROWS = {
    "a_csv": "name,count\nada,x\n",
    "long_csv": "n\n" + "1\n" * 101,
    "a_txt": "x",
    "bad_json": "{}",
    "odd_csv": "a,b\n1\n",
}


@pytest.mark.parametrize(
    ("body", "place", "words"),
    [
        ("  - group: ''\n    goals: [{a.b: {}}]", "2:5", "a group needs a title"),
        ("  - group: x", "2:5", "goals must be a list of goals"),
        ("  - group: x\n    goals: []", "3:5", "goals must be a list of goals"),
        ("  - group: x\n    when: {}\n    goals: [{a.b: {}}]", "3:5", "when must be a mapping"),
        ("  - group: x\n    wehn: {}\n    goals: [{a.b: {}}]", "3:5", 'unknown key "wehn" beside group (did you mean "when"?)'),
        ("  - group: x\n    goals: [{a.b: {}, y: 1}]", "3:23", 'unknown key "y"'),
        ("  - a.b: {}\n    retry: 0", "3:5", "retry.times: input should be greater than or equal to 1; not 0."),
        ("  - a.b: {}\n    retry: 21", "3:5", "less than or equal to 20"),
        ("  - a.b: {}\n    retry: {wait: 1}", "3:5", "retry needs times."),
        ("  - a.b: {}\n    retry: {times: 2, wiat: 1}", "3:23", 'unknown key "wiat" of retry (did you mean "wait"?)'),
        ("  - a.b: {}\n    when: yes", "3:5", "when must be a mapping"),
        ("  - a.b: {}\n    when: []", "3:5", "when needs between 1 and 20 conditions"),
        ("  - a.b: {}\n    when: {value: x}", "3:5", "a condition needs one comparison; this one has none."),
        ("  - a.b: {}\n    when: {value: x, is: y, above: 1}", "3:5", "this one has is, above."),
        ("  - a.b: {}\n    when: {value: x, abvoe: 1}", "3:22", 'unknown comparison "abvoe" (did you mean "above"?)'),
        ("  - a.b: {}\n    when: {value: x, above: '1'}", "3:22", 'above needs a number, not "1".'),
        ("  - a.b: {}\n    when: {value: x, empty: 1}", "3:22", "empty is true or false, not 1."),
        ("  - a.b: {}\n    when: {value: x, is: [1]}", "3:22", "is needs text, a number, or true or false."),
        ("  - a.b: {}\n    when: {valeu: x, is: 1}", "3:12", '"valeu" is not what a condition looks at'),
        ("  - a.b: {}\n    when: {value: '${ghost.x}', is: 1}", "3:12", 'no earlier goal is called "ghost"'),
        ("  - repeat: {}\n    goals: [{a.b: {}}]", "2:5", "repeat needs one of times and rows."),
        ("  - repeat: {times: 2, rows: x}\n    goals: [{a.b: {}}]", "2:5", "repeat needs one of times and rows."),
        ("  - repeat: {times: 101}\n    goals: [{a.b: {}}]", "2:5", "there are 101 rounds, and this loop may have 100."),
        ("  - repeat: {times: 2, at_most: 1001}\n    goals: [{a.b: {}}]", "2:24", "less than or equal to 1000"),
        ("  - repeat: {rows: long.csv}\n    goals: [{a.b: {}}]", "2:5", "there are 101 rounds"),
        ("  - repeat: {rows: ghost.csv}\n    goals: [{a.b: {}}]", "2:14", "did not come with the flow"),
        ("  - repeat: {rows: a.txt}\n    goals: [{a.b: {}}]", "2:14", "neither a .csv nor a .json file"),
        ("  - repeat: {rows: a.csv, types: {count: integer}}\n    goals: [{a.b: {}}]", "2:14", "a.csv:2: "),
        ("  - repeat: {rows: a.csv, types: {cuont: integer}}\n    goals: [{a.b: {}}]", "2:14", 'no column "cuont"'),
        ("  - repeat: {rows: odd.csv}\n    goals: [{a.b: {}}]", "2:14", "odd.csv:2: the row has 1 cells for 2 columns."),
        ("  - repeat: {rows: a.csv}\n    goals: [{a.b: {x: '${row.nmae}'}}]", "3:20", 'the row has no "nmae"'),
        (f"{OPEN}  - repeat: {{rows: '${{items.rows}}'}}\n    goals: [{{id: x, a.b: {{}}}}]\n  - a.b: {{y: '${{x.text}}'}}", "5:11", 'no earlier goal is called "x"'),
    ],
)  # fmt: skip
def test_a_word_that_makes_no_sense_is_refused_with_its_place(body: str, place: str, words: str) -> None:
    error = find_fault(body, **ROWS)
    assert words in error.message
    assert error.message.startswith(f"f.yaml:{place}: ")


def test_what_json_rows_get_wrong_is_told_with_the_place_in_their_file() -> None:
    assert find_fault("  - repeat: {rows: bad.json}\n    goals: [{a.b: {}}]", **ROWS).message.startswith(
        "bad.json:1:1: "
    )


def test_a_loop_over_rows_of_the_run_does_not_stand_in_finally() -> None:
    error = find_fault(f"{OPEN}finally:\n  - repeat: {{rows: '${{items.rows}}'}}\n    goals: [{{a.b: {{}}}}]\n")
    assert error.code == "loop_in_finally"
    assert "can't stand in finally" in error.message


def test_loops_in_loops_come_to_no_more_goals_than_a_flow_may_have() -> None:
    loop, within = "repeat: {times: 100}\n", "repeat: {times: 100, as: other}\n"
    body = f"  - {loop}    goals:\n      - {within}        goals:\n          - a.b: {{}}\n          - a.b: {{}}\n"
    error = find_fault(body)
    assert error.code == "too_large"
    assert "more than 10,000 goals" in error.message


def test_every_fault_is_found_and_what_refers_to_a_bad_goal_is_none(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(
        "goals:\n  - {id: one, a.b: {}, scoep: root}\n  - a.b: {x: '${one.text}'}\n  - group: g\n    goals:\n"
        "      - a.b: {x: '${ghost.y}'}\n      - a.b: {}\n        retry: 0\n"
    )
    assert [fault.evidence["line"] for fault in collect_faults(path)] == [2, 6, 8]
    path.write_text("goals:\n  - a.b: {}\n")
    assert collect_faults(path) == []
    assert load_flow(path).goals[0].name == "a.b"
