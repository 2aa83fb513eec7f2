"""What a machine offers, and how a family of tools is reached."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from core.addresses.own_ground import OwnGround
from core.base.late_dataclasses import dataclass, field
from core.results.tool_results import ToolOutcome, UndoRecord

if TYPE_CHECKING:
    from actuators.own_services import ServiceAt
    from actuators.seat.lease import SeatLease
    from core.tools.ports import ActionContext, Toolset


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a capability, as ``needs`` of a rule names it, is here, why or why not, and what to do if it isn't."""

    capability: str
    available: bool
    reason: str
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """What back ends may know of the process that they run in; the one reader of the environment fills it in.

    Attributes:
        platform: ``linux``, ``darwin`` or ``win32``.
        variables: The environment variables, such as ``DISPLAY`` and ``DBUS_SESSION_BUS_ADDRESS``.
        state_dir: Folder for what Surehand keeps in it: undo records, artifacts.
        anchors: Absolute folders by anchor name.
        step_pictures: Whether steps that act leave a picture of what they came to, where that costs little.
        find_lease: Returns that of the display, which all families share; None where nothing has to be held.
        own_folders: The person's own folders of Surehand, absolute; no goal reaches them.
        find_service: Tells who of Surehand serves at a port of this machine: ``own`` for this process, ``other``, or nobody.
    """

    platform: str
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    workspace: Path = Path()
    state_dir: Path = Path()
    anchors: Mapping[str, str] = field(default_factory=dict[str, str])
    failure_pictures: bool = True
    step_pictures: bool = False
    find_lease: Callable[[], "SeatLease | None"] = lambda: None
    own_folders: tuple[str, ...] = ()
    find_service: Callable[[int], "ServiceAt"] = lambda _: ""

    @property
    def own_ground(self) -> OwnGround:
        """What no goal reaches."""
        state = (str(self.state_dir),) if self.state_dir.is_absolute() else ()
        return OwnGround((*self.own_folders, *state), self.platform)


class BackEnd(Protocol):
    """What carries out the tools of a family on one kind of machine."""

    toolsets: Mapping[type["Toolset"], "Toolset"]

    async def take_back(self, context: "ActionContext", record: UndoRecord) -> ToolOutcome:
        """Take an act back by the record that it left, if what its guard says is still so.

        Raises:
            SurehandError: ``changed_since`` if it would destroy something later; ``not_undoable`` if this family can't.
        """
        ...

    def assess(self, capability: str) -> Availability:
        """Say whether this machine can do it, why, and what to do where it can't; quick, and starts nothing."""
        ...

    async def close(self) -> None:
        """Let go of everything and leave nothing; calling it again does nothing."""
        ...


@runtime_checkable
class PageLister(Protocol):
    """A family that has pages."""

    def list_pages(self) -> tuple[str, ...]:
        """Return the addresses of the open pages; starts nothing."""
        ...


@runtime_checkable
class SlowStarter(Protocol):
    """A family that takes its time before its first tool can be called."""

    def prepare(self) -> None:
        """Begin with that, and return at once; changes nothing, and what goes wrong is told by the first call."""
        ...


class Family(Protocol):
    """One family of tools with its back end; its capabilities are what of the machine it can speak for."""

    domain: str
    capabilities: tuple[str, ...]

    @property
    def toolsets(self) -> tuple[type["Toolset"], ...]:
        """What it publishes; imported when it is first asked for."""
        ...

    def assess(self, capability: str) -> Availability:
        """Say whether this machine can do it, why, and what to do where it can't; quick, and starts nothing."""
        ...

    async def provide(self, toolset: type["Toolset"]) -> "Toolset":
        """Return the back end of a toolset, starting nothing before a tool is called."""
        ...

    def open_sessions(self) -> frozenset[str]:
        """Return the kinds of session that are open, such as ``page``."""
        ...

    async def take_back(self, context: "ActionContext", record: UndoRecord) -> ToolOutcome:
        """Take an act back by the record that it left; as ``BackEnd.take_back``."""
        ...

    async def end_lane(self, lane: str) -> None:
        """Close what a branch of a run that has ended left open."""
        ...

    async def close(self) -> None:
        """Close everything and leave nothing; calling it again does nothing."""
        ...
