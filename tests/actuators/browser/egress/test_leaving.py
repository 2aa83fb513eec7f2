"""What an act sends has left before the act is told: the page may be closed then, and the wall may end with its process."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from playwright.async_api import Browser

from actuators.browser.egress.address_kinds import IPAddress
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from actuators.browser.playwright.verbs.back_end import make_toolsets
from actuators.browser.tools.pointer import PointerTools
from core.tools.ports import ActionContext
from fixtures.machine.network import DeclaredNetwork
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

LAST = ActionContext("g0_test_1", timeout_s=10.0)
NOT_LAST = ActionContext("g0_test_1", timeout_s=10.0, followers=("browser.read",))
P = TypeVar("P", bound=asyncio.Protocol)


class GatedNetwork(DeclaredNetwork):
    """Opens connections only while its gate is open."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = asyncio.Event()

    async def connect(self, make_protocol: Callable[[], P], address: IPAddress, port: int) -> P:
        """Connect to this machine."""
        if not self.gate.is_set():
            self.waiting.set()
        await self.gate.wait()
        return await super().connect(make_protocol, address, port)


@pytest.fixture
def network() -> GatedNetwork:
    return GatedNetwork()


@pytest.fixture
async def session(browser: Browser, tmp_path: Path, network: GatedNetwork) -> AsyncIterator[PlaywrightSession]:
    settings = BrowserSettings(artifacts_dir=tmp_path, network=network, named_hosts=("127.0.0.1", "localhost"))
    session = PlaywrightSession.over(browser, settings)
    yield session
    await session.close()


def send(name: str, to: str = "") -> str:
    """Return a script that tells the server that something was done, on a connection of its own where an address is given."""
    body = f"JSON.stringify({{name: {name!r}, detail: {{}}, page: '/'}})"
    return f"fetch({to + '/__event'!r}, {{method: 'POST', mode: 'no-cors', keepalive: {str(bool(to)).lower()}, body: {body}}})"


async def press(
    session: PlaywrightSession, site: SiteServer, script: str, context: ActionContext
) -> asyncio.Task[None]:
    """Begin to click, as a plan does, a button that has a script; its page is loaded by then."""
    hands, tool = Hands(session), make_toolsets(session)[PointerTools]
    await hands.navigate(context, f"{site.url}/elements/till")
    await session.current_page(context).evaluate(f"document.getElementById('pay').onclick = () => {{ {script} }}; 0")

    async def click() -> None:
        async with tool.attend("click", context):
            await hands.click(context, 'button "Pay"')

    return asyncio.create_task(click())


async def test_an_act_is_told_once_what_it_sends_has_left_so_that_the_page_may_be_closed(
    session: PlaywrightSession, site: SiteServer, network: GatedNetwork
):
    with SiteServer() as other:
        network.gate.set()
        pressed = await press(session, site, f"{send('booked', other.url)}; window.pressed = true", NOT_LAST)
        network.gate.clear()
        await asyncio.wait_for(network.waiting.wait(), 5)
        assert await session.current_page(NOT_LAST).evaluate("window.pressed")
        await asyncio.wait({pressed}, timeout=0.3)
        assert not pressed.done()
        network.gate.set()
        await pressed
        await session.close()
        assert other.received.wait_for_events("booked")


async def test_an_act_with_steps_behind_it_does_not_wait_for_answers(session: PlaywrightSession, site: SiteServer):
    script = "fetch('/slow/?ms=4000').then(() => { window.answered = true; })"
    await asyncio.wait_for(await press(session, site, script, NOT_LAST), 3)
    assert not await session.current_page(NOT_LAST).evaluate("window.answered")


async def test_the_last_act_on_a_page_is_told_once_what_it_leads_to_is_sent(
    session: PlaywrightSession, site: SiteServer
):
    await (await press(session, site, f"fetch('/slow/?ms=150').then(() => {send('booked')})", LAST))
    await session.close()
    assert site.received.wait_for_events("booked")


async def test_a_host_that_never_answers_holds_nobody_up_for_long(
    session: PlaywrightSession, site: SiteServer, network: GatedNetwork
):
    with SiteServer() as other:
        pressed = await press(session, site, send("booked", other.url), LAST)
        network.gate.clear()
        await asyncio.wait_for(pressed, 5)
