"""run_planner: carries a planner out."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.planning.planners.base import PlannerBase
    from core.planning.planners.context import PlannerContextParts
    from core.planning.planners.results import PlannerResult


async def run_planner(
    planner: "PlannerBase", parameters: Mapping[str, Any], context_parts: "PlannerContextParts"
) -> "PlannerResult":
    """Carry a planner out (being written)."""
    raise NotImplementedError
