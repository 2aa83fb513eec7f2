"""The planners that ship, by what they say of themselves; none of them is made here."""

from agent.planners.explore.metadata import EXPLORE
from agent.planners.extract.planner import ExtractPlanner
from core.planning.planners.metadata import PlannerMetadata


def list_shipped_planners() -> tuple[PlannerMetadata, ...]:
    """Return what every planner that ships says of itself, by name."""
    return tuple(sorted((EXPLORE, ExtractPlanner.metadata), key=lambda each: each.name))
