"""Endpoint: where a service answers, and the token that it takes; and the connections that lead there."""

import hashlib
import http.client
import ipaddress
import json
import os
import socket
import ssl
import stat
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .reports import BadOrderError, Problem, ServiceGoneError

if sys.platform == "win32":
    from .pipes import PREFIX, PipeSocket

_STATE_FOLDER = ".surehand"
_UNIX = "unix:"


class SocketConnection(http.client.HTTPConnection):
    """HTTP over a socket of this machine; over a named pipe on Windows."""

    def __init__(self, path: str, timeout_s: float | None = None) -> None:
        super().__init__("localhost", timeout=timeout_s)
        self._path = path

    def connect(self) -> None:
        """Connect to the socket."""
        if sys.platform == "win32":
            self.sock = PipeSocket(self._path, self.timeout)
            return
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a service answers.

    Attributes:
        socket_path: Its socket, on Windows the name of its pipe; empty for an address.
        ca_file: Certificates that are trusted beside, or in place of, the system's; empty for the system's.
    """

    token: str = field(repr=False)
    socket_path: str = ""
    host: str = "127.0.0.1"
    port: int = 0
    is_secure: bool = False
    ca_file: str = ""

    @property
    def name(self) -> str:
        """Its name, as a request's head says whom it is for."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return "localhost" if self.socket_path else f"{host}:{self.port}"

    def connect(self, timeout_s: float | None = None) -> http.client.HTTPConnection:
        """Return a connection that is yet to be made."""
        if self.socket_path:
            return SocketConnection(self.socket_path, timeout_s)
        if self.is_secure:
            context = ssl.create_default_context(cafile=self.ca_file or None)
            return http.client.HTTPSConnection(self.host, self.port, timeout=timeout_s, context=context)
        return http.client.HTTPConnection(self.host, self.port, timeout=timeout_s)

    def __str__(self) -> str:
        scheme = "https" if self.is_secure else "http"
        return self.socket_path or f"{scheme}://{self.host}:{self.port}"


def read_endpoint(address: str | os.PathLike[str], token: str, ca_file: str | os.PathLike[str] = "") -> Endpoint:
    """Return the endpoint of an address.

    Args:
        address: ``http://127.0.0.1:8137``, ``https://…``, or the path of a socket (``unix:/path`` or a path), on Windows a pipe's name.
        ca_file: As of ``Endpoint``.

    Raises:
        BadOrderError: If it is not an address, or the token would travel unprotected.
    """
    written = os.fspath(address)
    if "://" not in written:
        return Endpoint(token=token, socket_path=str(Path(written.removeprefix(_UNIX)).absolute()))
    parts = urlsplit(written)
    try:
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    if parts.scheme not in {"http", "https"} or not host or parts.path.strip("/") or parts.query or parts.username:
        text = f"“{written}” is not the address of a service."
        raise BadOrderError(
            Problem("bad_address", text, "Write http://127.0.0.1:PORT, https://HOST or a socket's path.")
        )
    is_secure = parts.scheme == "https"
    if not is_secure and not _is_loopback(host):
        text = f"Everyone between here and {host} could read the token."
        raise BadOrderError(Problem("unprotected_address", text, "Use https://."))
    return Endpoint(
        token=token,
        host=host,
        port=port or (443 if is_secure else 80),
        is_secure=is_secure,
        ca_file=os.fspath(ca_file),
    )


def read_told_endpoint(told: object) -> Endpoint:
    """Return the endpoint that a service told of itself: by its socket where there is one.

    Raises:
        ServiceGoneError: If that tells of none.
    """
    record: dict[str, Any] = told if isinstance(told, dict) else {}
    place, token = record.get("socket") or record.get("address"), record.get("token")
    if not isinstance(place, str) or not isinstance(token, str):
        raise ServiceGoneError(Problem("service_gone", "The service did not tell where it answers."))
    return read_endpoint(place, token)


def find_endpoint(workspace: Path) -> Endpoint:
    """Return the endpoint of the service that serves a folder.

    Raises:
        ServiceGoneError: If none serves it.
    """
    told = next((told for each in _list_records(workspace) if (told := _read(each)) is not None), None)
    if told is None or not _is_own(told):
        text = f"No service serves {workspace}."
        raise ServiceGoneError(Problem("service_gone", text, "Start one: surehand serve. Or leave the address out."))
    return read_told_endpoint(told)


def _list_records(workspace: Path) -> list[Path]:
    """Return where a service of this person may tell of itself: ``actuators.own_folders`` says why there."""
    state = os.fsencode(os.path.realpath(workspace.absolute() / _STATE_FOLDER))
    name = f"{hashlib.blake2b(state, digest_size=8).hexdigest()}.json"
    if sys.platform == "win32":
        return [Path(os.environ.get("LOCALAPPDATA", ""), "surehand", "run", name)]
    if sys.platform == "darwin":
        return [Path.home() / "Library" / "Application Support" / "surehand" / "run" / name]
    homes = (Path("/run/user") / str(os.geteuid()), Path("/", "tmp"))
    return [home / f"surehand-{os.geteuid()}" / name for home in homes]


def _read(record: Path) -> object:
    try:
        return json.loads(record.read_bytes()) if _belongs(record.lstat(), stat.S_ISREG) else None
    except (OSError, ValueError):
        return None


def _belongs(facts: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    return sys.platform == "win32" or (is_kind(facts.st_mode) and facts.st_uid == os.geteuid())


def _is_own(told: object) -> bool:
    """Tell whether a service listens where it says, and is this person's."""
    record: dict[str, Any] = told if isinstance(told, dict) else {}
    if sys.platform == "win32":
        return str(record.get("socket", "")).startswith(PREFIX)  # whose it is, is looked at when it is opened
    try:
        return _belongs(Path(str(record.get("socket", ""))).lstat(), stat.S_ISSOCK)
    except (OSError, ValueError):
        return False


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


_KEPT_S = 30.0
"""Seconds for which a connection is kept; a service lets go of an idle one later than that."""


@dataclass(frozen=True, slots=True)
class _IdleConnection:
    endpoint: Endpoint
    connection: http.client.HTTPConnection
    since: float
    process: int

    def leads_to(self, endpoint: Endpoint) -> bool:
        """Tell whether it is still this process's way to a service, which has neither closed it nor said anything unasked."""
        sock = self.connection.sock
        if (self.endpoint, self.process) != (endpoint, os.getpid()) or time.monotonic() - self.since > _KEPT_S:
            return False
        try:
            sock.settimeout(0)
            sock.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False


class Connections:
    """Opens connections, and keeps the last one for what is asked next; may be used by many threads at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: _IdleConnection | None = None

    def take(self, endpoint: Endpoint, timeout_s: float | None) -> http.client.HTTPConnection:
        """Return a connection that nobody else has.

        Args:
            timeout_s: Seconds to wait for a sign of life; None for as long as it takes.

        Raises:
            OSError: If nobody answers there.
        """
        kept = self._exchange(None)
        if kept and kept.leads_to(endpoint):
            kept.connection.sock.settimeout(timeout_s)
            return kept.connection
        if kept:
            kept.connection.close()
        connection = endpoint.connect(timeout_s)
        try:
            connection.connect()
        except BaseException:
            connection.close()
            raise
        return connection

    def give_back(self, endpoint: Endpoint, connection: http.client.HTTPConnection) -> None:
        """Keep a connection whose exchange is over, where it can be seen whether it still stands."""
        kept = None
        if type(connection.sock) is socket.socket:
            kept = _IdleConnection(endpoint, connection, time.monotonic(), os.getpid())
        else:
            connection.close()
        if before := self._exchange(kept):
            before.connection.close()

    def close(self) -> None:
        """Close what is kept."""
        if kept := self._exchange(None):
            kept.connection.close()

    def _exchange(self, kept: _IdleConnection | None) -> _IdleConnection | None:
        with self._lock:
            before, self._kept = self._kept, kept
        return before
