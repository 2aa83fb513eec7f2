"""The wall's proxy on real sockets, with a client that says exactly what it wants to."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

import pytest

from actuators.browser.egress.address_kinds import IPAddress
from actuators.browser.egress.connections import WHO_ARE_YOU
from actuators.browser.egress.far_sides import break_off
from actuators.browser.egress.requests import RequestHead, RequestReader
from actuators.browser.egress.rules import EgressPolicy
from core.policy.policy import Policy
from fixtures.egress.site import Place, can_listen
from fixtures.machine.network import DeclaredNetwork
from tests.actuators.browser.egress.proxy_bench import OTHER_PUBLIC, PUBLIC, Bench, read_answer

pytestmark = pytest.mark.skipif(not can_listen("127.0.0.2"), reason="this machine has no loopback address 127.0.0.2")
P = TypeVar("P", bound=asyncio.Protocol)
Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with Place("127.0.0.2") as place:
        bench = Bench(place, {})
        await bench.proxy.start()
        yield bench
        await bench.proxy.stop()


async def test_a_page_of_a_public_host_comes_through(bench: Bench):
    answer = await bench.get(f"http://site.example:{bench.place.port}/a.html")
    assert answer.startswith(b"HTTP/1.1 200")
    assert bench.network.reached == [(PUBLIC, bench.place.port)]
    assert bench.network.asked == ["site.example"]


async def test_a_tunnel_carries_bytes_both_ways_to_the_address_that_was_judged(bench: Bench):
    reader, writer = await bench.connect()
    writer.write(bench.sign(f"CONNECT site.example:{bench.place.port} HTTP/1.1\r\nHost: x\r\n\r\n"))
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
    writer.write(b"GET /a.html HTTP/1.1\r\n\r\n")
    assert b"<title>there</title>" in await reader.readuntil(b"</title>text")
    assert bench.network.asked == ["site.example"]
    writer.transport.abort()


@pytest.mark.parametrize(
    "host",
    ["127.0.0.2", "2130706434", "0x7f.2", "127.2", "0177.0.0.2", "[::ffff:127.0.0.2]", "[::ffff:7f00:2]", "inner.example",
     "user:word@127.0.0.2", "INNER.example", "１２７.0.0.2", "127。0。0。2", "inner%2Eexample"],
)  # fmt: skip
async def test_no_spelling_of_an_inner_address_gets_through(bench: Bench, host: str):
    spelled = host.encode().decode("latin-1")
    answer = await bench.get(f"http://{spelled}:{bench.place.port}/")
    assert answer == (b"" if spelled.isascii() else WHO_ARE_YOU)  # browsers send no such letters, so it is none
    await bench.say(f"CONNECT {spelled}:{bench.place.port} HTTP/1.1\r\nHost: x\r\n\r\n")
    assert not bench.place.was_touched
    assert set(bench.codes()) <= {"not_public", "bad_url"}
    assert bool(bench.codes()) == spelled.isascii()


async def test_of_a_name_with_public_and_inner_addresses_only_the_public_ones_are_tried(bench: Bench):
    bench.network.names["both.example"] = ("127.0.0.2", OTHER_PUBLIC)  # which nobody stands in for: it refuses
    with bench.rules.heading("page", f"http://both.example:{bench.place.port}/"):
        assert await bench.get(f"http://both.example:{bench.place.port}/", "Sec-Fetch-Site: none") == b""
    assert bench.network.reached == [(OTHER_PUBLIC, bench.place.port)]
    assert not bench.place.was_touched
    assert bench.codes() == ["unreachable"]


async def test_of_a_host_that_the_settings_name_as_inner_all_addresses_are_tried(bench: Bench):
    bench.network.names["both.example"] = ("127.0.0.2", OTHER_PUBLIC)
    bench.rules = EgressPolicy(named_hosts=("both.example",))
    await bench.replace_proxy()
    assert (await bench.get(f"http://both.example:{bench.place.port}/")).startswith(b"HTTP/1.1 200")


async def test_a_name_that_turns_inwards_between_two_requests_still_leads_to_where_it_was(bench: Bench):
    url = f"http://site.example:{bench.place.port}/"
    assert (await bench.get(url)).startswith(b"HTTP/1.1 200")
    bench.network.names["site.example"] = ("127.0.0.3",)
    assert (await bench.get(url)).startswith(b"HTTP/1.1 200")
    assert bench.network.reached == [(PUBLIC, bench.place.port)] * 2
    assert bench.network.asked == ["site.example"]


@pytest.mark.parametrize(
    "text",
    [
        "GET / HTTP/1.1\r\nHost: site.example\r\n\r\n",
        "GET ftp://site.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET https://site.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT site.example HTTP/1.0\n\n garbage",
        "CONNECT site.example:80/path HTTP/1.1\r\nHost: x\r\n\r\n",
        "CONNECT user@site.example:80 HTTP/1.1\r\nHost: x\r\n\r\n",
        "\x16\x03\x01 a greeting of TLS\r\n\r\n",
        "GET http://site.example/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked, x\r\n\r\n",
        "GET http://site.example/\x01 HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
async def test_what_is_no_request_to_a_proxy_gets_no_answer_and_goes_nowhere(bench: Bench, text: str):
    answer = await bench.say(text)
    assert not answer.startswith(b"HTTP/1.1 200")
    assert not bench.place.was_touched


def test_of_two_lengths_of_a_body_only_the_one_that_was_read_goes_on():
    reader = RequestReader()
    lines = ("POST http://site.example/ HTTP/1.1", "Host: x", "Content-Length: 3", "Transfer-Encoding: chunked", "", "")
    reader.feed("\r\n".join(lines).encode() + b"1\r\nx\r\n0\r\n\r\n")
    head = reader.next_part()
    assert isinstance(head, RequestHead)
    assert b"content-length" not in head.direct.lower()
    assert b"transfer-encoding: chunked" in head.direct.lower()
    assert (reader.next_part(), reader.next_part()) == (b"1\r\nx\r\n", b"0\r\n\r\n")


async def test_one_connection_leads_to_one_host_only(bench: Bench):
    bench.network.names["other.example"] = (PUBLIC,)
    reader, writer = await bench.connect()
    port = bench.place.port
    writer.write(bench.sign(f"GET http://site.example:{port}/a.html HTTP/1.1\r\nHost: x\r\n\r\n"))
    await reader.readuntil(b"</title>text")
    writer.write(bench.sign(f"GET http://other.example:{port}/a.html HTTP/1.1\r\nHost: x\r\n\r\n"))
    assert await read_answer(reader) == b""
    assert bench.network.asked == ["site.example"]
    assert bench.codes() == ["bad_request"]
    writer.transport.abort()


async def test_a_kept_connection_serves_further_requests_and_each_is_judged(bench: Bench):
    reader, writer = await bench.connect()
    url = f"http://site.example:{bench.place.port}/a.html"
    request = bench.sign(f"POST {url} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
    for _ in range(3):
        writer.write(request)
        await reader.readuntil(b"</title>text")
    assert (bench.place.connections, bench.place.requests) == (1, 3)
    bench.rules.set_policy("main", Policy(hosts=("other.example",)))
    writer.write(request)
    assert await read_answer(reader) == b""
    assert bench.place.requests == 3
    writer.transport.abort()


async def test_a_tunnel_ends_when_policy_forbids_its_host(bench: Bench):
    reader, writer = await bench.connect()
    writer.write(bench.sign(f"CONNECT site.example:{bench.place.port} HTTP/1.1\r\nHost: x\r\n\r\n"))
    await reader.readuntil(b"\r\n\r\n")
    bench.rules.set_policy("main", Policy(hosts=()))
    bench.proxy.review()
    assert await read_answer(reader) == b""
    writer.transport.abort()


async def test_a_server_that_answers_before_it_is_asked_is_heard_and_cut_when_policy_forbids_it(bench: Bench):
    writers: list[asyncio.StreamWriter] = []

    async def speak(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")

    server = await asyncio.start_server(speak, "127.0.0.2", 0)
    reader, writer = await bench.connect()
    port = server.sockets[0].getsockname()[1]
    writer.write(bench.sign(f"GET http://site.example:{port}/ HTTP/1.1\r\nHost: x\r\n\r\n"))
    assert await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
    bench.rules.set_policy("main", Policy(hosts=("site.example",)))
    bench.proxy.review()
    writers[0].write(b"data: 1\n\n")
    assert await asyncio.wait_for(reader.readuntil(b"\n\n"), 5) == b"data: 1\n\n"
    bench.rules.set_policy("main", Policy(hosts=("other.example",)))
    bench.proxy.review()
    with pytest.raises(ConnectionError):
        await asyncio.wait_for(reader.read(), 5)
    for each in (writer, *writers):
        each.transport.abort()
    server.close()


async def test_an_answer_that_breaks_off_does_not_pass_for_a_whole_one(bench: Bench):
    written = asyncio.Event()

    async def break_halfway(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nhalf")
        await writer.drain()
        await written.wait()
        break_off(writer.transport)

    server = await asyncio.start_server(break_halfway, "127.0.0.2", 0)
    reader, writer = await bench.connect()
    port = server.sockets[0].getsockname()[1]
    writer.write(bench.sign(f"GET http://site.example:{port}/ HTTP/1.1\r\nHost: x\r\n\r\n"))
    assert await asyncio.wait_for(reader.readuntil(b"half"), 5)
    written.set()
    with pytest.raises(ConnectionError):
        await asyncio.wait_for(reader.read(), 5)
    writer.transport.abort()
    server.close()


async def test_why_a_host_was_not_reached_is_in_the_records(bench: Bench):
    async with Place("127.0.0.3") as gone:
        port = gone.port
    bench.network.names["gone.example"] = ("93.184.215.99",)
    bench.network.doors["93.184.215.99"] = "127.0.0.3"
    await bench.get("http://nowhere.example/")
    await bench.get(f"http://gone.example:{port}/")
    assert bench.codes() == ["dns_failed", "connection_refused"]
    assert [record.refused for record in bench.book.records] == [False, False]
    assert bench.book.records[1].url == f"http://gone.example:{port}/"


async def test_an_address_that_does_not_answer_holds_a_page_up_for_a_moment_only(bench: Bench):
    given_up = asyncio.Event()

    class HalfDead(DeclaredNetwork):
        async def connect(self, make_protocol: Callable[[], P], address: IPAddress, port: int) -> P:
            if address.version == 6:
                try:
                    await asyncio.Event().wait()
                finally:
                    given_up.set()
            return await super().connect(make_protocol, address, port)

    names = {"site.example": ("2606:2800:220:1::1", PUBLIC)}
    bench.network = HalfDead(names, {PUBLIC: "127.0.0.2"})
    await bench.replace_proxy()
    started_s = time.monotonic()
    answer = await bench.get(f"http://site.example:{bench.place.port}/a.html")
    assert answer.startswith(b"HTTP/1.1 200")
    assert time.monotonic() - started_s < 2.0
    await asyncio.wait_for(given_up.wait(), 1)


async def test_closing_ends_everything_at_once_also_what_is_being_looked_up(bench: Bench):
    looking = asyncio.Event()

    class Slow(DeclaredNetwork):
        async def resolve(self, hostname: str) -> tuple[IPAddress, ...]:
            looking.set()
            await asyncio.Event().wait()
            return await super().resolve(hostname)

    bench.network = Slow()
    await bench.replace_proxy()
    host, port = bench.proxy.address.removeprefix("http://").split(":")
    before = len(asyncio.all_tasks())
    reader, writer = await bench.connect()
    writer.write(bench.sign("CONNECT slow.example:443 HTTP/1.1\r\nHost: x\r\n\r\n"))
    await looking.wait()
    started_s = time.monotonic()
    await bench.proxy.stop()
    assert time.monotonic() - started_s < 0.2
    assert await read_answer(reader) == b""
    assert len(asyncio.all_tasks()) <= before
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(host, int(port))
    writer.transport.abort()


async def test_a_slow_reader_holds_the_server_back_instead_of_filling_memory(bench: Bench):
    sent = 0
    filled = asyncio.Event()

    async def pour(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            while sent < 64 * 2**20:
                writer.write(b"x" * 2**16)
                await asyncio.wait_for(writer.drain(), 0.5)
                sent += 2**16
        except TimeoutError:
            filled.set()
        writer.transport.abort()

    server = await asyncio.start_server(pour, "127.0.0.2", 0)
    port = server.sockets[0].getsockname()[1]
    reader, writer = await bench.connect()  # whose buffer fills up, since nobody reads from it
    writer.write(bench.sign(f"GET http://site.example:{port}/ HTTP/1.1\r\nHost: x\r\n\r\n"))
    await asyncio.wait_for(filled.wait(), 20)
    assert sent < 32 * 2**20
    assert not reader.at_eof()
    writer.transport.abort()
    server.close()
