"""Fields that a page has hidden behind an editor of its own, editors below a heading, and what is added to one."""

import pytest

from actuators.browser.playwright.controls.entering import judge_addition
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

FRAMED = """<label for="body">Body</label><textarea id="body" style="display:none"></textarea>
<div><button>Bold</button><iframe id="frame" srcdoc="<body contenteditable><p>Old words</p></body>"></iframe></div>"""
BESIDE = """<label for="note">Note</label><textarea id="note" hidden></textarea><div><button>B</button><div contenteditable>Old words</div></div>"""
HEADED = """<h2>Letter</h2><div><button>B</button></div><div contenteditable id="letter"></div>
<h2>Notes</h2><div><button>B</button></div><div><div contenteditable id="notes"></div></div><h2>End</h2><p>x</p>"""


@pytest.mark.parametrize(("body", "selector"), [(FRAMED, 'field "Body"'), (BESIDE, 'field "Note"')])
async def test_the_editor_in_place_of_a_hidden_field_is_that_field(
    session: PlaywrightSession, context: ActionContext, body: str, selector: str
) -> None:
    page = await session.open_page(context)
    await page.set_content(body)
    outcome = await Hands(session).type(context, selector=selector, text="New words")
    assert (outcome.effect, outcome.output["value"]) == ("confirmed", "New words")
    editor = page.frame_locator("iframe").locator("body") if "iframe" in body else page.locator("[contenteditable]")
    assert await editor.inner_text() == "New words"


async def test_an_editor_that_keeps_its_text_itself_gets_each_line_of_it(
    session: PlaywrightSession, context: ActionContext, site: SiteServer
) -> None:
    page = await session.open_page(context)
    await page.goto(f"{site.url}/truth/pages/editor.html")
    hands = Hands(session)
    outcome = await hands.type(context, selector='field "Reply"', text="Hello world\n\nsecond line")
    assert outcome.effect == "confirmed"
    await hands.click(context, 'button "Send"')
    assert await page.inner_text("#sent") == '["Hello world","","second line"]'


async def test_an_editor_that_takes_one_line_only_is_not_confirmed(
    session: PlaywrightSession, context: ActionContext, site: SiteServer
) -> None:
    page = await session.open_page(context)
    await page.goto(f"{site.url}/truth/pages/editor.html?takes=words")
    outcome = await Hands(session).type(context, selector='field "Reply"', text="Hello world\nsecond line")
    assert outcome.effect == "unverified"


async def test_an_editor_is_called_by_the_heading_above_it(session: PlaywrightSession, context: ActionContext) -> None:
    page = await session.open_page(context)
    await page.set_content(HEADED)
    hands = Hands(session)
    await hands.type(context, selector='field "Letter"', text="Dear Ada")
    await hands.type(context, selector='field "Notes"', text="Ada wrote")
    assert await page.inner_text("#letter") == "Dear Ada"
    assert await page.inner_text("#notes") == "Ada wrote"


async def test_a_button_is_in_what_comes_below_a_heading_and_before_the_next(
    session: PlaywrightSession, context: ActionContext
) -> None:
    page = await session.open_page(context)
    await page.set_content(HEADED.replace("<button>", "<button onclick=\"document.title = 'pressed'\">", 1))
    await Hands(session).click(context, 'button "B" in "Letter"')
    assert await page.title() == "pressed"


async def test_a_hidden_field_without_an_editor_stays_hidden(
    session: PlaywrightSession, context: ActionContext
) -> None:
    page = await session.open_page(context)
    await page.set_content('<label for="a">Note</label><input id="a" hidden><p>Text</p>')
    with pytest.raises(TargetError) as hidden:
        await Hands(session).type(context, selector='field "Note"', text="x")
    assert hidden.value.code == "target_hidden"


@pytest.mark.parametrize(
    ("before", "text", "kept", "verdict"),
    [
        ("one\n", "two", "one\ntwo", "same"),
        ("one\n", "two", "onetwo", "same"),
        ("line 1\nline 2", "\nthe end", "line 360\nline 361\nthe end", "reformatted"),
        ("", "- tea\nmilk", "tea\n\n\nmilk", "reformatted"),
        ("", "f(", "f()", "reformatted"),
        ("one", "two", "one", "different"),
        ("", "tea", "ted", "different"),
    ],
)
def test_what_is_added_to_rich_text_is_judged_by_what_it_ends_with(
    before: str, text: str, kept: str, verdict: str
) -> None:
    assert judge_addition("editable", before, text, kept) == verdict
