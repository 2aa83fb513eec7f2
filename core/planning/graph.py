"""PlanGraph: the actions of a run, what waits for what, and what came of them."""

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

from core.base.errors import GoalError
from core.base.late_dataclasses import dataclass, field
from core.planning.plans import PlannedAction
from core.results.tool_results import ToolResult


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
    _order: dict[str, int] = field(init=False, repr=False, compare=False)
    _parents: dict[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        named = {*self.adjacency, *(child for children in self.adjacency.values() for child in children)}
        if strangers := named - set(self.nodes):
            raise GoalError(f"The plan has edges to unknown actions: {', '.join(sorted(strangers))}.")
        try:
            self.sorter().prepare()
        except CycleError as error:
            raise GoalError(f"The plan has a cycle: {' → '.join(error.args[1])}.", code="cycle") from error
        self._order = {action_id: index for index, action_id in enumerate(self.nodes)}
        above: dict[str, list[str]] = {}
        for parent in self.nodes:
            for child in self.adjacency.get(parent, ()):
                above.setdefault(child, []).append(parent)
        self._parents = {child: tuple(parents) for child, parents in above.items()}

    def parents(self, action_id: str) -> tuple[str, ...]:
        """Return the actions that this one waits for, in plan order."""
        return self._parents.get(action_id, ())

    def children(self, action_id: str) -> tuple[str, ...]:
        """Return the actions that wait for this one, in plan order."""
        return tuple(sorted(self.adjacency.get(action_id, ()), key=self._order.__getitem__))

    def number(self, action_id: str) -> int:
        """Return the place of an action in the plan, from 1."""
        return 1 + self._order[action_id]

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
        layers: list[tuple[str, ...]] = []
        while queue.is_active():
            ready = sorted(queue.get_ready(), key=self._order.__getitem__)
            layers.append(tuple(ready))
            queue.done(*ready)
        return tuple(layers)


def build_graph(actions: Iterable[PlannedAction], edges: Iterable[tuple[str, str]]) -> PlanGraph:
    """Return the graph of actions with edges from parent to child.

    Raises:
        GoalError: If two actions have the same id, an edge leads nowhere, or there is a cycle.
    """
    nodes: dict[str, PlannedAction] = {}
    for action in actions:
        if nodes.setdefault(action.action_id, action) is not action:
            raise GoalError(f"Two actions of the plan are called {action.action_id}.")
    adjacency: dict[str, set[str]] = {}
    for parent, child in edges:
        adjacency.setdefault(parent, set()).add(child)
    frozen = {parent: frozenset(children) for parent, children in adjacency.items()}
    return PlanGraph(nodes, frozen)
