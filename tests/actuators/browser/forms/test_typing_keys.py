"""What is typed at once is also heard by pages that listen to keys."""

from urllib.parse import quote

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.actuators.browser.pens import Pen

SHOW = "document.querySelector('p').textContent += field.value + ' '"
PAGE = "<label>Filter <{tag} id=filter></{tag}></label><p></p><script>const field = document.querySelector('#filter'); {script}</script>"


@pytest.fixture
def pen(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Pen:
    return Pen(Hands(session), session, context, site)


async def show(pen: Pen, html: str) -> Page:
    """Open a document: what is written into one that is open already is heard by nobody who listened before."""
    page = await pen.session.open_page(pen.context)
    await page.goto("data:text/html;charset=utf-8," + quote(html))
    return page


@pytest.mark.parametrize(
    ("tag", "script", "text", "heard"),
    [
        ("input", f"field.addEventListener('keyup', () => {SHOW})", "tra", "tra"),
        ("input", f"document.addEventListener('keyup', () => {SHOW})", "tra", "tra"),
        ("input", f"field.onkeyup = () => {SHOW}", "tra", "tra"),
        ("textarea", f"field.addEventListener('keyup', () => {SHOW})", "a\nb", "a b"),
        ("input type=number", f"field.addEventListener('keyup', () => {SHOW})", "42", "42"),
        ("input", f"field.addEventListener('keyup', () => {SHOW})", "żółć", "żółć"),
        ("input", f"field.addEventListener('keyup', () => {SHOW})", "", ""),
    ],
)
async def test_a_page_that_listens_to_keys_hears_the_whole_text(
    pen: Pen, tag: str, script: str, text: str, heard: str
) -> None:
    page = await show(pen, PAGE.format(tag=tag, script=script))
    outcome = await pen.type('field "Filter"', text)
    assert outcome.effect == "confirmed"
    assert outcome.output["value"] == text
    assert (await page.inner_text("p")).split()[-1:] == heard.split()[-1:]


async def test_a_field_that_no_page_listens_to_gets_no_keys(pen: Pen) -> None:
    page = await show(pen, PAGE.format(tag="input", script=f"field.addEventListener('input', () => {SHOW})"))
    await pen.type('field "Filter"', "tra")
    assert (await page.inner_text("p")).strip() == "tra"


async def test_keys_reach_no_other_field_that_takes_the_focus(pen: Pen) -> None:
    page = await pen.session.open_page(pen.context)
    steal = "field.addEventListener('keyup', () => 0); field.addEventListener('input', () => document.querySelector('#other').focus())"
    await page.set_content(PAGE.format(tag="input", script=steal) + '<input id="other">')
    await pen.type('field "Filter"', "tra")
    assert await page.input_value("#other") == ""
