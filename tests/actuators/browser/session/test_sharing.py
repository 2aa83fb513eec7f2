"""Several sessions in one browser: apart while it lives, told when it dies, and together in a new one afterwards."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import psutil
import pytest

from actuators.browser.playwright.session import sharing
from actuators.browser.playwright.session.browser_session import BrowserSettings, PlaywrightSession
from actuators.browser.playwright.session.sharing import PAGES_AT_ONCE, SharedBrowser, is_alive
from actuators.browser.playwright.verbs.back_end import make_toolsets
from actuators.browser.tools.navigation import NavigationTools
from actuators.browser.tools.pointer import PointerTools
from core.base.errors import ActionError, UnsupportedError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.thoroughness import spread

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL and /proc are POSIX")

MakeSession = Callable[[], PlaywrightSession]


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncIterator[SharedBrowser]:
    """A browser for the sessions of a test."""
    browser = SharedBrowser(BrowserSettings(artifacts_dir=tmp_path))
    yield browser
    await browser.close()


@pytest.fixture
async def make(shared: SharedBrowser, tmp_path: Path) -> AsyncIterator[MakeSession]:
    """Makes sessions in it."""
    made: list[PlaywrightSession] = []

    def make_one() -> PlaywrightSession:
        settings = BrowserSettings(artifacts_dir=tmp_path, named_hosts=("127.0.0.1",))
        made.append(PlaywrightSession(settings, shared))
        return made[-1]

    yield make_one
    await asyncio.gather(*(session.close() for session in made))


@pytest.fixture
def started() -> Callable[[str], list[psutil.Process]]:
    """Lists what was started since the test began, by a word of its name."""
    before = set(psutil.Process().children(recursive=True))

    def list_started(word: str) -> list[psutil.Process]:
        found = set(psutil.Process().children(recursive=True)) - before
        return [each for each in found if word in each.name() and "--type=" not in " ".join(each.cmdline())]

    return list_started


@pytest.fixture
def context() -> ActionContext:
    """An action with far more time than it takes: how long a browser takes to start anew is no matter of these tests."""
    return ActionContext("g0_test_1", timeout_s=60.0)


async def open_all(sessions: list[PlaywrightSession], context: ActionContext, url: str) -> None:
    await asyncio.gather(*(Hands(session).navigate(context, url) for session in sessions))


async def refuse(act: Awaitable[object]) -> str:
    """Return the code of the error that an act ends with."""
    with pytest.raises(ActionError) as caught:
        await act
    return caught.value.code


async def test_sessions_that_begin_side_by_side_have_one_browser_and_cookies_apart(
    make: MakeSession, context: ActionContext, site: SiteServer, started: Callable[[str], list[psutil.Process]]
):
    sessions = [make() for _ in range(4)]
    await open_all(sessions, context, f"{site.url}/table/small")
    assert len(started("chrom")) == 1
    await sessions[0].current_page(context).evaluate("document.cookie = 'who=ada'")
    seen = [await session.current_page(context).evaluate("document.cookie") for session in sessions]
    assert seen == ["who=ada", "", "", ""]
    assert len({session.current_page(context).context for session in sessions}) == 4


async def test_the_browser_outlives_its_sessions_and_ends_with_the_share(
    shared: SharedBrowser, make: MakeSession, context: ActionContext, started: Callable[[str], list[psutil.Process]]
):
    first = make()
    await first.open_page(context)
    (browser,) = started("chrom")
    await first.close()
    await make().open_page(context)
    assert started("chrom") == [browser]
    await asyncio.gather(shared.close(), shared.close())
    assert started("") == []


async def test_a_session_that_is_stopped_while_the_browser_starts_stops_nobody_else(
    make: MakeSession, context: ActionContext
):
    hasty, patient = make(), make()
    acts = [asyncio.create_task(session.open_page(context)) for session in (hasty, patient)]
    await asyncio.sleep(0)
    acts[0].cancel()
    page = await acts[1]
    assert not page.is_closed()


@posix_only
async def test_the_death_of_the_browser_is_told_to_each_session_and_one_new_browser_is_started_for_all(
    make: MakeSession, context: ActionContext, site: SiteServer, started: Callable[[str], list[psutil.Process]]
):
    sessions = [make() for _ in range(3)]
    await open_all(sessions, context, f"{site.url}/table/small")
    closed = [asyncio.Event() for _ in sessions]
    for session, event in zip(sessions, closed, strict=True):
        session.current_page(context).context.once("close", lambda _, event=event: event.set())
    started("chrom")[0].kill()
    await asyncio.gather(*(event.wait() for event in closed))
    assert [await refuse(Hands(each).reload(context)) for each in sessions] == ["browser_gone"] * 3
    await open_all(sessions, context, f"{site.url}/table/small")
    assert len(started("chrom")) == 1


@posix_only
async def test_a_browser_that_hangs_is_ended_within_the_bound_and_each_session_is_told_as_of_a_death(
    make: MakeSession,
    context: ActionContext,
    site: SiteServer,
    started: Callable[[str], list[psutil.Process]],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(sharing, "HANG_TICK_S", 0.2)
    sessions = [make() for _ in range(3)]
    await open_all(sessions, context, f"{site.url}/table/small")
    (hung,) = started("chrom")
    closed = [asyncio.Event() for _ in sessions]
    for session, event in zip(sessions, closed, strict=True):
        session.current_page(context).context.once("close", lambda _, event=event: event.set())
    monkeypatch.setattr(sharing, "STILL_S", 2.0)
    hung.suspend()
    acting = asyncio.create_task(refuse(Hands(sessions[0]).navigate(context, f"{site.url}/shop/")))
    async with asyncio.timeout(40):
        await asyncio.gather(*(event.wait() for event in closed))
        assert await acting in {"browser_frozen", "browser_gone", "page_closed", "navigation_failed"}
    gone, _ = await asyncio.to_thread(psutil.wait_procs, [hung], timeout=10)
    assert gone == [hung]
    assert [await refuse(Hands(each).reload(context)) for each in sessions[1:]] == ["browser_gone"] * 2
    await open_all(sessions, context, f"{site.url}/table/small")
    (new,) = started("chrom")
    assert new != hung


@posix_only
async def test_a_browser_that_was_only_held_up_for_a_while_goes_on(
    shared: SharedBrowser,
    make: MakeSession,
    context: ActionContext,
    site: SiteServer,
    started: Callable[[str], list[psutil.Process]],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(sharing, "HANG_TICK_S", 0.1)
    session = make()
    await open_all([session], context, f"{site.url}/table/small")
    (browser,) = started("chrom")
    browser.suspend()
    asked = asyncio.create_task(session.current_page(context).title())
    done, _ = await asyncio.wait({asked}, timeout=2.0)
    assert not done
    browser.resume()
    assert await asked
    assert started("chrom") == [browser]
    assert await is_alive(await shared.start())


@posix_only
async def test_a_frozen_browser_is_not_taken_for_a_page_without_the_element_and_the_page_goes_on_when_it_wakes(
    make: MakeSession,
    context: ActionContext,
    site: SiteServer,
    started: Callable[[str], list[psutil.Process]],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(sharing, "PROBE_S", 0.5)
    session = make()
    await open_all([session], context, f"{site.url}/shop/")
    hands, tool = Hands(session), make_toolsets(session)[PointerTools]
    page = session.current_page(context)
    (browser,) = started("chrom")
    family = [browser, *browser.children(recursive=True)]
    for each in family:
        each.suspend()
    shortly = ActionContext("g0_click_1", timeout_s=1.0)

    async def look() -> None:
        async with tool.attend("mark", shortly):
            await hands.read(shortly, target="text", selector=":root")

    async def leave() -> None:
        async with tool.attend("mark", shortly):
            await hands.navigate(shortly, f"{site.url}/table/small")

    try:
        assert [await refuse(look()), await refuse(leave()), await refuse(look())] == ["browser_frozen"] * 3
    finally:
        for each in family:
            each.resume()
    assert (await hands.click(context, 'link "Catalogue"')).evidence["navigated_to"]
    assert session.current_page(context) is page


@posix_only
async def test_what_no_verb_expected_of_a_browser_that_dies_is_told_as_its_death(
    make: MakeSession, context: ActionContext, site: SiteServer, started: Callable[[str], list[psutil.Process]]
):
    session = make()
    await open_all([session], context, f"{site.url}/table/small")
    tool = make_toolsets(session)[NavigationTools]

    async def act(end: Callable[[], object]) -> None:
        async with tool.attend("navigate", context):
            page = session.current_page(context)
            end()
            await page.wait_for_event("close")
            await page.title()

    async def ask(end: Callable[[], object]) -> str:
        with pytest.raises(ActionError) as caught:
            await act(end)
        assert caught.value.acted
        assert "Call log" not in str(caught.value)
        return caught.value.code

    assert await ask(lambda: asyncio.ensure_future(session.current_page(context).close())) == "page_closed"
    await open_all([session], context, f"{site.url}/table/small")
    assert await ask(started("chrom")[0].kill) == "browser_gone"


@posix_only
async def test_sessions_that_act_at_the_moment_of_the_death_go_on_in_one_new_browser(
    make: MakeSession, context: ActionContext, site: SiteServer, started: Callable[[str], list[psutil.Process]]
):
    sessions = [make() for _ in range(3)]
    await open_all(sessions, context, f"{site.url}/table/small")
    started("chrom")[0].kill()
    fresh = [make() for _ in range(3)]
    await open_all(fresh, context, f"{site.url}/table/small")
    assert len(started("chrom")) == 1


@posix_only
async def test_the_death_of_the_driver_is_healed_for_every_session_also_of_another_browser(
    context: ActionContext, site: SiteServer, started: Callable[[str], list[psutil.Process]]
):
    async def lose_the_driver() -> None:
        settings = BrowserSettings(named_hosts=("127.0.0.1",))
        browsers = [SharedBrowser(settings) for _ in range(2)]
        sessions = [PlaywrightSession(settings, browser) for browser in (*browsers, browsers[0])]
        await open_all(sessions, context, f"{site.url}/table/small")
        (driver,) = started("node")
        driver.kill()
        assert [await refuse(Hands(each).reload(context)) for each in sessions] == ["page_closed"] * 3
        await open_all(sessions, context, f"{site.url}/table/small")
        assert len(started("node")) == 1
        await asyncio.gather(*(each.close() for each in sessions))
        await asyncio.gather(*(each.close() for each in browsers))

    await asyncio.to_thread(asyncio.run, lose_the_driver())  # in a loop of its own, with a driver of its own
    assert started("") == []


async def test_a_browser_that_does_not_start_is_told_to_each_and_tried_again(tmp_path: Path, context: ActionContext):
    broken = tmp_path / "chromium"
    broken.write_bytes(b"\x7fELF is not enough")
    broken.chmod(0o755)
    shared = SharedBrowser(BrowserSettings(executable=str(broken)))
    sessions = [PlaywrightSession(BrowserSettings(), shared) for _ in range(2)]
    for _ in range(2):
        ends = await asyncio.gather(*(each.open_page(context) for each in sessions), return_exceptions=True)
        assert [getattr(end, "code", "") for end in ends] == ["browser_start_failed"] * 2
        assert all(isinstance(end, UnsupportedError) for end in ends)
    await shared.close()


async def test_a_page_that_crashes_leaves_the_other_sessions_pages(
    make: MakeSession, context: ActionContext, site: SiteServer
):
    victim, neighbour = make(), make()
    await open_all([victim, neighbour], context, f"{site.url}/table/small")
    crashed = asyncio.Event()
    page = victim.current_page(context)
    page.on("crash", lambda _: crashed.set())
    session = await page.context.new_cdp_session(page)
    crash = asyncio.create_task(session.send("Page.crash"))
    await asyncio.wait_for(crashed.wait(), 5)
    crash.cancel()
    assert await refuse(Hands(victim).reload(context)) == "page_crashed"
    assert (await Hands(neighbour).reload(context)).effect == "confirmed"
    assert (await Hands(victim).navigate(context, f"{site.url}/table/small")).output["status"] == 200


async def test_a_page_that_hangs_holds_up_nobody_else(make: MakeSession, context: ActionContext, site: SiteServer):
    victim, neighbour = make(), make()
    await open_all([victim, neighbour], context, f"{site.url}/table/small")
    hang = asyncio.create_task(victim.current_page(context).evaluate("() => { for (;;) {} }"))
    assert (await Hands(neighbour).reload(context)).effect == "confirmed"
    assert not hang.done()
    await asyncio.wait_for(victim.close(), 30)
    hang.cancel()
    assert (await Hands(neighbour).reload(context)).effect == "confirmed"


FLOODS = {
    "console": "setInterval(() => { for (let i = 0; i < 500; i++) console.log('x'.repeat(200)) }, 1)",
    "requests": "setInterval(() => { for (let i = 0; i < 50; i++) fetch('/status/200?' + Math.random()) }, 5)",
    "dialogs": "setInterval(() => alert('again'), 1)",
    "pop-ups": "setInterval(() => { const w = window.open('about:blank'); setTimeout(() => w && w.close(), 50) }, 20)",
    "addresses": "setInterval(() => { for (let i = 0; i < 50; i++) location.hash = Math.random() }, 5)",
    "frames": "setInterval(() => { const f = document.createElement('iframe'); document.body.append(f); setTimeout(() => f.remove(), 20) }, 2)",
    "memory": "const kept = []; setInterval(() => { if (kept.length < 200) kept.push(new Array(1e5).fill(Math.random())) }, 1)",
}


@pytest.mark.parametrize("flood", spread(FLOODS, 3))
async def test_a_page_that_floods_leaves_its_neighbour_its_time(
    make: MakeSession, context: ActionContext, site: SiteServer, flood: str
):
    victim, neighbour = make(), make()
    await open_all([victim, neighbour], context, f"{site.url}/table/small")
    await victim.current_page(context).evaluate(f"() => {{ {FLOODS[flood]} }}")
    for _ in range(3):
        assert (await Hands(neighbour).navigate(context, f"{site.url}/table/small")).effect == "confirmed"
    await asyncio.wait_for(victim.close(), 30)
    assert (await Hands(neighbour).reload(context)).effect == "confirmed"


async def test_of_many_that_begin_together_few_open_a_page_at_once_before_their_time_to_act_begins(
    shared: SharedBrowser, make: MakeSession, context: ActionContext
):
    session = make()
    tool = make_toolsets(session)[NavigationTools]
    entered = asyncio.Event()

    async def begin() -> None:
        async with tool.attend("navigate", context):
            entered.set()

    async with AsyncExitStack() as others:
        for _ in range(PAGES_AT_ONCE):
            await others.enter_async_context(shared.take_turn())
        waiting = asyncio.create_task(begin())
        await shared.start()
        assert not entered.is_set()
    await waiting
    tab = await session.open_tab(context)
    assert tab.page.context.pages == [tab.page]


async def test_a_page_that_was_opened_beforehand_is_the_first_tab_and_no_second_one(
    make: MakeSession, context: ActionContext
):
    session = make()
    await session.prepare_page()
    assert len(session.tabs) == 0
    await Hands(session).open_tab(context, None)
    await Hands(session).open_tab(context, None)
    assert len(session.tabs) == 2


async def test_a_session_has_no_process_but_that_of_its_page(
    shared: SharedBrowser, make: MakeSession, context: ActionContext, site: SiteServer
) -> None:
    await open_all([make(), make()], context, f"{site.url}/table/small")
    asked = await (await shared.start()).new_browser_cdp_session()
    targets = (await asked.send("Target.getTargets"))["targetInfos"]
    assert [each["type"] for each in targets if each["type"] != "tab"] == ["page", "page"]
