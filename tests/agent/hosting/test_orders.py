"""What clients order is read and checked before anything is done of it."""

from typing import Any

import pytest

from agent.hosting.local_service import LocalService
from agent.hosting.requesting import read_order
from agent.hosting.run_directory import digest_order
from agent.service.callers import Caller
from agent.service.orders import RunOrder
from core.approvals.approvals import ClassGate
from core.base.errors import SurehandError
from tests.agent.hosting.conftest import LampHouse

ME = Caller()
MODEL = Caller(door="mcp")


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"text": "a", "goals": ()},
        {"goals": ({},), "flow": "x"},
        {"goals": ({},), "said": True, "session": "main"},
        {"text": "a", "said": True},
        {"text": "a", "variables": {"x": "y"}},
    ],
)
async def test_an_order_that_makes_no_sense_begins_no_run(parts: dict[str, Any], service: LocalService) -> None:
    with pytest.raises(SurehandError) as refused:
        await service.begin(ME, RunOrder(**parts))
    assert refused.value.code == "bad_input"
    assert await service.find_runs(ME) == []


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"flow": "goals: 5"}, "bad_flow"),
        ({"flow": "{"}, "bad_flow"),
        ({"goals": ()}, "bad_flow"),
        ({"goals": ({"domain": "lamp"},)}, "bad_flow"),
        ({"goals": ({"domain": "lamp", "verb": "look", "params": {"room": {1, 2}}},)}, "bad_input"),
        ({"text": "light hall", "seconds": 0}, "bad_input"),
        ({"text": "light hall", "seconds": float("nan")}, "bad_input"),
        ({"text": "light hall", "actions": 0}, "bad_input"),
        ({"text": "light hall", "policy": {"hosts": ["not a host"]}}, "bad_flow"),
        ({"text": "light hall", "policy": {"unknown": 1}}, "bad_flow"),
        ({"text": "light hall", "policy": {"extra_verbs": ["lamp.look"]}}, "bad_input"),
        ({"text": "light hall", "approvals": ("confirm",)}, "bad_input"),
    ],
)
async def test_what_can_not_be_read_is_a_run_that_ends_with_the_reason(
    parts: dict[str, Any], code: str, service: LocalService, house: LampHouse
) -> None:
    ticket = await service.begin(ME, RunOrder(**parts))
    record = await service.result(ME, ticket.run_id)
    assert (record["outcome"], [each["code"] for each in record["errors"]]) == ("failed", [code])
    assert not any(family.lamps.calls for family in house.families.values())


async def test_approvals_are_not_given_beforehand_by_a_model(service: LocalService) -> None:
    ticket = await service.begin(MODEL, RunOrder(text="light hall", approvals=("apply_diff",)))
    record = await service.result(MODEL, ticket.run_id)
    assert [each["code"] for each in record["errors"]] == ["approval_needs_a_person"]


@pytest.mark.parametrize("rule", [{"allow": {"verbs": ["file.write"]}}, {"extra_verbs": ["system.run"]}])
def test_only_a_person_widens_a_policy(rule: dict[str, Any]) -> None:
    policy = rule if "extra_verbs" in rule else {"rules": [rule]}
    order = RunOrder(text="light hall", policy=policy)
    wide = read_order(order, ME, ClassGate()).policy
    assert wide.extra_verbs == ("system.run",) or wide.rules[0].verdict == "allow"
    with pytest.raises(SurehandError):
        read_order(order, MODEL, ClassGate())


async def test_where_nobody_attends_what_needs_a_yes_is_refused_at_once(service: LocalService) -> None:
    ticket = await service.begin(ME, RunOrder(text="smash hall", attended=False))
    record = await service.result(ME, ticket.run_id)
    assert record["step_logs"][0]["result"]["status"] == "refused"
    assert await service.list_questions(ME) == []


async def test_a_plan_is_told_and_nothing_done(service: LocalService, house: LampHouse) -> None:
    plan = await service.plan(ME, RunOrder(text="light hall and smash cellar", session="main"))
    assert [node["name"] for node in plan["plan"]["nodes"]] == ["lamp.switch", "lamp.smash"]
    assert house.families["", "main"].lamps.calls == []
    with pytest.raises(SurehandError) as refused:
        await service.plan(ME, RunOrder(text="make me a sandwich"))
    assert refused.value.code == "no_intent_match"
    assert [each["code"] for each in refused.value.evidence["errors"]] == ["no_intent_match"]


def test_orders_that_differ_in_what_is_done_have_digests_of_their_own() -> None:
    one = RunOrder(text="light hall", request_id="1")
    assert digest_order(one) == digest_order(RunOrder(text="light hall", request_id="2", attended=False))
    others = [
        RunOrder(text="light hall "),
        RunOrder(text="light hall", session="main"),
        RunOrder(text="light hall", mode="plan"),
        RunOrder(text="light hall", changes=()),
        RunOrder(text="light hall", policy={}),
        RunOrder(text="light hall", seconds=1.0),
        RunOrder(flow="light hall"),
    ]
    assert len({digest_order(each) for each in [one, *others]}) == len(others) + 1
