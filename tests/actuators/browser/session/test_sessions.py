"""Saved sessions and routes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser

from actuators.browser.playwright.session.browser_session import BrowserSettings, PlaywrightSession
from core.base.errors import ActionError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

SECRET = "s3cret: ok?"
FILL_STORAGE = """(secret) => {
    document.cookie = "token=" + encodeURIComponent(secret) + ";path=/;max-age=3600";
    localStorage.setItem("token", secret);
}"""


@pytest.fixture
def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


def read_text(path: Path) -> str:
    return path.read_text("utf-8")


def read_mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def test_a_saved_session_signs_in_another_browser_context(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    site: SiteServer,
    browser: Browser,
    tmp_path: Path,
):
    await Hands(session).navigate(context, f"{site.url}/table/small")
    await session.current_page(context).evaluate(FILL_STORAGE, SECRET)
    path = tmp_path / "ada.json"
    saved = await hands.save_session(context, str(path))
    assert saved.effect == "confirmed"
    assert (saved.evidence["cookies"], saved.evidence["origins"]) == (1, 1)
    assert SECRET not in json.dumps([dict(saved.evidence), dict(saved.output)])
    assert SECRET in read_text(path)
    assert read_mode(path) == 0o600

    other = PlaywrightSession.over(browser, BrowserSettings())
    try:
        loaded = await Hands(other).load_session(context, str(path))
        assert loaded.output == {"cookies": 1, "origins": 1}
        site.received.clear()
        await Hands(other).navigate(context, f"{site.url}/shop/")
        assert "token=s3cret%3A%20ok%3F" in site.received.requests("/shop/")[0].headers["cookie"]
        assert await other.current_page(context).evaluate("localStorage.getItem('token')") == SECRET
    finally:
        await other.close()


async def test_loading_a_session_replaces_what_was_there(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer, tmp_path: Path
):
    path = tmp_path / "empty.json"
    await Hands(session).navigate(context, f"{site.url}/table/small")
    await hands.save_session(context, str(path))
    await session.current_page(context).evaluate(FILL_STORAGE, SECRET)
    await hands.load_session(context, str(path))
    await Hands(session).reload(context)
    page = session.current_page(context)
    assert await page.evaluate("[document.cookie, localStorage.getItem('token')]") == ["", None]


async def test_a_session_is_never_saved_over_a_file(
    hands: Hands, session: PlaywrightSession, context: ActionContext, tmp_path: Path
):
    path = tmp_path / "mine.json"
    path.write_text("mine")
    await session.open_page(context)
    with pytest.raises(ActionError) as caught:
        await hands.save_session(context, str(path))
    assert caught.value.code == "file_exists"
    assert read_text(path) == "mine"


@pytest.mark.parametrize(
    "content", ["", "no json", "[]", '{"cookies": []}', '{"cookies": [{"name": 1}], "origins": []}']
)
async def test_what_is_no_saved_session_is_refused(hands: Hands, context: ActionContext, tmp_path: Path, content: str):
    path = tmp_path / "bad.json"
    path.write_text(content)
    with pytest.raises(ActionError) as caught:
        await hands.load_session(context, str(path))
    assert caught.value.code == "not_a_session"


async def test_a_missing_session_file_is_named(hands: Hands, context: ActionContext, tmp_path: Path):
    with pytest.raises(ActionError, match="does not exist") as caught:
        await hands.load_session(context, str(tmp_path / "none.json"))
    assert caught.value.code == "file_missing"


FETCH = "(url) => fetch(url).then(async (answer) => [answer.status, await answer.text()], () => 'failed')"


async def test_a_route_answers_in_the_server_s_place(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await Hands(session).navigate(context, f"{site.url}/table/small")
    outcome = await hands.route(context, "**/slow/*", body='{"tea": "gone"}', status=418)
    assert outcome.output == {"routes": 1}
    page = session.current_page(context)
    assert await page.evaluate(FETCH, "/slow/tick") == [418, '{"tea": "gone"}']
    assert site.received.requests("/slow/tick") == []


async def test_a_route_can_abort_be_replaced_and_be_removed(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await Hands(session).navigate(context, f"{site.url}/table/small")
    page = session.current_page(context)
    await hands.route(context, "**/slow/*", "abort")
    assert await page.evaluate(FETCH, "/slow/tick") == "failed"
    assert (await hands.route(context, "**/slow/*", body="mine")).output == {"routes": 1}
    assert await page.evaluate(FETCH, "/slow/tick") == [200, "mine"]
    assert (await hands.route(context, "**/slow/*", "remove")).output == {"routes": 0}
    assert (await page.evaluate(FETCH, "/slow/tick"))[1].startswith("{")
    assert len(site.received.requests("/slow/tick")) == 1
    with pytest.raises(ActionError, match="No route"):
        await hands.route(context, "**/slow/*", "remove")


async def test_a_route_delays_and_then_lets_through(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await Hands(session).navigate(context, f"{site.url}/table/small")
    page = session.current_page(context)
    await hands.route(context, "**/slow/*", "delay", delay_s=0.3)
    timed = """async (url) => {
        const start = performance.now();
        const answer = await fetch(url);
        return [answer.status, performance.now() - start];
    }"""
    status, ms = await page.evaluate(timed, "/slow/tick")
    assert status == 200
    assert ms >= 290


async def test_a_session_closes_at_once_while_requests_are_delayed(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await Hands(session).navigate(context, f"{site.url}/table/small")
    await hands.route(context, "**/slow/*", "delay", delay_s=60)
    page = session.current_page(context)
    async with page.expect_request("**/slow/tick"):
        await page.evaluate("() => void fetch('/slow/tick').catch(() => null)")
    await session.close()
    assert site.received.requests("/slow/tick") == []


async def test_routes_hold_for_every_lane_and_for_new_contexts(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.route(context, "**/slow/*", body="mine")
    await hands.emulate(context, locale="de-DE")
    other = replace(context, lane="g1")
    await Hands(session).navigate(other, f"{site.url}/table/small")
    assert await session.current_page(other).evaluate(FETCH, "/slow/tick") == [200, "mine"]
