"""The desktop of macOS: not there yet, which is said before anything runs."""

from collections.abc import Mapping
from typing import Any

from actuators.base import Availability, Environment
from actuators.verb_table import load_toolsets
from core.base.errors import UnsupportedError
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext, Toolset
from core.tools.registry import list_verbs

_REASON = "Pointer, keys, windows and the screen are not supported on macOS yet"
_REMEDY = "Use files, audio and the browser on macOS, or run Surehand on Linux (X11) or Windows."


class MissingDesktop:
    """Tools that all refuse."""

    def __init__(self) -> None:
        self.toolsets: Mapping[type[Toolset], Toolset] = {
            each: type(f"Missing{each.__name__}", (Toolset,), dict.fromkeys(list_verbs(each), _refuse))()
            for each in load_toolsets("desktop")
        }

    def assess(self, capability: str) -> Availability:
        """Say that it isn't there, and what to do instead."""
        return Availability(capability, available=False, reason=_REASON, remedy=_REMEDY)

    async def close(self) -> None:
        """Do nothing."""


def make_back_end(environment: Environment) -> MissingDesktop:
    """Return tools that refuse."""
    del environment
    return MissingDesktop()


async def _refuse(self: Toolset, context: ActionContext, **args: Any) -> ToolOutcome:
    del self, context, args
    raise UnsupportedError(f"{_REASON}.", hint=_REMEDY)
