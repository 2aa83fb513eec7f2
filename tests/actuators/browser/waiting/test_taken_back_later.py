"""What a page takes back half a second after the last step of a run, by timers of its own."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

ADDRESS = "http://127.0.0.1/page"
BOX = '<label><input type="checkbox" id="f">Public</label>'
LIST = '<label>Public<select id="f"><option>Red</option><option>Blue</option></select></label>'
TEXT = '<label>Public<input id="f"></label>'
BUTTON = '<button id="f" aria-pressed="false" onclick="ariaPressed = true">Public</button>'


async def put(
    session: PlaywrightSession, context: ActionContext, body: str, script: str, how: tuple[str, dict[str, Any]]
) -> ToolOutcome:
    page = await session.open_page(context)
    content = f"<!doctype html>{body}<script>const undo = () => {{ f.checked = false; f.value = 'Red'; f.ariaPressed = false; }}; {script}</script>"
    await page.route(ADDRESS, lambda route: route.fulfill(content_type="text/html", body=content))
    await page.goto(ADDRESS)
    verb, args = how
    return await getattr(Hands(session), verb)(context, **args)


@pytest.mark.parametrize(
    ("body", "event", "how"),
    [
        (BOX, "change", ("check", {"selector": 'checkbox "Public"', "checked": True})),
        (BUTTON, "click", ("check", {"selector": 'button "Public"', "checked": True})),
        (LIST, "change", ("select", {"selector": 'field "Public"', "value": "Blue"})),
        (TEXT, "input", ("type", {"selector": 'field "Public"', "text": "Blue"})),
        (TEXT, "change", ("set", {"selector": 'field "Public"', "value": "Blue"})),
    ],
)
async def test_what_the_page_takes_back_after_half_a_second_is_an_error(
    session: PlaywrightSession, context: ActionContext, body: str, event: str, how: tuple[str, dict[str, Any]]
) -> None:
    with pytest.raises(ActionError, match="took it back"):
        await put(session, context, body, f"f.addEventListener('{event}', () => setTimeout(undo, 500));", how)


async def test_a_file_that_the_page_takes_back_after_half_a_second_is_not_confirmed(
    session: PlaywrightSession, context: ActionContext, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    how = ("upload", {"selector": 'field "Public"', "path": str(tmp_path / "a.txt")})
    body = '<label>Public<input id="f" type="file"></label>'
    outcome = await put(session, context, body, "f.onchange = () => setTimeout(() => { f.value = null; }, 500);", how)
    assert (outcome.effect, outcome.output["files"]) == ("unverified", [])


async def test_what_a_late_timer_asks_of_a_server_is_followed(
    session: PlaywrightSession, context: ActionContext, site: SiteServer
) -> None:
    script = (
        f"f.oninput = () => setTimeout(() => fetch('{site.url}/slow/?ms=50', {{ mode: 'no-cors' }}).then(undo), 500);"
    )
    with pytest.raises(ActionError, match="took it back"):
        await put(session, context, TEXT, script, ("type", {"selector": 'field "Public"', "text": "Blue"}))


CHECK = ("check", {"selector": 'checkbox "Public"', "checked": True})


async def test_a_timer_that_takes_nothing_back_leaves_the_step_confirmed(
    session: PlaywrightSession, context: ActionContext
) -> None:
    outcome = await put(session, context, BOX, "f.onclick = () => setTimeout(() => null, 500);", CHECK)
    assert outcome.effect == "confirmed"


@pytest.mark.parametrize("delay_ms", [950, 30_000])
async def test_nobody_waits_for_timers_between_two_steps_or_for_those_of_toasts(
    session: PlaywrightSession, context: ActionContext, delay_ms: int
) -> None:
    script = f"f.onclick = () => setTimeout(() => {{ document.title = 'over'; }}, {delay_ms});"
    followed = context if delay_ms > 1000 else replace(context, followers=("browser.click",))
    await put(session, context, BOX, script, ("focus", {"selector": 'checkbox "Public"'}))
    outcome = await Hands(session).check(followed, 'checkbox "Public"')
    assert outcome.effect == "confirmed"
    assert await session.current_page(context).title() != "over"
