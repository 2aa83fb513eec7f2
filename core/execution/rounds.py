"""Rounds: the body of a loop, once for each of its rows.

The body is planned once, with references to a row that nobody has read yet. Once the rows are there, each round is the body with
the number of its row in these references, and ids of its own: ``g3r2`` is the second round of ``g3``. A round's references are references as
any others, so all that holds of values that were read holds of them.

A loop within a loop is opened in each round of the outer one, once that has given its rows: ``g3r2r1`` is the first round of ``g3`` in
the second one. What stands for the number of a row tells the two apart (``*``, ``**``).
"""

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.base.errors import GoalError
from core.base.late_dataclasses import dataclass, replace
from core.goals.references import Reference, bind_value, map_references
from core.goals.step_terms import RowLoop, StepCondition, StepTerms
from core.goals.world import WorldState
from core.planning.graph import PlanGraph, build_graph
from core.planning.planner import bind_action
from core.planning.plans import PlannedAction
from core.results.records import to_data

if TYPE_CHECKING:
    from core.execution.run_context import RunContext

MAX_STEPS = 10_000
"""Of a plan with all its rounds."""

_Outputs = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """A loop whose rows are not known yet, with its steps in plan order."""

    loop: RowLoop
    body: tuple[PlannedAction, ...]


@dataclass(frozen=True, slots=True)
class LoopTerms:
    """What a loop is opened with: outputs by goal id, rounds done before an interruption, and digests of their rows then."""

    run: "RunContext"
    outputs: _Outputs
    known: Mapping[str, Any]
    earlier: Mapping[str, str]
    left_s: float


def read_rows(opened: OpenLoop, outputs: _Outputs) -> Sequence[Any]:
    """Return the rows of a loop from what the steps before it gave, by goal id.

    Raises:
        GoalError: If they are no list, or more than it may have.
    """
    loop = opened.loop
    rows = bind_value(loop.rows, outputs)
    if not isinstance(rows, list | tuple):
        text = f"{loop.rows} is not a list of rows, so it can't be repeated over."
        raise GoalError(text, code="not_rows", hint="Refer to an output with rows, such as ${items.rows}.")
    if len(rows) > loop.at_most:
        text = f"{loop.rows} has {len(rows):,} rows, and this loop may have {loop.at_most:,}; nothing of it was done."
        raise GoalError(text, code="too_many_rows", hint="Read fewer rows, or write a larger at_most.")
    return rows


def find_open_loop(graph: PlanGraph, ended: Mapping[str, Any], waiting: Sequence[str]) -> OpenLoop | None:
    """Return the first loop whose rows can be read now: all that it waits for has ended."""
    for action_id in waiting:
        action = graph.nodes.get(action_id)  # none if its loop was opened
        if action is None or action.terms.loop is None or action_id in ended:
            continue
        loop = action.terms.loop.chain[0]
        body = [each for each in graph.nodes.values() if _is_within(each, loop) and each.action_id not in ended]
        ids = {each.action_id for each in body}
        above = {parent for each in body for parent in graph.parents(each.action_id)} - ids
        if above <= ended.keys():
            return OpenLoop(loop, tuple(body))
    return None


def _is_within(action: PlannedAction, loop: RowLoop) -> bool:
    return action.terms.loop is not None and loop in action.terms.loop.chain


def make_rounds(opened: OpenLoop, rows: Sequence[Any], world: WorldState) -> list[list[PlannedAction]]:
    """Return the steps of each round, by what values stand for in the world."""
    goals = frozenset(action.goal_id for action in opened.body)
    ends = tuple(dict.fromkeys(action.goal_id for action in opened.body))
    rounds: list[list[PlannedAction]] = []
    for index, row in enumerate(rows):
        title = f"{opened.loop.title} {index + 1} of {len(rows)}"
        digest = digest_row(row)
        before = tuple(_number(each, index - 1) for each in ends) if index and opened.loop.collects else ()
        made = _Round(opened.loop, goals, index, title, digest, before)
        rounds.append([made.make(action, world) for action in opened.body])
    return rounds


def unroll_loop(graph: PlanGraph, opened: OpenLoop, rounds: Sequence[Sequence[PlannedAction]]) -> PlanGraph:
    """Return a plan with the rounds of a loop, at least one, in the place of its body."""
    ids = [action.action_id for action in opened.body]
    body = frozenset(ids)
    copies = [dict(zip(ids, (each.action_id for each in one), strict=True)) for one in rounds]
    edges: list[tuple[str, str]] = []
    for one, two in list_edges(graph):
        if one in body and two in body:
            edges += [(copy[one], copy[two]) for copy in copies]
        elif two in body:
            edges += [(one, copy[two]) for copy in copies]
        else:
            edges.append((copies[-1].get(one, one), two))
    first = [each for each in ids if not body & set(graph.parents(each))]
    last = [each for each in ids if not body & set(graph.children(each))]
    for before, after in itertools.pairwise(copies):
        edges += [(before[one], after[two]) for one in last for two in first]
    actions: list[PlannedAction] = []
    for action_id, action in graph.nodes.items():
        if action_id == ids[0]:
            actions += [each for one in rounds for each in one]
        if action_id not in body:
            actions.append(action)
    return build_graph(actions, edges)


def digest_row(row: Any) -> str:
    """Return the SHA-256 of a row, in hexadecimal."""
    text = json.dumps(to_data(row), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Round:
    """How a step of the body becomes one of a round."""

    loop: RowLoop
    goals: frozenset[str]
    index: int
    title: str
    digest: str
    before: tuple[str, ...]

    def make(self, action: PlannedAction, world: WorldState) -> PlannedAction:
        goal_id = _number(action.goal_id, self.index)
        args: dict[str, Any] = map_references(action.args, self._change)
        named = replace(
            action,
            action_id=goal_id + action.action_id.removeprefix(action.goal_id),
            goal_id=goal_id,
            groups=(*action.groups, self.title),
            terms=self._limit(action),
        )
        return bind_action(named, args, args, world)

    def _limit(self, action: PlannedAction) -> StepTerms:
        terms = action.terms
        above = (*terms.rounds_above, terms.round_of) if terms.round_of else ()
        return replace(
            terms,
            conditions=self._limit_conditions(terms.conditions),
            only_with=self._rename(terms.only_with),
            follows=(*map(self._rename, terms.follows), *self.before),
            loop=self._limit_loop(terms.loop),
            round_of=action.goal_id,
            rounds_above=above,
            row_digest=self.digest,
        )

    def _limit_conditions(self, conditions: Sequence[StepCondition]) -> tuple[StepCondition, ...]:
        return tuple(
            replace(
                each,
                value=map_references(each.value, self._change),
                wanted=map_references(each.wanted, self._change),
            )
            for each in conditions
        )

    def _limit_loop(self, loop: RowLoop | None) -> RowLoop | None:
        if loop is None or loop == self.loop:
            return None
        return replace(
            loop,
            loop_id=self._rename(loop.loop_id),
            rows=self._change(loop.rows),
            conditions=self._limit_conditions(loop.conditions),
            within=self._limit_loop(loop.within),
        )

    def _rename(self, goal_id: str) -> str:
        return _number(goal_id, self.index) if goal_id in self.goals else goal_id

    def _change(self, reference: Reference) -> Reference:
        rows = self.loop.rows
        stem = f"{rows.key}.{self.loop.each}"
        if reference.goal_id == rows.goal_id and (reference.key == stem or reference.key.startswith(f"{stem}.")):
            return Reference(rows.goal_id, f"{rows.key}.{self.index}{reference.key.removeprefix(stem)}")
        return replace(reference, goal_id=self._rename(reference.goal_id))


def _number(goal_id: str, index: int) -> str:
    return f"{goal_id}r{index + 1}"


def fold_rounds(graph: PlanGraph) -> tuple[PlanGraph, dict[str, str]]:
    """Return a plan without the rounds that it had when it was interrupted, and by goal id the digests of their rows."""
    rounds = {each.goal_id: each.terms.row_digest for each in graph.nodes.values() if each.terms.round_of}
    if not rounds:
        return graph, rounds
    kept = [action for action in graph.nodes.values() if action.goal_id not in rounds]
    ids = {action.action_id for action in kept}
    return build_graph(kept, [(one, two) for one, two in list_edges(graph) if one in ids and two in ids]), rounds


def list_edges(graph: PlanGraph) -> list[tuple[str, str]]:
    """Return what waits for what, in plan order."""
    return [(parent, child) for parent in graph.nodes for child in graph.children(parent)]


def unfold_rounds(graph: PlanGraph) -> PlanGraph:
    """Return a plan as its run had it when it was interrupted, from bodies of loops and the rounds that they were opened to."""
    standing, rounds = fold_rounds(graph)
    if not rounds:
        return graph
    by_body: dict[str, list[PlannedAction]] = {}
    for action in graph.nodes.values():
        if body := action.terms.round_of:
            by_body.setdefault(f"{body}{action.action_id.removeprefix(action.goal_id)}", []).append(action)
    while opened := _find_opened(standing, by_body):
        one_each = (by_body[action.action_id] for action in opened.body)
        standing = unroll_loop(standing, opened, [list(each) for each in zip(*one_each, strict=True)])
    return standing


def _find_opened(graph: PlanGraph, by_body: dict[str, list[PlannedAction]]) -> OpenLoop | None:
    first = next((action.terms.loop for action in graph.nodes.values() if action.action_id in by_body), None)
    if first is None:
        return None
    loop = first.chain[0]
    within = (each for each in graph.nodes.values() if each.terms.loop and loop in each.terms.loop.chain)
    return OpenLoop(loop, tuple(each for each in within if each.action_id in by_body))
