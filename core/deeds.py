"""Deeds: what of an action the rules of a policy, and the trail of values that were read, look at."""

from collections.abc import Iterator, Mapping
from typing import Any

from core.errors import PolicyError, SurehandError
from core.plans import PlannedAction
from core.policy import Policy
from core.policy_rules import Deed, RuleEffect, Verdict
from core.previews import Preview
from core.references import has_reference
from core.rule_types import PlannerRule
from core.urls import WEB_SCHEMES, WebAddress, judge_address

ADDRESS = "address"
"""Key of ``Preview.target`` for the address of the page that is acted on."""


def describe_deed(action: PlannedAction, rule: PlannerRule, platform: str, preview: Preview | None = None) -> Deed:
    """Return what the rules of a policy look at, as far as it is known.

    Args:
        action: What would be done; arguments that are still to be read are not looked at.
        rule: That it was planned by.
        platform: ``linux``, ``win32`` or ``darwin``.
        preview: What it would change and what it aims at; knows the real paths behind links, and the page.
    """
    seen = preview.target.get(ADDRESS) if preview else None
    addresses = [*_list_addresses(rule, action.args), *([seen] if isinstance(seen, str) else [])]
    paths = dict.fromkeys((*list_paths(rule, action.args, platform), *(preview.before if preview else ())))
    return Deed(
        name=action.name,
        effects=frozenset(_list_effects(action)),
        hosts=tuple(each for address in addresses if (each := _read_address(address))),
        paths=tuple(paths),
        platform=platform,
    )


def judge_action(
    policy: Policy, action: PlannedAction, rule: PlannerRule, platform: str, preview: Preview | None = None
) -> Verdict | None:
    """Return what the rules of a policy say of an action, or None where none matches; the other arguments are as above.

    Raises:
        PolicyError: If they deny it.
    """
    if not policy.rules:
        return None
    found = policy.judge(describe_deed(action, rule, platform, preview))
    return found.verdict if found else None


def is_denied(policy: Policy, action: PlannedAction, rule: PlannerRule, platform: str) -> bool:
    """Tell whether the rules of a policy deny an action, as far as that is known before it runs."""
    try:
        judge_action(policy, action, rule, platform)
    except PolicyError:
        return True
    return False


def list_paths(rule: PlannerRule, args: Mapping[str, Any], platform: str = "linux") -> tuple[str, ...]:
    """Return the paths among the arguments, as they were resolved; a bare name stands beside the first of them."""
    found: list[str] = []
    for kind, value in _list_texts(rule, args):
        if kind == "path" or (kind == "place" and not _is_web(value)):
            found.append(value)
        elif kind == "name" and found:
            separator = "\\" if platform == "win32" else "/"
            found.append(f"{found[0].rpartition(separator)[0]}{separator}{value}")
    return tuple(found)


def _list_addresses(rule: PlannerRule, args: Mapping[str, Any]) -> Iterator[str]:
    for kind, value in _list_texts(rule, args):
        if kind == "url" or (kind == "place" and _is_web(value)):
            yield value


def _list_texts(rule: PlannerRule, args: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield every text that locates something, with its kind."""
    for name, value in args.items():
        kind = rule.param_types[name].kind
        if kind == "plain" or has_reference(value):
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
