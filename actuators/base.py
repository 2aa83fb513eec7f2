"""Availability and Family: whether this machine can do something, and how a family of tools is reached."""

from dataclasses import dataclass
from typing import Protocol

from core.ports import Toolset


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a capability is here.

    Attributes:
        capability: Its name, as the rules table's ``needs`` writes it.
        available: Whether it can be used now.
        reason: Why, or why not.
        remedy: What to do where it isn't available; empty otherwise.
    """

    capability: str
    available: bool
    reason: str
    remedy: str = ""


class Family(Protocol):
    """One family of tools with its back end.

    Attributes:
        toolsets: What it publishes.
        capability: What the machine needs for it.
    """

    toolsets: tuple[type[Toolset], ...]
    capability: str

    def assess(self) -> Availability:
        """Say whether this machine can do it, why, and what to do where it can't."""
        ...

    async def provide(self, toolset: type[Toolset]) -> Toolset:
        """Return the back end of a toolset, starting nothing before a tool is called."""
        ...

    def open_sessions(self) -> frozenset[str]:
        """Return the kinds of session that are open, such as ``page``."""
        ...

    async def end_lane(self, lane: str) -> None:
        """Close what a branch of a run that has ended left open."""
        ...

    async def close(self) -> None:
        """Close everything and leave nothing; calling it again does nothing."""
        ...
