"""HTTP to a service of this person on this machine: one connection an exchange, over its socket or loopback."""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import field
from typing import Any
from urllib.parse import urlsplit

import h11

from agent.remote.service_file import RunningService
from agent.remote.told_errors import read_error
from core.base.errors import RefusedError, SurehandError
from core.base.late_dataclasses import dataclass

if sys.platform == "win32":
    from agent.remote.pipes import open_pipe

_CHUNK = 65_536
_HOST = "localhost"
_NO_BODY = b""
_CONNECT_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceCall:
    """What is asked of a service."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Mapping[str, Any] | None = None


class ServiceAnswer:
    """An answer whose body may still be on its way."""

    def __init__(self, reader: asyncio.StreamReader, connection: h11.Connection, head: h11.Response) -> None:
        self.status = head.status_code
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in head.headers}
        self._reader = reader
        self._connection = connection

    async def read_parts(self) -> AsyncIterator[bytes]:
        """Yield the body as it comes.

        Raises:
            RefusedError: ``service_gone`` if it breaks off.
        """
        while not isinstance(event := await _receive(self._reader, self._connection), h11.EndOfMessage):
            if isinstance(event, h11.Data):
                yield bytes(event.data)

    async def read_all(self) -> bytes:
        """Return the body whole."""
        return b"".join([part async for part in self.read_parts()])


class ServiceClient:
    """Asks a service. Nothing is kept between two exchanges, so that one which breaks off harms no other."""

    def __init__(self, service: RunningService) -> None:
        self.service = service

    async def fetch(self, call: ServiceCall) -> Any:
        """Return the answer to a question as JSON.

        Raises:
            SurehandError: What the service answered that refused or failed; ``service_gone`` if it doesn't answer.
        """
        async with self.open(call) as answer:
            return _read_json(await answer.read_all())

    @asynccontextmanager
    async def open(self, call: ServiceCall) -> AsyncGenerator[ServiceAnswer]:
        """Ask, and give the answer while its body is on its way.

        Raises:
            SurehandError: What the service answered that refused or failed; ``service_missing`` if nobody was asked because nobody
            listens, ``service_gone`` if it was asked and doesn't answer.
        """
        reader, writer = await self._connect()
        try:
            writer.write(self._write_head(call, connection := h11.Connection(h11.CLIENT)))
            while not isinstance(event := await _receive(reader, connection), h11.Response):
                pass
            answer = ServiceAnswer(reader, connection, event)
            if answer.status >= 300:
                raise read_error(answer.status, await answer.read_all())
            yield answer
        except OSError as error:
            raise refuse_gone() from error
        finally:
            writer.close()

    def _write_head(self, call: ServiceCall, connection: h11.Connection) -> bytes:
        body = _NO_BODY if call.body is None else json.dumps(call.body, ensure_ascii=False).encode()
        headers = {
            "host": urlsplit(self.service.address).netloc or _HOST,
            "authorization": f"Bearer {self.service.token}",
            "connection": "close",
            **call.headers,
        }
        if call.body is not None:
            headers |= {"content-type": "application/json", "content-length": str(len(body))}
        elif call.method != "GET":
            headers["content-length"] = "0"
        head = h11.Request(method=call.method, target=call.path, headers=list(headers.items()))
        parts = (connection.send(head), connection.send(h11.Data(body)), connection.send(h11.EndOfMessage()))
        return b"".join(part or b"" for part in parts)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            async with asyncio.timeout(_CONNECT_S):
                if not self.service.socket:
                    place = urlsplit(self.service.address)
                    return await asyncio.open_connection(place.hostname, place.port)
                if sys.platform == "win32":
                    return await open_pipe(self.service.socket)
                return await asyncio.open_unix_connection(self.service.socket)
        except (OSError, TimeoutError) as error:
            raise RefusedError(
                "No service answers for this folder.",
                code="service_missing",
                hint="Start one: surehand serve.",
            ) from error


def refuse_gone() -> SurehandError:
    """Return what is said where the service ended, or was killed, in the middle."""
    return RefusedError(
        "The service of this folder has ended.",
        code="service_gone",
        hint="Continue what was running by surehand resume last.",
    )


async def _receive(reader: asyncio.StreamReader, connection: h11.Connection) -> h11.Event:
    try:
        while (event := connection.next_event()) is h11.NEED_DATA:
            connection.receive_data(await reader.read(_CHUNK))
    except (h11.RemoteProtocolError, OSError) as error:
        raise refuse_gone() from error
    if isinstance(event, h11.ConnectionClosed) or not isinstance(event, h11.Event):
        raise refuse_gone()
    return event


def _read_json(body: bytes) -> Any:
    try:
        return json.loads(body) if body else None
    except ValueError as error:
        raise SurehandError("The service gave an answer that is not JSON.", code="internal_error") from error
