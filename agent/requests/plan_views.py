"""A planned request as data, as a tree of text, and as a Mermaid diagram."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.base.phrases import escape_text, join_phrases
from core.goals.step_terms import PLAIN_TERMS, tell_terms
from core.planning.graph import PlanGraph
from core.planning.orchestrator import Orchestration
from core.planning.plans import PlannedAction
from core.results.records import to_data

_MERMAID = {ord(char): f"#{ord(char)};" for char in '"#&<>`%\\{}'}
"""What Mermaid would read as more than a character, as its own entities."""

_OUTPUT = re.compile(r"\$\{(g[0-9]+(?:r[0-9]+)?)\.([^}]+)\}|\b(g[0-9]+(?:r[0-9]+)?) says")


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
        f"{action.action_id} {action.digest} {' '.join(graph.children(action.action_id))}{_write_terms(action)}"
        for action in graph.nodes.values()
    )
    return hashlib.sha256(text.encode()).hexdigest()


def _write_terms(action: PlannedAction) -> str:
    """Return the terms of an action for a digest; nothing where it has none, as in plans of before there were any."""
    return "" if action.terms == PLAIN_TERMS else f" {to_data(action.terms)!r}"


def draw_tree(graph: PlanGraph, *, with_ids: bool = False) -> str:
    """Return the graph as an indented tree; an action with several parents stands below the last of them.

    Args:
        with_ids: Whether ids and classes of approvals stand in it, and not the numbers of the steps.
    """
    label = _label_by_id if with_ids else _make_labeller(graph)
    roots = [action_id for action_id in graph.nodes if not graph.parents(action_id)]
    lines: list[str] = []
    branches = _branch(roots, "")
    while branches:
        start, indent, is_last = branches.pop()
        below_indent = indent + ("   " if is_last else "│  ")
        lines.append(f"{indent}{'└─ ' if is_last else '├─ '}{label(graph, start)}")
        below = _list_below(graph, start)
        while (
            len(below) == 1
        ):  # a chain without forks stays at one depth, so that long flows don't run off to the right
            lines.append(f"{below_indent}{label(graph, below[0])}")
            below = _list_below(graph, below[0])
        branches += _branch(below, below_indent)
    return "\n".join(lines)


def _branch(nodes: Sequence[str], indent: str) -> list[tuple[str, str, bool]]:
    """Return branches with their indent and whether they are the last of their fork, the first one at the end."""
    return [(node, indent, node == nodes[-1]) for node in reversed(nodes)]


def _list_below(graph: PlanGraph, node: str) -> list[str]:
    return [child for child in graph.children(node) if graph.parents(child)[-1] == node]


def _label_by_id(graph: PlanGraph, node: str) -> str:
    action, parents = graph.nodes[node], graph.parents(node)
    asks = "" if action.approval == "none" else f" [asks: {action.approval}]"
    also = f" (also after {', '.join(parents[:-1])})" if len(parents) > 1 else ""
    return f"{node}: {escape_text(action.description)}{_tell_terms(action)}{asks}{also}"


def _make_labeller(graph: PlanGraph) -> Callable[[PlanGraph, str], str]:
    """Return what labels an action with its number in plan order."""
    steps = {action.goal_id: f"step {number}" for number, action in enumerate(graph.nodes.values(), start=1)}
    numbers = {action_id: str(number) for number, action_id in enumerate(graph.nodes, start=1)}

    def label(graph: PlanGraph, node: str) -> str:
        action, parents = graph.nodes[node], graph.parents(node)
        asks = "" if action.approval == "none" else " (asks first)"
        also = f" (also after {join_phrases([numbers[parent] for parent in parents[:-1]])})" if len(parents) > 1 else ""
        terms = _OUTPUT.sub(lambda found: _name_output(found, steps), _tell_terms(action))
        return f"{numbers[node]} {escape_text(action.description)}{terms}{asks}{also}"

    return label


def _name_output(found: re.Match[str], steps: Mapping[str, str]) -> str:
    """Return what a step gave, by the number of the step."""
    goal_id, key, asked = found.groups()
    return f"{steps.get(asked, asked)} says" if asked else f"{key} of {steps.get(goal_id, goal_id)}"


def _tell_terms(action: PlannedAction) -> str:
    """Return the terms of an action as they stand behind its description."""
    told = "; ".join(tell_terms(action.terms))
    return f" — {escape_text(told)}" if told else ""


def draw_mermaid(graph: PlanGraph) -> str:
    """Return the graph as a Mermaid flow chart."""
    lines = ["flowchart TD"]
    for action in graph.nodes.values():
        label = f"{escape_text(action.description)}{_tell_terms(action)}".translate(_MERMAID)
        shape = f'["{label}"]' if action.action_class == "actuate" else f'(["{label}"])'
        lines.append(f"    {action.action_id}{shape}")
    lines += [f"    {parent} --> {child}" for parent in graph.nodes for child in graph.children(parent)]
    return "\n".join(lines)
