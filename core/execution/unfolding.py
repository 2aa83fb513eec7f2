"""Unfolding: the plan of a run that was interrupted as it stood then, with the rounds of its opened loops in the place of their bodies."""

from core.execution.folding import fold_rounds
from core.execution.rounds import OpenLoop, unroll_loop
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction


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
    """Return the first loop whose body still stands in a plan although it was opened."""
    first = next((action.terms.loop for action in graph.nodes.values() if action.action_id in by_body), None)
    if first is None:
        return None
    loop = first.chain[0]
    within = (each for each in graph.nodes.values() if each.terms.loop and loop in each.terms.loop.chain)
    return OpenLoop(loop, tuple(each for each in within if each.action_id in by_body))
