"""Ordering: which step of a sentence waits for which.

Steps on pages, on the desktop, about files and about the machine happen in the order in which they were said, because
each may change what the next one finds. What changes only the sound or a player's state is free: its first step waits
for nothing, unless a word such as "then" stands in front of it. A second one of its kind waits for the step in front,
and for the first: "mute, open the page and unmute" would make no sense otherwise. Behind a step that waits for something,
every step waits for it: "wait for report.pdf and mute the sound".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.goals.meta_goals import ROOT, Goal, MetaGoal
from core.goals.scopes import build_meta_goal
from core.language.grammars.grammar import Clauses
from core.language.meanings.contexts import Traces
from core.language.phrases.steps import ClauseStep
from core.language.sentences.patterns import compile_pattern


class Ordering:
    """Puts the steps of sentences in order."""

    def __init__(self, rules: Clauses, traces: Traces) -> None:
        self._traces = traces
        self._free = rules.free
        self._holding = rules.holding
        self._order = compile_pattern(rules.order, re.IGNORECASE)

    def build(self, steps: Sequence[ClauseStep], rationale: str, apart: int = 0) -> MetaGoal:
        """Return the goals of a sentence with their dependencies.

        Args:
            apart: The first step that happens at the same time as those in front of it; 0 if none does.
        """
        waits = [self._find_parents(steps, index, apart if index >= apart else 0) for index in range(len(steps))]
        goals = [_make_goal(index, step, waits[index], self._settle(steps, index)) for index, step in enumerate(steps)]
        meta_goal = build_meta_goal(goals, source=steps[0].span.sentence.source, rationale=rationale)
        ids = [goal.goal_id for goal in meta_goal.goals]
        dependencies: dict[str, tuple[str, ...]] = {}
        for goal_id, wait in zip(ids, waits, strict=True):
            scoped = meta_goal.dependencies.get(goal_id, ())
            if parents := tuple(dict.fromkeys((*scoped, *(ids[parent] for parent in wait)))):
                dependencies[goal_id] = parents
        kind = "single" if len(goals) == 1 else "dependent_multi" if dependencies else "independent_multi"
        return replace(meta_goal, dependencies=dependencies, meta_type=kind)

    def _find_parents(self, steps: Sequence[ClauseStep], index: int, start: int) -> tuple[int, ...]:
        if index == start:
            return ()
        domain = steps[index].domain
        is_free = domain in self._free
        same = [
            each
            for each, other in enumerate(steps[start:index], start)
            if (other.domain == domain if is_free else other.domain not in self._free)
        ]
        held = [each for each in range(start, index) if steps[each].name in self._holding]
        is_behind = self._is_ordered(steps, index) or (is_free and bool(same))
        return tuple(dict.fromkeys([*([index - 1] if is_behind else []), *same[-1:], *held[-1:]]))

    def _settle(self, steps: Sequence[ClauseStep], index: int) -> Mapping[str, Any]:
        """Return what a step waits for besides, because the next one that is anywhere is where this one leads to."""
        name = steps[index].name
        settling = self._traces.settling.get(name)
        if not settling:
            return {}
        later = (step.name for step in steps[index + 1 :])
        following = next((verb for verb in later if self._traces.find_surface(verb)), "")
        leads_on = following not in self._traces.settling and self._traces.find_surface(following)
        return settling if leads_on == self._traces.find_surface(name) else {}

    def _is_ordered(self, steps: Sequence[ClauseStep], index: int) -> bool:
        gap = slice(steps[index - 1].span.end, steps[index].span.start)
        return self._order.search(steps[index].span.sentence.mask[gap]) is not None


def _make_goal(index: int, step: ClauseStep, parents: tuple[int, ...], settling: Mapping[str, Any]) -> Goal:
    return Goal(
        domain=step.domain,
        verb=step.verb,
        params={**settling, **step.params},
        object=step.object,
        goal_id=f"g{index}",
        scope=step.base or (f"after:g{parents[0]}" if parents else ROOT),
    )
