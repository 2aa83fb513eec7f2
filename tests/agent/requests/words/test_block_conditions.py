import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.goals.references import Reference
from core.goals.step_terms import HOLDS, RowLoop, StepCondition
from tests.agent.requests.words.test_blocks import OPEN, find_fault, read

ABOVE = StepCondition(Reference("g0", "n"), "above", 1)
EMPTY = StepCondition(Reference("g0", "s"), "empty", wanted=True, unless=True)
READ = "  - {id: t, a.b: {}}\n"


def test_a_condition_of_a_group_is_one_of_all_that_stands_in_it_and_of_nothing_else() -> None:
    flow = read(
        f"{READ}  - group: x\n    when: {{value: '${{t.n}}', above: 1}}\n    goals:\n      - {{a.b: {{}}, expect: {{}}}}\n"
        "      - group: y\n        unless: {value: '${t.s}', empty: true}\n        goals: [{a.b: {}, scope: root}]\n  - a.c: {}\n"
    )
    assert [goal.terms.conditions for goal in flow.goals] == [(), (ABOVE,), (ABOVE,), (ABOVE, EMPTY), ()]


def test_a_condition_of_a_page_is_asked_once_for_a_whole_block() -> None:
    flow = read(
        "  - a.b: {}\n  - group: x\n    when: {c.expect: {y: 1}}\n    goals: [{a.b: {}}, {a.c: {}, scope: root}]\n  - a.d: {}\n"
    )
    asked = StepCondition(Reference("g1", HOLDS), "is")
    assert [goal.name for goal in flow.goals] == ["a.b", "c.expect", "a.b", "a.c", "a.d"]
    assert [goal.terms.is_question for goal in flow.goals] == [False, True, False, False, False]
    assert [goal.terms.conditions for goal in flow.goals] == [(), (), (asked,), (asked,), ()]
    assert [goal.scope for goal in flow.goals] == ["root", "after:g0", "after:g1", "root", "after:g3"]


def test_a_condition_within_a_block_is_only_asked_where_the_block_is_needed() -> None:
    flow = read(
        f"{READ}  - group: x\n    when: {{value: '${{t.n}}', above: 1}}\n    goals:\n"
        "      - a.b: {}\n        when: {c.expect: {}}\n"
    )
    assert flow.goals[1].terms.is_question
    assert flow.goals[1].terms.conditions == (ABOVE,)


def test_a_condition_of_a_loop_and_of_another_flow_is_one_of_all_their_steps() -> None:
    flow = read(
        f"{READ}  - repeat: {{times: 2}}\n    when: {{value: '${{t.n}}', above: 1}}\n    goals: [{{a.b: {{}}}}]\n"
        "  - include: other.yaml\n    unless: {value: '${t.s}', empty: true}\n",
        other_yaml="goals: [{d.e: {}}, {d.f: {}}]",
    )
    assert [goal.terms.conditions for goal in flow.goals] == [(), (ABOVE,), (ABOVE,), (EMPTY,), (EMPTY,)]


def test_a_loop_over_rows_of_the_run_knows_what_must_hold_before_it_is_opened() -> None:
    flow = read(
        f"{OPEN}  - group: x\n    when: {{value: '${{items.n}}', above: 1}}\n    goals:\n"
        "      - repeat: {rows: '${items.rows}'}\n        unless: {value: '${items.s}', empty: true}\n        goals: [{a.b: {}}]\n"
    )
    terms = flow.goals[1].terms
    assert terms.loop is not None
    assert terms.loop.conditions == terms.conditions == (ABOVE, EMPTY)


@pytest.mark.parametrize("block", ["group: x", "repeat: {times: 2}", "include: x.yaml"])
def test_no_block_is_tried_again_as_a_whole(block: str) -> None:
    error = find_fault(f"  - {block}\n    retry: 3\n")
    assert error.code == "not_repeatable"
    assert error.message.startswith("f.yaml:3:5: ")
    assert "can't be tried again as a whole" in error.message


def test_a_loop_over_rows_of_the_run_may_stand_in_another_and_has_a_mark_of_its_own() -> None:
    flow = read(
        f"{OPEN}  - repeat: {{rows: '${{items.rows}}', at_most: 5}}\n    goals:\n      - {{a.b: {{x: '${{row.name}}'}}}}\n"
        "      - repeat: {rows: '${row.tags}', as: tag, at_most: 7}\n"
        "        goals: [{a.c: {x: '${tag}', y: '${row.name} ${tag.deep}'}}]\n"
    )
    outer = RowLoop("g1", Reference("g0", "rows"), 5)
    inner = RowLoop("g2", Reference("g0", "rows.*.tags"), 7, "tag", each="**", within=outer)
    assert [goal.terms.loop for goal in flow.goals] == [None, outer, inner]
    assert flow.goals[2].params["x"] == Reference("g0", "rows.*.tags.**")
    assert [str(each) for each in flow.goals[2].terms.references] == ["${g0.rows}", "${g0.rows.*.tags}"]


def test_two_loops_over_the_same_rows_keep_theirs_apart() -> None:
    flow = read(
        f"{OPEN}  - repeat: {{rows: '${{items.rows}}', as: one}}\n    goals:\n"
        "      - repeat: {rows: '${items.rows}', as: two}\n        goals: [{a.c: {x: '${one.n}', y: '${two.n}'}}]\n"
    )
    assert dict(flow.goals[1].params) == {"x": Reference("g0", "rows.*.n"), "y": Reference("g0", "rows.**.n")}


@given(st.integers(1, 1000), st.integers(1, 1000))
def test_loops_in_loops_may_come_to_no_more_rounds_together_than_a_flow_may_have_goals(one: int, two: int) -> None:
    body = (
        f"{OPEN}  - repeat: {{rows: '${{items.rows}}', at_most: {one}}}\n    goals:\n"
        f"      - repeat: {{rows: '${{row.tags}}', as: tag, at_most: {two}}}\n        goals: [{{a.c: {{}}}}]\n"
    )
    if one * two <= 10_000:
        assert read(body).goals[1].terms.loop is not None
    else:
        error = find_fault(body)
        assert error.code == "too_large"
        assert f"may come to {one * two:,} rounds" in error.message
