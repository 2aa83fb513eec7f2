"""Relative addresses of goals, made whole by the session's base address before anything is planned."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

from actuators.verb_table import PLANNER_RULES
from core.goals.meta_goals import Goal, MetaGoal
from core.rules.param_types import URL

_RELATIVE = ("/", "./", "../", "?", "#")


def join_addresses(goals: MetaGoal, base_url: str) -> MetaGoal:
    """Return goals whose relative addresses are whole.

    An address is relative that begins with ``/``, ``./``, ``../``, ``?`` or ``#``; ``//host`` names a host and stays as it is.

    Args:
        base_url: What relative addresses hang below; empty to leave them.
    """
    if not base_url:
        return goals
    return replace(goals, goals=tuple(_join(each, base_url) for each in goals.goals))


def _join(goal: Goal, base_url: str) -> Goal:
    rule = PLANNER_RULES.get((goal.domain, goal.verb))
    types: Mapping[str, Any] = rule.param_types if rule else {}
    found = {
        name: urljoin(base_url, value)
        for name, value in goal.params.items()
        if types.get(name) is URL and isinstance(value, str) and _is_relative(value)
    }
    return replace(goal, params={**goal.params, **found}) if found else goal


def _is_relative(address: str) -> bool:
    return address.startswith(_RELATIVE) and not address.startswith("//")
