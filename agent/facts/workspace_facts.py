"""WorkspaceFacts: what a service is asked about its machine and workspace, beside its runs."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

from agent.facts.diagnosis import diagnose
from agent.facts.flow_schema import describe_verb_tools
from agent.facts.planner_health import acknowledge_alert, look_at_planners

Found = TypeVar("Found")

_FRESH_S = 10.0
"""Seconds for which a diagnosis is told again: it starts a browser."""


class WorkspaceFacts:
    """Looks at a workspace in threads of their own, since much of that blocks; one look of a kind at a time."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._lock = asyncio.Lock()
        self._diagnoses: dict[str, tuple[float, Mapping[str, Any]]] = {}
        self._tools: list[dict[str, Any]] = []

    async def diagnose(self, principal: str) -> Mapping[str, Any]:
        """Return what `surehand doctor --json` prints, with the runs of one principal."""
        async with self._lock:
            at, told = self._diagnoses.get(principal, (-_FRESH_S, {}))
            if time.monotonic() - at > _FRESH_S:
                told = (await _look(lambda: diagnose(self._workspace, principal))).to_report()
                self._diagnoses[principal] = (time.monotonic(), told)
            return told

    async def tell_planners(self, principal: str) -> Mapping[str, Any]:
        """Return how a principal's planners do; nobody is told of alerts."""
        async with self._lock:
            return await _look(lambda: look_at_planners(self._workspace, principal))

    async def acknowledge(self, principal: str, alert: str) -> int:
        """Take note of a principal's alerts; return how many.

        Raises:
            InputError: ``alert_missing``.
        """
        async with self._lock:
            return await _look(lambda: acknowledge_alert(self._workspace, alert, principal))

    async def describe_tools(self) -> list[dict[str, Any]]:
        """Return the tools of all verbs as data."""
        async with self._lock:
            if not self._tools:
                self._tools = await asyncio.to_thread(describe_verb_tools)
            return self._tools


async def _look(look: Callable[[], Coroutine[Any, Any, Found]]) -> Found:
    return await asyncio.to_thread(lambda: asyncio.run(look()))
