"""Who calls: the caller behind a request, and the session that is theirs when they name none."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from agent.mcp.asking import Context
from agent.service.callers import Caller
from agent.service.ports import Service

ReadCaller = Callable[[Context], Caller]

_SESSION_HEADER: Final = "mcp-session-id"
_STRANGE: Final = re.compile(r"[^a-z0-9]+")
_LONGEST_NAME: Final = 40


class ServiceSource(Protocol):
    """Where a server has its service from."""

    @property
    def service(self) -> Service:
        """The service."""
        ...

    async def renew(self) -> bool:
        """Look for another service where this one has ended; return whether there is one."""
        ...


@dataclass(frozen=True, slots=True)
class StandingService:
    """A service that lasts as long as its server."""

    service: Service

    async def renew(self) -> bool:
        """Return that there is no other."""
        return False


@dataclass(frozen=True, slots=True)
class Clients:
    """Knows who calls.

    Attributes:
        session: Name of the session of a client that names none; empty where each client has one of its own.
    """

    read_caller: ReadCaller
    session: str = ""

    def name_session(self, context: Context) -> str:
        """Return the session of a client that names none: that of its connection, or, where the protocol knows none, that of its name."""
        if self.session:
            return self.session
        headers = getattr(context.request, "headers", {})
        if connection := headers.get(_SESSION_HEADER):
            return f"mcp-{hashlib.sha256(connection.encode()).hexdigest()[:12]}"
        params = context.session.client_params
        name = _STRANGE.sub("-", params.client_info.name.lower()).strip("-") if params else ""
        return f"mcp-{name[:_LONGEST_NAME]}".rstrip("-")
