"""What the core's tests plan with: the real table, the real tools, a world that can do everything, and a few makers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from actuators.verb_table import PLANNER_RULES, list_toolsets
from core.goals.meta_goals import Goal
from core.goals.world import WorldState
from core.planning.context import PlanningContext
from core.planning.planner import GoalPlanner
from core.planning.plans import PlannedAction
from core.policy.policy import Policy
from core.rules.rule_types import PlannerRule
from core.tools.ports import ActionContext, Toolset
from core.tools.previews import Preview
from core.tools.registry import ToolRegistry
from fixtures.rule_samples import MINIMAL_PARAMS, WORKSPACE, WORLD

__all__ = [
    "MINIMAL_PARAMS",
    "WORKSPACE",
    "WORLD",
    "make_registry",
    "make_rule",
    "make_setting",
    "plan_action",
    "provide_nothing",
]


class Silent:
    """Has nothing to show beforehand, and must not be called."""

    async def preview(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Preview | None:
        return None

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        return {}


async def provide_nothing(_: type[Toolset]) -> Any:
    """Stand where a back end is never called, but for what it would change."""
    return Silent()


def make_registry() -> ToolRegistry:
    """Return the real tools, without a back end."""
    registry = ToolRegistry()
    for toolset in list_toolsets():
        registry.register(toolset, provide_nothing)
    return registry


def make_setting(world: WorldState = WORLD, **parts: Any) -> PlanningContext:
    """Return a setting in which everything is possible, with other parts where given."""
    return replace(PlanningContext(world, Policy(extra_verbs=("system.run",))), **parts)


def plan_action(
    domain: str, verb: str, params: Mapping[str, Any], setting: PlanningContext | None = None
) -> PlannedAction:
    """Return the one action that a goal of the real table is planned as."""
    result = GoalPlanner(PLANNER_RULES).plan(Goal(domain, verb, params, goal_id="g0"), setting or make_setting())
    assert result.status == "success", result.reason
    return result.plan[0]


def make_rule(**parts: Any) -> PlannerRule:
    """Return a small rule of an observing verb, with other parts where given."""
    known: dict[str, Any] = {
        "intent": "toy_control",
        "action_class": "observe",
        "summary": "looked",
        "description_template": "Look",
        "repeat": "safe",
    }
    return PlannerRule(**{**known, **parts})
