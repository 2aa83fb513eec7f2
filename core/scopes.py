"""Scopes: which goal depends on which. One module decides it, and no model."""

from collections.abc import Sequence
from dataclasses import replace

from core.goals import ROOT, Goal, MetaGoal, MetaType
from core.references import find_references

_FOLDER_MAKER = "file.create"


def build_meta_goal(goals: Sequence[Goal], *, source: str = "", rationale: str = "") -> MetaGoal:
    """Number the goals, resolve their scopes, and put them together.

    Args:
        goals: In the order in which they were said.
        source: The utterance, byte for byte.
        rationale: Why it was understood so.

    Returns:
        The goals as ``g0``, ``g1``, … with their dependencies. A bad scope is a diagnostic, and gives no dependency;
        a reference to an earlier goal is a dependency as well.
    """
    numbered = [replace(goal, goal_id=f"g{index}") for index, goal in enumerate(goals)]
    diagnostics: list[str] = []
    dependencies: dict[str, tuple[str, ...]] = {}
    for index, goal in enumerate(numbered):
        parents, faults = _find_parents(goal, numbered[:index], numbered)
        diagnostics += faults
        if parents:
            dependencies[goal.goal_id] = parents
    return MetaGoal(
        meta_type=_name_type(numbered, dependencies),
        goals=tuple(numbered),
        dependencies=dependencies,
        diagnostics=tuple(diagnostics),
        rationale=rationale,
        source=source,
    )


def resolve_scope(scope: str, earlier: Sequence[Goal]) -> tuple[str | None, str]:
    """Resolve one scope.

    Args:
        scope: ``root``, ``after:<goal id or verb>``, ``inside:<target>`` or ``drive:<letter>``.
        earlier: The goals before this one.

    Returns:
        The id of the goal that it depends on, or None; and what is wrong with it, or an empty text.
    """
    if scope == ROOT:
        return None, ""
    form, separator, target = scope.partition(":")
    if form == "after" and target:
        return _resolve_after(target, earlier)
    if form == "inside" and target:
        return _resolve_inside(target, earlier)
    if form == "drive":
        good = len(target) == 1 and target.isascii() and target.isalpha()
        return None, "" if good else f'"{target}" is not a drive letter'
    if form in {"after", "inside"} and separator:
        return None, f"it names nothing after {form}:"
    return None, "a scope is root, after:<goal id or verb>, inside:<target> or drive:<letter>"


def _resolve_after(target: str, earlier: Sequence[Goal]) -> tuple[str | None, str]:
    for goal in earlier:
        if goal.goal_id == target:
            return goal.goal_id, ""
    for goal in earlier:
        if target in {goal.verb, goal.name}:
            return goal.goal_id, ""
    return None, f'no earlier goal has the id or verb "{target}"'


def _resolve_inside(target: str, earlier: Sequence[Goal]) -> tuple[str | None, str]:
    wanted = target.casefold()
    for goal in reversed(earlier):
        name = goal.params.get("name")
        makes = goal.name == _FOLDER_MAKER and goal.params.get("object_type") == "folder"
        if makes and isinstance(name, str) and name.casefold() == wanted:
            return goal.goal_id, ""
    return None, f'no earlier goal creates the folder "{target}"'


def _find_parents(goal: Goal, earlier: Sequence[Goal], everyone: Sequence[Goal]) -> tuple[tuple[str, ...], list[str]]:
    parent, fault = resolve_scope(goal.scope, earlier)
    faults: list[str] = []
    if fault:
        known = {word for each in everyone for word in (each.goal_id, each.verb, each.name)}
        target = goal.scope.partition(":")[2]
        if target == goal.goal_id:
            fault = "a goal can't come after itself"
        elif target in known and goal.scope.startswith("after:"):
            fault = f'"{target}" comes later, and a goal may only depend on an earlier one'
        faults.append(f'{goal.goal_id} ({goal.name}): the scope "{goal.scope}" is dropped: {fault}')
    parents = [parent] if parent else []
    named = dict.fromkeys(reference.goal_id for reference in find_references(goal.params))
    known_ids = {each.goal_id for each in earlier} if named else set[str]()
    for reference in named:
        if reference in known_ids:
            parents.append(reference)
        else:
            faults.append(f"{goal.goal_id} ({goal.name}): it refers to {reference}, which is no earlier goal")
    return tuple(dict.fromkeys(parents)), faults


def _name_type(goals: Sequence[Goal], dependencies: dict[str, tuple[str, ...]]) -> MetaType:
    if len(goals) <= 1:
        return "single"
    return "dependent_multi" if dependencies else "independent_multi"
