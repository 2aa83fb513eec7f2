"""WorkspaceFacts: what a service is asked about its machine and workspace, beside its runs."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

from agent.facts.diagnosis import diagnose
from agent.facts.planner_health import acknowledge_alert, look_at_planners
from agent.facts.verb_tools import describe_verb_tools

Found = TypeVar("Found")

_FRESH_S = 10.0
"""Seconds for which a diagnosis is told again: it starts a browser."""


class WorkspaceFacts:
    """Looks at a workspace in threads of their own, since much of that blocks; one look of a kind at a time."""

    def __init__(self, workspace: Path) -> None:
        """Look at nothing yet.

        Args:
            workspace: Whose settings hold.
        """
        self._workspace = workspace
        self._lock = asyncio.Lock()
        self._diagnosis: tuple[float, Mapping[str, Any]] | None = None
        self._tools: list[dict[str, Any]] = []

    async def diagnose(self) -> Mapping[str, Any]:
        """Return what `surehand doctor --json` prints."""
        async with self._lock:
            if self._diagnosis is None or time.monotonic() - self._diagnosis[0] > _FRESH_S:
                found = await _look(lambda: diagnose(self._workspace))
                self._diagnosis = (time.monotonic(), found.to_report())
            return self._diagnosis[1]

    async def tell_planners(self) -> Mapping[str, Any]:
        """Return how planners do; nobody is told of alerts."""
        async with self._lock:
            return await _look(lambda: look_at_planners(self._workspace))

    async def acknowledge(self, alert: str) -> int:
        """Take note of alerts; return how many.

        Args:
            alert: Id of an alert, or id and subject.

        Raises:
            InputError: ``alert_missing``.
        """
        async with self._lock:
            return await _look(lambda: acknowledge_alert(self._workspace, alert))

    async def describe_tools(self) -> list[dict[str, Any]]:
        """Return the tools of all verbs as data."""
        async with self._lock:
            if not self._tools:
                self._tools = await asyncio.to_thread(describe_verb_tools)
            return self._tools


async def _look(look: Callable[[], Coroutine[Any, Any, Found]]) -> Found:
    """Return what a look finds, from a thread with a loop of its own."""
    return await asyncio.to_thread(lambda: asyncio.run(look()))
