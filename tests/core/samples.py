"""What the core's tests plan with: the real table, the real tools, a world that can do everything, and a few makers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from actuators.catalog import ALL_CAPABILITIES, ALL_TOOLSETS
from core.goals import Goal
from core.planner import GoalPlanner, Setting
from core.planner_rules import PLANNER_RULES
from core.plans import PlannedAction
from core.policy import Policy
from core.ports import Toolset
from core.rule_types import PlannerRule, RuleKey
from core.tools import ToolRegistry
from core.world import Capability, WorldState

WORKSPACE = "/home/ada/work"

WORLD = WorldState(
    platform="linux",
    capabilities={name: Capability(True) for name in ALL_CAPABILITIES},
    sessions=frozenset({"page"}),
    anchors={
        "workspace": WORKSPACE,
        "home": "/home/ada",
        "desktop": "/home/ada/Desktop",
        "documents": "/home/ada/Documents",
        "downloads": "/home/ada/Downloads",
        "temp": "/tmp",
    },
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
    ("file", "create"): {"object_type": "file", "name": "a.txt"},
    ("file", "write"): {"path": "a.txt", "content": "A"},
    ("file", "append"): {"path": "a.txt", "content": "A"},
    ("file", "edit"): {"path": "a.txt", "find": "A", "replace": "B"},
    ("file", "copy"): {"source": "a.txt", "destination": "b.txt"},
    ("file", "move"): {"source": "a.txt", "destination": "b.txt"},
    ("file", "rename"): {"source": "a.txt", "target": "b.txt"},
    ("file", "delete"): {"object_type": "file", "name": "a.txt"},
    ("file", "purge"): {"path": "a.txt"},
    ("file", "restore"): {"path": "a.txt"},
    ("file", "zip"): {"source": "a.txt", "destination": "a.zip"},
    ("file", "unzip"): {"source": "a.zip", "destination": "a"},
    ("file", "read"): {"path": "a.txt"},
    ("file", "list"): {},
    ("file", "find"): {},
    ("file", "info"): {"path": "a.txt"},
    ("file", "hash"): {"path": "a.txt"},
    ("file", "wait"): {"path": "a.txt"},
    ("file", "open"): {"path": "a.txt"},
    ("system", "launch"): {"app": "editor"},
    ("system", "run"): {"argv": ["true"]},
    ("system", "close"): {"app": "editor"},
    ("system", "kill"): {"pid": 4242},
    ("system", "list_apps"): {},
    ("system", "list_processes"): {},
    ("system", "get"): {"target": "time"},
    ("system", "set"): {"target": "clipboard", "value": "A"},
    ("system", "open"): {"target": "http://127.0.0.1/"},
    ("system", "notify"): {"title": "Done"},
    ("system", "lock"): {},
    ("system", "sleep"): {},
    ("system", "shutdown"): {},
    ("system", "restart"): {},
    ("desktop", "click"): {"target": 'button "OK"'},
    ("desktop", "double_click"): {"target": 'text "OK"'},
    ("desktop", "right_click"): {"image": "ok.png"},
    ("desktop", "move"): {"target": {"point": [10, 20]}},
    ("desktop", "drag"): {"target": 'listitem "A"', "to": 'listitem "B"'},
    ("desktop", "scroll"): {},
    ("desktop", "type"): {"text": "A"},
    ("desktop", "press"): {"keys": "ctrl+s"},
    ("desktop", "invoke"): {"target": 'button "OK"'},
    ("desktop", "set_value"): {"target": 'field "Name"', "value": "Ada"},
    ("desktop", "list_windows"): {},
    ("desktop", "active_window"): {},
    ("desktop", "displays"): {},
    ("desktop", "focus_window"): {"window": "Editor"},
    ("desktop", "move_window"): {"window": "Editor", "bounds": {"x": 0, "y": 0}},
    ("desktop", "resize_window"): {"window": "Editor", "bounds": {"width": 400, "height": 300}},
    ("desktop", "minimize"): {"window": "Editor"},
    ("desktop", "maximize"): {"window": "Editor"},
    ("desktop", "restore"): {"window": "Editor"},
    ("desktop", "close_window"): {"window": "Editor"},
    ("desktop", "find"): {"text": "OK"},
    ("desktop", "read"): {},
    ("desktop", "wait"): {"window": "Editor"},
    ("desktop", "snapshot"): {},
    ("desktop", "screenshot"): {},
    ("audio", "get_volume"): {},
    ("audio", "set_volume"): {"level": 20},
    ("audio", "volume_up"): {},
    ("audio", "volume_down"): {},
    ("audio", "mute"): {},
    ("audio", "unmute"): {},
    ("audio", "toggle_mute"): {},
    ("audio", "list_devices"): {},
    ("audio", "list_apps"): {},
    ("audio", "set_default"): {"device": "Headset"},
    ("audio", "route_app"): {"app": "Player", "device": "Headset"},
    ("audio", "play_sound"): {"path": "bell.wav"},
    ("media", "play"): {},
    ("media", "pause"): {},
    ("media", "play_pause"): {},
    ("media", "stop"): {},
    ("media", "next"): {},
    ("media", "previous"): {},
    ("media", "seek"): {"position": 30},
    ("media", "status"): {},
}


async def provide_nothing(toolset: type[Toolset]) -> Toolset:
    """Stand where a back end is never called."""
    raise AssertionError(f"{toolset.__name__} was called.")


def make_registry() -> ToolRegistry:
    """Return the real tools, without a back end."""
    registry = ToolRegistry()
    for toolset in ALL_TOOLSETS:
        registry.register(toolset, provide_nothing)
    return registry


def make_setting(world: WorldState = WORLD, **parts: Any) -> Setting:
    """Return a setting in which everything is possible, with other parts where given."""
    return replace(Setting(world, Policy(extra_verbs=("system.run",))), **parts)


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
