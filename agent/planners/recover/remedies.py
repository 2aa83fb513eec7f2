"""Remedies: the declared list of what may be tried, and what of it fits a step that failed."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from actuators.verb_table import PLANNER_RULES
from core.base.errors import ErrorInfo, TableError
from core.goals.meta_goals import Goal
from core.goals.world import WorldState
from core.rules.params import validate_params

_FILE = Path(__file__).with_name("remedies.toml")
_DIALOG = "dialog"


class Remedy(BaseModel):
    """Something that may be tried.

    Attributes:
        verb: ``domain.verb``.
        params: Its params; none of them names an element.
        only_if: What must be so; None for nothing.
        if_untouched: Whether nothing may have been typed or pressed on the page before.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    verb: str
    params: dict[str, Any] = Field(default_factory=dict)
    only_if: Literal["covered by a dialog"] | None = None
    if_untouched: bool = False
    harmless: str = ""

    def make_goal(self) -> Goal:
        """Return it as a goal."""
        domain, _, verb = self.verb.partition(".")
        return Goal(domain, verb, self.params, goal_id="g0")


class RemedyTable(BaseModel):
    """The declared list.

    Attributes:
        codes: By the code of an error the names of what may be tried, in order.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    remedies: dict[str, Remedy]
    codes: dict[str, list[str]]

    def find(self, error: ErrorInfo, *, is_untouched: bool) -> Mapping[str, Remedy]:
        """Return what may be tried against an error, by name, in order.

        Args:
            is_untouched: Whether nothing was typed or pressed on the page.
        """
        named = {name: self.remedies[name] for name in self.codes.get(error.code, ())}
        return {
            name: each
            for name, each in named.items()
            if (is_untouched or not each.if_untouched) and (each.only_if is None or _is_covered_by_dialog(error))
        }


@cache
def load_remedies(file: Path = _FILE) -> RemedyTable:
    """Return the list, checked as a whole.

    Raises:
        TableError: If a remedy is unknown, might do harm, or names an element.
    """
    table = RemedyTable.model_validate(tomllib.loads(file.read_text("utf-8")))
    faults = [fault for name, each in table.remedies.items() for fault in _find_faults(name, each)]
    faults += [
        f"{code} names {name}" for code, names in table.codes.items() for name in names if name not in table.remedies
    ]
    if faults:
        raise TableError(f"The list of remedies can't be used: {'; '.join(faults)}.", code="bad_remedies")
    return table


def _find_faults(name: str, remedy: Remedy) -> list[str]:
    goal = remedy.make_goal()
    rule = PLANNER_RULES.get((goal.domain, goal.verb))
    if rule is None:
        return [f"{name} has no verb"]
    faults = [f"{name}: {each.message}" for each in validate_params(rule, remedy.params, WorldState()).problems]
    if any(rule.param_types[param].aims for param in remedy.params if param in rule.param_types):
        faults.append(f"{name} names what it acts on")
    if not (rule.action_class == "observe" or rule.repeat == "safe" or remedy.harmless):
        faults.append(f"{name} might do harm")
    return faults


def _is_covered_by_dialog(error: ErrorInfo) -> bool:
    """Tell whether a dialog lies over what was aimed at, as the page was read when it failed."""
    return _DIALOG in str(error.evidence.get("blocker", "")).casefold()
