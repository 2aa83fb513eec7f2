"""Ordering: which step of a sentence waits for which.

Steps on pages, on the desktop, about files and about the machine happen in the order in which they were said, because
each may change what the next one finds. What changes only the sound or a player's state is free: its first step waits
for nothing, unless a word such as "then" stands in front of it. A second one of its kind waits for the step in front,
and for the first: "mute, open the page and unmute" would make no sense otherwise.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.goals import ROOT, Goal, MetaGoal
from core.language.contexts import Traces
from core.language.grammar import Clauses
from core.language.phrasebook import Match
from core.scopes import build_meta_goal


class Ordering:
    """Puts the steps of sentences in order."""

    def __init__(self, rules: Clauses, traces: Traces) -> None:
        """Take the rules.

        Args:
            rules: How steps are strung together.
            traces: What verbs leave behind.
        """
        self._traces = traces
        self._free = rules.free
        self._order = re.compile(rules.order, re.IGNORECASE)

    def build(self, matches: Sequence[Match], rationale: str) -> MetaGoal:
        """Return the goals of a sentence with their dependencies.

        Args:
            matches: Its steps; there is at least one.
            rationale: Why they were understood so.
        """
        waits = [self._find_parents(matches, index) for index in range(len(matches))]
        goals = [
            _make_goal(index, match, waits[index], self._settle(matches, index)) for index, match in enumerate(matches)
        ]
        meta_goal = build_meta_goal(goals, source=matches[0].span.sentence.source, rationale=rationale)
        ids = [goal.goal_id for goal in meta_goal.goals]
        dependencies: dict[str, tuple[str, ...]] = {}
        for goal_id, wait in zip(ids, waits, strict=True):
            scoped = meta_goal.dependencies.get(goal_id, ())
            if parents := tuple(dict.fromkeys((*scoped, *(ids[parent] for parent in wait)))):
                dependencies[goal_id] = parents
        kind = "single" if len(goals) == 1 else "dependent_multi" if dependencies else "independent_multi"
        return replace(meta_goal, dependencies=dependencies, meta_type=kind)

    def _find_parents(self, matches: Sequence[Match], index: int) -> tuple[int, ...]:
        """Return the numbers of the steps that a step waits for, the one right in front first."""
        if not index:
            return ()
        domain = matches[index].entry.verb.domain
        is_free = domain in self._free
        domains = [match.entry.verb.domain for match in matches[:index]]
        same = [each for each, other in enumerate(domains) if (other == domain if is_free else other not in self._free)]
        is_behind = self._is_ordered(matches, index) or (is_free and bool(same))
        return tuple(dict.fromkeys([*([index - 1] if is_behind else []), *same[-1:]]))

    def _settle(self, matches: Sequence[Match], index: int) -> Mapping[str, Any]:
        """Return what a step waits for besides, because the next one that is anywhere is where this one leads to."""
        name = matches[index].entry.verb.name
        settling = self._traces.settling.get(name)
        if not settling:
            return {}
        later = (match.entry.verb.name for match in matches[index + 1 :])
        following = next((verb for verb in later if self._traces.find_surface(verb)), "")
        leads_on = following not in self._traces.settling and self._traces.find_surface(following)
        return settling if leads_on == self._traces.find_surface(name) else {}

    def _is_ordered(self, matches: Sequence[Match], index: int) -> bool:
        """Whether a word in front of a step says that it comes after the step before."""
        gap = slice(matches[index - 1].span.end, matches[index].span.start)
        return self._order.search(matches[index].span.sentence.mask[gap]) is not None


def _make_goal(index: int, match: Match, parents: tuple[int, ...], settling: Mapping[str, Any]) -> Goal:
    source = match.span.sentence.source
    named = source[match.slots[0].start : match.slots[0].end] if match.slots else match.span.text
    return Goal(
        domain=match.entry.verb.domain,
        verb=match.entry.verb.verb,
        params={**settling, **match.params},
        object=named,
        goal_id=f"g{index}",
        scope=match.base or (f"after:g{parents[0]}" if parents else ROOT),
    )
