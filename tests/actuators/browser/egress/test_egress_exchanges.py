"""What becomes of requests that a server leaves without an answer, on real sockets."""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.browser.egress.exchanges import NO_ANSWER, NO_RECORD, PlainExchange, TunnelExchange
from actuators.browser.egress.far_sides import break_off
from core.addresses.urls import judge_address
from fixtures.egress.site import Place, can_listen
from tests.actuators.browser.egress.proxy_bench import Bench, read_answer

pytestmark = pytest.mark.skipif(not can_listen("127.0.0.2"), reason="this machine has no loopback address 127.0.0.2")
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with Place("127.0.0.2") as place:
        bench = Bench(place, {})
        await bench.proxy.start()
        yield bench
        await bench.proxy.stop()


@asynccontextmanager
async def serving(serve: Serve) -> AsyncGenerator[int]:
    server = await asyncio.start_server(serve, "127.0.0.2", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


class Breaker:
    """A server that answers so many requests on a connection and ends it at the next one, once it has read that."""

    def __init__(self, answers: int, ending: bytes = b"", *, hard: bool = False) -> None:
        self.handled: list[bytes] = []
        self.connections = 0
        self._answers, self._ending, self._hard = answers, ending, hard

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        for count in range(self._answers + 1):
            head = await reader.readuntil(b"\r\n\r\n")
            if length := re.search(rb"(?i)content-length: (\d+)", head):
                await reader.readexactly(int(length[1]))
            self.handled.append(head.partition(b" ")[0])
            writer.write(OK if count < self._answers else self._ending)
            await writer.drain()
        if self._hard:
            break_off(writer.transport)
        writer.close()


def compose(bench: Bench, port: int, method: str) -> bytes:
    return bench.sign(f"{method} http://site.example:{port}/a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "PROPPATCH"])
@pytest.mark.parametrize(
    "ending", [b"", b"HTTP/1.1 20", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 "]
)
@pytest.mark.parametrize("hard", [False, True])
async def test_a_request_that_may_change_something_and_gets_no_answer_is_told_and_ends_in_a_fault(
    bench: Bench, method: str, ending: bytes, hard: bool
):
    async with serving(breaker := Breaker(1, ending, hard=hard)) as port:
        reader, writer = await bench.connect()
        writer.write(compose(bench, port, method))
        assert await asyncio.wait_for(reader.readexactly(len(OK)), 5) == OK
        writer.write(compose(bench, port, method))
        assert (await asyncio.wait_for(reader.readuntil(NO_ANSWER), 5)).count(OK) == 0
        assert breaker.handled == [method.encode()] * 2
        assert bench.codes() == ["unanswered"]
        assert bench.book.records[0].url == f"http://site.example:{port}/a"
        writer.transport.abort()


async def test_a_request_that_only_looks_may_be_sent_again_and_nothing_is_told(bench: Bench):
    async with serving(Breaker(1)) as port:
        reader, writer = await bench.connect()
        writer.write(compose(bench, port, "GET"))
        assert await asyncio.wait_for(reader.readexactly(len(OK)), 5) == OK
        writer.write(compose(bench, port, "GET"))
        assert await asyncio.wait_for(reader.read(), 5) == b""
        assert bench.codes() == []
        writer.transport.abort()


async def test_a_break_while_the_body_is_still_on_its_way_is_no_end_that_a_browser_may_take_for_staleness(bench: Bench):
    async def leave_early(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        break_off(writer.transport)

    async with serving(leave_early) as port:
        reader, writer = await bench.connect()
        head = f"POST http://site.example:{port}/a HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n"
        writer.write(bench.sign(head))
        for _ in range(40):
            writer.write(b"x" * 100_000)
            await writer.drain()
        assert await asyncio.wait_for(reader.readuntil(NO_ANSWER), 5) == NO_ANSWER
        assert bench.codes() == ["unanswered"]
        writer.transport.abort()


async def test_what_may_change_something_goes_on_no_connection_that_the_server_may_have_tired_of(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("actuators.browser.egress.far_sides.RECENT_S", 0.0)
    async with serving(breaker := Breaker(5)) as port:
        reader, writer = await bench.connect()
        for method in ("GET", "POST", "GET", "POST"):
            writer.write(compose(bench, port, method))
            await asyncio.wait_for(reader.readuntil(OK), 5)
        assert breaker.connections == 3
        assert bench.codes() == []
        writer.transport.abort()


async def test_a_connection_that_its_browser_ends_leaves_no_record(bench: Bench):
    came, gone = asyncio.Event(), asyncio.Event()

    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"abc")
        came.set()
        await reader.read()
        writer.close()
        gone.set()

    async with serving(wait) as port:
        _, writer = await bench.connect()
        writer.write(compose(bench, port, "POST"))
        await asyncio.wait_for(came.wait(), 5)
        writer.close()
        await asyncio.wait_for(gone.wait(), 5)
        assert bench.codes() == []


SEALED = b"\x17\x03\x03"
REQUEST, ANSWER, LEAVE = SEALED + b"\0\x60" + b"r" * 96, SEALED + b"\0\x40" + b"a" * 64, SEALED + b"\0\x13" + b"x" * 19


@pytest.mark.parametrize("last_words", [b"", LEAVE, b"\x15\x03\x03\0\x02\x01\0"])
async def test_a_tunnel_that_breaks_in_the_middle_of_an_exchange_ends_in_what_is_no_tls(
    bench: Bench, last_words: bytes
):
    async def take_and_leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(len(REQUEST))
        writer.write(ANSWER)
        await reader.readexactly(len(REQUEST))
        writer.write(last_words)
        writer.close()

    async with serving(take_and_leave) as port:
        reader, writer = await bench.connect()
        writer.write(bench.sign(f"CONNECT site.example:{port} HTTP/1.1\r\nHost: x\r\n\r\n"))
        await read_answer(reader)
        writer.write(REQUEST)
        assert await reader.readexactly(len(ANSWER)) == ANSWER
        writer.write(REQUEST)
        assert await asyncio.wait_for(reader.readexactly(len(NO_RECORD)), 5) == NO_RECORD
        assert bench.codes() == ["unanswered"]
        assert bench.book.records[0].url == f"https://site.example:{port}/"
        writer.transport.abort()


async def test_what_may_be_last_words_of_tls_is_passed_on_in_a_tunnel_that_says_less_than_any_head(bench: Bench):
    async def ping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(len(REQUEST))
        writer.write(ANSWER)
        await reader.readexactly(len(REQUEST))
        writer.write(LEAVE)  # an empty ping of a WebSocket is as long
        await reader.read()
        writer.close()

    async with serving(ping) as port:
        reader, writer = await bench.connect()
        writer.write(bench.sign(f"CONNECT site.example:{port} HTTP/1.1\r\nHost: x\r\n\r\n"))
        await read_answer(reader)
        writer.write(REQUEST)
        assert await asyncio.wait_for(reader.readexactly(len(ANSWER)), 5) == ANSWER
        writer.write(REQUEST)
        assert await asyncio.wait_for(reader.readexactly(len(LEAVE)), 5) == LEAVE
        writer.transport.abort()
        assert bench.codes() == []


async def test_a_request_has_left_once_more_than_greetings_of_tls_went_out(bench: Bench):
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data)
        writer.close()

    async with serving(echo) as port:
        address, since_s = judge_address(f"https://site.example:{port}/"), asyncio.get_running_loop().time()
        reader, writer = await bench.connect()
        writer.write(bench.sign(f"CONNECT {address.host} HTTP/1.1\r\nHost: x\r\n\r\n"))
        await read_answer(reader)
        for record, has_left in ((b"\x16\x03\x01hello", False), (REQUEST, True)):
            writer.write(record)
            assert await asyncio.wait_for(reader.readexactly(len(record)), 5) == record
            assert bench.proxy.has_sent(address, since_s) is has_left
        assert not bench.proxy.has_sent(address, asyncio.get_running_loop().time())
        writer.transport.abort()


async def test_last_words_of_tls_are_the_end_also_where_the_server_waits_for_those_of_the_browser(bench: Bench):
    request = SEALED + b"\x01\x60" + b"r" * 352

    async def take_leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(len(request))
        writer.write(LEAVE)
        await reader.read()
        writer.close()

    async with serving(take_leave) as port:
        reader, writer = await bench.connect()
        writer.write(bench.sign(f"CONNECT site.example:{port} HTTP/1.1\r\nHost: x\r\n\r\n"))
        await read_answer(reader)
        writer.write(request)
        assert await asyncio.wait_for(reader.readexactly(len(NO_RECORD)), 5) == NO_RECORD
        assert bench.codes() == ["unanswered"]
        writer.transport.abort()


async def test_a_tunnel_that_ends_between_exchanges_ends_plainly(bench: Bench):
    async def answer_and_leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(len(REQUEST))
        writer.write(ANSWER + LEAVE)
        writer.close()

    async with serving(answer_and_leave) as port:
        reader, writer = await bench.connect()
        writer.write(bench.sign(f"CONNECT site.example:{port} HTTP/1.1\r\nHost: x\r\n\r\n"))
        await read_answer(reader)
        writer.write(REQUEST)
        assert await asyncio.wait_for(reader.read(), 5) == ANSWER + LEAVE
        assert bench.codes() == []
        writer.transport.abort()


@given(st.binary(max_size=40), st.lists(st.integers(1, 60)), st.booleans())
def test_an_answer_comes_whole_and_unchanged_however_it_is_cut(body: bytes, cuts: list[int], is_early: bool):
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" if is_early else b""
    text = early + b"HTTP/1.1 200 OK\r\nX: y\r\n\r\n" + body
    told: list[int] = []
    exchange = PlainExchange(lambda: told.append(1))
    exchange.begin(b"POST")
    came, rest = b"", text
    for cut in cuts:
        came += exchange.take(rest[:cut])
        rest = rest[cut:]
    came += exchange.take(rest)
    assert came == text
    assert (exchange.end(), told) == (b"", [])


@given(st.lists(st.sampled_from([("send", REQUEST), ("take", ANSWER), ("take", LEAVE), ("send", b"\x16\x03\x01\0")])))
def test_what_a_tunnel_carries_is_never_changed_and_only_an_open_exchange_is_told(steps: list[tuple[str, bytes]]):
    told: list[int] = []
    exchange = TunnelExchange(lambda: told.append(1))
    said = got = b""
    for name, data in steps:
        if name == "send":
            exchange.send(data, 0.0)
        else:
            said += data
            got += exchange.take(data)
    assert said in {got, got + LEAVE}
    after_request = [data for name, data in steps if name == "take" or data is REQUEST]
    is_open = after_request[-1:] == [REQUEST] or (after_request[-2:] == [REQUEST, LEAVE] and said != got)
    assert (exchange.end() == NO_RECORD) == bool(told) == is_open


def test_of_a_tunnel_that_was_idle_for_long_the_break_is_told_and_left_to_the_browser():
    told: list[int] = []
    exchange = TunnelExchange(lambda: told.append(1))
    exchange.send(REQUEST, 30.0)
    assert (exchange.end(), told) == (b"", [1])
