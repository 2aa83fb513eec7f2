"""Folding: a plan without the rounds of its loops, as it was before their rows were read."""

from core.planning.graph import PlanGraph, build_graph


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
