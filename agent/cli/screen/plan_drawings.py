"""A plan as a tree of text, and as a Mermaid diagram, from its record: nodes in plan order, and edges."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.base.late_parts import compile_late
from core.base.phrases import escape_text, join_phrases

Node = Mapping[str, Any]

_MERMAID = {ord(char): f"#{ord(char)};" for char in '"#&<>`%\\{}'}
"""What Mermaid would read as more than a character, as its own entities."""

_OUTPUT = compile_late(r"\$\{(g[0-9]+(?:r[0-9]+)?)\.([^}]+)\}|\b(g[0-9]+(?:r[0-9]+)?) says")


class _Drawing:
    """A plan, and how its steps are labelled: by their numbers, or by ids and classes of approvals."""

    def __init__(self, plan: Mapping[str, Any], *, with_ids: bool) -> None:
        self.nodes: Mapping[str, Node] = {node["action_id"]: node for node in plan["nodes"]}
        self.parents: dict[str, list[str]] = {action_id: [] for action_id in self.nodes}
        self._children: dict[str, list[str]] = {action_id: [] for action_id in self.nodes}
        for parent, child in plan["edges"]:
            self.parents[child].append(parent)
            self._children[parent].append(child)
        self._with_ids = with_ids
        self._numbers = {action_id: str(number) for number, action_id in enumerate(self.nodes, start=1)}
        self._steps = {node["goal_id"]: self._numbers[action_id] for action_id, node in self.nodes.items()}

    def list_below(self, action_id: str) -> list[str]:
        """Return what stands below a step: what has it as the last of its parents."""
        return [child for child in self._children[action_id] if self.parents[child][-1] == action_id]

    def label(self, action_id: str) -> str:
        """Return what a line says of a step."""
        node, others = self.nodes[action_id], self.parents[action_id][:-1]
        terms, approval = _tell_terms(node), node["approval"]
        if self._with_ids:
            name, asks, also = f"{action_id}:", f" [asks: {approval}]", ", ".join(others)
        else:
            name, asks = self._numbers[action_id], " (asks first)"
            also = join_phrases([self._numbers[each] for each in others]) if others else ""
            terms = _OUTPUT.sub(self._name_output, terms)
        told = f"{name} {escape_text(node['description'])}{terms}{'' if approval == 'none' else asks}"
        return f"{told} (also after {also})" if others else told

    def _name_output(self, found: re.Match[str]) -> str:
        """Return what a step gave, by the number of the step."""
        goal_id, key, asked = found.groups()
        known = self._steps.get(asked or goal_id)
        step = f"step {known}" if known else asked or goal_id
        return f"{step} says" if asked else f"{key} of {step}"


def draw_tree(plan: Mapping[str, Any], *, with_ids: bool = False) -> str:
    """Return a plan as an indented tree; an action with several parents stands below the last of them.

    Args:
        with_ids: Whether ids and classes of approvals stand in it, and not the numbers of the steps.
    """
    drawing = _Drawing(plan, with_ids=with_ids)
    lines: list[str] = []
    branches = _branch([action_id for action_id in drawing.nodes if not drawing.parents[action_id]], "")
    while branches:
        start, indent, is_last = branches.pop()
        below_indent = indent + ("   " if is_last else "│  ")
        lines.append(f"{indent}{'└─ ' if is_last else '├─ '}{drawing.label(start)}")
        below = drawing.list_below(start)
        while len(below) == 1:  # a chain without forks stays at one depth: long flows don't run off to the right
            lines.append(f"{below_indent}{drawing.label(below[0])}")
            below = drawing.list_below(below[0])
        branches += _branch(below, below_indent)
    return "\n".join(lines)


def _branch(nodes: Sequence[str], indent: str) -> list[tuple[str, str, bool]]:
    """Return branches with their indent and whether they are the last of their fork, the first one at the end."""
    return [(node, indent, node == nodes[-1]) for node in reversed(nodes)]


def _tell_terms(node: Node) -> str:
    """Return the terms of an action as they stand behind its description."""
    told = "; ".join(node.get("terms", ()))
    return f" — {escape_text(told)}" if told else ""


def draw_mermaid(plan: Mapping[str, Any]) -> str:
    """Return a plan as a Mermaid flow chart."""
    lines = ["flowchart TD"]
    for node in plan["nodes"]:
        label = f"{escape_text(node['description'])}{_tell_terms(node)}".translate(_MERMAID)
        shape = f'["{label}"]' if node["action_class"] == "actuate" else f'(["{label}"])'
        lines.append(f"    {node['action_id']}{shape}")
    lines += [f"    {parent} --> {child}" for parent, child in plan["edges"]]
    return "\n".join(lines)
