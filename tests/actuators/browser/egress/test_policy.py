"""Hosts that policy allows, and what becomes of requests for others."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import PolicyError
from core.policy.policy import Policy
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands


@pytest.fixture
def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


@contextmanager
def redirect_to(target: str) -> Generator[str]:
    """A server that answers everything with a redirect to another server, which the fixture sites never do."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", target)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def local(context: ActionContext, site: SiteServer) -> ActionContext:
    return replace(context, policy=Policy(hosts=(site.url.removeprefix("http://"),)))


def name_otherwise(site: SiteServer) -> str:
    """The same server by another name, which policy doesn't list."""
    return site.url.replace("127.0.0.1", "localhost")


async def test_a_foreign_address_is_refused_before_anything_is_sent(
    hands: Hands, local: ActionContext, site: SiteServer
):
    with pytest.raises(PolicyError):
        await hands.navigate(local, f"{name_otherwise(site)}/table/small")
    assert len(site.received) == 0


async def test_an_allowed_page_works_as_usual(hands: Hands, local: ActionContext, site: SiteServer):
    assert (await hands.navigate(local, f"{site.url}/shop/")).output["status"] == 200


async def test_a_page_can_not_load_from_or_go_to_a_foreign_host(
    hands: Hands, session: PlaywrightSession, local: ActionContext, site: SiteServer
):
    await hands.navigate(local, f"{site.url}/table/small")
    page = session.current_page(local)
    site.received.clear()
    foreign = name_otherwise(site)
    ended = await page.evaluate(
        """async (foreign) => {
            const image = new Image();
            const failed = new Promise((end) => { image.onerror = () => end("image failed"); image.onload = () => end("image came"); });
            image.src = foreign + "/slow/image";
            const fetched = await fetch(foreign + "/echo", {mode: "no-cors"}).then(() => "fetch came", () => "fetch failed");
            return [await failed, fetched];
        }""",
        foreign,
    )
    assert ended == ["image failed", "fetch failed"]
    await page.evaluate("(foreign) => { location.href = foreign + '/shop/' }", foreign)
    assert await session.watch(local).wait_for("blocked", 5.0)
    assert len(site.received) == 0


async def test_a_redirect_to_a_foreign_host_is_stopped_before_it_is_followed(
    hands: Hands,
    session: PlaywrightSession,
    local: ActionContext,
    context: ActionContext,
    site: SiteServer,
):
    target = f"{name_otherwise(site)}/table/small"
    with redirect_to(target) as door:
        allowed = replace(local, policy=Policy(hosts=(*(local.policy.hosts or ()), door.removeprefix("http://"))))
        with pytest.raises(PolicyError, match="/table/small") as caught:
            await hands.navigate(allowed, f"{door}/")
    assert caught.value.evidence["blocked_requests"] == [target]
    assert len(site.received) == 0


async def test_without_a_limit_one_goes_to_any_usual_name_of_this_machine(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.navigate(context, f"{site.url}/table/small")
    assert (await hands.navigate(context, f"{name_otherwise(site)}/table/small")).output["status"] == 200
