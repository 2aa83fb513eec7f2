"""What a proposer may propose, before its calls become goals: which verbs, how many at once, how long, which secrets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.base.errors import ErrorInfo
from core.goals.secret_values import find_written_handles
from core.planning.planners.ports import ProposedCall
from core.policy.policy_rules import covers_verb

_MOST_CHARS = 20_000
"""Of all values of a call together: what a person is shown before it acts."""

_MOST_NAMED = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalTerms:
    """What a proposer may propose.

    Attributes:
        verbs: ``domain.verb`` or ``domain.*``.
        secrets: Names of the secrets that it may name; it never learns what they stand for.
    """

    verbs: tuple[str, ...]
    secrets: tuple[str, ...] = ()
    max_calls: int = 8


def refuse_calls(calls: Sequence[ProposedCall], terms: ProposalTerms) -> tuple[ErrorInfo, ...]:
    """Return why calls may not even become goals; empty if they may.

    What the table, the policy and the machine say of them is found out as for every goal.
    """
    if len(calls) > terms.max_calls:
        text = f"{len(calls):,} calls were proposed, and at most {terms.max_calls} are taken at once."
        return (ErrorInfo("too_many_calls", text, "Propose only the next few."),)
    found = (_refuse_call(index, call, terms) for index, call in enumerate(calls))
    return tuple(each for each in found if each)


def _refuse_call(index: int, call: ProposedCall, terms: ProposalTerms) -> ErrorInfo | None:
    name = call.name[:_MOST_NAMED]
    about = {"call": index, "name": name}
    if not any(covers_verb(entry, call.name) for entry in terms.verbs):
        text = f"{name} is not among the verbs of this task."
        return ErrorInfo("verb_not_offered", text, f"Use one of {', '.join(terms.verbs)}.", about)
    if call.scope:
        text = f"{name} has a scope of its own, and calls are done one after the other."
        return ErrorInfo("bad_scope", text, "Leave the scope out.", about)
    if _measure(call.params) > _MOST_CHARS:
        text = f"The values of {name} have more than {_MOST_CHARS:,} characters."
        return ErrorInfo("too_large", text, "Say it in less.", about)
    foreign = [each.name for each in find_written_handles(call.params) if each.name not in terms.secrets]
    if foreign:
        text = f"{name} names the secret “{foreign[0]}”, which was not granted for this task."
        return ErrorInfo("secret_not_granted", text, f"Granted: {', '.join(terms.secrets) or 'none'}.", about)
    return None


def _measure(value: Any) -> int:
    """Return about how many characters a value has once it is written out."""
    if isinstance(value, Mapping):
        return sum(len(str(key)) + _measure(each) for key, each in value.items())
    if isinstance(value, list | tuple):
        return sum(map(_measure, value))
    return len(value) if isinstance(value, str) else 8
