import asyncio
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.planning.planners.context import PlannerContext
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.steps import PlannerStepInstance
from core.planning.planners.transcripts import MOST_CHARS, TranscriptEntry, TranscriptLog, cut_text
from tests.core.planning.planners.toy_planners import ToyModel, ToyPlanner, ask_once, describe_step, draft, make_parts

TREES = st.recursive(
    st.builds(TranscriptLog, tokens=st.integers(0, 1000)),
    lambda inner: st.builds(TranscriptLog, tokens=st.integers(0, 1000), inner=st.lists(inner, max_size=4)),
    max_leaves=20,
)


def sum_own(log: TranscriptLog) -> int:
    return log.tokens + sum(map(sum_own, log.inner))


def check_sums(entry: TranscriptEntry) -> None:
    assert entry.tokens >= sum(each.tokens for each in entry.inner)
    for each in entry.inner:
        check_sums(each)


@given(TREES)
def test_an_entry_costs_what_it_cost_itself_and_all_within_it(log: TranscriptLog) -> None:
    entry = log.close()
    assert entry.tokens == sum_own(log) == log.count_tokens()
    check_sums(entry)


@given(cost=st.integers(0, 100), steps=st.integers(0, 6), asked=st.integers(1, 4), is_parallel=st.booleans())
def test_the_transcript_of_a_run_costs_what_its_answers_did(
    cost: int, steps: int, asked: int, *, is_parallel: bool
) -> None:
    async def ask_all(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        for _ in range(asked):
            await ask_once(context, step)
        return {}

    model, step = ToyModel(tokens=cost), describe_step("one", is_parallel=is_parallel)
    planner = ToyPlanner(*(draft(step, name=f"s{number}") for number in range(steps)), deeds={"one": ask_all})
    result = asyncio.run(run_planner(planner, {}, make_parts(model=model)))
    assert sum(entry.tokens for entry in result.transcript) == result.metrics["tokens"] == cost * steps * asked
    assert [record.tokens for record in result.completed] == [cost * asked] * steps
    for entry in result.transcript:
        check_sums(entry)


async def test_a_transcript_says_what_was_asked_shown_and_answered_with_the_scope_of_the_step() -> None:
    planner = ToyPlanner(draft(describe_step("one")), deeds={"one": ask_once})
    result = await run_planner(planner, {}, make_parts(model=ToyModel(tokens=5)))
    (step,) = result.transcript
    (question,) = step.inner
    assert (step.kind, step.scope) == ("action", "local/anna/s1/r1/one")
    assert (question.kind, question.text, question.tokens) == ("instructions", "Propose.", 5)
    assert [(each.kind, each.is_tainted, each.scope) for each in question.inner] == [("answer", True, step.scope)]


def test_a_text_that_is_too_long_to_keep_says_how_much_is_left_out() -> None:
    assert cut_text("x" * 10) == "x" * 10
    assert cut_text("x" * 30, 10) == "x" * 10 + "… (20 characters more)"
    log = TranscriptLog()
    log.open("answer", "x" * 10_000_000)
    assert len(log.close().inner[0].text) < MOST_CHARS + 100
