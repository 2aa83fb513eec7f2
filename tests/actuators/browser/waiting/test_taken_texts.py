"""Typing into fields whose page takes the text only later: when they are left, or when something is chosen in what they have opened."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

ADDRESS = "http://127.0.0.1/page"
TELL = "<script>const tell = (text) => { document.title += `[${text}]`; };</script>"
COMBO = """<label>Fruit <input role="combobox" aria-expanded="false" aria-controls="list" id="fruit"></label>
<ul role="listbox" id="list" hidden><li role="option">Apple</li></ul><script>
fruit.oninput = () => { list.hidden = false; fruit.setAttribute('aria-expanded', 'true'); };
list.onclick = () => { fruit.value = 'Apple'; list.hidden = true; fruit.setAttribute('aria-expanded', 'false'); tell('Apple'); };
</script>"""
CALENDAR = """<label>Birthday <input id="day" oninput="days.hidden = false" onkeydown="0"></label><div id="days" hidden
style="position:absolute;background:white"></div><script>
days.innerHTML = '<b>December 1987</b><table><tr>' + Array.from({ length: 31 }, (_, at) => `<td>${at + 1}</td>`).join('') + '</tr></table>';
</script>"""


async def put(session: PlaywrightSession, context: ActionContext, body: str, text: str, name: str) -> ToolOutcome:
    page = await session.open_page(context)
    await page.route(
        ADDRESS, lambda route: route.fulfill(content_type="text/html", body=f"<!doctype html>{TELL}{body}")
    )
    await page.goto(ADDRESS)
    return await Hands(session).type(context, selector=f'field "{name}"', text=text)


@pytest.mark.parametrize(
    "body",
    [
        '<label>Name <input onchange="tell(value)"></label>',
        '<label>Name <input onblur="tell(value)"></label>',
        '<form onchange="tell(event.target.value)"><label>Name <textarea></textarea></label></form>',
        '<label>Name <input id="f"></label><script>f.addEventListener("focusout", () => tell(f.value));</script>',
    ],
)
async def test_a_text_that_counts_when_its_field_is_left_is_taken_once_and_the_field_has_the_focus_still(
    session: PlaywrightSession, context: ActionContext, body: str
) -> None:
    outcome = await put(session, context, body, "Ada", "Name")
    page = session.current_page(context)
    assert (outcome.effect, await page.title()) == ("confirmed", "[Ada]")
    await page.keyboard.type("!")
    assert await page.locator("input, textarea").input_value() == "Ada!"


@pytest.mark.parametrize(
    "body",
    [
        '<label>Name <input oninput="tell(value)" onblur="tell(\'left\')"></label>',
        '<label>Name <input></label><script>document.addEventListener("change", () => tell("left"));</script>',
    ],
)
async def test_a_field_whose_page_hears_what_is_typed_is_not_left(
    session: PlaywrightSession, context: ActionContext, body: str
) -> None:
    outcome = await put(session, context, body, "Ada", "Name")
    assert outcome.effect == "confirmed"
    assert "left" not in await session.current_page(context).title()


async def test_an_editor_in_place_is_not_left_and_what_it_has_not_taken_is_not_confirmed(
    session: PlaywrightSession, context: ActionContext
) -> None:
    body = """<label>Name <input id="f"></label><script>f.addEventListener('keydown', (event) => event.key === 'Enter' && tell(f.value));
    f.addEventListener('blur', () => f.remove());</script>"""
    outcome = await put(session, context, body, "Ada", "Name")
    assert (outcome.effect, outcome.evidence["not_taken"]) == ("unverified", "left")
    await Hands(session).press(context, "Enter")
    assert await session.current_page(context).title() == "[Ada]"


async def test_what_a_page_makes_of_a_text_when_its_field_is_left_is_what_counts(
    session: PlaywrightSession, context: ActionContext
) -> None:
    body = '<label>Seats <input inputmode="numeric" onblur="value = Math.min(value, 8)"></label>'
    with pytest.raises(ActionError) as caught:
        await put(session, context, body, "12", "Seats")
    assert caught.value.code == "value_differs"
    assert (await Hands(session).type(context, selector='field "Seats"', text="7")).effect == "confirmed"


async def test_a_text_that_the_page_has_put_elsewhere_when_its_field_was_left_is_unverified(
    session: PlaywrightSession, context: ActionContext
) -> None:
    body = "<label>Tag <input onchange=\"tell(value); value = ''\"></label>"
    outcome = await put(session, context, body, "urgent", "Tag")
    assert (outcome.effect, outcome.evidence["emptied"]) == ("unverified", True)
    assert await session.current_page(context).title() == "[urgent]"


async def test_a_text_over_which_a_list_of_suggestions_is_open_is_unverified_and_the_list_stays_open(
    session: PlaywrightSession, context: ActionContext
) -> None:
    outcome = await put(session, context, COMBO, "App", "Fruit")
    assert (outcome.effect, outcome.evidence["not_taken"]) == ("unverified", "open")
    await Hands(session).click(context, 'option "Apple"')
    assert await session.current_page(context).title() == "[Apple]"


async def test_a_date_over_which_a_calendar_has_opened_is_unverified(
    session: PlaywrightSession, context: ActionContext
) -> None:
    outcome = await put(session, context, CALENDAR, "1987-12-24", "Birthday")
    assert (outcome.effect, outcome.evidence["not_taken"]) == ("unverified", "open")
