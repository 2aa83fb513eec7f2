"""The wall between the lanes of one session: what a page from elsewhere makes of places that were named for another page."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from core.base.errors import PolicyError
from core.tools.ports import ActionContext
from fixtures.egress.site import Place, can_listen
from fixtures.machine.network import DeclaredNetwork
from tests.actuators.browser.hands import Hands

pytestmark = pytest.mark.skipif(not can_listen("127.0.0.2"), reason="this machine has no loopback address 127.0.0.2")
PUBLIC, ROUTER = "93.184.215.14", "192.168.7.1"
HERE, OUT_THERE = "127.0.0.3", "127.0.0.2"
OWN, OTHER = (ActionContext("g0_test_1", timeout_s=10.0, lane=lane) for lane in ("own", "other"))


class Speaker(Place):
    """A place that answers what it was told to, and remembers what it was asked for.

    Attributes:
        pages: Status, headers and body by path.
        paths: What was asked for, oldest first; but for the icon, which browsers ask of a place where they have a page.
    """

    def __init__(self, host: str) -> None:
        super().__init__(host)
        self.pages: dict[str, tuple[int, dict[str, str], str]] = {}
        self.paths: list[str] = []

    def compose(self, path: str) -> tuple[int, dict[str, str], str]:
        """Return what was laid down for a path, else what any place says."""
        if path != "/favicon.ico":
            self.paths.append(path)
        return self.pages.get(path.partition("?")[0], super().compose(path))


@pytest.fixture(autouse=True)
def no_other_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no proxy of this machine come between the wall and the declared network."""
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "*")


@pytest.fixture
async def session(browser: Browser, tmp_path: Path) -> AsyncIterator[PlaywrightSession]:
    network = DeclaredNetwork({"evil.example": (PUBLIC,), "router.lan": (ROUTER,)}, {PUBLIC: OUT_THERE, ROUTER: HERE})
    session = PlaywrightSession.over(browser, BrowserSettings(artifacts_dir=tmp_path / "artifacts", network=network))
    yield session
    await session.close()


@pytest.fixture
def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


@pytest.fixture
async def router() -> AsyncIterator[Speaker]:
    async with Speaker(HERE) as place:
        yield place


@pytest.fixture
async def evil() -> AsyncIterator[Speaker]:
    async with Speaker(OUT_THERE) as place:
        yield place


async def test_a_public_address_of_an_action_does_not_lead_on_to_a_place_that_another_lane_was_sent_to(
    hands: Hands, router: Speaker, evil: Speaker
):
    home = f"http://router.lan:{router.port}"
    await hands.navigate(OWN, f"{home}/a.html")
    evil.pages["/go"] = (302, {"Location": f"{home}/reset"}, "")
    with pytest.raises(PolicyError):
        await hands.navigate(OTHER, f"http://evil.example:{evil.port}/go")
    assert router.paths == ["/a.html"]


async def test_a_public_address_of_an_action_does_not_lead_on_to_this_machine(hands: Hands, evil: Speaker):
    async with Speaker("127.0.0.1") as local:
        await hands.navigate(OWN, f"http://127.0.0.1:{local.port}/a.html")
        evil.pages["/go"] = (302, {"Location": f"http://127.0.0.1:{local.port}/reset"}, "")
        with pytest.raises(PolicyError):
            await hands.navigate(OTHER, f"http://evil.example:{evil.port}/go")
        assert local.paths == ["/a.html"]
        await hands.reload(OWN)
        assert local.paths == ["/a.html", "/a.html"]


async def test_a_script_that_lives_on_in_an_empty_pop_up_is_still_from_elsewhere(
    hands: Hands, session: PlaywrightSession, router: Speaker, evil: Speaker
):
    home = f"http://router.lan:{router.port}"
    await hands.navigate(OWN, f"{home}/a.html")
    await hands.navigate(OTHER, f"http://evil.example:{evil.port}/a.html")
    page = session.current_page(OTHER)
    async with page.expect_popup() as opened:
        await page.evaluate("() => { open('about:blank') }")
    hidden = await opened.value
    await page.evaluate("() => { location.href = 'about:blank' }")
    await page.wait_for_url("about:blank")
    script = "(url) => fetch(url, {mode: 'no-cors', referrerPolicy: 'no-referrer'}).then(() => 'came', () => 'failed')"
    assert await hidden.evaluate(script, f"{home}/reset") == "failed"
    assert router.paths == ["/a.html"]
    assert await hidden.evaluate("() => document.URL") == "about:blank"
