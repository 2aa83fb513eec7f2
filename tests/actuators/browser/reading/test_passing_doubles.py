"""Two elements for one, while a page changes: what goes is there beside what comes, until it has gone."""

import pytest
from playwright.async_api import Locator

from actuators.browser.playwright.finding.explanations import Attempt, explain_ambiguous
from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

CONTEXT = ActionContext("g0_click_1", timeout_s=5.0)
DAYS = "<p><button onclick=\"document.title = 'old'\">15</button></p><p><button onclick=\"document.title = 'new'\">15</button></p>"
SLIDE = """<script>
const goes = document.querySelector('p');
goes.animate([{ opacity: 1 }, { opacity: 0.2 }], 400).finished.then(() => goes.remove());
</script>"""


async def test_what_an_animation_takes_away_is_no_second_match(session: PlaywrightSession) -> None:
    page = await session.open_page(CONTEXT)
    await page.set_content(DAYS + SLIDE)
    await Hands(session).click(CONTEXT, 'button "15"')
    assert await page.title() == "new"


async def test_two_that_stay_are_told_soon(session: PlaywrightSession) -> None:
    page = await session.open_page(CONTEXT)
    await page.set_content(DAYS)
    with pytest.raises(TargetError) as caught:
        await Hands(session).click(CONTEXT, 'button "15"')
    assert caught.value.code == "target_ambiguous"
    assert caught.value.evidence["waited_s"] < 1.0
    assert await page.title() == ""


LATE = """<div hidden><button>Send</button></div><div hidden><button>Send</button></div><p></p><script>
let steps = 0;
const work = setInterval(() => {
  document.querySelector('p').textContent = steps += 1;
  if (steps < 16) return;
  clearInterval(work);
  document.querySelectorAll('div').forEach((each) => each.remove());
  document.body.insertAdjacentHTML('beforeend', '<button onclick="document.title = 1">Send</button>');
}, 100);
</script>"""


async def test_of_several_that_are_hidden_none_is_meant_while_the_page_is_busy(session: PlaywrightSession) -> None:
    page = await session.open_page(CONTEXT)
    await page.set_content(LATE)
    await Hands(session).click(CONTEXT, 'button "Send"')
    assert await page.title() == "1"


TWO = """<button hidden>Send</button><button hidden>Send</button><p></p><script>
let steps = 0;
setInterval(() => { document.querySelector('p').textContent = steps += 1; }, 50);
</script>"""
ONE = """() => {
  document.querySelectorAll('button').forEach((each) => each.remove());
  document.body.insertAdjacentHTML('beforeend', '<button onclick="document.title = 1">Send</button>');
}"""


async def test_what_comes_while_the_hidden_ones_are_counted_is_clicked(
    session: PlaywrightSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await session.open_page(CONTEXT)
    await page.set_content(TWO)
    count, counts = Locator.count, list[int]()

    async def count_before_the_change(locator: Locator) -> int:
        found = await count(locator)
        if found > 1:
            counts.append(found)
            if await page.evaluate("steps") > 40:  # beyond the second in which several may become one
                await page.evaluate(ONE)
        return found

    monkeypatch.setattr(Locator, "count", count_before_the_change)
    await Hands(session).click(CONTEXT, 'button "Send"')
    assert counts
    assert await page.title() == "1"


@pytest.mark.parametrize("html", ["", "<button>Send</button>"])
async def test_never_is_one_element_told_as_several(session: PlaywrightSession, html: str) -> None:
    page = await session.open_page(CONTEXT)
    await page.set_content(html)
    spec = parse_selector('button "Send"')
    error = await explain_ambiguous(Attempt(spec, page, build_locator(spec, page), waited_s=0.2, left_s=1.0))
    assert (error.code, error.message) == ("target_ambiguous", 'button "Send" matches several elements; waited 0.2 s.')


async def test_several_that_stay_hidden_are_told_when_the_page_is_idle(session: PlaywrightSession) -> None:
    page = await session.open_page(CONTEXT)
    await page.set_content(LATE.partition("<script>")[0])
    with pytest.raises(TargetError) as caught:
        await Hands(session).click(CONTEXT, 'button "Send"')
    assert caught.value.code == "target_ambiguous"
