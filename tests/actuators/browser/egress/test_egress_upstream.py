"""The wall behind proxies of the environment."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from actuators.browser.egress.proxy import UpstreamProxy, find_upstream, goes_past
from core.addresses.urls import judge_address
from core.policy.policy import Policy
from fixtures.egress.site import Place, can_listen
from tests.actuators.browser.egress.proxy_bench import Bench

pytestmark = pytest.mark.skipif(not can_listen("127.0.0.2"), reason="this machine has no loopback address 127.0.0.2")


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with Place("127.0.0.2") as place:
        yield Bench(place, {})


class UpstreamServer:
    """A proxy of the environment, which writes down what it is asked for and answers as it is told."""

    def __init__(self, answer: bytes) -> None:
        self.answer = answer
        self.heads: list[bytes] = []
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> str:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"http://ann:s%40cret@127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_: object) -> None:
        if self._server:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(self.answer)
        await writer.drain()
        if self.heads[-1].startswith(b"CONNECT"):
            writer.write(await reader.read(100))
            await writer.drain()
        writer.close()


async def test_a_proxy_of_the_environment_is_gone_through_with_its_password_and_host_checks_hold(bench: Bench):
    far = UpstreamServer(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    async with AsyncExitStack() as stack:
        environment = {"HTTP_PROXY": await stack.enter_async_context(far), "NO_PROXY": "site.example"}
        environment["HTTPS_PROXY"] = environment["HTTP_PROXY"]
        behind = Bench(bench.place, environment)
        await behind.proxy.start()
        assert (await behind.get("http://far.example/a?b")).startswith(b"HTTP/1.1 200")
        assert far.heads[0].startswith(b"GET http://far.example/a?b HTTP/1.1\r\nHost: far.example\r\n")
        assert b"Proxy-Authorization: Basic YW5uOnNAY3JldA==\r\n" in far.heads[0]
        reader, writer = await behind.connect()
        writer.write(behind.sign("CONNECT far.example:443 HTTP/1.1\r\nHost: x\r\n\r\n"))
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        writer.write(b"hello")
        assert await reader.read(100) == b"hello"
        assert far.heads[1].startswith(b"CONNECT far.example:443 HTTP/1.1\r\n")
        assert behind.network.asked == []  # the proxy looks names up
        assert (await behind.get(f"http://site.example:{bench.place.port}/")).startswith(b"HTTP/1.1 200")
        behind.rules.set_policy("main", Policy(hosts=("a.example",)))
        assert await behind.get("http://far.example/") == b""
        await behind.get("http://10.0.0.1/")
        assert len(far.heads) == 2
        writer.transport.abort()
        await behind.proxy.stop()


async def test_a_proxy_of_the_environment_that_refuses_or_can_not_be_used_means_no_network(bench: Bench):
    far = UpstreamServer(b"HTTP/1.1 407 No\r\n\r\n")
    async with far as url:
        for environment, code in (
            ({"https_proxy": url}, "upstream_failed"),
            ({"ALL_PROXY": "socks5://127.0.0.1:1"}, "bad_proxy"),
        ):
            behind = Bench(bench.place, environment)
            await behind.proxy.start()
            answer = await behind.say(f"CONNECT site.example:{bench.place.port} HTTP/1.1\r\nHost: x\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 403")
            assert behind.codes() == [code]
            await behind.proxy.stop()
    assert not bench.place.was_touched


@pytest.mark.parametrize(
    ("url", "exceptions", "is_past"),
    [
        ("http://a.example/", "a.example", True),
        ("http://b.a.example/", "a.example", True),
        ("http://b.a.example/", ".a.example", True),
        ("http://ba.example/", "a.example", False),
        ("http://a.example:8080/", "a.example:8080", True),
        ("http://a.example/", "a.example:8080", False),
        ("http://10.1.2.3/", "10.0.0.0/8", True),
        ("http://11.1.2.3/", "10.0.0.0/8", False),
        ("http://a.example/", "10.0.0.0/8, *", True),
        ("http://a.example/", " , ", False),
    ],
)
def test_exceptions_from_the_proxies_of_the_environment_are_known(url: str, exceptions: str, is_past: bool):
    assert goes_past(judge_address(url), exceptions) is is_past


def test_proxies_of_the_environment_are_found_by_scheme_and_never_for_this_machine():
    environment = {
        "HTTP_PROXY": "http://one:1",
        "http_proxy": "http://two",
        "all_proxy": "https://three:3",
        "HTTPS_PROXY": "",
    }
    far, near = judge_address("http://a.example/"), judge_address("http://localhost:3000/")
    assert find_upstream(far, "http", environment) == UpstreamProxy("two", 80, is_encrypted=False)
    assert find_upstream(far, "https", environment) == UpstreamProxy("three", 3, is_encrypted=True)
    assert find_upstream(near, "http", environment) is None
    assert find_upstream(judge_address("http://192.168.0.1/"), "http", environment) is None
