"""The terms of a flow: what it may touch, how long it may take, and which secrets it may use."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.requests.words.documents import Document
from agent.requests.words.flow_parts import FlowPart
from agent.requests.words.policy_parts import LIMITS, PolicyPart, read_rules
from core.base.budgets import Budget
from core.goals.secret_values import is_secret_name
from core.policy.policy import Policy
from core.rules.params import shorten

if TYPE_CHECKING:
    from agent.requests.words.flow_values import FlowValues


def read_limits(part: FlowPart, values: "FlowValues", document: Document) -> tuple[Policy, Budget]:
    """Return what a flow may touch, and how long and how much it may take.

    Raises:
        FlowError: If the policy makes no sense.
    """
    return _read_policy(part.policy, values, document), Budget(part.budget.seconds, part.budget.actions)


def read_secrets(names: Sequence[str], document: Document) -> tuple[str, ...]:
    """Return the names of the secrets that a flow may use.

    Raises:
        FlowError: If one is no name for a secret.
    """
    for index, name in enumerate(names):
        if not is_secret_name(name):
            text = f"{shorten(name)} is not a name for a secret."
            hint = (
                "Write the bare name: a letter, then letters, digits and _; its value is set with surehand secrets set."
            )
            raise document.fail(("secrets", index), text, hint=hint)
    return tuple(names)


def _read_policy(part: PolicyPart, values: "FlowValues", document: Document) -> Policy:
    hosts, roots, verbs, windows = (_fill_all(values, getattr(part, key), key) for key in LIMITS)
    rules = read_rules(part.rules, ("policy", "rules"), document, values.fill)
    return Policy(hosts, roots, verbs, rules=rules, windows=windows)


def _fill_all(values: "FlowValues", entries: Sequence[str] | None, key: str) -> tuple[str, ...] | None:
    if entries is None:
        return None
    filled = [values.fill(entry, ("policy", key, index)) for index, entry in enumerate(entries)]
    return tuple(map(str, filled))
