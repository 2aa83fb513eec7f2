"""Connections to the service: what the system is told to do with them."""

import asyncio
import socket

from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.types import Receive, Scope, Send

from agent.web.server import DoorServer, listen_on


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        parts = (f"part {number}" for number in range(3))
        answer = StreamingResponse(parts) if scope["path"] == "/parts" else PlainTextResponse("whole")
        await answer(scope, receive, send)


async def test_an_answer_comes_at_once_and_its_parts_in_order() -> None:
    listener = listen_on("127.0.0.1", 0)
    server = DoorServer(_answer, [listener])
    server.start()
    reader, writer = await asyncio.open_connection(*listener.getsockname())
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: one\r\n\r\n")
        assert (await reader.read(65_536)).endswith(b"\r\n\r\nwhole")  # one look finds head and body
        writer.write(b"GET /parts HTTP/1.1\r\nHost: one\r\nConnection: close\r\n\r\n")
        told = await reader.read()
        assert [told.find(b"part %d" % number) for number in range(3)] == sorted(
            told.find(b"part %d" % number) for number in range(3)
        )
        assert told.endswith(b"part 2\r\n0\r\n\r\n")
    finally:
        writer.close()
        await server.stop()


async def test_no_part_of_an_answer_waits_until_the_one_before_it_is_acknowledged() -> None:
    told: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = writer.get_extra_info("socket")
        told.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listener = listen_on("127.0.0.1", 0)
    async with await asyncio.start_server(answer, sock=listener):
        _, writer = await asyncio.open_connection(*listener.getsockname())
        assert await told
        writer.close()
        await writer.wait_closed()
