"""A page that is still being built is acted on once it stands still: it would do over what was done to it before."""

import time

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

LONG = ActionContext("g0_test_1", timeout_s=15.0)
LIST = """const choose = (name) => { document.querySelector('p').textContent = name; };
document.body.innerHTML = '<ul><li>Notes</li><li>Sums</li></ul><p>none</p>';
for (const each of document.querySelectorAll('li')) each.onclick = () => choose(each.textContent);
"""
CHOOSES_LATE = """const read = (left) => fetch(`data:text/plain,${left}`).then(() => {
  if (left) setTimeout(read, 60, left - 1); else { choose('Sums'); window.isBuilt = true; }
});
read(6);
"""
NEVER_STILL = "let round = 0; setInterval(() => fetch(`data:text/plain,${round += 1}`), 100);"
ASKS_AGAIN = "setInterval(() => fetch('data:text/plain,x'), 100);"


@pytest.fixture
def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


async def show(hands: Hands, session: PlaywrightSession, site: SiteServer, script: str) -> None:
    """Show a page that builds itself."""
    await hands.navigate(LONG, f"{site.url}/table/small")
    await session.current_page(LONG).evaluate(f"() => {{ {script} }}")


async def test_what_a_page_chooses_while_it_is_built_does_not_replace_what_was_chosen_in_it(
    hands: Hands, session: PlaywrightSession, site: SiteServer
):
    await show(hands, session, site, LIST + CHOOSES_LATE)
    await hands.click(LONG, 'listitem "Notes"')
    page = session.current_page(LONG)
    await page.wait_for_function("window.isBuilt")
    assert await page.locator("p").text_content() == "Notes"


async def test_a_page_that_never_stands_still_is_waited_for_once_and_not_for_long(
    hands: Hands, session: PlaywrightSession, site: SiteServer
):
    await show(hands, session, site, LIST + NEVER_STILL)
    await hands.click(LONG, 'listitem "Notes"')
    began_s = time.monotonic()
    await hands.click(LONG, 'listitem "Sums"')
    assert time.monotonic() - began_s < 2
    assert await session.current_page(LONG).locator("p").text_content() == "Sums"


@pytest.mark.parametrize("script", ["", ASKS_AGAIN])
async def test_a_page_that_fetches_nothing_new_is_acted_on_at_once(
    hands: Hands, session: PlaywrightSession, site: SiteServer, script: str
):
    await show(hands, session, site, LIST + script)
    began_s = time.monotonic()
    await hands.click(LONG, 'listitem "Notes"')
    assert time.monotonic() - began_s < 2
