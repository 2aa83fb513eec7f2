"""Facts about the machine and the workspace, whose libraries are imported when somebody asks for the first time."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent.facts.workspace_facts import WorkspaceFacts


class LateFacts:
    """Tells what ``WorkspaceFacts`` tells; a service that nobody asks for it starts sooner."""

    def __init__(self, workspace: Path) -> None:
        """Import nothing yet."""
        self._workspace = workspace
        self._facts: asyncio.Future[WorkspaceFacts] | None = None

    async def diagnose(self, principal: str) -> Any:
        """Return what `surehand doctor --json` prints, with the runs of one principal."""
        return await (await self._open()).diagnose(principal)

    async def tell_planners(self, principal: str) -> Any:
        """Return how a principal's planners do; nobody is told of alerts."""
        return await (await self._open()).tell_planners(principal)

    async def acknowledge(self, principal: str, alert: str) -> int:
        """Take note of a principal's alerts; return how many.

        Args:
            principal: Whose; empty for the person at this machine.
            alert: Id of an alert, or id and subject.
        """
        return await (await self._open()).acknowledge(principal, alert)

    async def describe_tools(self) -> list[dict[str, Any]]:
        """Return the tools of all verbs as data."""
        return await (await self._open()).describe_tools()

    async def _open(self) -> "WorkspaceFacts":
        """Return the facts; importing takes a moment in which the service goes on."""
        if self._facts is None:
            self._facts = asyncio.ensure_future(asyncio.to_thread(_make_facts, self._workspace))
        return await asyncio.shield(self._facts)


def _make_facts(workspace: Path) -> "WorkspaceFacts":
    from agent.facts.workspace_facts import WorkspaceFacts

    return WorkspaceFacts(workspace)
