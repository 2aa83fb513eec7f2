"""Flow files that we write read back as what they were made of."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.requests.flow_writing import WrittenStep, write_flow
from agent.requests.flows import parse_flow
from core.base.errors import GoalError
from core.goals.meta_goals import Goal
from core.goals.references import Reference, Template
from core.policy.policy import Policy

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x85\u2028\u2029"), max_size=60)
VALUES = st.one_of(TEXTS, st.booleans(), st.integers(-(2**53), 2**53), st.lists(TEXTS, max_size=3))


def step(verb: str, expect: dict[str, Any] | None = None, **params: object) -> WrittenStep:
    """Return a step of a flow."""
    return WrittenStep(goal=Goal("browser", verb, params), expect=expect or {})


def write(steps: list[WrittenStep]) -> str:
    """Return a flow; empty if the steps can't be said in one, which is an error with a code."""
    try:
        return write_flow("any", steps, Policy())
    except GoalError as error:
        return "" if error.code == "flow_not_writable" else error.code


@given(
    st.lists(
        st.dictionaries(st.sampled_from(["text", "selector", "value", "modifiers"]), VALUES), min_size=1, max_size=4
    )
)
def test_any_params_read_back_as_they_were(given_params: list[dict[str, Any]]):
    text = write([WrittenStep(goal=Goal("browser", "type", params)) for params in given_params])
    assert not text or [dict(goal.params) for goal in parse_flow(text).goals] == given_params


@pytest.mark.parametrize(
    "text", ["${total.text}", "$${x}", "${", "- a: b # c", "1", "true", "", "two\nlines", '“quoted” "so" \\n', "日本"]
)
def test_a_text_is_nothing_but_a_text_in_a_flow(text: str):
    (goal,) = parse_flow(write_flow("texts", [step("type", text=text)], Policy())).goals
    assert goal.params == {"text": text}


def test_a_selector_is_written_in_the_quotes_that_need_no_escapes():
    text = write_flow("x", [step("type", selector='field "Quantity"', text="it's 2")], Policy())
    assert """selector: 'field "Quantity"'\n""" in text
    assert 'text: "it\'s 2"\n' in text


def test_secrets_stay_handles_and_are_declared():
    text = write_flow("sign in", [step("type", selector='field "Password"', text="secret:shop")], Policy())
    flow = parse_flow(text)
    assert flow.secrets == ("shop",)
    assert flow.goals[0].params["text"] == "secret:shop"


def test_policy_and_expectations_are_written():
    policy = Policy(hosts=("127.0.0.1:8123",), verbs=("browser.click", "browser.expect"))
    flow = parse_flow(write_flow("x", [step("click", {"url": "*/done"}, selector='button "Go"')], policy, ["Said so."]))
    assert (flow.policy.hosts, flow.policy.verbs) == (policy.hosts, policy.verbs)
    assert [(goal.name, dict(goal.params)) for goal in flow.goals] == [
        ("browser.click", {"selector": 'button "Go"'}),
        ("browser.expect", {"url": "*/done"}),
    ]


def test_a_remark_can_not_end_its_line():
    text = write_flow("x", [step("back")], Policy(), ["one\ngoals: []", "two"])
    assert text.startswith("# one goals: []\n# two\n")
    assert len(parse_flow(text).goals) == 1


def test_a_reference_to_another_run_is_no_part_of_a_flow():
    with pytest.raises(GoalError) as caught:
        write_flow("x", [step("type", text=Reference("g0", "text"))], Policy())
    assert caught.value.code == "flow_not_writable"


@given(st.lists(TEXTS, min_size=1, max_size=3), st.integers(0, 2))
@example(["costs $", "$", "$$"], 1)
def test_what_a_step_takes_from_an_earlier_one_reads_back_as_that(texts: list[str], taken: int) -> None:
    readers = [
        WrittenStep(goal=Goal("file", "read", {"path": f"{each}.txt"}), step_id=f"read_{each}") for each in range(3)
    ]
    wanted = Reference(f"read_{taken}", "text")
    parts = tuple(part for text in texts for part in (text, wanted))
    params = {"content": Template(parts), "path": wanted}
    flow = parse_flow(write_flow("any", [*readers, WrittenStep(goal=Goal("file", "write", params))], Policy()))
    read = Reference(f"g{taken}", "text")
    joined = [read if part == wanted else part for part in parts]
    assert flow.goals[3].params["path"] == read
    assert str(flow.goals[3].params["content"]) == "".join(map(str, joined))


def test_only_steps_that_others_take_from_have_an_id_and_none_takes_from_a_later_one() -> None:
    first = WrittenStep(goal=Goal("file", "read", {"path": "a.txt"}), step_id="first")
    second = WrittenStep(
        goal=Goal("file", "write", {"path": "b.txt", "content": Reference("first", "text")}), step_id="second"
    )
    assert write([first, second]).count("id:") == 1
    assert write([second, first]) == ""
