"""PipeLoop: the loop of a service on Windows, which accepts connections on a named pipe beside its sockets. Windows only.

asyncio serves pipes with whatever rights Windows gives them, which lets everybody read. So the instances are made by
`agent/remote/pipes.py`, and what asyncio has for one that is connected is used here.
"""

import sys

if sys.platform != "win32":
    raise ImportError("named pipes are a part of Windows")

import asyncio
from asyncio.windows_utils import PipeHandle
from collections.abc import Callable

from agent.web.pipe_sources import PipeSource

_PAUSE_S = 0.1
"""Seconds until another try where Windows has no room for one more instance."""


class PipeLoop(asyncio.ProactorEventLoop):
    """A loop that can serve a pipe."""

    def serve_pipe(self, source: PipeSource, make_protocol: Callable[[], asyncio.Protocol]) -> "PipeServer":
        """Begin to accept, and return by what that is ended."""
        return PipeServer(source, self.create_task(self._accept_all(source, make_protocol)))

    async def _accept_all(self, source: PipeSource, make_protocol: Callable[[], asyncio.Protocol]) -> None:
        while True:
            try:
                pipe = PipeHandle(source.take())
            except OSError:
                await asyncio.sleep(_PAUSE_S)
                continue
            try:
                await self._proactor.accept_pipe(pipe)
            except OSError:  # it came and went
                pipe.close()
                continue
            except BaseException:
                pipe.close()
                raise
            self._make_duplex_pipe_transport(pipe, make_protocol(), extra={})


class PipeServer:
    """What asyncio's servers are for sockets: ends the accepting."""

    def __init__(self, source: PipeSource, accepting: "asyncio.Task[None]") -> None:
        self._source = source
        self._accepting = accepting

    def close(self) -> None:
        """Accept nothing any more; what is connected goes on."""
        self._accepting.cancel()
        self._source.close()

    async def wait_closed(self) -> None:
        """Wait until nothing is accepted any more."""
        await asyncio.wait([self._accepting])
