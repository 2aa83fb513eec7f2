"""Deeds: what of an action the rules of a policy, and the trail of values that were read, look at."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.addresses.urls import WEB_SCHEMES, WebAddress, judge_address
from core.base.errors import SurehandError
from core.goals.references import has_reference
from core.planning.plans import PlannedAction
from core.policy.policy import Policy
from core.policy.policy_rules import ActionFacts, RuleEffect, Verdict
from core.rules.rule_types import PlannerRule
from core.tools.previews import Preview

ADDRESSES = ("address", "document", "leads_to", "form_sends_to", "onto_document", "onto_leads_to", "onto_form_sends_to")
"""Keys of ``Preview.target`` for the page and the frame that are acted on, and for where a link or form leads."""


def describe_facts(
    action: PlannedAction,
    platform: str,
    preview: Preview | None = None,
    real_paths: Sequence[str] = (),
) -> ActionFacts:
    """Return what the rules of a policy look at, as far as it is known.

    Args:
        action: What would be done; arguments that are still to be read are not looked at.
        platform: ``linux``, ``win32`` or ``darwin``.
        preview: What it would change and what it aims at; knows the real paths behind links, and the page.
    """
    target = preview.target if preview else {}
    seen = [address for name in ADDRESSES for address in _list_seen(target.get(name))]
    addresses = [*_list_addresses(action.rule, action.args), *seen]
    written = list_paths(action.rule, action.args, platform)
    paths = dict.fromkeys((*written, *real_paths, *(preview.before if preview else ())))
    return ActionFacts(
        name=action.name,
        effects=frozenset(_list_effects(action)),
        hosts=tuple(each for address in addresses if (each := _read_address(address))),
        paths=tuple(paths),
        platform=platform,
    )


def judge_action(
    policy: Policy,
    action: PlannedAction,
    platform: str,
    preview: Preview | None = None,
    real_paths: Sequence[str] = (),
) -> Verdict | None:
    """Return what the rules of a policy say of an action, or None where none matches; the other arguments are as above.

    Raises:
        PolicyError: If they deny it.
    """
    if not policy.rules:
        return None
    return judge_described(policy, describe_facts(action, platform, preview, real_paths))


def judge_described(policy: Policy, deed: ActionFacts) -> Verdict | None:
    """Return what the rules of a policy say of what was described, or None where none matches.

    Raises:
        PolicyError: If they deny it.
    """
    found = policy.judge(deed)
    return found.verdict if found and found.verdict != "private" else None


def list_paths(rule: PlannerRule, args: Mapping[str, Any], platform: str = "linux") -> tuple[str, ...]:
    """Return the paths among the arguments, as they were resolved; a bare name stands beside the first of them."""
    texts = tuple(_list_texts(rule, args))
    found = [value for kind, value in texts if kind == "path" or (kind == "place" and not _is_web(value))]
    separator = "\\" if platform == "win32" else "/"
    folder = found[0].rpartition(separator)[0] if found else ""
    beside = [f"{folder}{separator}{value}" for kind, value in texts if kind == "name" and found]
    return (*found, *beside)


def _list_seen(facts: Any) -> Iterator[str]:
    yield from (each for each in (facts if isinstance(facts, list | tuple) else (facts,)) if isinstance(each, str))


def _list_addresses(rule: PlannerRule, args: Mapping[str, Any]) -> Iterator[str]:
    for kind, value in _list_texts(rule, args):
        if kind == "url" or (kind == "place" and _is_web(value)):
            yield value


def _list_texts(rule: PlannerRule, args: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in args.items():
        declared = rule.param_types.get(name)
        if declared is None or (kind := declared.kind) == "plain" or has_reference(value):
            continue
        for each in value if isinstance(value, list | tuple) else (value,):
            if isinstance(each, str):
                yield kind, each


def _is_web(text: str) -> bool:
    return text.lower().startswith(tuple(f"{scheme}://" for scheme in WEB_SCHEMES))


def _list_effects(action: PlannedAction) -> Iterator[RuleEffect]:
    yield action.action_class
    if action.action_class == "actuate" and action.undo == "irreversible":
        yield "irreversible"


def _read_address(text: str) -> WebAddress | None:
    try:
        return judge_address(text)
    except SurehandError:
        return None
