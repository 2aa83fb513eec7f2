"""Every class of the table is treated by its traits, whichever there are."""

from dataclasses import replace
from typing import get_args

import pytest

from core.approvals.approvals import ApprovalRequest, ClassGate, is_given_beforehand
from core.execution.asking import find_kind
from core.rules.approval_classes import APPROVAL_CLASSES, GIVEN_BEFOREHAND, ApprovalClass, choose_stricter
from tests.core.samples import plan_action

CLASSES = tuple(APPROVAL_CLASSES)


def test_every_class_has_its_traits() -> None:
    assert get_args(ApprovalClass) == CLASSES
    assert CLASSES[0] == "none"


@pytest.mark.parametrize("kind", CLASSES)
async def test_whoever_names_all_classes_beforehand_gives_those_that_may_be_given(kind: ApprovalClass) -> None:
    request = ApprovalRequest("g0_risk_1", "d" * 64, kind, "Risk a", {})
    assert await ClassGate(CLASSES).decide(request) is APPROVAL_CLASSES[kind].beforehand
    assert is_given_beforehand(kind, "allow") is (kind in GIVEN_BEFOREHAND)


@pytest.mark.parametrize("kind", CLASSES)
def test_a_value_that_was_read_and_a_rule_that_asks_never_ask_for_less_than_the_table(kind: ApprovalClass) -> None:
    action = plan_action("browser", "type", {"selector": 'field "Name"', "text": "A"})
    action = replace(action, approval=kind)
    assert find_kind(action, ()) == kind
    stricter = choose_stricter("confirm", kind)
    assert find_kind(action, ("text",)) == find_kind(action, (), verdict="ask") == stricter
