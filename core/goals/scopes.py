"""Scopes: which goal depends on which, and which folder it works in. One module decides it, and no model."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.base.late_dataclasses import dataclass, field
from core.base.late_parts import compile_late
from core.goals.meta_goals import ROOT, Goal, MetaGoal, MetaType
from core.goals.references import find_references

_SEPARATORS = compile_late(r"[/\\]")


@dataclass(frozen=True, slots=True)
class FolderMaker:
    """How a goal that creates a folder, and nothing else, is known by its params."""

    given: Mapping[str, Any]
    name: str


FOLDER_MAKERS: Mapping[str, FolderMaker] = {"file.create": FolderMaker({"object_type": "folder"}, "name")}
"""By ``domain.verb``."""


@dataclass(frozen=True, slots=True)
class _PlannedFolder:
    """A folder that a goal creates, its path taken apart without regard to case; empty if it is only read at run time."""

    goal_id: str
    names: tuple[str, ...]
    parent: "_PlannedFolder | None"

    def is_called(self, wanted: tuple[str, ...]) -> bool:
        """Tell whether its path ends with these names, counted from the outermost known folder on."""
        folder: _PlannedFolder | None = self
        while folder is not None and folder.names:
            count = min(len(folder.names), len(wanted))
            if folder.names[-count:] != wanted[-count:]:
                return False
            wanted = wanted[:-count]
            if not wanted:
                return True
            folder = folder.parent
        return False


@dataclass(slots=True)
class ScopeBook:
    """The goals so far by all that a scope can call them, also by verb, so that a scope costs the same however many there are."""

    ids: set[str] = field(default_factory=set[str])
    words: dict[str, str] = field(default_factory=dict[str, str])
    _folders: dict[str, _PlannedFolder] = field(default_factory=dict[str, _PlannedFolder])
    _called: dict[str, list[_PlannedFolder]] = field(default_factory=dict[str, list[_PlannedFolder]])
    _late: str = ""

    def add(self, goal: Goal, base: str | None = None) -> None:
        """Note a goal with the goal or drive whose folder it works in; found out by its scope where absent."""
        if base is None:
            base = name_base(goal.scope, self.resolve(goal.scope)[0])
        self._note_folder(goal, base)
        self.ids.add(goal.goal_id)
        for word in (goal.verb, goal.name):
            self.words.setdefault(word, goal.goal_id)

    def resolve(self, scope: str) -> tuple[str | None, str]:
        """Return the goal that a scope (``root``, ``after:``, ``inside:``, ``drive:``) depends on, or None, and what is wrong, if anything."""
        if scope == ROOT:
            return None, ""
        form, separator, target = scope.partition(":")
        if form == "after" and target:
            return self._resolve_after(target)
        if form == "inside" and target:
            return self._resolve_inside(target)
        if form == "drive":
            good = len(target) == 1 and target.isascii() and target.isalpha()
            return None, "" if good else f"“{target}” is not a drive letter"
        if form in {"after", "inside"} and separator:
            return None, f"it names nothing after {form}:"
        return None, "a scope is root, after:<goal id or verb>, inside:<target> or drive:<letter>"

    def _resolve_after(self, target: str) -> tuple[str | None, str]:
        found = target if target in self.ids else self.words.get(target)
        return found, "" if found else f"no earlier goal has the id or verb “{target}”"

    def _resolve_inside(self, target: str) -> tuple[str | None, str]:
        wanted = _split_names(target)
        for folder in reversed(self._called.get(wanted[-1], ()) if wanted else ()):
            if folder.is_called(wanted):
                return folder.goal_id, ""
        because = f" ({self._late} creates one, but its name is only read while the run goes on)" if self._late else ""
        return None, f"no earlier goal creates the folder “{target}”{because}"

    def _note_folder(self, goal: Goal, base: str) -> None:
        maker = FOLDER_MAKERS.get(goal.name)
        if maker is None or any(goal.params.get(key) != value for key, value in maker.given.items()):
            return
        name = goal.params.get(maker.name)
        names = _split_names(name) if isinstance(name, str) else ()
        folder = _PlannedFolder(goal.goal_id, names, self._folders.get(base))
        self._folders[goal.goal_id] = folder
        if names:
            self._called.setdefault(names[-1], []).append(folder)
        else:
            self._late = self._late or goal.goal_id


def _split_names(path: str) -> tuple[str, ...]:
    return tuple(part for part in _SEPARATORS.split(path.casefold()) if part not in {"", "."})


def name_base(scope: str, parent: str | None) -> str:
    """Return what a good scope makes the base: a goal's folder, a drive, or nothing."""
    form, _, target = scope.partition(":")
    if form == "inside" and parent:
        return parent
    return f"drive:{target.upper()}:/" if form == "drive" else ""


def build_meta_goal(goals: Sequence[Goal], *, source: str = "", rationale: str = "", first: int = 0) -> MetaGoal:
    """Number the goals as ``g0``, ``g1``, …, resolve their scopes, and put them together.

    A bad scope is a diagnostic, and gives no dependency; a reference to an earlier goal is a dependency as well.
    """
    numbered = [replace(goal, goal_id=f"g{index}") for index, goal in enumerate(goals, first)]
    diagnostics: list[str] = []
    dependencies: dict[str, tuple[str, ...]] = {}
    bases: dict[str, str] = {}
    book, everyone = ScopeBook(), frozenset[str]()
    for goal in numbered:
        parent, fault = book.resolve(goal.scope)
        if fault:
            everyone = everyone or frozenset(word for each in numbered for word in (each.goal_id, each.verb, each.name))
            diagnostics.append(_describe_fault(goal, fault, everyone))
        elif base := name_base(goal.scope, parent):
            bases[goal.goal_id] = base
        ends = _list_ends(book.ids, dependencies) if goal.terms.always else ()
        parents, faults = _find_parents(goal, parent, book.ids)
        diagnostics += faults
        parents = tuple(dict.fromkeys((*parents, *ends)))
        if parents:
            dependencies[goal.goal_id] = parents
        book.add(goal, bases.get(goal.goal_id, ""))
    return MetaGoal(
        meta_type=_name_type(numbered, dependencies),
        goals=tuple(numbered),
        dependencies=dependencies,
        bases=bases,
        diagnostics=tuple(diagnostics),
        rationale=rationale,
        source=source,
    )


def _describe_fault(goal: Goal, fault: str, everyone: Collection[str]) -> str:
    target = goal.scope.partition(":")[2]
    if target == goal.goal_id:
        fault = "a goal can't come after itself"
    elif target in everyone and goal.scope.startswith("after:"):
        fault = f"“{target}” comes later, and a goal may only depend on an earlier one"
    return f"{goal.goal_id} ({goal.name}): the scope “{goal.scope}” is ignored: {fault}"


def _find_parents(goal: Goal, parent: str | None, earlier: Collection[str]) -> tuple[tuple[str, ...], list[str]]:
    faults: list[str] = []
    parents = [parent] if parent else []
    referred = (reference.goal_id for reference in find_references(goal.params))
    for reference in dict.fromkeys((*referred, *goal.terms.awaited)):
        if reference in earlier:
            parents.append(reference)
        else:
            faults.append(f"{goal.goal_id} ({goal.name}): it refers to {reference}, which is not an earlier goal")
    return tuple(dict.fromkeys(parents)), faults


def _list_ends(goals: Collection[str], dependencies: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    awaited = {parent for parents in dependencies.values() for parent in parents}
    return tuple(sorted((each for each in goals if each not in awaited), key=lambda each: int(each[1:])))


def _name_type(goals: Sequence[Goal], dependencies: dict[str, tuple[str, ...]]) -> MetaType:
    if len(goals) <= 1:
        return "single"
    return "dependent_multi" if dependencies else "independent_multi"
