"""Scopes: which goal depends on which, and which folder it works in. One module decides it, and no model."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.goals import ROOT, Goal, MetaGoal, MetaType
from core.references import find_references

_SEPARATORS = re.compile(r"[/\\]")


@dataclass(frozen=True, slots=True)
class FolderMaker:
    """How a goal that creates a folder is known.

    Attributes:
        given: Params with which it creates a folder and nothing else.
        name: The param that names the folder.
    """

    given: Mapping[str, Any]
    name: str


FOLDER_MAKERS: Mapping[str, FolderMaker] = {"file.create": FolderMaker({"object_type": "folder"}, "name")}
"""By ``domain.verb``."""


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder that a goal creates.

    Attributes:
        goal_id: The goal.
        names: Its path as the goal writes it, taken apart, without regard to case; empty if it is only read at run time.
        parent: The folder that the goal works in.
    """

    goal_id: str
    names: tuple[str, ...]
    parent: "_Folder | None"

    def is_called(self, wanted: tuple[str, ...]) -> bool:
        """Tell whether its path ends with these names, counted from the outermost known folder on."""
        folder: _Folder | None = self
        while folder is not None and folder.names:
            count = min(len(folder.names), len(wanted))
            if folder.names[-count:] != wanted[-count:]:
                return False
            wanted = wanted[:-count]
            if not wanted:
                return True
            folder = folder.parent
        return False


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
    bases: dict[str, str] = {}
    folders: list[_Folder] = []
    for index, goal in enumerate(numbered):
        earlier = numbered[:index]
        parent, fault = _resolve(goal.scope, earlier, folders)
        if fault:
            diagnostics.append(_describe_fault(goal, fault, numbered))
        elif base := _name_base(goal.scope, parent):
            bases[goal.goal_id] = base
        parents, faults = _find_parents(goal, parent, earlier)
        diagnostics += faults
        if parents:
            dependencies[goal.goal_id] = parents
        _note_folder(goal, bases.get(goal.goal_id), folders)
    return MetaGoal(
        meta_type=_name_type(numbered, dependencies),
        goals=tuple(numbered),
        dependencies=dependencies,
        bases=bases,
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
    folders: list[_Folder] = []
    for index, goal in enumerate(earlier):
        parent, _ = _resolve(goal.scope, earlier[:index], folders)
        _note_folder(goal, _name_base(goal.scope, parent), folders)
    return _resolve(scope, earlier, folders)


def _resolve(scope: str, earlier: Sequence[Goal], folders: Sequence[_Folder]) -> tuple[str | None, str]:
    if scope == ROOT:
        return None, ""
    form, separator, target = scope.partition(":")
    if form == "after" and target:
        return _resolve_after(target, earlier)
    if form == "inside" and target:
        return _resolve_inside(target, folders)
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


def _resolve_inside(target: str, folders: Sequence[_Folder]) -> tuple[str | None, str]:
    wanted = _split_names(target)
    for folder in reversed(folders):
        if wanted and folder.is_called(wanted):
            return folder.goal_id, ""
    late = next((each.goal_id for each in folders if not each.names), None)
    because = f" ({late} creates one, but its name is only read while the run goes on)" if late else ""
    return None, f'no earlier goal creates the folder "{target}"{because}'


def _split_names(path: str) -> tuple[str, ...]:
    return tuple(part for part in _SEPARATORS.split(path.casefold()) if part not in {"", "."})


def _note_folder(goal: Goal, base: str | None, folders: list[_Folder]) -> None:
    """Note the folder that a goal creates, if it creates one."""
    maker = FOLDER_MAKERS.get(goal.name)
    if maker is None or any(goal.params.get(key) != value for key, value in maker.given.items()):
        return
    name = goal.params.get(maker.name)
    names = _split_names(name) if isinstance(name, str) else ()
    parent = next((each for each in reversed(folders) if each.goal_id == base), None)
    folders.append(_Folder(goal.goal_id, names, parent))


def _name_base(scope: str, parent: str | None) -> str:
    """Return what a good scope makes the base: a goal's folder, a drive, or nothing."""
    form, _, target = scope.partition(":")
    if form == "inside" and parent:
        return parent
    return f"drive:{target.upper()}:/" if form == "drive" else ""


def _describe_fault(goal: Goal, fault: str, everyone: Sequence[Goal]) -> str:
    known = {word for each in everyone for word in (each.goal_id, each.verb, each.name)}
    target = goal.scope.partition(":")[2]
    if target == goal.goal_id:
        fault = "a goal can't come after itself"
    elif target in known and goal.scope.startswith("after:"):
        fault = f'"{target}" comes later, and a goal may only depend on an earlier one'
    return f'{goal.goal_id} ({goal.name}): the scope "{goal.scope}" is dropped: {fault}'


def _find_parents(goal: Goal, parent: str | None, earlier: Sequence[Goal]) -> tuple[tuple[str, ...], list[str]]:
    faults: list[str] = []
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
