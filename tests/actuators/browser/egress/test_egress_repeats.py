"""Unsafe requests of real pages whose connection breaks: the server's handler runs once, and the step says so."""

import asyncio
import re
import ssl
import subprocess
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser

from actuators.browser.egress.far_sides import break_off
from actuators.browser.playwright.session.browser_session import CONTEXT_OPTIONS, PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from core.results.records import weigh_effect
from core.tools.ports import ActionContext
from fixtures.egress.site import can_listen
from fixtures.machine.network import DeclaredNetwork
from tests.actuators.browser.hands import Hands

PUBLIC = "93.184.215.14"
pytestmark = pytest.mark.skipif(not can_listen("127.0.0.2"), reason="this machine has no loopback address 127.0.0.2")
PAGE = b"""<!doctype html><title>shop</title>
<form method=post action=/order><button>Order by form</button></form>
<button onclick="fetch('/order', {method: 'POST', body: 'mugs=2'}).then(() => done('yes'), () => done('no'))">Order by script</button>
<button onclick="navigator.sendBeacon('/order', 'mugs=2'); fetch('/page').then(() => done('yes'))">Order by beacon</button>
<output></output><script>const done = (text) => { document.querySelector('output').textContent = text; }</script>"""


class Shop:
    """Serves a page, takes one order, and at the second one breaks the connection once it has read that.

    Attributes:
        orders: How often the handler of orders ran.
        port: Where it listens.
    """

    def __init__(self, *, hard: bool) -> None:
        self.orders = 0
        self.port = 0
        self._hard = hard
        self._writers: list[asyncio.StreamWriter] = []

    def end(self) -> None:
        """End what the browser has not ended; an end by TLS would wait for it."""
        for writer in self._writers:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                if length := re.search(rb"(?i)content-length: (\d+)", head):
                    await reader.readexactly(int(length[1]))
                if head.startswith(b"POST"):
                    self.orders += 1
                    break
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(PAGE) + PAGE
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            if self._hard:
                break_off(writer.transport)
            writer.close()


@pytest.fixture
async def session(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[PlaywrightSession]:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "*")
    network = DeclaredNetwork({"shop.example": (PUBLIC,)}, {PUBLIC: "127.0.0.2"})
    monkeypatch.setitem(CONTEXT_OPTIONS, "ignore_https_errors", True)
    session = PlaywrightSession.over(browser, BrowserSettings(artifacts_dir=tmp_path / "artifacts", network=network))
    yield session
    await session.close()


@pytest.fixture(scope="module")
def encryption(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    """A certificate that nobody vouches for."""
    folder = tmp_path_factory.mktemp("tls")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=shop.example", "-days", "2"]
    subprocess.run([*made, "-keyout", "key.pem", "-out", "cert.pem"], cwd=folder, check=True, capture_output=True)
    settings = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    settings.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return settings


@pytest.mark.parametrize("name", ["Order by form", "Order by script", "Order by beacon"])
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_an_order_whose_connection_breaks_is_taken_once_and_told(
    session: PlaywrightSession, encryption: ssl.SSLContext, scheme: str, hard: bool, name: str
):
    shop = Shop(hard=hard)
    server = await asyncio.start_server(shop.serve, "127.0.0.2", 0, ssl=encryption if scheme == "https" else None)
    port = server.sockets[0].getsockname()[1]
    context = ActionContext("g0_test_1", timeout_s=10.0)
    await Hands(session).navigate(context, f"{scheme}://shop.example:{port}/page")
    async with session.watch(replace(context, lane="main")) as watch:
        await session.current_page(context).locator(f"text={name}").click(no_wait_after=True)
        happening = await watch.wait_for("unanswered", 8.0)
    assert happening
    assert shop.orders == 1
    path = "/order" if scheme == "http" else "/"
    assert watch.evidence()["unanswered"] == [f"{scheme}://shop.example:{port}{path}"]
    server.close()
    shop.end()


async def test_what_a_click_sent_and_nobody_answered_is_told_by_it_or_by_the_next_action_and_confirms_nothing(
    session: PlaywrightSession,
):
    shop = Shop(hard=False)
    server = await asyncio.start_server(shop.serve, "127.0.0.2", 0)
    port = server.sockets[0].getsockname()[1]
    context = ActionContext("g0_test_1", timeout_s=10.0)
    await Hands(session).navigate(context, f"http://shop.example:{port}/page")
    outcome = await Hands(session).click(context, 'button "Order by script"')
    page = session.current_page(context)
    await page.locator("output >> text=no").wait_for()
    later = await Hands(session).hover(context, "output")
    told = [outcome.evidence.get("unanswered"), later.evidence.get("since_last_action", {}).get("unanswered")]
    assert [f"http://shop.example:{port}/order"] in told
    assert weigh_effect(replace(outcome, evidence={"unanswered": ["it"]})) == "unverified"
    assert shop.orders == 1
    server.close()
    shop.end()
