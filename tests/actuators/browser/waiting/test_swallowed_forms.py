"""Forms whose page keeps them from being sent: whether anything came of that."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

ADDRESS = "http://127.0.0.1/page"
ANSWERS = {
    "a request": "fetch('/saved').catch(() => null)",
    "a text": "told.textContent = 'Saved'",
    "an empty form": "event.target.reset()",
    "a later text": "setTimeout(() => { told.textContent = 'Saved'; }, 50)",
}


async def put(session: PlaywrightSession, context: ActionContext, script: str) -> Hands:
    page = await session.open_page(context)
    body = f"""<!doctype html><form onsubmit="event.preventDefault(); {script}"><label>Name <input></label><button>Go</button></form><p id="told"></p>"""
    await page.route("**/*", lambda route: route.fulfill(content_type="text/html", body=body))
    await page.goto(ADDRESS)
    return Hands(session)


async def send(hands: Hands, context: ActionContext, way: str) -> ToolOutcome:
    if way == "type":
        return await hands.type(context, selector='field "Name"', text="Ada", submit=True)
    return await hands.fill(context, fields={"name": "Ada"}, submit=True)


@pytest.mark.parametrize("way", ["type", "fill"])
async def test_a_form_of_which_nothing_came_is_not_told_as_sent(
    session: PlaywrightSession, context: ActionContext, way: str
) -> None:
    outcome = await send(await put(session, context, ""), context, way)
    assert (outcome.effect, outcome.evidence["submitted"]) == ("unverified", False)


@pytest.mark.parametrize("way", ["type", "fill"])
@pytest.mark.parametrize("answer", list(ANSWERS))
async def test_a_form_that_the_page_answers_itself_is_confirmed(
    session: PlaywrightSession, context: ActionContext, way: str, answer: str
) -> None:
    outcome = await send(await put(session, context, ANSWERS[answer]), context, way)
    assert outcome.effect == "confirmed"
