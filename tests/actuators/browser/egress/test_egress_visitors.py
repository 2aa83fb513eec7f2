"""Who may use the wall: its browser by a password, nobody else, and nobody for ever."""

import asyncio
import base64
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack
from typing import TypeVar

import pytest

from actuators.browser.egress.address_kinds import IPAddress
from actuators.browser.egress.connections import WHO_ARE_YOU, ConnectionLimits
from fixtures.egress.site import Place, can_listen
from fixtures.machine.network import DeclaredNetwork
from tests.actuators.browser.egress.proxy_bench import Bench, read_answer

pytestmark = pytest.mark.skipif(not can_listen("127.0.0.2"), reason="this machine has no loopback address 127.0.0.2")
LIMITS = ConnectionLimits(strangers=3, visitors=2, head_s=0.2, idle_s=0.4, round_s=0.05)
MakeBench = Callable[[ConnectionLimits | None], Awaitable[Bench]]
P = TypeVar("P", bound=asyncio.Protocol)


@pytest.fixture
async def make_bench() -> AsyncIterator[MakeBench]:
    made: list[Bench] = []
    async with Place("127.0.0.2") as place:

        async def make(limits: ConnectionLimits | None = None) -> Bench:
            bench = Bench(place, {}, limits)
            await bench.proxy.start()
            made.append(bench)
            return bench

        yield make
        for bench in made:
            await bench.proxy.stop()


def encode(pair: str) -> str:
    return "Proxy-Authorization: Basic " + base64.b64encode(pair.encode()).decode()


@pytest.mark.parametrize(
    "shown",
    ["", encode("surehand:"), encode("surehand:guess"), encode(":"), "Proxy-Authorization: Bearer x", "Authorization: Basic x"],
)  # fmt: skip
@pytest.mark.parametrize("start", ["GET http://site.example:PORT/", "CONNECT site.example:PORT", "GET http://127.0.0.2:PORT/",
    "GET /", "POST http://nowhere.example/", "CONNECT 127.0.0.2:PORT", "\x16\x03\x01 hello"])  # fmt: skip
async def test_whoever_lacks_the_password_is_asked_for_it_and_gets_nothing_else(
    make_bench: MakeBench, start: str, shown: str
):
    bench = await make_bench(None)
    reader, writer = await bench.connect()
    lines = [f"{start.replace('PORT', str(bench.place.port))} HTTP/1.1", "Host: x", *([shown] if shown else []), "", ""]
    writer.write("\r\n".join(lines).encode("latin-1"))
    assert await asyncio.wait_for(reader.read(), 5) == WHO_ARE_YOU
    assert not bench.place.was_touched
    assert bench.network.asked == []
    assert bench.codes() == []  # no page of ours was refused anything
    writer.transport.abort()


async def test_two_walls_take_each_their_own_password_only(make_bench: MakeBench):
    one, other = await make_bench(None), await make_bench(None)
    url = f"http://site.example:{one.place.port}/"
    signed = other.sign(f"GET {url} HTTP/1.1\r\nHost: x\r\n\r\n")
    reader, writer = await one.connect()
    writer.write(signed)
    assert await asyncio.wait_for(reader.read(), 5) == WHO_ARE_YOU
    assert (await one.get(url)).startswith(b"HTTP/1.1 200")
    writer.transport.abort()


async def test_each_request_on_a_kept_connection_shows_the_password(make_bench: MakeBench):
    bench = await make_bench(None)
    text = f"GET http://site.example:{bench.place.port}/a.html HTTP/1.1\r\nHost: x\r\n\r\n"
    reader, writer = await bench.connect()
    writer.write(bench.sign(text))
    await reader.readuntil(b"</title>text")
    writer.write(text.encode())
    assert await asyncio.wait_for(reader.read(), 5) == WHO_ARE_YOU
    assert bench.place.requests == 1
    writer.transport.abort()


async def test_the_password_goes_no_further_than_the_wall(make_bench: MakeBench):
    bench = await make_bench(None)
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.2", 0)
    port = server.sockets[0].getsockname()[1]
    await bench.get(f"http://site.example:{port}/")
    assert b"authorization" not in heads[0].lower()
    server.close()


async def test_a_stranger_that_says_nothing_or_never_ends_its_head_is_sent_away_in_time(make_bench: MakeBench):
    bench = await make_bench(LIMITS)
    (silent, silent_writer), (slow, slow_writer) = await bench.connect(), await bench.connect()
    slow_writer.write(b"GET http://site.example/ HTTP/1.1\r\n")
    assert await asyncio.wait_for(asyncio.gather(read_answer(silent), read_answer(slow)), 5) == [b"", b""]
    assert bench.codes() == []
    for writer in (silent_writer, slow_writer):
        writer.transport.abort()


async def test_more_strangers_than_there_is_room_for_push_out_the_oldest_and_the_browser_comes_in(
    make_bench: MakeBench,
):
    bench = await make_bench(ConnectionLimits(strangers=3, head_s=60.0))
    host, port = bench.proxy.address.removeprefix("http://").split(":")
    with ExitStack() as stack:
        strangers = [stack.enter_context(socket.create_connection((host, int(port)))) for _ in range(100)]
        assert (await bench.get(f"http://site.example:{bench.place.port}/")).startswith(b"HTTP/1.1 200")
        for stranger in strangers:
            stranger.setblocking(False)
        with pytest.raises(ConnectionResetError):
            strangers[0].recv(1)
        with pytest.raises(BlockingIOError):
            strangers[-1].recv(1)


async def test_a_connection_that_nobody_uses_ends_and_one_in_use_does_not(make_bench: MakeBench):
    bench = await make_bench(LIMITS)
    tunnel = bench.sign(f"CONNECT site.example:{bench.place.port} HTTP/1.1\r\nHost: x\r\n\r\n")
    (idle, idle_writer), (busy, busy_writer) = await bench.connect(), await bench.connect()
    for reader, writer in ((idle, idle_writer), (busy, busy_writer)):
        writer.write(tunnel)
        await reader.readuntil(b"\r\n\r\n")
    ended = asyncio.ensure_future(read_answer(idle))
    while not ended.done():
        busy_writer.write(b"GET /a.html HTTP/1.1\r\n\r\n")
        await asyncio.wait_for(busy.readuntil(b"</title>text"), 5)
    assert ended.result() == b""
    for writer in (idle_writer, busy_writer):
        writer.transport.abort()


async def test_more_connections_of_the_browser_than_there_is_room_for_are_ended_and_the_others_go_on(
    make_bench: MakeBench,
):
    bench = await make_bench(ConnectionLimits(visitors=2))
    tunnel = bench.sign(f"CONNECT site.example:{bench.place.port} HTTP/1.1\r\nHost: x\r\n\r\n")
    pairs = [await bench.connect() for _ in range(3)]
    answers: list[bytes] = []
    for reader, writer in pairs:
        writer.write(tunnel)
        answers.append(await asyncio.wait_for(read_answer(reader), 5))
    assert [answer[:12] for answer in answers] == [b"HTTP/1.1 200", b"HTTP/1.1 200", b""]
    for _, writer in pairs:
        writer.transport.abort()


async def test_when_no_more_files_can_be_open_that_is_what_is_told(make_bench: MakeBench):
    class Full(DeclaredNetwork):
        async def connect(self, make_protocol: Callable[[], P], address: IPAddress, port: int) -> P:
            raise OSError(24, "Too many open files")

    bench = await make_bench(None)
    bench.network = Full({"site.example": ("93.184.215.14",)})
    await bench.replace_proxy()
    await bench.get("http://site.example/")
    assert bench.codes() == ["too_many_files"]
