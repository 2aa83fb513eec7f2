"""The conversation so far as a flow: what was done in it, to be done again."""

from collections.abc import Mapping, Sequence
from typing import Any

from actuators.verb_table import PLANNER_RULES
from agent.requests.flow_writing import WrittenStep, write_flow
from core.base.errors import GoalError
from core.goals.meta_goals import Goal
from core.goals.references import Reference, Template
from core.policy.policy import Policy

_REMARK = "Saved from a chat. Read it before you run it."
_LOOKS = frozenset({"snapshot"})


class Diary:
    """Remembers what was done in a chat."""

    def __init__(self) -> None:
        self._done: list[tuple[int, Mapping[str, Any]]] = []
        self._runs = 0

    def note(self, plan: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> None:
        """Remember the steps of a run that succeeded."""
        self._runs += 1
        succeeded = {each["action_id"] for each in steps if each["result"]["status"] == "ok"}
        self._done += [(self._runs, node) for node in plan["nodes"] if node["action_id"] in succeeded]

    def forget_last(self) -> None:
        """Forget the last run that did anything: it was taken back."""
        last = max((run for run, _ in self._done), default=0)
        self._done = [(run, node) for run, node in self._done if run != last]

    def write(self, name: str) -> str:
        """Return the flow."""
        steps = [_write_step(run, node) for run, node in self._done if node["name"].partition(".")[2] not in _LOOKS]
        if not steps:
            text = "Nothing was done yet that a flow could repeat."
            raise GoalError(text, code="flow_not_writable", hint="Say what to do first.")
        return write_flow(name, steps, Policy(), (_REMARK,))


def _write_step(run: int, node: Mapping[str, Any]) -> WrittenStep:
    domain, _, verb = node["name"].partition(".")
    usual = PLANNER_RULES[domain, verb].default_params
    args = {
        name: _read_value(value, run)
        for name, value in node["args"].items()
        if value is not None and usual.get(name) != value
    }
    return WrittenStep(goal=Goal(domain, verb, args), step_id=_name_step(run, node["goal_id"]))


def _name_step(run: int, goal_id: str) -> str:
    """Return what the flow calls a step where a later one takes what it gave."""
    return f"step{run}_{goal_id.removeprefix('g')}"


def _read_value(value: Any, run: int) -> Any:
    """Return an argument of a plan that was told as data, with its references to what steps of the same run gave."""
    if isinstance(value, list):
        return [_read_value(each, run) for each in value]
    if not isinstance(value, Mapping):
        return value
    if list(value) == ["$ref"]:
        goal_id, _, key = str(value["$ref"]).partition(".")
        return Reference(_name_step(run, goal_id), key)
    if list(value) == ["$template"]:
        return Template(tuple(_read_value(part, run) for part in value["$template"]))
    return {str(name): _read_value(each, run) for name, each in value.items()}
