"""PLANNER_RULES: the table of verbs, each row joined with the signature of its tool; and the toolsets of every family.

A family is imported when the first of its verbs is asked for: a sentence about sound needs no tools of the desktop.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from core.planner_rules import VERB_ROWS
from core.rules.rule_types import PlannerRule, RuleKey
from core.rules.signatures import JoinedRules
from core.tools.ports import Toolset
from core.tools.registry import ToolSpec, read_toolset

_TOOLSETS: Mapping[str, tuple[str, ...]] = {
    "browser": (
        "browser.tools.navigation:NavigationTools",
        "browser.tools.pointer:PointerTools",
        "browser.tools.forms:FormTools",
        "browser.tools.reading:ReadingTools",
        "browser.tools.tabs:TabTools",
        "browser.tools.sessions:SessionTools",
    ),
    "file": (
        "files.verbs.reading:FileReadingTools",
        "files.verbs.writing:FileWritingTools",
        "files.verbs.moving:FileMovingTools",
        "files.verbs.opening:FileOpeningTools",
    ),
    "system": (
        "system.tools.launching:LaunchTools",
        "system.tools.ending:ApplicationTools",
        "system.tools.querying:QueryTools",
        "system.tools.controlling:MachineTools",
    ),
    "desktop": (
        "desktop.tools.input:InputTools",
        "desktop.tools.elements:ElementTools",
        "desktop.tools.windowing:WindowTools",
        "desktop.tools.perceiving:ScreenTools",
    ),
    "audio": ("audio.mixing.mixer:AudioTools",),
    "media": ("media.player_tools:MediaTools",),
    "memory": ("memory.back_end:MemoryTools",),
    "project": ("project.back_end:ProjectTools",),
}
"""By domain, where the toolsets are, in the order in which they are listed."""


@cache
def load_toolsets(domain: str) -> tuple[type[Toolset], ...]:
    """Return the toolsets of a domain; imports them, and nothing of a back end."""
    named = (each.split(":") for each in _TOOLSETS[domain])
    return tuple(getattr(import_module(f"actuators.{module}"), name) for module, name in named)


def list_toolsets() -> tuple[type[Toolset], ...]:
    """Return the toolsets of every family."""
    return tuple(toolset for domain in _TOOLSETS for toolset in load_toolsets(domain))


def list_tools(domain: str) -> tuple[ToolSpec, ...]:
    """Return the tools of a domain."""
    return tuple(tool for toolset in load_toolsets(domain) for tool in read_toolset(toolset))


PLANNER_RULES: Mapping[RuleKey, PlannerRule] = JoinedRules(VERB_ROWS, list_tools)
