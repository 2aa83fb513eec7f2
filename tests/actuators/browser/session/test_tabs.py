"""Tabs and pop-ups, and which of them a lane is on."""

from dataclasses import replace

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, NavigationError, TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands


@pytest.fixture
def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


@pytest.fixture
async def at_dialogs(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> PlaywrightSession:
    """A session whose page has buttons that open other pages."""
    await Hands(session).navigate(context, f"{site.url}/dialogs/")
    return session


async def click(session: PlaywrightSession, context: ActionContext, selector: str) -> dict[str, object]:
    """Click and wait for the pop-up that comes of it; return the evidence."""
    async with session.watch(context) as watch:
        await session.current_page(context).click(selector)
        assert await watch.wait_for("opened_tab", 5)
        return watch.evidence()


async def test_open_tab_opens_the_address_and_becomes_current(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    first = await hands.open_tab(context, f"{site.url}/table/small")
    second = await hands.open_tab(context, f"{site.url}/shop/")
    assert (first.output["index"], second.output["index"]) == (0, 1)
    assert second.effect == "confirmed"
    assert second.output["url"] == session.current_page(context).url == f"{site.url}/shop/"
    assert second.output["title"]


async def test_open_tab_that_can_not_reach_its_address_leaves_no_tab(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.open_tab(context, f"{site.url}/table/small")
    with pytest.raises(NavigationError):
        await hands.open_tab(context, f"{site.url}/status/404")
    assert len(session.tabs) == 1
    assert session.current_page(context).url == f"{site.url}/table/small"


async def test_list_tabs_names_index_title_address_and_the_current_one(
    hands: Hands, context: ActionContext, site: SiteServer
):
    await hands.open_tab(context, f"{site.url}/table/small")
    await hands.open_tab(context)
    outcome = await hands.list_tabs(context)
    assert outcome.output["count"] == 2
    assert [(tab["url"], tab["current"]) for tab in outcome.output["tabs"]] == [
        (f"{site.url}/table/small", False),
        ("about:blank", True),
    ]
    assert outcome.output["text"].splitlines()[1].startswith("1*")


@pytest.mark.parametrize(
    ("wanted", "url"),
    [
        (0, "/table/small"), ("0", "/table/small"), ("first", "/table/small"), ("last", "/dialogs/popup"), ("previous", "/table/small"),
        ("next", "/dialogs/popup"), ("/table", "/table/small"), ("POP-UP", "/dialogs/popup"),
    ],
)  # fmt: skip
async def test_switch_tab_takes_an_index_a_place_or_words(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    site: SiteServer,
    wanted: str | int,
    url: str,
):
    await hands.open_tab(context, f"{site.url}/table/small")
    await hands.open_tab(context)
    await hands.open_tab(context, f"{site.url}/dialogs/popup")
    await hands.switch_tab(context, 1)
    outcome = await hands.switch_tab(context, wanted)
    assert outcome.output["url"] == session.current_page(context).url == site.url + url


@pytest.mark.parametrize(
    ("wanted", "code"), [(7, "target_missing"), ("nowhere", "target_missing"), ("/", "target_ambiguous")]
)
async def test_a_tab_that_is_missing_or_ambiguous_is_refused_with_a_list(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    site: SiteServer,
    wanted: str | int,
    code: str,
):
    await hands.open_tab(context, f"{site.url}/table/small")
    await hands.open_tab(context, f"{site.url}/shop/")
    with pytest.raises(TargetError, match="/table/small") as caught:
        await hands.switch_tab(context, wanted)
    assert caught.value.code == code
    assert session.current_page(context).url == f"{site.url}/shop/"


@pytest.mark.parametrize("button", ["#popup", "#blank", "#popup-later"])
async def test_a_pop_up_is_reported_but_never_takes_the_lane(
    at_dialogs: PlaywrightSession, context: ActionContext, site: SiteServer, button: str
):
    evidence = await click(at_dialogs, context, button)
    assert evidence["opened_tab"] == [f"{site.url}/dialogs/popup"]
    assert at_dialogs.current_page(context).url == f"{site.url}/dialogs/"
    assert len(at_dialogs.tabs) == 2


async def test_switch_tab_new_goes_to_the_pop_up_and_its_close_returns_to_the_opener(
    at_dialogs: PlaywrightSession, context: ActionContext, site: SiteServer
):
    hands = Hands(at_dialogs)
    await hands.open_tab(context, f"{site.url}/table/small")
    await hands.switch_tab(context, 0)
    await at_dialogs.current_page(context).click("#popup-later")
    outcome = await hands.switch_tab(context, "new")
    assert outcome.output["url"] == f"{site.url}/dialogs/popup"
    assert outcome.output["title"] == "Pop-up"
    closed = await hands.close_tab(context)
    assert closed.output == {"closed": f"{site.url}/dialogs/popup", "count": 1, "remaining": 2}
    assert at_dialogs.current_page(context).url == f"{site.url}/dialogs/"


async def test_switch_tab_new_without_a_pop_up_is_refused(at_dialogs: PlaywrightSession, context: ActionContext):
    with pytest.raises(TargetError, match='No tab matches "new"'):
        await Hands(at_dialogs).switch_tab(replace(context, timeout_s=0.4), "new")


async def test_a_pop_up_that_closes_itself_is_reported(at_dialogs: PlaywrightSession, context: ActionContext):
    async with at_dialogs.watch(context) as watch:
        await at_dialogs.current_page(context).click("#popup-closing")
        assert await watch.wait_for("closed_tab", 5)
    assert "/dialogs/popup?close=300" in watch.evidence()["closed_tabs"][0]["url"]
    assert len(at_dialogs.tabs) == 1


async def test_closing_the_current_tab_returns_to_where_the_lane_was_before(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.open_tab(context, f"{site.url}/table/small")
    await hands.open_tab(context)
    await hands.open_tab(context, f"{site.url}/shop/")
    await hands.switch_tab(context, 0)
    await hands.close_tab(context)
    assert session.current_page(context).url == f"{site.url}/shop/"


async def test_closing_another_tab_leaves_the_current_one(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.open_tab(context, f"{site.url}/table/small")
    await hands.open_tab(context, f"{site.url}/shop/")
    outcome = await hands.close_tab(context, 0)
    assert outcome.output == {"closed": f"{site.url}/table/small", "count": 1, "remaining": 1}
    assert outcome.evidence["now_at"] == session.current_page(context).url == f"{site.url}/shop/"


async def test_closing_the_last_tab_leaves_no_page(hands: Hands, session: PlaywrightSession, context: ActionContext):
    await hands.open_tab(context)
    await hands.close_tab(context)
    for verb in (lambda: session.current_page(context), None):
        with pytest.raises(ActionError) as caught:
            verb() if verb else await hands.close_tab(context)
        assert caught.value.code == "no_page"


async def test_a_page_that_asks_whether_to_leave_is_closed_all_the_same(
    at_dialogs: PlaywrightSession, context: ActionContext
):
    page = at_dialogs.current_page(context)
    await page.click("#draft")
    await page.keyboard.type("unsaved")
    await Hands(at_dialogs).close_tab(context)
    assert page.is_closed()


async def test_the_end_of_a_lane_closes_its_tabs_and_leaves_the_others(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.open_tab(context, f"{site.url}/table/small")
    await hands.open_tab(replace(context, lane="g1"), f"{site.url}/shop/")
    await session.end_lane("g1")
    assert [tab.page.url for tab in session.tabs] == [f"{site.url}/table/small"]


async def test_what_happened_between_two_actions_is_reported_by_the_later_one(
    at_dialogs: PlaywrightSession, context: ActionContext, site: SiteServer
):
    async with at_dialogs.watch(context):
        page = at_dialogs.current_page(context)
    async with page.expect_popup():  # neither action waits for it: it comes after the one and before the other
        await page.click("#popup-later")
    async with at_dialogs.watch(context) as watch:
        assert watch.evidence()["since_last_action"]["opened_tab"] == [f"{site.url}/dialogs/popup"]
        assert "opened_tab" not in watch.evidence()
    async with at_dialogs.watch(context) as watch:
        assert watch.evidence() == {}


async def test_a_tab_that_closes_while_tabs_are_listed_is_left_out(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.open_tab(context, f"{site.url}/table/small")
    opener = session.current_page(context)
    async with opener.expect_popup() as popup:
        await opener.evaluate("window.open('/shop/')")
    page = await popup.value
    await page.wait_for_load_state()
    await page.evaluate("setTimeout(() => close(), 1)")
    for _ in range(19):
        await hands.list_tabs(context)
    listed = await hands.list_tabs(context)
    assert [tab["url"] for tab in listed.output["tabs"]] == [f"{site.url}/table/small"]


OWN_TABS = """<!doctype html><title>Bills</title><div role=tablist><button role=tab>Summary</button>
<button role=tab onclick="document.title = 'pressed'">Invoices</button></div>"""


async def test_a_tab_of_the_page_goes_before_one_of_the_browser_where_it_was_asked_for(
    hands: Hands, session: PlaywrightSession, context: ActionContext
):
    page = await session.open_page(context)
    await page.set_content(OWN_TABS)
    await hands.switch_tab(context, tab="Invoices", own=True)
    assert await page.title() == "pressed"


async def test_a_tab_of_the_browser_is_meant_where_the_page_has_none_of_that_name(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.open_tab(context, f"{site.url}/shop/")
    await hands.open_tab(context, f"{site.url}/table/small")
    outcome = await hands.switch_tab(replace(context, timeout_s=5.0), tab="shop", own=True)
    assert outcome.output["url"] == f"{site.url}/shop/"
    with pytest.raises(TargetError, match="No tab matches"):
        await hands.switch_tab(replace(context, timeout_s=5.0), tab="Invoices", own=True)
