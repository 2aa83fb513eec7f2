"""The wall around the pages of a real browser."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from actuators.browser.tools.navigation import NavigationTools
from actuators.catalog import BrowserWishes, PlaywrightFamily
from core.base.errors import NavigationError, PolicyError
from core.policy.policy import Policy
from core.tools.ports import ActionContext
from fixtures.egress.routes import EGRESS_ROUTES
from fixtures.egress.site import Place, can_listen
from fixtures.egress.trials import ALLOWED, FORBIDDEN, Stage, try_routes
from fixtures.machine.network import DeclaredNetwork
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

pytestmark = pytest.mark.skipif(not can_listen("127.0.0.2"), reason="this machine has no loopback address 127.0.0.2")
PUBLIC, OTHER_PUBLIC = "93.184.215.14", "93.184.215.15"
NOT_HERE = {"fenced_frame", "preconnect", "prerender", "icon", "manifest", "reporting", "error_logging"}
QUICK = [route for route in EGRESS_ROUTES if not route.is_off and route.name not in NOT_HERE]
LOAD = """(url) => fetch(url, {mode: "no-cors"}).then(() => "came", () => "failed")"""


@pytest.fixture(autouse=True)
def no_other_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no proxy of this machine come between the wall and the declared network."""
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "*")


@pytest.fixture
def network() -> DeclaredNetwork:
    """``site.example`` and ``cdn.example`` are public; behind them is this machine."""
    names = {"site.example": (PUBLIC,), "cdn.example": (OTHER_PUBLIC,), "inner.example": (FORBIDDEN,)}
    return DeclaredNetwork(names, {PUBLIC: "127.0.0.1", OTHER_PUBLIC: ALLOWED})


@pytest.fixture
async def session(browser: Browser, tmp_path: Path, network: DeclaredNetwork) -> AsyncIterator[PlaywrightSession]:
    session = PlaywrightSession.over(browser, BrowserSettings(artifacts_dir=tmp_path / "artifacts", network=network))
    yield session
    await session.close()


@pytest.fixture
def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


@pytest.fixture
def context() -> ActionContext:
    return ActionContext("g0_test_1", timeout_s=10.0)


@pytest.fixture
async def inner() -> AsyncIterator[Place]:
    """A place on this machine that pages have no business with."""
    async with Place(FORBIDDEN) as place:
        yield place


def name_publicly(site: SiteServer) -> str:
    return site.url.replace("127.0.0.1", "site.example")


def visits(session: PlaywrightSession, context: ActionContext):
    """Return how to open a page on a lane of its own for a while."""
    lanes = iter(range(1000))

    @asynccontextmanager
    async def visit(url: str) -> AsyncGenerator[None]:
        own = replace(context, lane=f"lane{next(lanes)}")
        try:
            await Hands(session).navigate(own, url, "commit")
        except (NavigationError, PolicyError):
            assert own.lane  # the page left at once and broke its own journey off; its route is judged at its end
        yield
        await session.end_lane(own.lane)

    return visit


async def test_no_way_out_of_a_page_leads_to_a_host_that_is_not_listed_and_each_leads_to_one_that_is(
    session: PlaywrightSession, context: ActionContext
):
    limited = replace(context, policy=Policy(hosts=("127.0.0.1", ALLOWED)))
    trials = await try_routes(QUICK[::2], visits(session, limited), Stage())
    assert [trial.route.name for trial in trials if trial.leaked] == []
    assert [trial.route.name for trial in trials if not trial.arrived] == []


async def test_no_way_out_of_a_public_page_leads_to_this_machine_and_each_leads_to_another_public_host(
    session: PlaywrightSession, context: ActionContext
):
    stage = Stage("site.example", (FORBIDDEN, "inner.example"), "cdn.example")
    routes = [route for route in QUICK[1::2] if not route.needs_secure]
    trials = await try_routes(routes, visits(session, context), stage)
    assert [trial.route.name for trial in trials if trial.leaked] == []
    assert [trial.route.name for trial in trials if not trial.arrived] == []


async def test_ways_past_any_proxy_are_closed(session: PlaywrightSession, context: ActionContext):
    limited = replace(context, policy=Policy(hosts=("127.0.0.1", ALLOWED)))
    routes = [route for route in EGRESS_ROUTES if route.is_off]
    trials = await try_routes(routes, visits(session, limited), Stage())
    assert [trial.route.name for trial in trials if trial.leaked or trial.arrived] == []


async def test_a_public_page_does_not_reach_a_server_that_another_tab_was_sent_to(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.navigate(context, f"{site.url}/table/small")
    own: Page = session.current_page(context)
    await Hands(session).open_tab(context, f"{name_publicly(site)}/table/small")
    site.received.clear()
    foreign = session.current_page(context)
    for goal in (site.url, site.url.replace("127.0.0.1", "localhost")):
        for policy in ("unsafe-url", "no-referrer"):
            script = f"(url) => fetch(url, {{mode: 'no-cors', referrerPolicy: '{policy}'}}).then(() => 'came', () => 'failed')"
            assert await foreign.evaluate(script, f"{goal}/echo") == "failed"
    assert len(site.received) == 0
    assert await own.evaluate(LOAD, f"{site.url}/echo") == "came"


async def test_a_page_of_this_machine_uses_its_other_ports_and_names(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    async with Place("127.0.0.1") as api:
        await hands.navigate(context, f"{site.url}/table/small")
        page = session.current_page(context)
        assert await page.evaluate(LOAD, f"http://localhost:{api.port}/a.html") == "came"
        assert await page.evaluate(LOAD, f"http://127.0.0.1:{api.port}/a.html") == "came"
        assert await page.evaluate(LOAD, f"http://{FORBIDDEN}:{api.port}/a.html") == "failed"


@pytest.mark.parametrize("inner_hosts", [(), (FORBIDDEN,)])
async def test_inner_hosts_of_the_settings_are_reached_by_all_pages(
    inner_hosts: tuple[str, ...], context: ActionContext, inner: Place, tmp_path: Path
):
    class Page(Place):
        def compose(self, path: str) -> tuple[int, dict[str, str], str]:
            script = f'<script src="http://{FORBIDDEN}:{inner.port}/a.js"></script>'
            return 200, {"Content-Type": "text/html"}, f"<title>page</title>{script}"

    family = PlaywrightFamily(artifacts_dir=tmp_path, wishes=BrowserWishes(inner_hosts=inner_hosts))
    async with Page("127.0.0.1") as page:
        tools = await family.provide(NavigationTools)
        assert isinstance(tools, NavigationTools)
        outcome = await tools.navigate(context, f"http://127.0.0.1:{page.port}/", "load")
        await family.close()
    assert (inner.was_touched, "blocked_requests" in outcome.evidence) == (bool(inner_hosts), not inner_hosts)


async def test_a_public_page_that_redirects_to_this_machine_is_refused_and_says_why(
    hands: Hands, session: PlaywrightSession, context: ActionContext, inner: Place, site: SiteServer
):
    await hands.navigate(context, f"{name_publicly(site)}/table/small")
    page = session.current_page(context)
    await page.evaluate("(url) => { location.href = url }", f"http://{FORBIDDEN}:{inner.port}/a.html")
    async with session.watch(context) as watch:
        happening = await watch.wait_for("blocked", 5.0)
    assert happening
    assert happening.detail["code"] == "not_public"
    assert session.wall.book.records[-1].as_json() == happening.detail
    assert not inner.was_touched


async def test_a_name_that_stands_for_an_inner_address_may_be_gone_to_by_a_person_only(
    hands: Hands, session: PlaywrightSession, context: ActionContext, inner: Place, site: SiteServer
):
    url = f"http://inner.example:{inner.port}/a.html"
    await hands.navigate(context, f"{name_publicly(site)}/table/small")
    assert await session.current_page(context).evaluate(LOAD, url) == "failed"
    assert not inner.was_touched
    assert (await hands.navigate(context, url)).output["title"] == "there"


async def test_a_site_that_turns_its_name_to_this_machine_gets_nothing(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    site: SiteServer,
    network: DeclaredNetwork,
):
    await hands.navigate(context, f"{name_publicly(site)}/table/small")
    page = session.current_page(context)
    network.names["site.example"] = (FORBIDDEN,)
    async with Place(FORBIDDEN) as router:
        assert await page.evaluate(LOAD, f"http://site.example:{router.port}/a") == "failed"
        assert not router.was_touched
        with pytest.raises(NavigationError) as caught:  # it is sought where it was, and isn't there
            await hands.navigate(context, f"http://site.example:{router.port}/")
        assert not router.was_touched
    assert caught.value.code == "connection_refused"
    assert network.asked == ["site.example"]


async def test_a_policy_that_changes_between_actions_holds_for_pages_that_are_open(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.navigate(context, f"{site.url}/table/small")
    page = session.current_page(context)
    async with Place(ALLOWED) as other:
        goal = f"http://cdn.example:{other.port}/a"
        assert await page.evaluate(LOAD, goal) == "came"
        session.current_page(replace(context, policy=Policy(hosts=("127.0.0.1",))))
        assert await page.evaluate(LOAD, goal) == "failed"
        session.current_page(context)
        assert await page.evaluate(LOAD, goal) == "came"


async def test_a_download_by_address_that_leads_inwards_is_refused(
    session: PlaywrightSession, context: ActionContext, inner: Place, tmp_path: Path, network: DeclaredNetwork
):
    with pytest.raises(PolicyError):
        await Hands(session).download(
            replace(context, policy=Policy(hosts=("site.example",))),
            str(tmp_path / "a.bin"),
            url=f"http://{FORBIDDEN}:{inner.port}/a.bin",
        )
    assert not inner.was_touched
    outcome = await Hands(session).download(
        context, str(tmp_path / "b.bin"), url=f"http://inner.example:{inner.port}/a.bin"
    )
    assert outcome.effect == "confirmed"
    assert network.asked.count("inner.example") >= 1


async def test_why_a_host_was_not_reached_is_told_for_encrypted_pages_too(hands: Hands, context: ActionContext):
    with pytest.raises(NavigationError) as caught:
        await hands.navigate(context, "https://nowhere.example/")
    assert caught.value.code == "dns_failed"
    assert caught.value.evidence["unreached"] == ["https://nowhere.example/"]


async def test_without_its_wall_a_page_has_no_network_at_all(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.navigate(context, f"{site.url}/table/small")
    page = session.current_page(context)
    site.received.clear()
    started_s = time.monotonic()
    await session.wall.close()
    assert time.monotonic() - started_s < 0.2
    assert await page.evaluate(LOAD, f"{site.url}/echo") == "failed"
    assert len(site.received) == 0


async def test_the_browser_itself_looks_no_name_up(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    site: SiteServer,
    network: DeclaredNetwork,
):
    await hands.navigate(context, f"{name_publicly(site)}/table/small")
    async with Place(ALLOWED) as other:
        goal = f"http://cdn.example:{other.port}/a"
        assert await session.current_page(context).evaluate(LOAD, goal) == "came"
    assert network.asked[0] == "site.example"
    assert network.asked[-1] == "cdn.example"


async def test_a_context_that_nobody_put_a_wall_around_has_no_network(browser: Browser, site: SiteServer):
    bare = await browser.new_context()
    page = await bare.new_page()
    for url in (site.url, site.url.replace("127.0.0.1", "localhost")):
        with pytest.raises(PlaywrightError, match="ERR_PROXY_CONNECTION_FAILED"):
            await page.goto(url)
    await bare.close()
    assert len(site.received) == 0


@pytest.mark.parametrize(
    "goal", ["file:///etc/hostname", "view-source:SITE/", "data:text/html,<p>x", "ftp://SITE/", "chrome://version"]
)
async def test_a_page_goes_to_no_address_that_is_not_of_the_web(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer, goal: str
):
    await hands.navigate(context, f"{site.url}/table/small")
    page = session.current_page(context)
    site.received.clear()
    await page.evaluate("(url) => { location.href = url; open(url) }", goal.replace("SITE", site.url))
    await page.evaluate("() => new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))")
    assert page.url == f"{site.url}/table/small"
    assert len(site.received) == 0
    with pytest.raises(PolicyError):
        await hands.navigate(context, goal.replace("SITE", "example.com"))


async def test_closing_a_session_ends_its_sockets_and_tasks(
    browser: Browser, tmp_path: Path, network: DeclaredNetwork, context: ActionContext, site: SiteServer
):
    session = PlaywrightSession.over(browser, BrowserSettings(artifacts_dir=tmp_path, network=network))
    tasks = asyncio.all_tasks()
    await Hands(session).navigate(context, f"{site.url}/table/small")
    address = (await session.wall.open()).get("server", "").removeprefix("http://").split(":")
    await session.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(address[0], int(address[1]))
    assert not [task for task in asyncio.all_tasks() - tasks if "egress" in repr(task)]
