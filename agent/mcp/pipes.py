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
        loop, begun = asyncio.get_running_loop(), bytearray()
        while part := await self._read(loop):
            first, *others = part.split(b"\n")
            begun += first
            for each in others:
                yield begun.decode("utf-8", "replace")
                begun = bytearray(each)
        if begun:
            yield begun.decode("utf-8", "replace")

    async def _read(self, loop: asyncio.AbstractEventLoop) -> bytes:
        await _wait(loop.add_reader, loop.remove_reader, self._descriptor)
        return os.read(self._descriptor, _CHUNK)


class PipeText:
    """Text for a pipe; whoever writes waits while the other end doesn't read."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._poll = descriptor, select.poll()
        self._poll.register(descriptor, select.POLLOUT)

    async def write(self, text: str) -> None:
        """Write a text whole.

        Raises:
            OSError: If nobody is at the other end.
        """
        loop, data = asyncio.get_running_loop(), memoryview(text.encode())
        while data:
            if not self._poll.poll(0):
                await _wait(loop.add_writer, loop.remove_writer, self._descriptor)
            data = data[os.write(self._descriptor, data[: select.PIPE_BUF]) :]  # so much doesn't block what is ready

    async def flush(self) -> None:
        """Do nothing: all is written."""


async def _wait(add: Callable[..., None], remove: Callable[[int], bool], descriptor: int) -> None:
    """Wait until a descriptor is ready. Whether it blocks isn't changed: that would hold for all who have it."""
    ready = asyncio.get_running_loop().create_future()
    add(descriptor, lambda: ready.done() or ready.set_result(None))
    try:
        await ready
    finally:
        remove(descriptor)
