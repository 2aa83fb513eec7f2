"""ScopePath: for whom and within what something was done; on every call, receipt, transcript, log line and span."""

from typing import Final

from core.base.late_dataclasses import dataclass, replace

LEVELS: Final = ("tenant", "principal", "session", "run", "goal")
LOCAL_TENANT = "local"
LOCAL_PRINCIPAL = "person"
"""Who asks where nobody says who it is: the person at this machine."""

_SEPARATOR = "/"
_ESCAPES = {ord("%"): "%25", ord(_SEPARATOR): "%2F"}


@dataclass(frozen=True, slots=True)
class ScopePath:
    """Names from the outermost to the innermost, none empty: tenant, principal, session, run, goal, and whatever lies within.

    Only ``begin_scope``, ``child`` and ``read_scope`` make one, so that no level is left out or in another's place.
    """

    parts: tuple[str, ...]

    def child(self, name: str) -> "ScopePath":
        """Return the scope of that name, which isn't empty, directly within this one."""
        if not name:
            level = LEVELS[len(self.parts)] if len(self.parts) < len(LEVELS) else "child"
            raise ValueError(f"The {level} of a scope needs a name.")
        return replace(self, parts=(*self.parts, name))

    def read_level(self, level: str) -> str:
        """Return the name at one of the ``LEVELS``; empty where the path ends before it."""
        place = LEVELS.index(level)
        return self.parts[place] if place < len(self.parts) else ""

    def holds(self, other: "ScopePath") -> bool:
        """Return whether another scope is this one or lies within it."""
        return other.parts[: len(self.parts)] == self.parts

    def __str__(self) -> str:
        """Return it as a path; separators within names are escaped as in addresses."""
        return _SEPARATOR.join([part.translate(_ESCAPES) for part in self.parts])


def begin_scope(principal: str = "", tenant: str = LOCAL_TENANT) -> ScopePath:
    """Return the scope of a principal, the person at this machine where nobody is named, in a house; everything hangs below.

    Raises:
        ValueError: If the tenant is empty.
    """
    return ScopePath(()).child(tenant).child(principal or LOCAL_PRINCIPAL)


def read_scope(text: str) -> ScopePath:
    """Return the scope that ``str`` wrote out, else raise a ValueError."""
    tenant, *within = [_unescape(part) for part in text.split(_SEPARATOR)]
    if not within or not all(within):
        raise ValueError(f"“{text}” is not a scope: a name is missing.")
    scope = begin_scope(within[0], tenant)
    for name in within[1:]:
        scope = scope.child(name)
    return scope


def _unescape(part: str) -> str:
    for character, escape in reversed(_ESCAPES.items()):
        part = part.replace(escape, chr(character))
    return part
