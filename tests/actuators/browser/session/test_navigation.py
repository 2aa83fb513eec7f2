"""Going to pages, and what is said when they can't be reached."""

import asyncio
import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.addresses.platforms import SearchPlatform
from core.base.errors import ActionError, InputError, NavigationError, PolicyError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands


@pytest.fixture
def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


@contextmanager
def reserve_port() -> Generator[int]:
    """A port that is taken but that nobody listens on: connections are refused, and nobody else can open it."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


async def test_navigate_opens_the_page_and_reads_it_back(hands: Hands, context: ActionContext, site: SiteServer):
    outcome = await hands.navigate(context, f"{site.url}/table/small")
    assert outcome.effect == "confirmed"
    assert outcome.output["url"] == f"{site.url}/table/small"
    assert outcome.output["status"] == 200
    assert outcome.output["title"]
    assert outcome.evidence["title"] == outcome.output["title"]
    assert [request.path for request in site.received if request.path == "/table/small"] == ["/table/small"]


async def test_navigate_names_the_redirects_on_the_way(hands: Hands, context: ActionContext, site: SiteServer):
    outcome = await hands.navigate(context, f"{site.url}/redirect?to=/redirect?to=/echo")
    assert outcome.output["url"] == f"{site.url}/echo"
    assert outcome.evidence["redirects"] == [
        f"{site.url}/redirect?to=/redirect?to=/echo",
        f"{site.url}/redirect?to=/echo",
    ]


async def test_about_blank_opens_without_a_status(hands: Hands, context: ActionContext):
    outcome = await hands.navigate(context, "about:blank")
    assert outcome.output == {"url": "about:blank", "title": "", "status": None}


@pytest.mark.parametrize("status", [404, 410, 500, 503])
async def test_a_page_with_an_error_status_was_not_served(
    hands: Hands, context: ActionContext, site: SiteServer, status: int
):
    with pytest.raises(NavigationError, match=f"status {status}") as caught:
        await hands.navigate(context, f"{site.url}/status/{status}")
    assert caught.value.code == "http_status"
    assert caught.value.evidence["status"] == status
    assert f"Status {status}" in caught.value.evidence["title"]


async def test_a_refused_connection_is_named(hands: Hands, context: ActionContext):
    with reserve_port() as port, pytest.raises(NavigationError, match="refused the connection") as caught:
        await hands.navigate(context, f"http://127.0.0.1:{port}/")
    assert caught.value.code == "connection_refused"


async def test_a_host_that_does_not_exist_is_named(hands: Hands, context: ActionContext):
    with pytest.raises(NavigationError, match="no server has that name") as caught:
        await hands.navigate(context, "http://nowhere.example/")
    assert caught.value.code == "dns_failed"


async def test_a_server_that_speaks_no_tls_is_named(hands: Hands, context: ActionContext, site: SiteServer):
    with pytest.raises(NavigationError) as caught:
        await hands.navigate(context, site.url.replace("http://", "https://") + "/")
    assert caught.value.code == "tls_failed"


async def test_a_page_can_be_opened_right_after_a_failure(hands: Hands, context: ActionContext, site: SiteServer):
    for _ in range(3):
        with reserve_port() as port, pytest.raises(NavigationError):
            await hands.navigate(context, f"http://127.0.0.1:{port}/")
        assert (await hands.navigate(context, f"{site.url}/table/small")).output["status"] == 200


async def test_a_redirect_loop_is_named(hands: Hands, context: ActionContext, site: SiteServer):
    with pytest.raises(NavigationError) as caught:
        await hands.navigate(context, f"{site.url}/redirect/for-ever")
    assert caught.value.code == "redirect_loop"


async def test_an_answer_without_a_page_leaves_the_old_one(hands: Hands, context: ActionContext, site: SiteServer):
    await hands.navigate(context, f"{site.url}/table/small")
    with pytest.raises(NavigationError) as caught:
        await hands.navigate(context, f"{site.url}/status/204")
    assert caught.value.code == "no_page_sent"
    assert caught.value.evidence["current_url"] == f"{site.url}/table/small"


async def test_a_file_that_downloads_instead_of_opening_is_said_so(
    hands: Hands, context: ActionContext, site: SiteServer
):
    with pytest.raises(NavigationError, match="file to download") as caught:
        await hands.navigate(context, f"{site.url}/dialogs/report")
    assert caught.value.code == "became_download"
    assert "browser.download" in caught.value.hint
    assert caught.value.evidence["downloads"][0]["suggested_name"] == "report.txt"


async def test_a_silent_server_is_told_from_a_page_that_never_ends(
    hands: Hands, context: ActionContext, site: SiteServer
):
    short = replace(context, timeout_s=1.0)
    with pytest.raises(NavigationError, match="did not answer in time") as silent:
        await hands.navigate(short, f"{site.url}/slow/?ms=9000")
    with pytest.raises(NavigationError, match="did not finish loading") as endless:
        await hands.navigate(short, f"{site.url}/slow/never")
    assert (silent.value.code, silent.value.evidence["arrived"]) == ("navigation_timeout", False)
    assert (endless.value.code, endless.value.evidence["arrived"]) == ("navigation_timeout", True)


async def test_wait_until_commit_does_not_wait_for_the_rest(hands: Hands, context: ActionContext, site: SiteServer):
    outcome = await hands.navigate(context, f"{site.url}/slow/never", wait_until="commit")
    assert outcome.output["status"] == 200


@pytest.mark.parametrize("url", ["www.example.com", "http://", "not an address", ""])
async def test_what_is_no_address_is_refused_before_a_browser_is_needed(
    hands: Hands, session: PlaywrightSession, context: ActionContext, url: str
):
    with pytest.raises(InputError):
        await hands.navigate(context, url)
    assert len(session.tabs) == 0


@pytest.mark.parametrize("url", ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "chrome://version"])
async def test_schemes_that_are_not_web_are_refused(hands: Hands, context: ActionContext, url: str):
    with pytest.raises(PolicyError):
        await hands.navigate(context, url)


async def test_back_and_forward_move_in_the_history(hands: Hands, context: ActionContext, site: SiteServer):
    await hands.navigate(context, f"{site.url}/table/small")
    await hands.navigate(context, f"{site.url}/shop/")
    assert (await hands.back(context)).output["url"] == f"{site.url}/table/small"
    assert (await hands.forward(context)).output["url"] == f"{site.url}/shop/"


async def test_there_is_nothing_before_the_first_page_and_nothing_after_the_last(
    hands: Hands, context: ActionContext, site: SiteServer
):
    await hands.navigate(context, f"{site.url}/table/small")
    with pytest.raises(NavigationError, match="no earlier page") as caught:
        await hands.back(context)
    assert caught.value.code == "no_history"
    with pytest.raises(NavigationError, match="no later page"):
        await hands.forward(context)


async def test_reload_asks_the_server_again(hands: Hands, context: ActionContext, site: SiteServer):
    await hands.navigate(context, f"{site.url}/table/small")
    outcome = await hands.reload(context)
    assert outcome.output["status"] == 200
    assert len(site.received.requests("/table/small")) == 2


async def test_stop_ends_a_loading_that_would_never_end(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.navigate(context, f"{site.url}/slow/never", wait_until="commit")
    page = session.current_page(context)
    assert await page.evaluate("document.readyState") == "loading"
    outcome = await hands.stop(context)
    assert outcome.output["url"] == f"{site.url}/slow/never"
    await page.wait_for_function("document.readyState !== 'loading'", timeout=3000)


@pytest.mark.parametrize("verb", ["back", "forward", "reload", "stop", "wait"])
async def test_without_a_page_every_verb_says_how_to_start(hands: Hands, context: ActionContext, verb: str):
    with pytest.raises(ActionError) as caught:
        await getattr(hands, verb)(context, **({"url": "second"} if verb == "wait" else {}))
    assert caught.value.code == "no_page"
    assert "browser.navigate" in caught.value.hint


async def test_lanes_have_pages_of_their_own(hands: Hands, context: ActionContext, site: SiteServer):
    other = replace(context, lane="g1")
    await asyncio.gather(hands.navigate(context, f"{site.url}/table/small"), hands.navigate(other, f"{site.url}/shop/"))
    assert (await hands.reload(context)).output["url"] == f"{site.url}/table/small"
    assert (await hands.reload(other)).output["url"] == f"{site.url}/shop/"


async def test_search_sends_the_query_byte_for_byte(
    session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    own = SearchPlatform("echo", site.url, site.url + "/echo?q={query}")
    hands = Hands(session)
    session.settings.platforms["echo"] = own
    query = '50% + "zażółć" & a=b #?/\\ 😀'
    outcome = await hands.search(context, query, platform="echo")
    assert outcome.output["status"] == 200
    page = session.current_page(context)
    assert await page.evaluate("new URLSearchParams(location.search.replaceAll('+', '%2B')).get('q')") == query
    assert site.received.requests("/echo")[0].query.startswith("q=50%25%20%2B%20%22za%C5%BC")


async def test_an_unknown_platform_is_refused_with_the_known_ones(hands: Hands, context: ActionContext):
    with pytest.raises(InputError, match="Unknown search platform") as caught:
        await hands.search(context, "tea", platform="altavista")
    assert "duckduckgo" in caught.value.hint


async def test_a_crashed_page_is_reported_and_navigate_opens_a_fresh_one(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.navigate(context, f"{site.url}/table/small")
    page = session.current_page(context)
    crashed = asyncio.Event()
    page.on("crash", lambda _: crashed.set())
    cdp = await page.context.new_cdp_session(page)
    crash = asyncio.ensure_future(cdp.send("Page.crash"))
    await asyncio.wait_for(crashed.wait(), 5)
    crash.cancel()
    with pytest.raises(ActionError) as caught:
        await hands.reload(context)
    assert caught.value.code == "page_crashed"
    assert session.open_sessions() == frozenset()
    outcome = await hands.navigate(context, f"{site.url}/shop/")
    assert outcome.output["url"] == f"{site.url}/shop/"
    assert len(session.tabs) == 1


async def test_open_sessions_tells_whether_the_own_lane_has_a_page(
    hands: Hands, session: PlaywrightSession, context: ActionContext
):
    assert session.open_sessions() == frozenset()
    await hands.navigate(replace(context, lane="g1"), "about:blank")
    assert session.open_sessions() == frozenset()
    await hands.navigate(context, "about:blank")
    assert session.open_sessions() == {"page"}


HOPS = {
    "script": "<title>Hop</title><script>location.href = '/table/small'</script>",
    "replace": "<title>Hop</title><script>location.replace('/table/small')</script>",
    "load": "<title>Hop</title><body onload=\"location.href = '/table/small'\">",
    "refresh": "<title>Hop</title><meta http-equiv=refresh content='0;url=/table/small'>",
    "late script": "<title>Hop</title><script>onload = () => setTimeout(() => location.assign('/table/small'))</script>",
}


@pytest.mark.parametrize("hop", HOPS)
async def test_a_page_that_goes_on_by_itself_does_not_disturb_the_next_navigation(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer, hop: str
):
    page = await session.open_page(context)
    await page.route("**/hop", lambda route: route.fulfill(content_type="text/html", body=HOPS[hop]))
    for _ in range(3):
        arrived = await hands.navigate(context, f"{site.url}/hop")
        place = (arrived.output["url"], arrived.output["title"])
        assert place in {(f"{site.url}/hop", "Hop"), (f"{site.url}/table/small", "A small table")}
        assert arrived.evidence.get("status_of") == (None if place[1] == "Hop" else f"{site.url}/hop")
        outcome = await hands.navigate(context, f"{site.url}/status/200")
        assert (outcome.output["url"], outcome.output["title"]) == (f"{site.url}/status/200", "Status 200")


async def test_going_back_to_a_page_that_was_not_found_is_no_error(
    hands: Hands, context: ActionContext, site: SiteServer
):
    with pytest.raises(NavigationError):
        await hands.navigate(context, f"{site.url}/status/404")
    await hands.navigate(context, f"{site.url}/table/small")
    outcome = await hands.back(context)
    assert (outcome.output["url"], outcome.output["status"]) == (f"{site.url}/status/404", 404)


@pytest.mark.parametrize(("wait_ms", "target"), [(0, "/status/200"), (50, "/slow/?ms=300")])
async def test_a_navigation_wins_over_where_the_page_is_going_by_itself(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    site: SiteServer,
    wait_ms: int,
    target: str,
):
    for _ in range(5):
        await hands.navigate(context, f"{site.url}/shop/")
        await session.current_page(context).evaluate(f"setTimeout(() => location.assign('/table/small'), {wait_ms}); 0")
        outcome = await hands.navigate(context, site.url + target)
        assert outcome.output["url"] == site.url + target
