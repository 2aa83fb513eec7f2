"""What the core's tests plan with: the real table, the real tools, a world that can do everything, and a few makers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from actuators.browser.tools import BROWSER_TOOLSETS
from core.goals import Goal
from core.planner import GoalPlanner, Setting
from core.planner_rules import PLANNER_RULES
from core.plans import PlannedAction
from core.ports import Toolset
from core.rule_types import PlannerRule, RuleKey
from core.tools import ToolRegistry
from core.world import Capability, WorldState

WORKSPACE = "/home/ada/work"

WORLD = WorldState(
    platform="linux",
    capabilities={"browser": Capability(True)},
    sessions=frozenset({"page"}),
    anchors={"workspace": WORKSPACE, "downloads": "/home/ada/Downloads"},
    values={"platforms": ("google", "youtube")},
)

# The fewest params with which each verb can be planned; a verb that is missing here fails a test.
MINIMAL_PARAMS: dict[RuleKey, dict[str, Any]] = {
    ("browser", "navigate"): {"url": "http://127.0.0.1/"},
    ("browser", "back"): {},
    ("browser", "forward"): {},
    ("browser", "reload"): {},
    ("browser", "stop"): {},
    ("browser", "search"): {"query": "mugs"},
    ("browser", "wait"): {"text": "Welcome"},
    ("browser", "click"): {"selector": 'button "Buy"'},
    ("browser", "hover"): {"selector": 'button "Buy"'},
    ("browser", "focus"): {"selector": 'field "Name"'},
    ("browser", "drag"): {"selector": "#a", "target": "#b"},
    ("browser", "scroll"): {},
    ("browser", "type"): {"selector": 'field "Name"', "text": ""},
    ("browser", "press"): {"key": "Enter"},
    ("browser", "select"): {"selector": 'field "Size"', "value": "Large"},
    ("browser", "check"): {"selector": 'checkbox "Terms"'},
    ("browser", "upload"): {"selector": 'field "File"', "path": "a.txt"},
    ("browser", "read"): {"target": "title"},
    ("browser", "extract"): {"fields": {"name": ".name"}},
    ("browser", "snapshot"): {},
    ("browser", "screenshot"): {},
    ("browser", "pdf"): {},
    ("browser", "expect"): {"title": "Shop"},
    ("browser", "open_tab"): {},
    ("browser", "switch_tab"): {"tab": 0},
    ("browser", "close_tab"): {},
    ("browser", "list_tabs"): {},
    ("browser", "dialog"): {"action": "accept"},
    ("browser", "download"): {"url": "http://127.0.0.1/a", "path": "a.txt"},
    ("browser", "save_session"): {"path": "session.json"},
    ("browser", "load_session"): {"path": "session.json"},
    ("browser", "emulate"): {"offline": True},
    ("browser", "route"): {"url": "**/api/*"},
}


async def provide_nothing(toolset: type[Toolset]) -> Toolset:
    """Stand where a back end is never called."""
    raise AssertionError(f"{toolset.__name__} was called.")


def make_registry() -> ToolRegistry:
    """Return the real tools, without a back end."""
    registry = ToolRegistry()
    for toolset in BROWSER_TOOLSETS:
        registry.register(toolset, provide_nothing)
    return registry


def make_setting(world: WorldState = WORLD, **parts: Any) -> Setting:
    """Return a setting in which everything is possible, with other parts where given."""
    return replace(Setting(world), **parts)


def plan_action(domain: str, verb: str, params: Mapping[str, Any], setting: Setting | None = None) -> PlannedAction:
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
