"""Faults on purpose, for the files in memory: a full volume, a missing permission, a lock, a death in the middle."""

import errno
import os
from collections.abc import Callable
from fnmatch import fnmatchcase

from core.base.late_dataclasses import dataclass, field


class DiedError(BaseException):
    """The process is thought to be dead: nothing that would tidy up is done any more."""


@dataclass(slots=True)
class FileFault:
    """One fault that waits for its moment.

    Attributes:
        operation: Which operation of a folder or file meets it: ``open``, ``create``, ``write``, ``sync``, ``rename``, …
        number: The error number; 0 for the death of the process.
        name: Names that it concerns, as a glob.
        times: How often it strikes; 0 for ever.
    """

    operation: str
    number: int
    name: str = "*"
    after: int = 0
    times: int = 1


@dataclass(slots=True)
class Faults:
    """The faults of a store: a volume of some capacity (None for no limit), and what something else does before the next write."""

    waiting: list[FileFault] = field(default_factory=list[FileFault])
    capacity_bytes: int | None = None
    dead: bool = False
    done: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    meanwhile: Callable[[], object] | None = None

    def plan(self, operation: str, number: int = 0, *, name: str = "*", after: int = 0, times: int = 1) -> None:
        """Let an operation fail; all is as a ``FileFault`` has it."""
        self.waiting.append(FileFault(operation, number, name, after, times))

    def revive(self) -> None:
        """Start the process again, without faults."""
        self.dead = False
        self.waiting.clear()

    def meet(self, operation: str, name: str) -> None:
        """Let an operation happen, or fail as planned; a DiedError if the process is dead."""
        if self.dead:
            raise DiedError
        self.done.append((operation, name))
        if operation == "write" and self.meanwhile is not None:
            act, self.meanwhile = self.meanwhile, None
            act()
        for fault in self.waiting:
            if fault.operation == operation and fnmatchcase(name, fault.name):
                self._strike(fault, name)
                return

    def _strike(self, fault: FileFault, name: str) -> None:
        if fault.after:
            fault.after -= 1
            return
        if fault.times == 1:
            self.waiting.remove(fault)
        fault.times -= fault.times > 1
        if not fault.number:
            self.dead = True
            raise DiedError
        raise OSError(fault.number, os.strerror(fault.number), name)

    def check_room(self, used_bytes: int) -> None:
        """Refuse to grow beyond what the volume holds, by ``ENOSPC``."""
        if self.capacity_bytes is not None and used_bytes > self.capacity_bytes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
