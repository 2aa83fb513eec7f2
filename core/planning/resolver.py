"""ToolResolver: which tool carries out an action. The rules' own resolver is exact; a model may stand in its place."""

from collections.abc import Sequence
from typing import Protocol

from core.base.errors import UnsupportedError
from core.planning.plans import PlannedAction
from core.results.tool_results import ToolCall
from core.tools.registry import ToolSpec


class ToolResolver(Protocol):
    """Chooses a tool and proposes a call. Whatever it returns, authority has the last word."""

    async def resolve(self, action: PlannedAction, candidates: Sequence[ToolSpec]) -> ToolCall:
        """Propose a call for an action.

        Args:
            action: What shall be done; a copy, so that nothing comes of changing it.
            candidates: The tools that may be chosen; copies, too.

        Returns:
            A ToolCall with a plain dict.
        """
        ...


class RulesResolver:
    """Takes the first candidate; there is exactly one unless several back ends offer the same verb."""

    name = "rules"

    async def resolve(self, action: PlannedAction, candidates: Sequence[ToolSpec]) -> ToolCall:
        """Propose the first candidate with the planned arguments.

        Raises:
            UnsupportedError: If there is no candidate.
        """
        if not candidates:
            raise UnsupportedError(f"No tool for {action.name} is installed.", hint="Run surehand doctor to see why.")
        return ToolCall(candidates[0].name, dict(action.args))
