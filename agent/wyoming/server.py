"""The Wyoming server: on loopback or a unix socket, for the protocol knows no token."""

import asyncio
import ipaddress
import os
import stat
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from agent.service.ports import Service
from agent.speech.conversations import Reopen, SpokenConversations
from agent.wyoming.connection import LINE_LIMIT, WyomingConnection
from core.base.errors import ActionError, InputError
from core.base.late_dataclasses import dataclass

MOST_CONNECTIONS = 64


@dataclass(frozen=True, slots=True)
class WyomingPlace:
    """Where the server listens.

    Attributes:
        host: An address of this machine; empty for a socket.
        port: Its port; 0 for one that the system chooses.
        socket: Path of a unix socket; None for a port.
    """

    host: str = "127.0.0.1"
    port: int = 10600
    socket: Path | None = None

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"unix://{self.socket}" if self.socket else f"tcp://{host}:{self.port}"


def read_place(uri: str) -> WyomingPlace:
    """Return where a server is to listen.

    Args:
        uri: ``tcp://127.0.0.1:10600`` or ``unix:///run/user/1000/surehand-voice.sock``.

    Raises:
        InputError: ``bad_address`` if it is neither, or is reached from other machines.
    """
    try:
        parts = urlsplit(uri)
        port = parts.port
    except ValueError:
        raise _refuse(f"“{uri}” is not an address.") from None
    if parts.scheme == "unix" and parts.path:
        return WyomingPlace("", 0, Path(parts.path))
    if parts.scheme != "tcp" or not parts.hostname or port is None:
        raise _refuse(f"“{uri}” is neither tcp://HOST:PORT nor unix://PATH.")
    host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname
    if not _is_loopback(host):
        raise _refuse(f"{host} can be reached from other machines, and the Wyoming protocol has no password.")
    return WyomingPlace(host, port)


@asynccontextmanager
async def serve_wyoming(
    service: Service, place: WyomingPlace, reopen: Reopen | None = None
) -> AsyncGenerator[WyomingPlace]:
    """Answer clients; yields where they find the server.

    Raises:
        ActionError: ``address_taken`` if it can't listen there.
    """
    lounge = _Lounge(SpokenConversations(service, reopen=reopen))
    try:
        server = await lounge.listen(place)
    except OSError as error:
        text = f"Surehand can't listen on {place}: {error.strerror or error}."
        raise ActionError(text, code="address_taken", hint="Choose another with --uri.") from None
    try:
        found = place if place.socket else WyomingPlace(place.host, server.sockets[0].getsockname()[1])
        yield found
    finally:
        server.close()
        await lounge.close()
        if place.socket:
            with suppress(OSError):
                place.socket.unlink()


class _Lounge:
    """Has the connections that are open."""

    def __init__(self, conversations: SpokenConversations) -> None:
        self._conversations = conversations
        self._open: set[asyncio.Task[None]] = set()

    async def listen(self, place: WyomingPlace) -> asyncio.Server:
        if place.socket is None:
            return await asyncio.start_server(self._meet, place.host, place.port, limit=LINE_LIMIT)
        _clear(place.socket)
        before = os.umask(0o177)  # nobody else may connect, not even before the mode is set
        try:
            return await asyncio.start_unix_server(self._meet, place.socket, limit=LINE_LIMIT)
        finally:
            os.umask(before)

    async def close(self) -> None:
        for each in self._open:
            each.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._open) >= MOST_CONNECTIONS:
            writer.close()
            return
        connection = WyomingConnection(self._conversations, (reader, writer))
        task = asyncio.ensure_future(connection.run())
        self._open.add(task)
        task.add_done_callback(self._open.discard)


def _clear(socket: Path) -> None:
    """Remove a socket that a server left behind; anything else stays."""
    try:
        kind = socket.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(kind):
        raise _refuse(f"{socket} is there already and is not a socket.")
    socket.unlink()


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _refuse(why: str) -> InputError:
    hint = "Listen on 127.0.0.1 or on a unix socket; a tunnel (ssh -L) leads there from elsewhere."
    return InputError(why, code="bad_address", hint=hint)
