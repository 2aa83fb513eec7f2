"""A text names the smallest part that shows it, through slots and shadow trees, and is clicked where it is drawn."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.actuators.browser.pens import Pen


@pytest.fixture
async def pen(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Pen:
    pen = Pen(Hands(session), session, context, site)
    await pen.open("/elements/slotted")
    return pen


@pytest.fixture
def pointer(session: PlaywrightSession) -> Hands:
    return Hands(session)


@pytest.mark.parametrize("kind", ["text", "control"])
@pytest.mark.parametrize(("words", "box"), [("I accept the terms", "terms"), ("Send me news", "news")])
async def test_slotted_text_is_clicked_where_it_is_drawn_and_not_in_the_middle_of_the_form(
    pen: Pen, pointer: Hands, kind: str, words: str, box: str
) -> None:
    outcome = await pointer.click(pen.context, f'{kind} "{words}"')
    assert outcome.effect == "confirmed"
    assert outcome.evidence["received_by"]["name"] == words
    assert (await pen.wait("ticked"))[0].detail["id"] == box


async def test_text_that_goes_through_two_slots_belongs_to_the_innermost_part(pen: Pen, pointer: Hands) -> None:
    await pointer.click(pen.context, 'text "Twice slotted"')
    assert (await pen.wait("inner"))[0].detail["id"] == "deep"


async def test_what_stands_in_a_slot_as_an_element_is_the_element(pen: Pen, pointer: Hands) -> None:
    outcome = await pointer.click(pen.context, 'text "A light child"')
    assert outcome.evidence["received_by"]["id"] == "bold"


async def test_a_text_of_what_holds_other_controls_is_clicked_beside_them(pen: Pen, pointer: Hands) -> None:
    outcome = await pointer.click(pen.context, 'text "Only words of the section"')
    assert outcome.evidence["received_by"]["id"] == "around"
    await pointer.click(pen.context, 'text "Open the entry"')
    await pen.wait("opened")
    assert [event.detail["id"] for event in pen.site.events("clicked")] == ["around", "entry"]


@pytest.mark.parametrize("selector", ['text "I accept the terms"', 'checkbox "I accept the terms"'])
async def test_a_box_that_shows_its_words_by_a_slot_is_ticked(pen: Pen, selector: str) -> None:
    assert (await pen.forms.check(pen.context, selector)).effect == "confirmed"
    assert (await pen.wait("ticked"))[-1].detail == {
        **pen.site.events("ticked")[-1].detail,
        "id": "terms",
        "checked": True,
    }


@pytest.mark.parametrize(
    ("row", "received"),
    [
        pytest.param('<span id="part">Reports</span>', "part", id="its only part"),
        pytest.param('<i>&gt;</i> <b id="part">Reports</b> <u>3</u>', "part", id="one part of several"),
        pytest.param("Reports", "row", id="itself"),
        pytest.param('<a style="position:absolute;clip-path:inset(50%)">Reports</a>', "row", id="heard only"),
    ],
)
async def test_a_row_is_pressed_where_its_text_stands(pen: Pen, pointer: Hands, row: str, received: str) -> None:
    page = pen.session.current_page(pen.context)
    drawn = f'<div id="row" style="cursor: pointer; height: 20px">{row}</div>'
    await page.evaluate("(drawn) => { document.body.innerHTML = drawn; }", drawn)
    await page.evaluate("addEventListener('click', (event) => { document.title = event.target.id; })")
    await pointer.click(pen.context, 'control "Reports"')
    assert await page.title() == received
