"""A planned request as data, as a tree of text, and as a Mermaid diagram."""

import hashlib
from collections.abc import Iterator
from typing import Any

from core.graph import PlanGraph
from core.orchestrator import Orchestration
from core.phrases import escape_text
from core.records import to_data

_MARKS = {"none": "", "apply_diff": " [asks: apply_diff]", "run_job": " [asks: run_job]", "confirm": " [asks: confirm]"}


def describe_graph(graph: PlanGraph) -> dict[str, Any]:
    """Return the graph as data: nodes in plan order, edges, and layers."""
    return {
        "nodes": [
            {
                "action_id": action.action_id,
                "goal_id": action.goal_id,
                "name": action.name,
                "description": action.description,
                "intent": action.intent,
                "args": to_data(action.args),
                "action_class": action.action_class,
                "approval": action.approval,
                "lane": action.lane,
                "timeout_s": action.timeout_s,
                "digest": action.digest,
            }
            for action in graph.nodes.values()
        ],
        "edges": [[parent, child] for parent in graph.nodes for child in graph.children(parent)],
        "layers": [list(layer) for layer in graph.layers()],
    }


def describe_meta_goal(orchestration: Orchestration) -> dict[str, Any]:
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
        f"{action.action_id} {action.digest} {' '.join(graph.children(action.action_id))}"
        for action in graph.nodes.values()
    )
    return hashlib.sha256(text.encode()).hexdigest()


def draw_tree(graph: PlanGraph) -> str:
    """Return the graph as an indented tree; an action with several parents stands below the last of them."""
    lines: list[str] = []
    roots = [action_id for action_id in graph.nodes if not graph.parents(action_id)]
    for root in roots:
        lines += _draw(graph, root, "", is_last=root == roots[-1])
    return "\n".join(lines)


def _draw(graph: PlanGraph, start: str, indent: str, *, is_last: bool) -> Iterator[str]:
    """Yield a branch; a chain without forks stays at one depth, so that long flows don't run off to the right."""
    below_indent = indent + ("   " if is_last else "│  ")
    mark, node = indent + ("└─ " if is_last else "├─ "), start
    while True:
        yield f"{mark}{_label(graph, node)}"
        below = [child for child in graph.children(node) if graph.parents(child)[-1] == node]
        if len(below) != 1:
            break
        mark, node = below_indent, below[0]
    for child in below:
        yield from _draw(graph, child, below_indent, is_last=child == below[-1])


def _label(graph: PlanGraph, node: str) -> str:
    action, parents = graph.nodes[node], graph.parents(node)
    also = f" (also after {', '.join(parents[:-1])})" if len(parents) > 1 else ""
    return f"{node}: {escape_text(action.description)}{_MARKS[action.approval]}{also}"


def draw_mermaid(graph: PlanGraph) -> str:
    """Return the graph as a Mermaid flow chart."""
    lines = ["flowchart TD"]
    for action in graph.nodes.values():
        label = escape_text(action.description).replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
        shape = f'["{label}"]' if action.action_class == "actuate" else f'(["{label}"])'
        lines.append(f"    {action.action_id}{shape}")
    lines += [f"    {parent} --> {child}" for parent in graph.nodes for child in graph.children(parent)]
    return "\n".join(lines)
