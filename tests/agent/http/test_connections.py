"""Connections to the service: what the system is told to do with them."""

import asyncio
import socket

from agent.web.server import listen_on


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
