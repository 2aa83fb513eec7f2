"""Proposed goals: what a model proposed, as goals like any other, with what it wrote itself marked as its own.

A model's words become a verb of the table and params, and nothing else: it gives no approval, names no secret, chooses no
folder, and refers to no step but its own earlier ones. Who the goals pass next, table, policy, taint and approvals, holds them
to all the rest.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.base.errors import ErrorInfo, ModelError
from core.base.late_dataclasses import dataclass
from core.base.phrases import cut_text, quote_text
from core.goals.authorship import list_written, stands_in
from core.goals.meta_goals import ROOT, Goal
from core.goals.references import Reference, Template
from core.goals.secret_values import PREFIX, find_written_handles
from core.planning.planners.ports import ProposedCall
from core.policy.policy_rules import covers_verb
from core.rules.rule_types import PlannerRule, RuleKey

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
    if isinstance(value, Mapping):
        return sum(len(str(key)) + _measure(each) for key, each in value.items())
    if isinstance(value, list | tuple):
        return sum(map(_measure, value))
    return len(value) if isinstance(value, str) else 8


MOST_CALLS = 50
_REFERENCE = re.compile(r"\$\{(g[0-9]{1,3})\.([A-Za-z0-9_.-]{1,100})\}")
_AFTER = re.compile(r"after:(g[0-9]{1,3})")
_LEADS_AWAY = re.compile(
    r"(?!https?://|workspace:/)(?:[/\\~]|[^/\\]*:)|(?:.*[/\\])?\.\.(?:[/\\]|$)", re.IGNORECASE | re.DOTALL
)
_PATHS = frozenset({"path", "place", "name"})


def make_proposed_goals(
    calls: Sequence[ProposedCall],
    words: Sequence[str],
    author: str,
    rules: Mapping[RuleKey, PlannerRule],
) -> tuple[Goal, ...]:
    """Return proposed calls as goals, each marked with its author and with the params whose values are the author's own.

    Args:
        calls: In order; ``${g0.text}`` in a value stands for what the first of them gives.
        words: What the person said or wrote; values that stand in it are theirs.

    Raises:
        ModelError: ``model_bad_answer`` if a call is none that could be made; ``model_overreached`` if it asks for what no
            model may choose.
    """
    if len(calls) > MOST_CALLS:
        raise _refuse(author, f"it proposed {len(calls)} steps; {MOST_CALLS} are the most")
    return tuple(_make_goal(call, index, words, author, rules) for index, call in enumerate(calls))


def _make_goal(
    call: ProposedCall, index: int, words: Sequence[str], author: str, rules: Mapping[RuleKey, PlannerRule]
) -> Goal:
    domain, _, verb = call.name.partition(".")
    rule = rules.get((domain, verb))
    if rule is None:
        raise _refuse(author, f"{quote_text(call.name)} is not a verb")
    if unknown := [name for name in call.params if name not in rule.param_types]:
        raise _refuse(author, f"{call.name} has no param {quote_text(unknown[0])}")
    params = {name: _read_value(value, index, author) for name, value in call.params.items() if value is not None}
    written = list_written(params, words)
    for name in written:
        _check_reach(name, params[name], rule, words, author)
    scope = _read_scope(call, index, author)
    return Goal(domain, verb, params, scope=scope, written=dict.fromkeys(written, author), author=author)


def _read_scope(call: ProposedCall, index: int, author: str) -> str:
    if not call.scope:
        return f"after:g{index - 1}" if index else ROOT
    found = _AFTER.fullmatch(call.scope)
    if call.scope == ROOT or (found and int(found[1][1:]) < index):
        return call.scope
    raise _refuse(author, f"a step of a model comes after an earlier one or stands alone, not {quote_text(call.scope)}")


def _read_value(value: Any, index: int, author: str) -> Any:
    if isinstance(value, str):
        return _read_text(value, index, author)
    if isinstance(value, Mapping):
        return {name: _read_value(each, index, author) for name, each in value.items()}
    return [_read_value(each, index, author) for each in value] if isinstance(value, list | tuple) else value


def _read_text(text: str, index: int, author: str) -> str | Reference | Template:
    """Return a text with references in the place of ``${g0.text}``; they may only lead back."""
    pieces: list[str | Reference] = []
    end = 0
    for found in _REFERENCE.finditer(text):
        if int(found[1][1:]) >= index:
            raise _refuse(author, f"{found[0]} is not the result of an earlier step")
        pieces += [text[end : found.start()], Reference(found[1], found[2])]
        end = found.end()
    pieces = [piece for piece in (*pieces, text[end:]) if piece != ""]
    if all(isinstance(piece, str) for piece in pieces):
        return text
    return pieces[0] if len(pieces) == 1 else Template(tuple(pieces))


def _check_reach(name: str, value: Any, rule: PlannerRule, words: Sequence[str], author: str) -> None:
    """Refuse what only a person's own words may say: which secret is used, and which folder a path begins in."""
    kind = rule.param_types[name].kind
    for text in _list_texts(value):
        if stands_in(text, words):
            continue
        if text.startswith(PREFIX):
            raise _overreach(author, f"it names a secret ({cut_text(text, 60)}), which only your own words can")
        if kind in _PATHS and _LEADS_AWAY.match(text):
            told = f"the path {quote_text(text)} leaves the workspace, which only your own words can"
            raise _overreach(author, told)


def _list_texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Template):
        return [part for part in value.parts if isinstance(part, str)]
    inner = [*value.keys(), *value.values()] if isinstance(value, Mapping) else value
    return [text for each in inner for text in _list_texts(each)] if isinstance(inner, list | tuple) else []


def _refuse(author: str, why: str) -> ModelError:
    text = f"What the model “{author}” proposed can't be done: {why}."
    return ModelError(text, code="model_bad_answer", hint="Say it in other words, or write it as a flow.")


def _overreach(author: str, why: str) -> ModelError:
    text = f"What the model “{author}” proposed is refused: {why}."
    return ModelError(text, code="model_overreached", hint="Say it yourself, in your own words, or write it as a flow.")
