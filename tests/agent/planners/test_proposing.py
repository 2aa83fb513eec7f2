"""What a model is asked to propose, and what of its answers becomes a proposal."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from agent.models.checking import check_schema, find_faults
from agent.models.proposing import make_proposal_schema, read_proposal
from agent.tool_schemas import offer_verbs
from core.base.errors import ModelError
from core.planning.planners.ports import Proposal
from tests.agent.planners.exploring import call, propose
from tests.agent.planners.tools import describe_tools

EVERY = tuple(f"{domain}.{verb}" for domain, verb in PLANNER_RULES)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=8,
)


def test_the_schema_of_every_verb_is_closed_and_names_it_as_goals_do():
    tools = offer_verbs(describe_tools(), ["*.*", *EVERY])
    assert {tool["name"] for tool in tools} == set(EVERY)
    check_schema(make_proposal_schema(tools, 5))


def test_a_param_of_an_offered_verb_is_one_of_its_row():
    for tool in offer_verbs(describe_tools(), EVERY):
        domain, _, verb = tool["name"].partition(".")
        assert set(tool["parameters"]["properties"]) <= set(PLANNER_RULES[domain, verb].declared_params), tool["name"]


@pytest.mark.parametrize(
    "answer",
    [
        propose(call("browser.click", selector="x", approved=True)),
        propose(call("file.delete", path="x")),
        propose(call("browser.click")),
        {**propose(), "approve": True},
        {"calls": []},
        propose(*[call("browser.back")] * 6),
    ],
)
def test_an_answer_beside_the_schema_does_not_fit_it(answer: dict[str, Any]):
    schema = make_proposal_schema(offer_verbs(describe_tools(), ["browser.click", "browser.back"]), 5)
    assert find_faults(answer, schema)
    assert not find_faults(propose(call("browser.click", selector="x"), call("browser.back")), schema)


def read(value: dict[str, Any]) -> Proposal | str:
    """Return a proposal, or the code of why it is none."""
    try:
        return read_proposal(value)
    except ModelError as error:
        return error.code


@given(st.dictionaries(st.sampled_from(["calls", "rationale", "is_done", "approved"]), JSON))
def test_any_answer_is_a_proposal_or_a_clear_error(value: dict[str, Any]):
    found = read(value)
    assert found == "model_bad_answer" or (isinstance(found, Proposal) and "approved" not in value)
