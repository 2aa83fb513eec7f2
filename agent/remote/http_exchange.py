"""HTTP to a service of this person on this machine: one connection an exchange, over its socket or loopback.

What a command asks goes without a loop: importing asyncio takes longer than the whole exchange. `run_blocking` drives the same coroutines over a
socket that blocks, so that none of them ever waits for anything else.
"""

import json
import socket
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from agent.remote.service_file import RunningService
from agent.remote.told_errors import read_error
from core.base.errors import RefusedError, SurehandError
from core.base.late_dataclasses import dataclass, field

if sys.platform == "win32":
    from agent.remote.pipes import open_pipe

Result = TypeVar("Result")

_CHUNK = 65_536
_MOST_HEADERS = 100
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


class Reader(Protocol):
    """What comes over a connection."""

    async def readline(self) -> bytes:
        """Return a line with its end; less at the end of all."""
        ...

    async def readexactly(self, n: int, /) -> bytes:
        """Return so many bytes, or raise EOFError."""
        ...

    async def read(self, n: int, /) -> bytes:
        """Return some bytes; none at the end of all."""
        ...


class Writer(Protocol):
    """What goes over a connection."""

    def write(self, data: bytes, /) -> None:
        """Send bytes."""
        ...

    def close(self) -> None:
        """End the connection."""
        ...


class ServiceAnswer:
    """An answer whose body may still be on its way."""

    def __init__(self, reader: Reader, status: int, headers: Mapping[str, str]) -> None:
        self.status, self.headers = status, headers
        self._reader = reader

    async def read_parts(self) -> AsyncIterator[bytes]:
        """Yield the body as it comes.

        Raises:
            RefusedError: ``service_gone`` if it breaks off.
        """
        try:
            if self.headers.get("transfer-encoding", "").lower() == "chunked":
                while size := int((await self._reader.readline()).partition(b";")[0], 16):
                    yield (await self._reader.readexactly(size + 2))[:-2]  # the line's end is no part of it
            elif (length := self.headers.get("content-length")) is not None:
                yield await self._reader.readexactly(int(length))
            else:
                while part := await self._reader.read(_CHUNK):
                    yield part
        except (OSError, EOFError, ValueError) as error:
            raise refuse_gone() from error

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
            writer.write(self._write(call))
            answer = ServiceAnswer(reader, *await _read_head(reader))
            if answer.status >= 300:
                raise read_error(answer.status, await answer.read_all())
            yield answer
        except OSError as error:
            raise refuse_gone() from error
        finally:
            writer.close()

    def _write(self, call: ServiceCall) -> bytes:
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
        lines = [f"{call.method} {call.path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        if any(not each.isprintable() for each in lines):
            raise ValueError(f"No head of a request can have the line {lines!r}.")
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body

    async def _connect(self) -> tuple[Reader, Writer]:
        asyncio: Any = import_module("asyncio")  # a command that blocks needs none of it
        try:
            async with asyncio.timeout(_CONNECT_S):
                if not self.service.socket:
                    place = urlsplit(self.service.address)
                    return await asyncio.open_connection(place.hostname, place.port)
                if sys.platform == "win32":
                    return await open_pipe(self.service.socket)
                return await asyncio.open_unix_connection(self.service.socket)
        except (OSError, TimeoutError) as error:
            raise _refuse_missing() from error


def _refuse_missing() -> RefusedError:
    return RefusedError(
        "No service answers for this folder.", code="service_missing", hint="Start one: surehand serve."
    )


def refuse_gone() -> SurehandError:
    """Return what is said where the service ended, or was killed, in the middle."""
    return RefusedError(
        "The service of this folder has ended.",
        code="service_gone",
        hint="Continue what was running by surehand resume last.",
    )


async def _read_head(reader: Reader) -> tuple[int, dict[str, str]]:
    """Return the status and the headers of an answer; those before the last, such as 100, are passed over.

    Raises:
        RefusedError: ``service_gone`` if it breaks off, or is no HTTP.
    """
    status, headers = 100, dict[str, str]()
    try:
        while status < 200:
            version, told = (await reader.readline()).split(b" ", 2)[:2]
            if not version.startswith(b"HTTP/1."):
                raise ValueError(version)
            status, headers = int(told), {}
            while (line := await reader.readline()) != b"\r\n":
                name, colon, value = line.decode("latin-1").partition(":")
                if not colon or len(headers) > _MOST_HEADERS:
                    raise ValueError(name)
                headers[name.lower()] = value.strip()
    except (OSError, EOFError, ValueError) as error:
        raise refuse_gone() from error
    return status, headers


class _Blocking:
    """A connection that blocks, with the methods of one that doesn't."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection, self._file = connection, connection.makefile("rb")

    async def readline(self) -> bytes:
        return self._file.readline(_CHUNK)

    async def readexactly(self, n: int, /) -> bytes:
        if len(found := self._file.read(n)) < n:
            raise EOFError
        return found

    async def read(self, n: int, /) -> bytes:
        return self._file.read1(n)

    def write(self, data: bytes, /) -> None:
        self._connection.sendall(data)

    def close(self) -> None:
        self._file.close()
        self._connection.close()


class BlockingClient(ServiceClient):
    """Asks a service by a socket that blocks; for `run_blocking`, and where there are such sockets."""

    async def _connect(self) -> tuple[Reader, Writer]:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.settimeout(_CONNECT_S)
            connection.connect(self.service.socket)
            connection.settimeout(None)
        except OSError as error:
            connection.close()
            raise _refuse_missing() from error
        blocking = _Blocking(connection)
        return blocking, blocking


def run_blocking(work: Coroutine[Any, Any, Result]) -> Result:
    """Return what a coroutine returns that asks by a `BlockingClient` and waits for nothing else."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    finally:
        work.close()
    raise RuntimeError("It waits for something that no connection tells.")


def _read_json(body: bytes) -> Any:
    try:
        return json.loads(body) if body else None
    except ValueError as error:
        raise SurehandError("The service gave an answer that is not JSON.", code="internal_error") from error
