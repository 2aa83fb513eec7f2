"""PlanGraph: the actions of a run, what waits for what, and what came of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from core.errors import GoalError
from core.plans import PlannedAction
from core.results import ToolResult


@dataclass(slots=True)
class PlanGraph:
    """A directed graph without cycles.

    Attributes:
        nodes: Actions by id, in the order in which they were planned.
        adjacency: ``{parent id: {child ids}}``.
        results: What came of the actions; the only part that changes.
    """

    nodes: Mapping[str, PlannedAction]
    adjacency: Mapping[str, frozenset[str]]
    results: dict[str, ToolResult] = field(default_factory=dict[str, ToolResult])

    def __post_init__(self) -> None:
        """Refuse edges to nowhere, and cycles.

        Raises:
            GoalError: If there are any.
        """
        named = {*self.adjacency, *(child for children in self.adjacency.values() for child in children)}
        if strangers := named - set(self.nodes):
            raise GoalError(f"The plan has edges to unknown actions: {', '.join(sorted(strangers))}.")
        try:
            self.sorter().prepare()
        except CycleError as error:
            raise GoalError(f"The plan goes in a circle: {' → '.join(error.args[1])}.", code="cycle") from error

    def parents(self, action_id: str) -> tuple[str, ...]:
        """Return the actions that this one waits for, in plan order."""
        return tuple(parent for parent in self.nodes if action_id in self.adjacency.get(parent, ()))

    def children(self, action_id: str) -> tuple[str, ...]:
        """Return the actions that wait for this one, in plan order."""
        below = self.adjacency.get(action_id, frozenset())
        return tuple(child for child in self.nodes if child in below)

    def sorter(self) -> TopologicalSorter[str]:
        """Return a fresh ready-queue over the actions."""
        queue: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(self.nodes, ()))
        for parent, children in self.adjacency.items():
            for child in children:
                queue.add(child, parent)
        return queue

    def layers(self) -> tuple[tuple[str, ...], ...]:
        """Return the actions in layers, for people: each waits only for earlier layers."""
        queue = self.sorter()
        queue.prepare()
        order = {node: index for index, node in enumerate(self.nodes)}
        layers: list[tuple[str, ...]] = []
        while queue.is_active():
            ready = sorted(queue.get_ready(), key=order.__getitem__)
            layers.append(tuple(ready))
            queue.done(*ready)
        return tuple(layers)


def build_graph(actions: Iterable[PlannedAction], edges: Iterable[tuple[str, str]]) -> PlanGraph:
    """Return the graph of actions with edges from parent to child."""
    adjacency: dict[str, set[str]] = {}
    for parent, child in edges:
        adjacency.setdefault(parent, set()).add(child)
    frozen = {parent: frozenset(children) for parent, children in adjacency.items()}
    return PlanGraph({action.action_id: action for action in actions}, frozen)
