"""What is empty right after an act is read again when the page has settled, and that is told."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

LONG = ActionContext("g0_test_1", timeout_s=15.0)
PARTS = """<output id="total"></output><table id="rows"><tr><th>Name</th></tr></table><p id="none"></p><button id="go">Go</button>"""
FILL = """
const fill = () => {
  document.querySelector('#total').textContent = '42 EUR';
  document.querySelector('#rows').insertAdjacentHTML('beforeend', '<tr><td>Ada</td></tr>');
};
"""
LATER = {
    "timer": "setTimeout(fill, 1500)",
    "server": "fetch('/slow/image?ms=1500').then(fill)",
    "frames": "let left = 80; const step = () => { left -= 1; document.body.dataset.left = left; left ? requestAnimationFrame(step) : fill() }; step()",
}


@pytest.fixture
async def hands(session: PlaywrightSession, site: SiteServer) -> Hands:
    hands = Hands(session)
    await hands.navigate(LONG, f"{site.url}/table/small")
    return hands


async def show(session: PlaywrightSession, script: str) -> None:
    """Show the parts, and do something when the button is clicked."""
    page = session.current_page(LONG)
    await page.evaluate(f"() => {{ document.body.innerHTML = `{PARTS}`; {FILL}; go.onclick = () => {{ {script} }} }}")


@pytest.mark.parametrize("way", list(LATER))
async def test_what_comes_a_moment_after_an_act_is_read(hands: Hands, session: PlaywrightSession, way: str):
    await show(session, LATER[way])
    await hands.click(LONG, 'button "Go"')
    outcome = await hands.read(LONG, target="text", selector="#total")
    assert outcome.output["text"] == "42 EUR"
    assert outcome.evidence["empty_for_s"] > 0
    assert "settled" not in outcome.evidence


async def test_rows_and_counts_are_waited_for_as_well(hands: Hands, session: PlaywrightSession):
    await show(session, LATER["server"])
    await hands.click(LONG, 'button "Go"')
    rows = await hands.read(LONG, target="table", selector="#rows")
    assert [*rows.output["value"]] == [{"Name": "Ada"}]
    await show(session, "setTimeout(() => document.body.append(document.createElement('hr')), 800)")
    await hands.click(LONG, 'button "Go"')
    assert (await hands.read(LONG, target="count", selector="hr")).output["value"] == 1


async def test_what_stays_empty_is_told_as_such_when_the_page_has_settled(hands: Hands, session: PlaywrightSession):
    await show(session, LATER["timer"])
    await hands.click(LONG, 'button "Go"')
    outcome = await hands.read(LONG, target="text", selector="#none")
    assert outcome.output["text"] == ""
    assert outcome.evidence["settled"] is True
    assert 2 < outcome.evidence["empty_for_s"] < 8


async def test_long_after_an_act_what_is_empty_is_empty(hands: Hands, session: PlaywrightSession):
    await show(session, "")
    page = session.current_page(LONG)
    await page.wait_for_function("performance.now() > 5500")
    outcome = await hands.read(LONG, target="text", selector="#none")
    assert outcome.output["text"] == ""
    assert "empty_for_s" not in outcome.evidence
