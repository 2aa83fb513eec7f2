"""A plan of another process, as far as it is drawn."""

from collections.abc import Mapping
from typing import Any

from actuators.verb_table import PLANNER_RULES
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction


def read_graph(plan: Mapping[str, Any]) -> PlanGraph:
    """Return a graph that can be drawn; nothing of it is ever carried out.

    Args:
        plan: As ``describe_graph`` wrote it.
    """
    children: dict[str, set[str]] = {}
    for parent, child in plan["edges"]:
        children.setdefault(parent, set()).add(child)
    nodes = {node["action_id"]: _read_node(node) for node in plan["nodes"]}
    return PlanGraph(nodes, {parent: frozenset(found) for parent, found in children.items()})


def _read_node(node: Mapping[str, Any]) -> PlannedAction:
    domain, _, verb = node["name"].partition(".")
    terms = "; ".join(node.get("terms", ()))
    told = ("action_id", "goal_id", "intent", "args", "action_class", "digest", "approval", "lane")
    return PlannedAction(
        domain=domain,
        verb=verb,
        rule=PLANNER_RULES[domain, verb],
        description=f"{node['description']} — {terms}" if terms else node["description"],
        groups=tuple(node.get("groups", ())),
        **{name: node[name] for name in told},
    )
