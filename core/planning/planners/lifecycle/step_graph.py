"""StepGraph: drafted steps by what they depend on; grows while it is carried out."""

from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter

from core.base.errors import GoalError
from core.planning.planners.metadata import PlannerMetadata
from core.planning.planners.steps import PlannerStepInstance


class StepGraph:
    """The instances of a run. One is ready when all that it depends on are done; behind one that failed none ever is.

    Attributes:
        instances: All of them by id, in the order in which they were drafted.
    """

    def __init__(self, metadata: PlannerMetadata) -> None:
        self.instances: dict[str, PlannerStepInstance] = {}
        self._metadata = metadata
        self._known_steps = frozenset(each.step_id for each in metadata.steps)
        self._handed_out: set[str] = set()
        self._done: set[str] = set()
        self._sorter = self._sort(())
        self._ready: set[str] = set()

    def add(self, drafted: Sequence[PlannerStepInstance]) -> None:
        """Add instances; all or none.

        Raises:
            GoalError: If an id is taken, something that is depended on isn't there, a step is none of the planner's, or they
                depend on each other in a circle.
        """
        if not drafted:
            return
        together = {**self.instances, **{each.instance_id: each for each in drafted}}
        self._check(drafted, together.keys())
        self._replace(self._sort(together.values()))
        self.instances = together

    def take_ready(self) -> list[PlannerStepInstance]:
        """Return those that became ready since the last time, in the order in which they were drafted."""
        fresh = (self._ready | set(self._sorter.get_ready())) - self._handed_out
        self._ready = set()
        self._handed_out |= fresh
        return [self.instances[each] for each in self.instances if each in fresh] if fresh else []

    def end(self, instance_id: str) -> None:
        """Let go on what depends on an instance that was done."""
        if instance_id in self.instances and instance_id not in self._done:
            self._done.add(instance_id)
            self._sorter.done(instance_id)

    def list_outstanding(self) -> tuple[str, ...]:
        """Return the ids of those that aren't done."""
        return tuple(each for each in self.instances if each not in self._done)

    def _replace(self, sorter: TopologicalSorter[str]) -> None:
        self._sorter = sorter
        self._ready = set(sorter.get_ready())

    def _sort(self, instances: Iterable[PlannerStepInstance]) -> TopologicalSorter[str]:
        waiting = [each for each in instances if each.instance_id not in self._done]
        sorter: TopologicalSorter[str] = TopologicalSorter(
            {each.instance_id: [before for before in each.depends_on if before not in self._done] for each in waiting}
        )
        try:
            sorter.prepare()
        except CycleError as error:
            circle = " → ".join(error.args[1])
            raise self._refuse(f"these steps depend on each other in a circle: {circle}") from error
        return sorter

    def _check(self, drafted: Sequence[PlannerStepInstance], known: Iterable[str]) -> None:
        seen = set(self.instances)
        present = set(known)
        for each in drafted:
            if each.instance_id in seen or not each.instance_id:
                raise self._refuse(f"the id “{each.instance_id}” is {'taken' if each.instance_id else 'empty'}")
            if each.step.descriptor.step_id not in self._known_steps:
                raise self._refuse(f"“{each.step.descriptor.step_id}” is none of its steps")
            if lacking := [before for before in each.depends_on if before not in present]:
                raise self._refuse(f"“{each.instance_id}” depends on “{lacking[0]}”, which was not drafted")
            seen.add(each.instance_id)

    def _refuse(self, why: str) -> GoalError:
        text = f"The plan of “{self._metadata.name}” can't be carried out: {why}."
        return GoalError(text, code="bad_plan", evidence={"planner": self._metadata.name})
