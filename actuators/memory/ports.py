"""Memories: where the ContextMemory is kept. The tools are written once, over this."""

from collections.abc import Callable
from typing import Protocol

from actuators.base import Availability
from core.memory.facts import ContextMemory


class Memories(Protocol):
    """Keeps one ContextMemory that several processes may change at once."""

    def assess(self) -> Availability:
        """Say whether anything can be kept (capability ``memory``); makes nothing."""
        ...

    async def read(self) -> ContextMemory:
        """Return what is kept now, if this version wrote it (SchemaError) and it can be read (ActionError)."""
        ...

    async def change(self, change: Callable[[ContextMemory], ContextMemory]) -> ContextMemory:
        """Change what is kept, based on what is kept at that moment, all or nothing, and return it as it was before.

        Args:
            change: Returns the new memory; what it raises leaves everything as it was. It may be called on a thread.

        Raises:
            SchemaError: As for ``read``.
            ActionError: If it can't be written, or somebody else holds it for too long.
        """
        ...

    async def close(self) -> None:
        """Let go of everything; calling it again does nothing."""
        ...
