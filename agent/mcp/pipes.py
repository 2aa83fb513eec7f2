"""Standard streams as pipes of the loop, without a thread for each line. Not on Windows, whose loop has no such pipes."""

import sys

if sys.platform == "win32":
    raise ImportError("loops of Windows don't wait for descriptors")

import asyncio
import os
import select
import stat
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import contextmanager
from typing import Self

from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

_CHUNK = 65_536


def are_pipes(*descriptors: int) -> bool:
    """Tell whether the loop can wait for all of these; it can't for files, and a terminal is others' as well."""
    try:
        modes = [os.fstat(each).st_mode for each in descriptors]
    except OSError:
        return False
    return all(stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) for mode in modes)


@contextmanager
def divert_streams() -> Generator[tuple["PipeLines", "PipeText"]]:
    """Give what stdin and stdout are; meanwhile they lead elsewhere, so that what reads or prints here harms no message."""
    with _divert(0, lambda: os.open(os.devnull, os.O_RDONLY)) as incoming, _divert(1, lambda: os.dup(2)) as outgoing:
        yield PipeLines(incoming), PipeText(outgoing)


@contextmanager
def _divert(descriptor: int, open_other: Callable[[], int]) -> Generator[int]:
    own, other = os.dup(descriptor), open_other()
    os.dup2(other, descriptor)
    os.close(other)
    try:
        yield own
    finally:
        os.dup2(own, descriptor)
        os.close(own)


class PipeLines:
    """Lines of a pipe; no more is read than somebody waits for."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield lines until the other end is done; what isn't UTF-8 is replaced."""
        begun = bytearray()
        while part := await self._read():
            first, *others = part.split(b"\n")
            begun += first
            for each in others:
                yield begun.decode("utf-8", "replace")
                begun = bytearray(each)
        if begun:
            yield begun.decode("utf-8", "replace")

    async def _read(self) -> bytes:
        """Read once the descriptor is ready. Whether it blocks isn't changed: that would hold for all who have it."""
        loop = asyncio.get_running_loop()
        ready = loop.create_future()
        loop.add_reader(self._descriptor, lambda: ready.done() or ready.set_result(None))
        try:
            await ready
        finally:
            loop.remove_reader(self._descriptor)
        return os.read(self._descriptor, _CHUNK)


class PipeText:
    """Text for a pipe; whoever writes waits while the other end doesn't read."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._poll = descriptor, select.poll()
        self._poll.register(descriptor, select.POLLOUT)
        self._left = bytearray()
        self._taking: asyncio.Future[None] | None = None

    async def write(self, text: str) -> None:
        """Write a text whole, behind what was written before; all of it also where whoever waits for that is cancelled.

        Raises:
            OSError: If nobody is at the other end.
        """
        self._left += text.encode()
        if self._taking is None:
            self._push()
            if self._left:
                loop = asyncio.get_running_loop()
                self._taking = loop.create_future()
                loop.add_writer(self._descriptor, self._go_on, loop, self._taking)
        await self.drain()

    async def drain(self) -> None:
        """Wait until all is written."""
        if self._taking:
            await asyncio.shield(self._taking)

    def _push(self) -> None:
        while self._left and self._poll.poll(0):
            done = os.write(self._descriptor, self._left[: select.PIPE_BUF])  # so much doesn't block what is ready
            del self._left[:done]

    def _go_on(self, loop: asyncio.AbstractEventLoop, taking: asyncio.Future[None]) -> None:
        fault = None
        try:
            self._push()
        except OSError as error:
            fault = error
            self._left.clear()
        if self._left:
            return
        loop.remove_writer(self._descriptor)
        self._taking = None
        if not taking.done():
            taking.set_exception(fault) if fault else taking.set_result(None)


class PipeMessages:
    """Messages, a line each, as the SDK's server reads and writes them; without its tasks and queues between pipe and server."""

    def __init__(self, lines: PipeLines, text: PipeText) -> None:
        self._lines, self._text = aiter(lines), text

    def __aiter__(self) -> Self:
        """Return the same."""
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        """Return the client's next message; what is none as the fault that says so."""
        line = await anext(self._lines)
        try:
            return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
        except ValueError as error:
            return error

    async def send(self, message: SessionMessage, /) -> None:
        """Send a message; an OSError if the client has gone."""
        await self._text.write(message.message.model_dump_json(by_alias=True, exclude_unset=True) + "\n")

    async def aclose(self) -> None:
        """Wait until all is sent."""
        await self._text.drain()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
