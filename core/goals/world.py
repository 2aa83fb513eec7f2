"""WorldState: what planning may know of the world."""

from collections.abc import Mapping

from core.base.late_dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Capability:
    """Whether the machine can do something, why or why not, and what to do where it can't."""

    available: bool
    reason: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class WorldState:
    """A read-only snapshot. Planning never changes it and never looks outside it.

    Attributes:
        platform: ``linux``, ``darwin`` or ``win32``.
        capabilities: By name, as ``PlannerRule.needs`` writes it.
        sessions: Kinds of session that are open already, such as ``page``.
        anchors: Absolute folders by anchor name; ``workspace`` is the session's working folder.
        values: Allowed values that configuration may add to, such as ``platforms``.
        meanings: What such values stand for, by the same names: where a platform is. Plans and questions say it.
        own_folders: The person's own folders of Surehand, absolute; no goal reaches them.
    """

    platform: str = ""
    capabilities: Mapping[str, Capability] = field(default_factory=dict[str, Capability])
    sessions: frozenset[str] = frozenset()
    tabs: tuple[str, ...] = ()
    anchors: Mapping[str, str] = field(default_factory=dict[str, str])
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    meanings: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    own_folders: tuple[str, ...] = ()

    @property
    def workspace(self) -> str:
        """The working folder."""
        return self.anchors.get("workspace", "")
