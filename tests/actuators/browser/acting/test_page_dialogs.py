"""Pressing a button in a dialog, whichever kind of dialog it turns out to be."""

from dataclasses import replace
from typing import Any

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, TargetError
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

MODAL = '<div role="dialog" aria-modal="true" aria-label="Delete item?" style="position:fixed;inset:40px;background:white">{}</div>'
BUTTONS = "<button onclick=\"pressed.push('OK')\">OK</button><button onclick=\"pressed.push('Cancel')\">Cancel</button>"
OUTSIDE = "<button onclick=\"pressed.push('outside')\">OK</button>"
PAGES = {
    "role": MODAL.format(BUTTONS),
    "alertdialog": MODAL.format(BUTTONS).replace('"dialog"', '"alertdialog"'),
    "native": f"<dialog open>{BUTTONS}</dialog>",
    "popup by its class": f'<div class="popup" style="position:fixed;inset:40px;background:white">Sure? {BUTTONS}</div>',
    "hidden one beside": MODAL.replace("inset", "display:none;inset").format(BUTTONS) + MODAL.format(BUTTONS),
}


@pytest.fixture
def quick(context: ActionContext) -> ActionContext:
    """An action that gives up early."""
    return replace(context, timeout_s=3.0)


async def show(session: PlaywrightSession, context: ActionContext, body: str) -> Hands:
    page = await session.open_page(context)
    await page.set_content(f"<!doctype html><script>window.pressed = [];</script><body>{body}</body>")
    return Hands(session)


async def read_pressed(session: PlaywrightSession, context: ActionContext) -> Any:
    return await session.current_page(context).evaluate("pressed")


@pytest.mark.parametrize("name", PAGES)
async def test_a_dialog_of_the_page_gets_the_click(session: PlaywrightSession, context: ActionContext, name: str):
    hands = await show(session, context, OUTSIDE + PAGES[name])
    outcome = await hands.dialog(context, press='control "OK"')
    assert outcome.effect == "confirmed"
    assert await read_pressed(session, context) == ["OK"]


async def test_a_dialog_that_comes_late_is_waited_for(session: PlaywrightSession, context: ActionContext):
    later = f"<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', {MODAL.format(BUTTONS)!r}), 400)</script>"
    hands = await show(session, context, OUTSIDE + later)
    await hands.dialog(context, press='button "OK"')
    assert await read_pressed(session, context) == ["OK"]


@pytest.mark.parametrize(
    ("press", "answer"), [('control "OK"', True), ('button "Cancel"', False), ('control "Yes"', True)]
)
async def test_a_dialog_of_javascript_is_answered_by_its_buttons(
    session: PlaywrightSession, context: ActionContext, press: str, answer: bool
):
    asking = '<button id="ask" onclick="pressed.push(confirm(\'Delete?\'))">Ask</button>'
    hands = await show(session, context, asking)
    before = replace(context, followers=("browser.dialog",))
    async with session.watch(before) as watch:
        await watch.run(session.current_page(before).click("#ask"))
    outcome = await hands.dialog(context, press=press)
    assert outcome.output["kind"] == "confirm"
    assert await read_pressed(session, context) == [answer]


async def test_a_dialog_of_javascript_that_opens_while_it_is_waited_for_is_answered(
    session: PlaywrightSession, context: ActionContext
):
    hands = await show(session, context, "<script>setTimeout(() => pressed.push(confirm('Sure?')), 300)</script>")
    outcome = await hands.dialog(context, press='control "OK"')
    assert outcome.output["kind"] == "confirm"
    assert await read_pressed(session, context) == [True]


async def test_a_button_that_javascripts_dialog_lacks_is_named(session: PlaywrightSession, context: ActionContext):
    hands = await show(session, context, '<button id="ask" onclick="confirm(\'Delete?\')">Ask</button>')
    before = replace(context, followers=("browser.dialog",))
    async with session.watch(before) as watch:
        await watch.run(session.current_page(before).click("#ask"))
    with pytest.raises(ActionError, match="a confirm of JavaScript with OK and Cancel") as caught:
        await hands.dialog(context, press='button "Delete"')
    assert caught.value.code == "no_such_button"
    await hands.dialog(context, action="dismiss")


async def test_where_no_dialog_is_nothing_is_pressed(session: PlaywrightSession, quick: ActionContext):
    hands = await show(session, quick, OUTSIDE)
    with pytest.raises(ActionError) as caught:
        await hands.dialog(quick, press='control "OK"')
    assert caught.value.code == "no_dialog"
    assert await read_pressed(session, quick) == []


async def test_a_dialog_without_the_button_is_named_with_those_that_it_has(
    session: PlaywrightSession, quick: ActionContext
):
    hands = await show(session, quick, OUTSIDE + MODAL.format("<button>Keep</button>"))
    with pytest.raises(ActionError, match=r'"Delete item\?", with "Keep"') as caught:
        await hands.dialog(quick, press='control "OK"')
    assert caught.value.code == "no_such_button"


async def test_what_is_only_written_in_a_dialog_is_no_button(session: PlaywrightSession, quick: ActionContext):
    hands = await show(session, quick, MODAL.format(f"<h2>Delete item?</h2>{BUTTONS}"))
    with pytest.raises(ActionError) as caught:
        await hands.dialog(quick, press='control "Delete"')
    assert caught.value.code == "no_such_button"


async def test_a_dialog_of_the_page_that_fades_in_is_not_answered_as_one_of_javascript(
    session: PlaywrightSession, context: ActionContext
):
    later = f"<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', {MODAL.format(BUTTONS)!r}), 300)</script>"
    hands = await show(session, context, later)
    session.dialogs.expect(context.lane, held=True)
    with pytest.raises(ActionError) as caught:
        await hands.dialog(replace(context, followers=("browser.read",)), action="accept")
    assert caught.value.code == "dialog_of_page"


async def test_two_dialogs_with_the_button_are_ambiguous(session: PlaywrightSession, quick: ActionContext):
    hands = await show(session, quick, MODAL.format(BUTTONS) + MODAL.format(BUTTONS))
    with pytest.raises(TargetError) as caught:
        await hands.dialog(quick, press='control "OK"')
    assert caught.value.code == "target_ambiguous"
    assert await read_pressed(session, quick) == []


@pytest.mark.parametrize("action", ["accept", "dismiss"])
async def test_a_dialog_of_the_page_is_not_answered_as_one_of_javascript(
    session: PlaywrightSession, context: ActionContext, action: Any
):
    hands = await show(session, context, MODAL.format(BUTTONS))
    with pytest.raises(ActionError, match=r'"Delete item\?", with "OK", "Cancel"') as caught:
        await hands.dialog(context, action=action)
    assert caught.value.code == "dialog_of_page"


async def test_a_popup_window_of_the_page_gets_the_click(session: PlaywrightSession, context: ActionContext):
    opening = """<button id="open" onclick="w = open('about:blank', 'w', 'width=300,height=200');
      w.document.body.innerHTML = '<button onclick=&quot;opener.pressed.push(`popup`)&quot;>OK</button>'">Open</button>"""
    hands = await show(session, context, OUTSIDE + opening)
    page = session.current_page(context)
    async with page.expect_popup():
        await page.click("#open")
    await hands.dialog(context, press='control "OK"')
    assert await read_pressed(session, context) == ["popup"]
    assert session.current_page(context) is page
