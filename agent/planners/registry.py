"""PlannerRegistry: all planners, the shipped ones and those of other packages, and how the one that is wanted is chosen."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from agent.planners.hands import PlannerHands
from core.base.errors import GoalError, SurehandError, TableError, tell_fault
from core.planning.planners.base import PlannerBase
from core.planning.planners.lifecycle.progress import FaultCatcher
from core.planning.planners.metadata import PlannerInput, PlannerMetadata, StepDescriptor, find_parameter_faults
from core.rules.params import suggest


def find_metadata_faults(metadata: PlannerMetadata) -> list[str]:
    """Return what is wrong with what a planner says of itself, one text each."""
    return [f"planner “{metadata.name}”: {fault}" for fault in _judge(metadata)]


def _judge(metadata: PlannerMetadata) -> Iterator[str]:
    if not metadata.name or not metadata.description:
        yield "it has no name or no description"
    if not metadata.capabilities or not all(metadata.capabilities):
        yield "it has no capability"
    yield from _find_doubles("input", (each.name for each in metadata.inputs))
    yield from _find_doubles("step", (each.step_id for each in metadata.steps))
    for each in metadata.inputs:
        yield from _judge_default(each)
    for step in metadata.steps:
        yield from _judge_step(step, metadata)


def _judge_default(wanted: PlannerInput) -> Iterator[str]:
    if not wanted.is_required:
        yield from (
            f"the default of {fault}" for fault in find_parameter_faults([wanted], {wanted.name: wanted.default})
        )


def _judge_step(step: StepDescriptor, metadata: PlannerMetadata) -> Iterator[str]:
    parameters = {each.name for each in metadata.inputs}
    known = {*parameters, *metadata.settings, *(name for each in metadata.steps for name in each.outputs)}
    for name in step.inputs:
        if name not in known:
            yield f"step “{step.step_id}” reads “{name}”, which no step gives and no one passes in"
    if step.retry.attempts < 1 or min(step.retry.delay_s, step.retry.longest_delay_s) < 0:
        yield f"step “{step.step_id}” has a retry policy that tries it never, or waits less than no time"


def _find_doubles(what: str, names: Iterable[str]) -> Iterator[str]:
    listed: Sequence[str] = list(names)
    for name in dict.fromkeys(listed):
        if not name:
            yield f"one {what} has no name"
        elif listed.count(name) > 1:
            yield f"{listed.count(name)} of its {what}s are called “{name}”"


Tools = Sequence[Mapping[str, Any]]
MakePlanner = Callable[[PlannerHands, Tools], PlannerBase]

ENTRY_POINTS: Final = "surehand.planners"
"""Group of entry points by which another package has planners: each is a class that is made from hands."""

_SHIPPED: Final = (
    ("agent.planners.explore.planner", "ExplorePlanner", True),
    ("agent.planners.extract.planner", "ExtractPlanner", True),
    ("agent.planners.goals", "GoalsPlanner", True),
    ("agent.planners.recover.planner", "RecoverPlanner", False),
)
"""Module and class of each planner that ships, and whether it can be asked for: the others are carried out within one."""


class PlannerRegistry:
    """Planners by name and capability. Nothing of a planner is made before it is to be carried out."""

    def __init__(self) -> None:
        self._planners: dict[str, PlannerMetadata] = {}
        self._makers: dict[str, MakePlanner] = {}

    def register(self, planner: type[PlannerBase], make: MakePlanner | None = None) -> None:
        """Add a planner.

        Args:
            make: Makes one for each run; None where it is only carried out within others.

        Raises:
            TableError: If its name is taken, or its metadata makes no sense; all faults are named.
        """
        metadata = planner.metadata
        faults = find_metadata_faults(metadata)
        if metadata.name in self._planners:
            faults.insert(0, f"two planners are called “{metadata.name}”")
        if faults:
            raise TableError(f"A planner can't be registered: {'; '.join(faults)}.", code="bad_planner")
        self._planners[metadata.name] = metadata
        if make:
            self._makers[metadata.name] = make

    def forget(self, name: str) -> None:
        """Have a planner no more."""
        del self._planners[name]
        self._makers.pop(name, None)

    def list_metadata(self) -> tuple[PlannerMetadata, ...]:
        """Return what every planner says of itself, by name."""
        return tuple(self._planners[name] for name in sorted(self._planners))

    def describe(self) -> list[dict[str, Any]]:
        """Return every planner as data: what it can do, what it takes, and its settings with their defaults."""
        return [
            {
                "name": each.name,
                "description": each.description,
                "capabilities": list(each.capabilities),
                "can_be_asked": each.name in self._makers,
                "inputs": [
                    {"name": one.name, "kind": one.kind, "description": one.description, "is_required": one.is_required}
                    for one in each.inputs
                ],
                "settings": dict(each.settings),
            }
            for each in self.list_metadata()
        ]

    def make(self, name: str, hands: PlannerHands, tools: Tools) -> PlannerBase:
        """Return a planner of that name, for one run."""
        return self._makers[name](hands, tools)

    def choose(self, wanted: str, chosen: str = "") -> PlannerMetadata:
        """Return the planner of a name, or the one that has a capability.

        Args:
            chosen: The planner that a person chose for it; empty for none.

        Raises:
            GoalError: If none has it, or several have and none is chosen; names them.
        """
        asked = {name: self._planners[name] for name in sorted(self._makers)}
        able = {name: each for name, each in asked.items() if wanted in each.capabilities}
        if found := able.get(chosen) or asked.get(wanted):
            return found
        if len(able) > 1:
            raise GoalError(
                f"{len(able)} planners can {wanted}: {', '.join(able)}.",
                code="planner_ambiguous",
                hint=f"Choose one in your settings of planners, as capabilities.{wanted}.",
                evidence={"capability": wanted, "planners": list(able)},
            )
        if not able:
            known = sorted({tag for each in asked.values() for tag in each.capabilities})
            raise GoalError(
                f"No planner can {wanted}{suggest(wanted, known)}.",
                code="planner_missing",
                hint=f"There are planners that can {', '.join(known)}." if known else "",
                evidence={"capability": wanted},
            )
        return next(iter(able.values()))


def list_shipped_planners() -> tuple[PlannerMetadata, ...]:
    """Return what every planner that ships says of itself, by name."""
    return open_shipped().list_metadata()


def open_shipped() -> PlannerRegistry:
    """Return a registry of the planners that ship."""
    registry = PlannerRegistry()
    for module, name, can_be_asked in _SHIPPED:
        planner: type[Any] = getattr(import_module(module), name)
        registry.register(planner, planner if can_be_asked else None)
    return registry


def add_others(registry: PlannerRegistry) -> list[str]:
    """Register the planners of other packages; one that can't be is left out. Return why those were."""
    return [fault for each in entry_points(group=ENTRY_POINTS) if (fault := _add_other(registry, each))]


def _add_other(registry: PlannerRegistry, entry: EntryPoint) -> str:
    where = f"{entry.dist.name if entry.dist else 'a package'} ({entry.value})"
    with FaultCatcher() as caught:  # whatever another package raises ends nothing of ours
        planner: Any = entry.load()
        if not (isinstance(planner, type) and issubclass(planner, PlannerBase)):
            raise TableError("it isn't a PlannerBase")
        make: Any = planner
        registry.register(planner, lambda hands, _: make(hands))
    if caught.error is None:
        return ""
    why = caught.error.message if isinstance(caught.error, SurehandError) else tell_fault(caught.error)
    return f"The planner “{entry.name}” of {where} is left out: {why}"
