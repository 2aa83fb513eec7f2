"""Scopes: which goal depends on which, and which folder it works in. One module decides it, and no model."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from core.goals.meta_goals import Goal, MetaGoal, MetaType
from core.goals.references import find_references
from core.goals.scope_book import ScopeBook, name_base


def build_meta_goal(goals: Sequence[Goal], *, source: str = "", rationale: str = "", first: int = 0) -> MetaGoal:
    """Number the goals, resolve their scopes, and put them together.

    Returns:
        The goals as ``g0``, ``g1``, … with their dependencies. A bad scope is a diagnostic, and gives no dependency;
        a reference to an earlier goal is a dependency as well.
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
