"""The rules table as data, for people and programs."""

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from actuators.verb_table import PLANNER_RULES
from core.results.records import to_data
from core.rules.rule_types import FromWorld, PlannerRule


def describe_rules(domain: str = "") -> list[dict[str, Any]]:
    """Return every rule as data, in the order of the table; only those of a domain if one is named."""
    return [
        {"domain": found, "verb": verb, **_describe_rule(rule)}
        for (found, verb), rule in PLANNER_RULES.items()
        if domain in {"", found}
    ]


@cache
def digest_rules() -> str:
    """Return the SHA-256 of the table, in hexadecimal."""
    return hashlib.sha256(json.dumps(describe_rules(), sort_keys=True, default=str).encode()).hexdigest()


def _describe_rule(rule: PlannerRule) -> dict[str, Any]:
    return {
        "intent": rule.intent,
        "action_class": rule.action_class,
        "description": rule.description_template,
        "params": list(_describe_params(rule)),
        "choose_one": to_data(rule.choose_one),
        "choose_any": to_data(rule.choose_any),
        "allow_semantic_only": rule.allow_semantic_only,
        "context_consumption": to_data(rule.context_consumption),
        "context_production": to_data(rule.context_production),
        "session_bootstraps": list(rule.session_bootstraps),
        "provides_substrate": rule.provides_substrate,
        "approval": rule.approval,
        "repeat": rule.repeat,
        "recovery": rule.settled_by,
        "reads": rule.reads,
        "undo": rule.undo,
        "destroys": list(rule.destroys),
        "opens": rule.opens.kind if rule.opens else "",
        "makes": rule.makes.kind if rule.makes else "",
        "holds_seat": rule.holds_seat,
        "ends_programs": rule.ends_programs,
        "resource": list(rule.resource),
        "needs": list(rule.needs),
        "opt_in": rule.opt_in,
        "code_is": rule.command.verb if rule.command else "",
        "timeout_s": rule.timeout_s,
        "summary": rule.summary,
    }


def _describe_params(rule: PlannerRule) -> Iterator[dict[str, Any]]:
    for name in rule.declared_params:
        allowed = rule.allowed_values.get(name)
        described: dict[str, Any] = {
            "name": name,
            "type": rule.param_types[name].label,
            "required": name in rule.required_params,
        }
        if allowed is not None:
            described["allowed"] = f"from settings: {allowed.name}" if isinstance(allowed, FromWorld) else list(allowed)
        if name in rule.default_params:
            described["default"] = to_data(rule.default_params[name])
        if needs := rule.param_types[name].list_needs():
            described["needs"] = needs
        yield described
