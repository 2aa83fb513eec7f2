import asyncio
import itertools
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from core.execution.rounds import fold_rounds, list_edges, unfold_rounds
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.goals.step_terms import RowLoop, StepCondition
from core.planning.graph import PlanGraph
from core.results.tool_results import StepLog
from tests.core.execution.test_conditions import on, read_code
from tests.core.execution.test_loops import ids, make_run
from tests.core.toys import ToyRun, plan_toys, statuses, toy

ROWS = Reference("g0", "rows")
OUTER = RowLoop("g1", ROWS, 100)
INNER = RowLoop("g2", Reference("g0", "rows.*.tags"), 100, "tag", each="**", within=OUTER)
NAME, TAG = Reference("g0", "rows.*.name"), Reference("g0", "rows.*.tags.**")


def make_goals(*, collects: bool = False) -> list[Goal]:
    """Return goals that note each person and, within, each of their tags, and what follows."""
    outer = RowLoop("g1", ROWS, 100, collects=collects)
    inner = RowLoop("g2", INNER.rows, 100, "tag", collects, each="**", within=outer)
    return [
        toy("seek"),
        on(toy("note", "after:g0", text=NAME), loop=outer),
        on(
            toy("note", "after:g0" if collects else "after:g1", text=TAG),
            loop=inner,
            follows=("g1",) if collects else (),
        ),
        on(toy("note", "after:g0", text="end"), follows=("g1", "g2"))
        if collects
        else toy("note", "after:g2", text="end"),
    ]


def make_rows(tags: Sequence[Sequence[str]]) -> tuple[dict[str, Any], ...]:
    return tuple({"name": f"p{number}", "tags": tuple(each)} for number, each in enumerate(tags))


async def run_all(tags: Sequence[Sequence[str]], *, spoiled: str = "", collects: bool = False) -> tuple[ToyRun, Any]:
    run, _ = make_run(make_rows(tags))
    run.toys.spoiled = spoiled or None
    return run, await run.run(*make_goals(collects=collects))


TAGS = st.lists(st.lists(st.text("xyz", min_size=1, max_size=3), max_size=3), min_size=1, max_size=4)


@settings(max_examples=30)
@given(TAGS)
def test_every_round_of_the_inner_loop_is_done_once_within_its_own_of_the_outer(tags: list[list[str]]) -> None:
    run, logs = asyncio.run(run_all(tags))
    expected = [text for number, each in enumerate(tags) for text in (f"p{number}", *each)]
    assert run.toys.noted == [*expected, "end"]
    assert len({log.action_id for log in logs}) == len(logs)


@settings(max_examples=30)
@given(TAGS, st.data())
def test_loops_that_collect_go_on_with_all_but_what_failed_and_so_does_what_follows(
    tags: list[list[str]], data: st.DataObject
) -> None:
    spoiled = data.draw(
        st.sampled_from(["end", *(f"p{number}" for number in range(len(tags))), *itertools.chain(*tags)])
    )
    run, _ = asyncio.run(run_all(tags, spoiled=spoiled, collects=True))
    expected = [text for number, each in enumerate(tags) for text in (f"p{number}", *each)]
    assert run.toys.noted == [each for each in (*expected, "end") if each != spoiled]


async def test_a_round_within_a_round_has_both_numbers_in_its_id_and_in_its_groups() -> None:
    run, _ = make_run(make_rows([["x"], ["y", "z"]]))
    told: list[PlanGraph] = []
    run.hold_to(on_extend=told.append)
    logs = await run.run(*make_goals()[:3])
    assert ids(logs) == ["g0_seek_1", "g1r1_note_1", "g2r1r1_note_1", "g1r2_note_1", "g2r2r1_note_1", "g2r2r2_note_1"]
    assert told[-1].nodes["g2r2r1_note_1"].groups == ("row 2 of 2", "tag 1 of 2")
    assert len(told) == 3


async def test_each_loop_asks_once_for_all_its_rounds_before_the_first_of_them() -> None:
    run, asker = make_run(make_rows([["x"], ["y", "z"]]))
    await run.run(*make_goals())
    assert [request.text.partition(":")[0] for request in asker.asked] == [
        "Do this for 2 rows of ${g0.rows}",
        "Do this for 1 row of ${g0.rows.0.tags}",
        "Do this for 2 rows of ${g0.rows.1.tags}",
    ]
    assert "tag 2: Note “z”" in asker.asked[2].text


async def test_the_first_failure_of_the_inner_loop_stops_both() -> None:
    run, logs = await run_all([["x", "bad", "y"], ["z"]], spoiled="bad")
    assert run.toys.noted == ["p0", "x"]
    assert statuses(logs) == ["ok", "ok", "ok", "failed", "skipped", "skipped", "skipped", "skipped"]


async def test_all_rounds_together_are_no_more_than_a_plan_may_have_steps() -> None:
    loop = RowLoop("g1", ROWS, 1000)
    run, asker = make_run(tuple({"name": "p"} for _ in range(1000)))
    body = [on(toy("note", f"after:g{number}", text=NAME), loop=loop) for number in range(11)]
    logs = await run.run(toy("seek"), *body)
    assert read_code(logs[1]) == "too_many_rows"
    assert (run.toys.noted, asker.asked) == ([], [])


@settings(max_examples=30)
@given(TAGS)
def test_what_was_written_down_of_a_run_unfolds_to_the_plan_that_it_had(tags: list[list[str]]) -> None:
    run, _ = make_run(make_rows(tags))
    told: list[PlanGraph] = []
    run.hold_to(on_extend=told.append)
    asyncio.run(run.run(*make_goals()))
    plan = plan_toys(make_goals())
    written = {action_id: action for graph in (plan, *told) for action_id, action in graph.nodes.items()}
    standing = unfold_rounds(PlanGraph(written, plan.adjacency))
    assert list(standing.nodes) == list(told[-1].nodes)
    assert list_edges(standing) == list_edges(told[-1])
    assert unfold_rounds(plan) is plan


async def test_a_run_goes_on_in_the_middle_of_a_loop_within_a_loop() -> None:
    rows = make_rows([["x"], ["y", "z"]])
    run, _ = make_run(rows)
    told: list[PlanGraph] = []
    run.hold_to(on_extend=told.append)
    logs = await run.run(*make_goals())
    plan = plan_toys(make_goals())
    nodes = dict(plan.nodes)
    for each in told:
        nodes |= each.nodes
    recorded = PlanGraph(nodes, plan.adjacency)
    assert list(fold_rounds(recorded)[0].nodes) == list(plan.nodes)
    for done in range(1, len(logs)):
        again, _ = make_run(rows)
        known: dict[str, StepLog] = {log.action_id: log for log in logs[:done]}
        resumed = await again.executor.execute(recorded, again.context, known)
        assert statuses(resumed) == ["ok"] * len(logs)
        assert again.toys.noted == run.toys.noted[max(done - 1, 0) :]


# --- conditions of loops


def make_conditional(*, wanted: int) -> list[Goal]:
    condition = StepCondition(Reference("g0", "count"), "is", wanted)
    loop = RowLoop("g1", ROWS, 100, conditions=(condition,))
    body = on(toy("note", "after:g0", text=NAME), loop=loop, conditions=(condition,))
    return [toy("seek"), body, toy("note", "after:g1", text="end")]


async def test_a_loop_that_is_not_needed_is_not_opened_and_asks_nobody() -> None:
    run, asker = make_run(make_rows([[], []]))
    logs = await run.run(*make_conditional(wanted=9))
    assert (statuses(logs), read_code(logs[1])) == (["ok", "skipped", "ok"], "not_needed")
    assert logs[1].result.evidence["conditions"][0]["value"] == 2
    assert (run.toys.noted, asker.asked) == (["end"], [])


async def test_a_loop_that_is_needed_says_in_every_round_what_decided_it() -> None:
    run, asker = make_run(make_rows([[], []]))
    logs = await run.run(*make_conditional(wanted=2))
    assert run.toys.noted == ["p0", "p1", "end"]
    assert [log.result.evidence["conditions"][0]["holds"] for log in logs[1:3]] == [True, True]
    assert len(asker.asked) == 1


async def test_a_loop_over_rows_of_a_step_that_was_not_needed_is_not_needed_either() -> None:
    run, asker = make_run(make_rows([[]]))
    unread = on(toy("seek", "after:g0"), conditions=(StepCondition(Reference("g0", "count"), "above", 5),))
    loop = RowLoop("g2", Reference("g1", "rows"), 100)
    body = on(toy("note", "after:g1", text=Reference("g1", "rows.*.name")), loop=loop)
    logs = await run.run(toy("seek"), unread, body, toy("note", "after:g2", text="end"))
    assert [read_code(log) for log in logs] == ["", "not_needed", "not_needed", ""]
    assert (run.toys.noted, asker.asked) == (["end"], [])


async def test_all_steps_of_a_group_end_together_as_the_same_data_say() -> None:
    run, _ = make_run(())
    condition = StepCondition(Reference("g0", "count"), "above", 5)
    group = [on(toy("note", scope, text=scope), conditions=(condition,)) for scope in ("after:g0", "after:g1", "root")]
    logs = await run.run(toy("seek"), *group, toy("note", "after:g3", text="end"))
    assert [read_code(log) for log in logs] == ["", "not_needed", "not_needed", "not_needed", ""]
    assert run.toys.noted == ["end"]
