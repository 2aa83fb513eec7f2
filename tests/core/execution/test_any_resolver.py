"""Any answer of a resolver, and any goals of a proposer: what is executed is what was planned, and what a model wants done is asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.goals.references import Reference
from core.planning.planners.ports import ProposedCall
from core.planning.plans import PlannedAction, freeze
from core.planning.proposed_goals import make_proposed_goals
from core.results.tool_results import ToolCall
from core.tools.registry import ToolSpec
from tests.core.toys import TOY_RULES, Asker, ToyRun, plan_toys, toy

TOOLS = sorted(f"toy_{verb}" for _, verb in TOY_RULES)
NAMES = ("text", "fields", "words", "room", "parties", "args", "params", "kwargs", "self", "context", "TEXT", "text ")
ACTING = sorted(
    verb for (_, verb), rule in TOY_RULES.items() if rule.action_class == "actuate" and "text" in rule.declared_params
)
FOREIGN = "foreign"

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(FOREIGN)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=8,
)
params = st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), values, max_size=6)
calls = st.builds(ToolCall, st.sampled_from(TOOLS) | st.text(max_size=8), params)
answers = st.fixed_dictionaries(dict.fromkeys(("spoil", "note", "look"), calls | values))


@dataclass
class AnyResolver:
    """Answers by verb."""

    answers: Mapping[str, Any]

    async def resolve(self, action: PlannedAction, candidates: Sequence[ToolSpec]) -> ToolCall:
        return self.answers[action.verb]


@given(answers)
async def test_whatever_a_resolver_answers_the_planned_tool_is_called_with_the_planned_args(
    answers: Mapping[str, Any],
) -> None:
    run = ToyRun(AnyResolver(answers))
    fields = {"selector": "#here", "text": "a"}
    goals = (toy("spoil", fields=fields, words=["x"]), toy("note", text="good"), toy("look", text="seen"))
    planned = plan_toys(goals).nodes
    for log in await run.run(*goals):
        verb = log.name.removeprefix("toy.")
        answer = answers[verb]
        is_allowed = isinstance(answer, ToolCall) and answer.tool == f"toy_{verb}"
        assert (log.result.status == "ok", log.tool) == (is_allowed, answer.tool if is_allowed else "")
        if is_allowed:
            action = planned[log.action_id]
            assert (freeze(log.args), log.result.args_digest) == (action.args, action.digest)
    assert run.toys.noted in ([], ["good"])


@given(answers, st.text(max_size=20))
async def test_a_value_that_was_read_is_executed_as_it_was_approved_whatever_a_resolver_answers(
    answers: Mapping[str, Any], read: str
) -> None:
    asker = Asker()
    run = ToyRun(AnyResolver({**answers, "look": ToolCall("toy_look", {"text": FOREIGN})}))
    run.hold_to(gate=asker)
    logs = await run.run(toy("look", text=read), toy("note", text=Reference("g0", "text")))
    (request,) = asker.asked
    assert run.toys.noted in ([], [read])
    assert logs[1].result.args_digest == (request.digest if run.toys.noted else "")


texts = st.sampled_from(["", FOREIGN, "good", "said by the person"]) | st.text(max_size=10)
proposals = st.lists(
    st.builds(
        lambda verb, text: ProposedCall(name=f"toy.{verb}", params={"text": text}), st.sampled_from(ACTING), texts
    )
    | st.sampled_from([ProposedCall(name=f"toy.{verb}", params={}) for verb in ("hang", "cling", "fail", "crash")]),
    min_size=1,
    max_size=4,
)


@given(proposals, st.sampled_from([("said by the person", "good"), ()]))
async def test_nothing_that_a_model_proposes_is_done_unless_a_person_says_yes(
    calls: list[ProposedCall], words: tuple[str, ...]
) -> None:
    asker = Asker(answer=False)
    run = ToyRun()
    run.hold_to(gate=asker)
    logs = await run.run(*make_proposed_goals(calls, words, "m", TOY_RULES))
    assert {log.result.status for log in logs} <= {"refused", "skipped"}
    assert (run.toys.noted, run.toys.started.is_set()) == ([], False)
    assert {request.kind for request in asker.asked} == {"confirm"}


@pytest.mark.parametrize("verb", ACTING)
async def test_an_acting_goal_of_a_model_is_asked_for_even_where_the_person_said_its_value(verb: str) -> None:
    asker = Asker(answer=False)
    run = ToyRun()
    run.hold_to(gate=asker)
    await run.run(
        *make_proposed_goals([ProposedCall(name=f"toy.{verb}", params={"text": "x"})], ("x",), "m", TOY_RULES)
    )
    assert [request.kind for request in asker.asked] == ["confirm"]
