"""What the browser pretends to be, as pages and servers see it."""

from dataclasses import replace
from typing import Any

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError
from core.policy.policy import Policy
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands


@pytest.fixture
async def hands(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Hands:
    """Hands on a page that is loaded."""
    await Hands(session).navigate(context, f"{site.url}/table/small")
    return Hands(session)


async def test_viewport_timezone_colours_and_network_change_on_the_live_page(
    hands: Hands, session: PlaywrightSession, context: ActionContext
):
    page = session.current_page(context)
    await page.evaluate("window.stillHere = true")
    outcome = await hands.emulate(
        context, viewport={"width": 411, "height": 731}, timezone="Asia/Tokyo", color_scheme="dark", offline=True
    )
    assert outcome.effect == "confirmed"
    seen = {name: outcome.evidence[name] for name in ("width", "height", "timezone", "color_scheme", "online")}
    assert seen == {"width": 411, "height": 731, "timezone": "Asia/Tokyo", "color_scheme": "dark", "online": False}
    assert "new_context" not in outcome.evidence
    assert await page.evaluate("[window.stillHere, new Date(0).getHours()]") == [True, 9]


async def test_new_tabs_and_reloads_see_the_same(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.emulate(context, timezone="Asia/Tokyo", color_scheme="dark", viewport={"width": 500, "height": 400})
    await Hands(session).open_tab(context, f"{site.url}/shop/")
    script = "[Intl.DateTimeFormat().resolvedOptions().timeZone, matchMedia('(prefers-color-scheme: dark)').matches, innerWidth]"
    assert await session.current_page(context).evaluate(script) == ["Asia/Tokyo", True, 500]
    await Hands(session).reload(context)
    assert await session.current_page(context).evaluate(script) == ["Asia/Tokyo", True, 500]


async def test_offline_cuts_the_network_and_online_restores_it(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.emulate(context, offline=True)
    with pytest.raises(ActionError) as caught:
        await Hands(session).navigate(context, f"{site.url}/shop/")
    assert caught.value.code == "offline"
    assert site.received.requests("/shop/") == []
    outcome = await hands.emulate(context, offline=False)
    assert outcome.evidence["online"] is True
    await Hands(session).navigate(context, f"{site.url}/shop/")


async def test_a_place_is_granted_and_seen(hands: Hands, context: ActionContext):
    outcome = await hands.emulate(context, geolocation={"latitude": 52.5, "longitude": 13.4, "accuracy": 7})
    assert outcome.evidence["geolocation"] == {"latitude": 52.5, "longitude": 13.4, "accuracy": 7}
    assert outcome.effect == "confirmed"


async def test_permissions_are_denied_unless_asked_for(
    hands: Hands, session: PlaywrightSession, context: ActionContext
):
    script = """async () => {
        const names = ["geolocation", "notifications", "camera", "microphone", "clipboard-read"];
        return Promise.all(names.map(async (name) => (await navigator.permissions.query({name})).state));
    }"""
    assert set(await session.current_page(context).evaluate(script)) == {"denied"}


async def test_a_locale_takes_a_new_context_and_keeps_pages_and_storage(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    page = session.current_page(context)
    await page.evaluate("document.cookie = 'a=1'; localStorage.b = '2'; sessionStorage.c = '3'")
    await Hands(session).open_tab(context, f"{site.url}/shop/")
    await Hands(session).switch_tab(context, 0)
    site.received.clear()
    outcome = await hands.emulate(context, locale="de-DE")
    assert outcome.effect == "confirmed"
    assert outcome.evidence["language"] == "de-DE"
    assert outcome.evidence["new_context"] is True
    assert outcome.evidence["reopened"] == [{"url": f"{site.url}/table/small"}, {"url": f"{site.url}/shop/"}]
    fresh = session.current_page(context)
    assert (page.is_closed(), fresh.url) == (True, f"{site.url}/table/small")
    assert await fresh.evaluate("[document.cookie, localStorage.b, sessionStorage.c]") == ["a=1", "2", "3"]
    assert await fresh.evaluate("(1234.5).toLocaleString()") == "1.234,5"
    assert site.received.requests("/shop/")[0].headers["accept-language"].startswith("de-DE")
    assert (await Hands(session).list_tabs(context)).output["count"] == 2


async def test_a_device_is_imitated_to_the_server_too(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    site.received.clear()
    outcome = await hands.emulate(context, device="iPhone 15")
    assert "iPhone" in outcome.evidence["user_agent"]
    assert (outcome.evidence["touch"], outcome.evidence["device_scale"]) == (True, 3)
    assert "iPhone" in site.received.requests("/table/small")[0].headers["user-agent"]


async def test_later_changes_add_to_earlier_ones(hands: Hands, context: ActionContext):
    await hands.emulate(context, timezone="Asia/Tokyo", color_scheme="dark")
    await hands.emulate(context, locale="fr-FR")
    outcome = await hands.emulate(context, timezone="Europe/Berlin")
    assert outcome.effect == "confirmed"
    seen = [outcome.evidence[name] for name in ("timezone", "color_scheme", "language")]
    assert seen == ["Europe/Berlin", "dark", "fr-FR"]


@pytest.mark.parametrize(
    ("what", "name", "nearest"),
    [
        ("device", "iPhone 15 Ultra", "iPhone 15"),
        ("timezone", "Europe/Berlim", "Europe/Berlin"),
        ("locale", "german", "de-DE"),
        ("locale", "qq-QQ", ""),
    ],
)
async def test_an_unknown_name_is_refused_with_the_nearest(
    hands: Hands, session: PlaywrightSession, context: ActionContext, what: str, name: str, nearest: str
):
    page = session.current_page(context)
    wanted: dict[str, Any] = {what: name}
    with pytest.raises(ActionError, match=f'Unknown {what} "{name}"') as caught:
        await hands.emulate(context, **wanted)
    assert caught.value.code == f"unknown_{what}"
    assert nearest in caught.value.hint or what == "locale"
    assert session.current_page(context) is page


async def test_the_limits_of_policy_hold_in_the_new_context(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    local = replace(context, policy=Policy(hosts=(site.url.removeprefix("http://"),)))
    await Hands(session).navigate(local, f"{site.url}/table/small")
    await hands.emulate(local, locale="de-DE")
    site.received.clear()
    foreign = site.url.replace("127.0.0.1", "localhost")
    page = session.current_page(local)
    assert (
        await page.evaluate("(url) => fetch(url, {mode: 'no-cors'}).then(() => 'came', () => 'failed')", foreign)
        == "failed"
    )
    assert len(site.received) == 0


async def test_emulate_opens_what_it_needs(session: PlaywrightSession, context: ActionContext):
    outcome = await Hands(session).emulate(context, color_scheme="dark")
    assert outcome.effect == "confirmed"
    assert session.open_sessions() == {"page"}
