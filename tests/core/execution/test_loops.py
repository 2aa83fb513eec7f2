from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.execution.rounds import digest_row, find_open_loop, fold_rounds, make_rounds, unroll_loop
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.goals.step_terms import RowLoop
from core.planning.graph import PlanGraph
from core.policy.policy import Policy
from core.policy.policy_rules import PolicyRule
from core.results.tool_results import StepLog
from tests.core.execution.test_conditions import on, read_code
from tests.core.toys import WORLD, Asker, ToyRun, plan_toys, statuses, toy

ROWS = Reference("g0", "rows")
LOOP = RowLoop("g1", ROWS, 3)


def body(verb: str, scope: str = "after:g0", loop: RowLoop = LOOP, **params: Any) -> Goal:
    return on(toy(verb, scope, **params), loop=loop)


def cell(name: str = "name") -> Reference:
    return Reference("g0", f"rows.*.{name}")


def people(*names: str) -> tuple[dict[str, str], ...]:
    return tuple({"name": name} for name in names)


def make_run(rows: Any, *, answer: bool = True) -> tuple[ToyRun, Asker]:
    run, asker = ToyRun(), Asker(answer)
    run.toys.rows = rows
    run.hold_to(gate=asker)
    return run, asker


def ids(logs: Sequence[StepLog]) -> list[str]:
    return [log.action_id for log in logs]


async def test_the_body_is_done_once_for_each_row_with_the_values_of_that_row() -> None:
    run, _ = make_run(people("ada", "bob"))
    logs = await run.run(toy("seek"), body("note", text=cell()), toy("note", "after:g1", text="end"))
    assert run.toys.noted == ["ada", "bob", "end"]
    assert ids(logs) == ["g0_seek_1", "g1r1_note_1", "g1r2_note_1", "g2_note_1"]
    assert statuses(logs) == ["ok"] * 4


async def test_a_round_has_its_number_among_its_groups_and_is_told_in_a_widened_plan() -> None:
    run, _ = make_run(people("ada", "bob"))
    told: list[PlanGraph] = []
    run.hold_to(on_extend=told.append)
    await run.run(toy("seek"), body("note", text=cell()))
    (graph,) = told
    assert [action.groups for action in graph.nodes.values()] == [(), ("row 1 of 2",), ("row 2 of 2",)]


async def test_all_rounds_are_agreed_to_at_once_before_the_first_of_them() -> None:
    run, asker = make_run(people("ada", "bob"))
    seen: list[int] = []
    run.hold_to(on_question=lambda _request, answer: seen.append(len(run.toys.noted)) if answer is None else None)
    await run.run(toy("seek"), body("note", text=cell()))
    (request,) = asker.asked
    assert seen == [0]
    assert request.kind == "confirm"
    assert request.text.startswith("Do this for 2 rows of ${g0.rows}: row 1: Note “ada”")
    assert "row 2: Note “bob”" in request.text
    assert set(request.sources) == {"row 1", "row 2"}


async def test_without_a_yes_nothing_of_the_loop_is_done() -> None:
    run, asker = make_run(people("ada", "bob"), answer=False)
    logs = await run.run(toy("seek"), body("note", text=cell()), toy("note", "after:g1", text="end"))
    assert statuses(logs) == ["ok", "refused", "skipped"]
    assert read_code(logs[1]) == "approval_missing"
    assert (run.toys.noted, len(asker.asked)) == ([], 1)


async def test_a_round_that_takes_a_value_of_its_own_asks_for_that_when_it_is_known() -> None:
    run, asker = make_run(people("ada", "bob"))
    logs = await run.run(
        toy("seek"), body("seek", text=cell()), body("note", "after:g1", text=Reference("g1", "count"))
    )
    assert [request.action_id for request in asker.asked] == ["g2r1_note_1", "g2r2_note_1"]
    assert ids(logs)[1:] == ["g1r1_seek_1", "g2r1_note_1", "g1r2_seek_1", "g2r2_note_1"]


async def test_a_verb_that_asks_by_itself_still_asks_at_each_round() -> None:
    run, asker = make_run(people("ada", "bob"))
    await run.run(toy("seek"), body("risk", text=cell()))
    assert [request.action_id for request in asker.asked] == ["g1r1_risk_1", "g1r2_risk_1"]


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (people("a", "b", "c", "d"), "too_many_rows"),
        ("text", "not_rows"),
        (({"nom": "ada"},), "reference_missing"),
        (({"name": {"deep": 1}},), "validation_failed"),
    ],
)
async def test_rows_that_can_t_be_repeated_over_are_refused_before_any_act(rows: Any, code: str) -> None:
    run, asker = make_run(rows)
    logs = await run.run(toy("seek"), body("note", text=cell()))
    assert (statuses(logs), read_code(logs[1])) == (["ok", "refused"], code)
    assert (run.toys.noted, asker.asked) == ([], [])


async def test_a_fault_of_a_late_row_names_it_and_keeps_the_first_from_being_done() -> None:
    run, _ = make_run((*people("ada"), {"nom": "bob"}))
    logs = await run.run(toy("seek"), body("note", text=cell()))
    error = logs[1].result.error
    assert error is not None
    assert error.message.startswith("Row 2: ")
    assert error.evidence["row"] == 2
    assert run.toys.noted == []


async def test_what_a_rule_denies_of_a_row_is_refused_before_any_act() -> None:
    run, asker = make_run(people("ada", "bob"))
    run.hold_to(policy=Policy(rules=(PolicyRule(verdict="deny", verbs=("toy.note",)),)))
    logs = await run.executor.execute(plan_toys([toy("seek"), body("note", text=cell())]), run.context)
    assert (statuses(logs), read_code(logs[1])) == (["ok", "refused"], "refused_by_policy")
    assert asker.asked == []


async def test_a_loop_without_rows_is_not_needed_and_the_rest_goes_on() -> None:
    run, _ = make_run(())
    logs = await run.run(toy("seek"), body("note", text=cell()), toy("note", "after:g1", text="end"))
    assert statuses(logs) == ["ok", "skipped", "ok"]
    assert read_code(logs[1]) == "not_needed"


async def test_a_loop_whose_rows_can_t_be_read_is_skipped() -> None:
    run, _ = make_run(())
    logs = await run.run(replace(toy("fail")), body("note", text=cell()), toy("note", "after:g1", text="end"))
    assert statuses(logs) == ["failed", "skipped", "skipped"]


def make_spoiled_run() -> ToyRun:
    """Return a run over three people in which the second note fails."""
    run, _ = make_run(people("ada", "bob", "eve"))
    run.toys.spoiled = "bob"
    return run


async def test_the_first_failure_stops_a_loop() -> None:
    run = make_spoiled_run()
    logs = await run.run(toy("seek"), body("note", text=cell()), toy("note", "after:g1", text="end"))
    assert statuses(logs) == ["ok", "ok", "failed", "skipped", "skipped"]


async def test_a_loop_that_collects_goes_on_and_so_does_what_follows_it() -> None:
    run = make_spoiled_run()
    loop = replace(LOOP, collects=True)
    end = on(toy("note", "after:g0", text="end"), follows=("g1",))
    logs = await run.run(toy("seek"), body("note", loop=loop, text=cell()), end)
    assert statuses(logs) == ["ok", "ok", "failed", "ok", "ok"]
    assert run.toys.noted == ["ada", "eve", "end"]


async def test_two_loops_are_opened_one_after_the_other() -> None:
    run, asker = make_run(people("ada", "bob"))
    second = RowLoop("g2", ROWS, 3)
    logs = await run.run(
        toy("seek"), body("note", text=cell()), body("note", "after:g1", second, text=cell()), toy("note", text="x")
    )
    assert statuses(logs) == ["ok"] * 6
    assert run.toys.noted == ["x", "ada", "bob", "ada", "bob"]
    assert len(asker.asked) == 2


@given(st.integers(1, 4), st.integers(1, 3))
def test_a_widened_plan_has_every_round_in_order_and_folds_back_to_the_plan(count: int, steps: int) -> None:
    goals = [toy("seek"), *(body("note", f"after:g{each}", text=cell()) for each in range(steps))]
    graph = plan_toys([*goals, toy("note", f"after:g{steps}", text="end")])
    opened = find_open_loop(graph, {"g0_seek_1": True}, ["g1_note_1"])
    assert opened is not None
    rounds = make_rounds(opened, [{"name": str(each)} for each in range(count)], WORLD)
    wide = unroll_loop(graph, opened, rounds)
    assert len(wide.layers()) == 2 + count * steps
    folded, digests = fold_rounds(wide)
    assert list(folded.nodes) == ["g0_seek_1", f"g{steps + 1}_note_1"]
    assert set(digests.values()) == {digest_row({"name": str(each)}) for each in range(count)}


async def test_a_run_goes_on_with_the_rounds_that_are_left_and_refuses_other_rows() -> None:
    run, asker = make_run(people("ada", "bob"))
    told: list[PlanGraph] = []
    run.hold_to(on_extend=told.append)
    goals = toy("seek"), body("note", text=cell())
    logs = await run.run(*goals)
    plan = plan_toys(goals)
    recorded = PlanGraph({**plan.nodes, **told[0].nodes}, plan.adjacency)
    known = {log.action_id: log for log in logs[:2]}
    again, asker = make_run(people("ada", "bob"))
    resumed = await again.executor.execute(recorded, again.context, known)
    assert (statuses(resumed), again.toys.noted) == (["ok"] * 3, ["bob"])
    assert "row 1" not in asker.asked[0].text
    other, _ = make_run(people("eve", "bob"))
    changed = await other.executor.execute(recorded, other.context, {"g1r1_note_1": logs[1]})
    assert (read_code(changed[1]), other.toys.noted) == ("rows_changed", [])
