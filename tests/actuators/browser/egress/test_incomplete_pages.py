"""An answer about a page says what policy has kept the page from loading."""

from dataclasses import replace
from typing import Any

import pytest

from actuators.browser.playwright.acting.attending import SessionAttendance
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.policy.policy import Policy
from core.results.attendance import INCOMPLETE, tell_incomplete
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands


@pytest.fixture
def local(context: ActionContext, site: SiteServer) -> ActionContext:
    """An action that may reach the site alone."""
    return replace(context, policy=Policy(hosts=(site.url.removeprefix("http://"),)))


@pytest.fixture
async def hands(session: PlaywrightSession, local: ActionContext, site: SiteServer) -> Hands:
    """Hands on a page that has tried to load a script from a host that policy doesn't list."""
    hands = Hands(session)
    await hands.navigate(local, f"{site.url}/table/small")
    other = site.url.replace("127.0.0.1", "localhost")
    await session.current_page(local).evaluate(
        "(src) => new Promise((done) => { const s = document.createElement('script'); s.src = src; s.onerror = done; document.head.append(s) })",
        f"{other}/app.js",
    )
    return hands


async def test_what_is_read_comes_with_what_the_page_is_lacking(
    hands: Hands, session: PlaywrightSession, local: ActionContext
):
    async with SessionAttendance(session).attend(local, acts=False, opens=False, enters=False) as notes:
        await hands.read(local, target="text")
    assert notes[INCOMPLETE]["stopped"] == 1
    assert notes[INCOMPLETE]["hosts"][0].startswith("localhost:")
    assert tell_incomplete(notes[INCOMPLETE]).startswith(
        "The page is incomplete: policy stopped 1 request to localhost:"
    )


async def test_a_miss_comes_with_it_and_what_succeeds_does_not(
    hands: Hands, session: PlaywrightSession, local: ActionContext
):
    attendance, missed = SessionAttendance(session), dict[str, Any]()
    with pytest.raises(TargetError):
        async with attendance.attend(local, acts=True, opens=False, enters=False) as missed:
            await hands.click(replace(local, timeout_s=1), 'button "Not there"')
    assert missed[INCOMPLETE]["stopped"] == 1
    async with attendance.attend(local, acts=True, opens=False, enters=False) as done:
        await hands.scroll(local, to="bottom")
    assert INCOMPLETE not in done


async def test_the_next_document_is_whole_again(
    hands: Hands, session: PlaywrightSession, local: ActionContext, site: SiteServer
):
    await hands.navigate(local, f"{site.url}/shop/")
    async with SessionAttendance(session).attend(local, acts=False, opens=False, enters=False) as notes:
        await hands.read(local, target="text")
    assert INCOMPLETE not in notes
