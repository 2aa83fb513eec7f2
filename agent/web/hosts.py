"""HostList: the names that a service is reached by. A page that points a name of its own at this machine is not among them."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.base.errors import InputError

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class HostList:
    """Names of this service.

    Attributes:
        names: Names beside those of loopback, each ``host`` or ``host:port``, in lower case.
    """

    names: frozenset[str] = frozenset()

    def knows(self, host: str, server: Sequence[object] | None) -> bool:
        """Tell whether a Host header names this service.

        Args:
            server: Address and port that the connection came in on; the port is None on a socket in a folder.
        """
        host = host.lower()
        name, port = _split_host(host)
        if host in self.names or name in self.names:
            return True
        own = server[1] if server and len(server) > 1 else None
        return name in LOOPBACK_NAMES and (own is None or port in {"", str(own)})


def _split_host(host: str) -> tuple[str, str]:
    """Return name and port; a name that is none is empty."""
    name, colon, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if not colon:
        return host, ""
    return (name, port) if port.isdecimal() else ("", "")


def read_hosts(names: Sequence[str]) -> HostList:
    """Return a list of names that a person wrote.

    Raises:
        InputError: If one is no host.
    """
    for name in names:
        if not name or "*" in name or "/" in name or any(char.isspace() for char in name):
            raise InputError(f"“{name}” is not a host name.", code="bad_host", hint="Write HOST or HOST:PORT.")
    return HostList(frozenset(name.lower() for name in names))
