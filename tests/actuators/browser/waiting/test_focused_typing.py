"""Keys and text into whatever has the focus; the receipt names it."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, InputError, TargetError
from core.goals.secret_values import Secret
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

WORDS = """<label>Name <input id="name" value="Ada Byron"></label><label>Notes <textarea id="notes"></textarea></label>
<label>Five <input id="five" maxlength="5"></label><div id="rich" contenteditable role="textbox" aria-label="Letter">Dear </div>
<div id="cell" role="gridcell" tabindex="0">0</div>
<div id="code"><input class="digit" size="1"><input class="digit" size="1"><input class="digit" size="1"></div>"""
ACTIVE = """
const cell = document.querySelector('#cell');
cell.addEventListener('keydown', (event) => { cell.textContent += event.key; });
const digits = [...document.querySelectorAll('.digit')];
digits.forEach((each, place) => each.addEventListener('input', () => digits[place + 1]?.focus()));
"""


class Page:
    """A page of fields, and what has the focus on it."""

    def __init__(self, session: PlaywrightSession, context: ActionContext) -> None:
        """Take a session."""
        self.hands, self.session, self.context = Hands(session), session, context

    async def focus(self, script: str) -> None:
        """Give something the focus."""
        await self.session.current_page(self.context).evaluate(f"() => {{ {script} }}")

    async def value(self, css: str) -> str:
        """Return what a field holds."""
        page = self.session.current_page(self.context)
        return await page.evaluate(
            "(css) => { const e = document.querySelector(css); return e.value ?? e.innerText }", css
        )


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Page:
    page = Page(session, context)
    await page.hands.navigate(context, f"{site.url}/table/small")
    await page.focus(f"document.body.innerHTML = `{WORDS}`; {ACTIVE}")
    return page


async def test_text_goes_where_the_caret_is(page: Page):
    await page.focus("const f = document.querySelector('#name'); f.focus(); f.setSelectionRange(4, 9)")
    outcome = await page.hands.type(page.context, text="Lovelace")
    assert outcome.effect == "confirmed"
    assert outcome.output["value"] == await page.value("#name") == "Ada Lovelace"
    assert outcome.evidence["received_by"]["name"] == "Name"


@pytest.mark.parametrize(
    ("mode", "expected"), [("replace", "Grace"), ("append", "Ada ByronGrace"), ("keys", "GraceAda Byron")]
)
async def test_a_mode_says_how_it_is_put_there(page: Page, mode: str, expected: str):
    await page.focus("const f = document.querySelector('#name'); f.focus(); f.setSelectionRange(0, 0)")
    outcome = await page.hands.type(page.context, text="Grace", mode=mode)
    assert outcome.effect == "confirmed"
    assert await page.value("#name") == expected
    assert outcome.evidence["received_by"]["name"] == "Name"


@pytest.mark.parametrize("css", ["#notes", "#rich"])
async def test_lines_come_as_they_are(page: Page, css: str):
    await page.focus(f"document.querySelector('{css}').focus()")
    outcome = await page.hands.type(page.context, text="one\n  two")
    assert outcome.effect == "confirmed"
    assert (await page.value(css)).replace("\u00a0", " ").startswith("one\n  two")


async def test_what_moves_the_focus_on_gets_every_key(page: Page):
    await page.focus("document.querySelector('.digit').focus()")
    outcome = await page.hands.type(page.context, text="123")
    assert [await page.value(f".digit:nth-child({place})") for place in (1, 2, 3)] == ["1", "2", "3"]
    assert outcome.effect == "unverified"
    assert outcome.evidence["focus_now"]["tag"] == "input"


async def test_a_part_of_a_date_gets_keys_though_it_can_be_edited(page: Page):
    parts = "".join(
        f'<span role="spinbutton" contenteditable tabindex="0" id="{name}">__</span>' for name in ("day", "month")
    )
    script = """document.querySelectorAll('[role=spinbutton]').forEach((part) => {
      let held = '';
      part.onkeydown = (event) => { event.preventDefault(); held += event.key; part.textContent = held; if (held.length === 2) part.nextElementSibling?.focus() };
    }); document.querySelector('#day').focus()"""
    await page.focus(f"document.body.innerHTML = `{parts}`; {script}")
    outcome = await page.hands.type(page.context, text="2412")
    assert (await page.value("#day"), await page.value("#month")) == ("24", "12")
    assert outcome.effect == "unverified"


async def test_what_is_no_field_gets_keys(page: Page):
    await page.focus("document.querySelector('#cell').focus()")
    outcome = await page.hands.type(page.context, text="42")
    assert await page.value("#cell") == "042"
    assert outcome.evidence["received_by"]["role"] == "gridcell"
    with pytest.raises(TargetError) as caught:
        await page.hands.type(page.context, text="7", mode="replace")
    assert caught.value.code == "target_unsuitable"


async def test_what_a_field_did_not_take_is_an_error(page: Page):
    await page.focus("document.querySelector('#five').focus()")
    with pytest.raises(ActionError) as caught:
        await page.hands.type(page.context, text="123456789", mode="replace")
    assert caught.value.code == "value_differs"
    await page.focus("const f = document.querySelector('#name'); f.readOnly = true; f.focus()")
    with pytest.raises(ActionError) as caught:
        await page.hands.type(page.context, text="x")
    assert caught.value.code == "value_differs"


async def test_without_a_focus_a_text_goes_nowhere_and_that_is_said(page: Page):
    with pytest.raises(TargetError) as caught:
        await page.hands.type(page.context, text="lost")
    assert caught.value.code == "target_missing"
    assert "has the focus" in caught.value.message


async def test_keys_that_the_page_itself_takes_need_no_focus(page: Page):
    await page.focus("addEventListener('keydown', (event) => { document.title += event.key })")
    outcome = await page.hands.type(page.context, text="go")
    assert outcome.effect == "unverified"
    assert (await page.session.current_page(page.context).title()).endswith("go")


async def test_a_key_that_nothing_had_the_focus_for_is_not_confirmed(page: Page):
    outcome = await page.hands.press(page.context, "Enter")
    assert outcome.effect == "unverified"
    assert "Nothing had the focus" in outcome.evidence["note"]


async def test_the_focus_in_a_frame_is_the_focus(page: Page):
    frame = "document.body.innerHTML = '<iframe srcdoc=\"<input aria-label=Inner autofocus>\"></iframe>'"
    await page.focus(frame)
    await page.hands.click(page.context, 'field "Inner"')
    outcome = await page.hands.type(page.context, text="here", submit=False)
    assert outcome.effect == "confirmed"
    assert outcome.evidence["received_by"]["name"] == "Inner"
    pressed = await page.hands.press(page.context, "Backspace")
    assert pressed.evidence["received_by"]["name"] == "Inner"


async def test_a_secret_needs_its_field(page: Page):
    with pytest.raises(InputError, match="field"):
        await page.hands.type(page.context, text=Secret("token"))
