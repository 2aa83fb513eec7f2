"""What policy calls private is told to no model, however its place is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import PolicyError
from core.policy.policy import Policy
from core.policy.policy_rules import ActionFacts, PolicyRule, judge_facts

BANK = PolicyRule(verdict="private", hosts=("*.bank.example", "box.lan:8443"), because="nobody's business")
TAX = PolicyRule(verdict="private", roots=("/srv/me/tax",))
KEPT = Policy(rules=(BANK, TAX))


@pytest.mark.parametrize(
    "source",
    [
        "https://my.bank.example/accounts",
        "https://BANK.example./",
        "http://bank.example:8080/x",
        "my.bank.example",
        "https://box.lan:8443/",
        "box.lan",
        "box.lan:8443",
        "/srv/me/tax",
        "/srv/me/tax/2025.ods",
        "/srv/me",
    ],
)
def test_nothing_that_was_read_in_a_private_place_is_told(source: str) -> None:
    with pytest.raises(PolicyError) as caught:
        KEPT.check_telling(source)
    assert caught.value.code == "private_source"
    assert "no model is told" in caught.value.message


@pytest.mark.parametrize("source", ["", "a window", "clipboard", "data:text/html,x", "about:blank", "a/b.txt"])
def test_what_has_no_place_is_not_told_while_some_places_are_private(source: str) -> None:
    with pytest.raises(PolicyError, match="is not known"):
        KEPT.check_telling(source)


@pytest.mark.parametrize(
    "source", ["https://shop.example/", "shop.example", "https://box.lan/", "/srv/me/taxes.txt", "/srv/you/tax"]
)
def test_what_was_read_elsewhere_may_be_told(source: str) -> None:
    KEPT.check_telling(source)


@given(st.text())
def test_without_private_rules_anything_may_be_told(source: str) -> None:
    Policy(rules=(PolicyRule(verdict="deny", hosts=("bank.example",)),)).check_telling(source)


def test_on_windows_a_private_folder_is_private_in_any_case() -> None:
    policy = Policy(rules=(PolicyRule(verdict="private", roots=("C:\\Tax",)),))
    with pytest.raises(PolicyError):
        policy.check_telling("c:\\tax\\a.ods", "win32")


def test_private_places_of_a_flow_are_added_to_the_persons() -> None:
    both = Policy(rules=(BANK,)).narrow(Policy(rules=(TAX,)))
    assert both.rules == (BANK, TAX)


def test_a_private_rule_judges_no_deed() -> None:
    assert judge_facts((TAX,), ActionFacts(name="file.delete", paths=("/srv/me/tax/a",))) is None
    assert not Policy(rules=(BANK,)).has_host_rules
