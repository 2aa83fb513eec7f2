"""The planners that ship, by what they say of themselves. Each is imported when it is asked for, and none of them is made here."""

from importlib import import_module

from core.planning.planners.base import PlannerBase
from core.planning.planners.metadata import PlannerMetadata

_PLANNERS = (
    ("agent.planners.explore.planner", "ExplorePlanner"),
    ("agent.planners.extract.planner", "ExtractPlanner"),
    ("agent.planners.flow", "FlowPlanner"),
    ("agent.planners.goals", "GoalsPlanner"),
    ("agent.planners.recover.planner", "RecoverPlanner"),
)


def list_shipped_planners() -> tuple[PlannerMetadata, ...]:
    """Return what every planner that ships says of itself, by name."""
    return tuple(sorted((each.metadata for each in load_planners()), key=lambda metadata: metadata.name))


def load_planners() -> list[type[PlannerBase]]:
    """Return the class of every planner that ships."""
    return [getattr(import_module(module), name) for module, name in _PLANNERS]
