"""A memory that is gone with the process: for dry runs, simulation and tests.

A typical use::

    memories = FakeMemories()
    back_end = MemoryBackEnd(memories)
"""

from collections.abc import Callable

from actuators.base import Availability
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass, field
from core.memory.facts import ContextMemory


@dataclass
class FakeMemories:
    """Keeps a ContextMemory in memory; its fault, if there is one, is raised by everything that is asked of it."""

    memory: ContextMemory = field(default_factory=ContextMemory)
    fault: SurehandError | None = None

    def assess(self) -> Availability:
        """Say that it is there, and that it is none."""
        return Availability("memory", available=True, reason="A memory that ends with the process.")

    async def read(self) -> ContextMemory:
        """Return what is kept."""
        self._check()
        return self.memory

    async def change(self, change: Callable[[ContextMemory], ContextMemory]) -> ContextMemory:
        """Change what is kept, and return it as it was before."""
        self._check()
        before, self.memory = self.memory, change(self.memory)
        return before

    async def close(self) -> None:
        """Keep everything: who made it may look at it afterwards."""

    def _check(self) -> None:
        if self.fault:
            raise self.fault
