"""A planned request as data."""

import hashlib
from typing import TYPE_CHECKING, Any

from core.goals.step_terms import PLAIN_TERMS, tell_terms
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction
from core.results.records import to_data

if TYPE_CHECKING:
    from core.planning.orchestrator import Orchestration


def describe_graph(graph: PlanGraph) -> dict[str, Any]:
    """Return the graph as data: nodes in plan order, edges, and layers."""
    return {
        "nodes": [
            {
                "action_id": action.action_id,
                "goal_id": action.goal_id,
                "name": action.name,
                "description": action.description,
                "summary": action.summary,
                "intent": action.intent,
                "args": to_data(action.args),
                "action_class": action.action_class,
                "approval": action.approval,
                "lane": action.lane,
                "timeout_s": action.timeout_s,
                "digest": action.digest,
                "groups": list(action.groups),
                "terms": list(tell_terms(action.terms)),
            }
            for action in graph.nodes.values()
        ],
        "edges": [[parent, child] for parent in graph.nodes for child in graph.children(parent)],
        "layers": [list(layer) for layer in graph.layers()],
    }


def describe_meta_goal(orchestration: "Orchestration") -> dict[str, Any]:
    """Return the goals as data, with their dependencies and what came of planning them."""
    meta = orchestration.meta_goal
    return {
        "meta_type": meta.meta_type,
        "goals": [to_data(goal) | {"status": orchestration.results[goal.goal_id].status} for goal in meta.goals],
        "dependencies": to_data(meta.dependencies),
        "diagnostics": list(meta.diagnostics),
    }


def digest_plan(graph: PlanGraph) -> str:
    """Return the SHA-256 of all actions and edges together, in hexadecimal."""
    text = "\n".join(
        f"{action.action_id} {action.digest} {' '.join(graph.children(action.action_id))}{_write_terms(action)}"
        for action in graph.nodes.values()
    )
    return hashlib.sha256(text.encode()).hexdigest()


def _write_terms(action: PlannedAction) -> str:
    """Return the terms of an action for a digest; nothing where it has none, as in plans of before there were any."""
    return "" if action.terms == PLAIN_TERMS else f" {to_data(action.terms)!r}"
