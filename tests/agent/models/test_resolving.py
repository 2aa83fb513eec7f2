"""A model as the resolver: it chooses among an action's own tools, and whatever it answers, what was planned is executed."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.models.resolving import ModelResolver, make_resolve_question
from agent.models.serving.adapter import open_adapter
from core.base.errors import AuthorityError, ModelError
from core.execution.run_context import RunContext, StepContext
from core.execution.steps import StepPerformer
from core.goals.secret_values import NO_VAULT
from core.planner_rules import PLANNER_RULES
from core.planning.authority import enforce_authority, list_candidates
from core.planning.planners.ports import ModelAnswer, ModelQuestion
from core.planning.plans import PlannedAction, thaw
from core.tools.registry import ToolSpec
from fixtures.model_server import ModelServer
from fixtures.recording_tools import Recorder
from fixtures.rule_samples import MINIMAL_PARAMS, WORLD
from tests.agent.models.questions import RUN, set_up
from tests.agent.models.test_adapter import CODES
from tests.core.samples import plan_action
from tests.thoroughness import examples, spread

SPECS = Recorder().make_registry().specs()
READ = plan_action("browser", "read", {"target": "text"})
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


class Hostile:
    """A model that keeps to no schema."""

    name = "hostile"

    def __init__(self, answer: Callable[[ModelQuestion], Mapping[str, Any]]) -> None:
        self._answer = answer

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        return ModelAnswer(value=self._answer(question), model=self.name)

    async def close(self) -> None:
        """Have nothing to close."""


def find_candidates(action: PlannedAction) -> tuple[ToolSpec, ...]:
    """Return the action's own tools, and twice, so that there is something to choose."""
    own = list_candidates(action, SPECS)
    return (*own, *(replace(spec) for spec in own))


def list_actions() -> list[PlannedAction]:
    """Return an action of every verb that becomes one; of the others only context is left."""
    planned: list[PlannedAction] = []
    for key in PLANNER_RULES:
        with suppress(IndexError):
            planned.append(plan_action(*key, MINIMAL_PARAMS[key]))
    return planned


@settings(max_examples=examples(6000))
@given(action=st.sampled_from(list_actions()), tool=st.sampled_from([spec.name for spec in SPECS]), names=st.data())
async def test_a_hostile_model_executes_nothing_that_was_not_planned(
    action: PlannedAction, tool: str, names: st.DataObject
) -> None:
    key = (action.domain, action.verb)
    params = names.draw(st.dictionaries(st.sampled_from([*action.args, *PLANNER_RULES[key].param_types, "x"]), VALUES))
    advice = [{"name": name, "value": value} for name, value in params.items()]
    resolver = ModelResolver(Hostile(lambda _: {"tool": tool, "advice": advice}), RUN)
    candidates = find_candidates(action)
    own = {spec.name for spec in candidates}
    proposed = await resolver.resolve(action, candidates)
    try:
        enforced = enforce_authority(action, proposed, candidates)
    except AuthorityError:
        assert tool not in own
        return
    assert enforced.call.tool in own
    assert enforced.args_digest == action.digest
    assert {name: enforced.call.params[name] for name in action.args} == thaw(action.args)
    assert set(enforced.call.params) <= {*action.args, *candidates[0].advisory}


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"tool": 5, "advice": []},
        {"tool": "browser_read"},
        {"tool": "browser_read", "advice": "none"},
        {"tool": "browser_read", "advice": [{"name": "timeout"}]},
        {"tool": "browser_read", "advice": [5]},
    ],
)
async def test_an_answer_of_another_form_is_a_failed_step_and_nothing_is_called(answer: Mapping[str, Any]) -> None:
    recorder = Recorder()
    resolver = ModelResolver(Hostile(lambda _: answer), RUN)
    performer = StepPerformer(recorder.make_registry(), resolver)
    log = await performer.perform(READ, StepContext(run=RunContext(world=WORLD)))
    executed = [call.tool for call in recorder.calls]
    assert (log.result.status, executed) in (("ok", ["browser_read"]), ("failed", []), ("refused", []))
    if executed:
        assert {name: log.args[name] for name in READ.args} == thaw(READ.args)


async def test_where_there_is_nothing_to_choose_no_model_is_asked() -> None:
    asked: list[ModelQuestion] = []

    def note(question: ModelQuestion) -> Mapping[str, Any]:
        asked.append(question)
        return {}

    action = plan_action("audio", "mute", {})
    call = await ModelResolver(Hostile(note), RUN).resolve(action, list_candidates(action, SPECS))
    assert (call.tool, asked) == ("audio_mute", [])


async def test_values_of_an_action_are_not_told() -> None:
    action = plan_action("browser", "type", {"selector": 'field "Card"', "text": "4111 1111"})
    question = make_resolve_question(action, find_candidates(action), RUN)
    assert "4111" not in repr(question)
    assert "Card" not in repr(question)


@pytest.mark.parametrize("failure", spread(sorted(CODES), 6))
async def test_whatever_goes_wrong_with_the_model_the_rules_decide(server: ModelServer, failure: str) -> None:
    timeout_s = 0.2 if CODES[failure] == "model_slow" else 20.0
    model = await open_adapter("small", set_up(server, timeout_s=timeout_s), NO_VAULT)
    server.fail(failure)
    resolver = ModelResolver(model, RUN)
    call = await resolver.resolve(READ, find_candidates(READ))
    assert (call.tool, call.params) == ("browser_read", thaw(READ.args))
    assert [type(fault) for fault in resolver.faults] == [ModelError]
    await model.close()


async def test_a_model_may_choose_among_the_actions_own_tools_and_give_advice(server: ModelServer) -> None:
    model = await open_adapter("small", set_up(server), NO_VAULT)
    (own,) = list_candidates(READ, SPECS)
    candidates = (replace(own, advisory={"patience": int}),)
    server.answer({"tool": "browser_read", "advice": [{"name": "patience", "value": 3}]})
    enforced = enforce_authority(READ, await ModelResolver(model, RUN).resolve(READ, candidates), candidates)
    assert enforced.call.params == {**thaw(READ.args), "patience": 3}
    assert enforced.advised == ("patience",)
    await model.close()
