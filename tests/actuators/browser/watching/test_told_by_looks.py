"""What is told from what a page shows: colours, how names begin and end, what is prose, and looks that are excepted."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

PAGE = """<div id="swatch" style="width:20px;height:20px;background:#ff8800;cursor:pointer"></div>
<input aria-label="Colour" style="background:#eee"><p>This is about the Save area of the page.</p><p id="plain"></p>
<ul><li>Angola</li><li>Anguilla</li><li>Norway</li></ul>
<svg width="200" height="100"><circle cx="30" cy="50" r="20" fill="red"/><rect x="80" y="30" width="40" height="40" fill="blue"/>
<rect x="140" y="30" width="40" height="40" fill="red"/></svg>"""


@pytest.fixture
async def hands(session: PlaywrightSession, context: ActionContext) -> Hands:
    page = await session.open_page(context)
    await page.set_content(PAGE)
    return Hands(session)


async def test_a_colour_is_read_as_digits_and_as_people_call_it(hands: Hands, context: ActionContext):
    outcome = await hands.read(context, "colour", "#swatch")
    assert (outcome.output["text"], outcome.output["name"]) == ("#ff8800", "darkorange")
    with pytest.raises(TargetError) as caught:
        await hands.read(context, "colour", "#plain")
    assert caught.value.code == "target_unsuitable"


async def test_a_name_is_told_by_how_it_begins_and_ends(hands: Hands, context: ActionContext):
    assert (await hands.read(context, "text", 'listitem like "ang*la" like "*ola"')).output["text"] == "Angola"
    assert (await hands.read(context, "text", 'control like "N*"')).output["text"] == "Norway"
    with pytest.raises(TargetError) as caught:
        await hands.click(context, 'control like "ang*la"')
    assert caught.value.code == "target_ambiguous"


async def test_a_sentence_about_a_thing_is_not_the_thing(hands: Hands, context: ActionContext):
    with pytest.raises(TargetError) as caught:
        await hands.click(context, 'control "Save area"')
    assert caught.value.code == "target_missing"


async def test_all_but_what_looks_so_is_counted(hands: Hands, context: ActionContext):
    count = await hands.read(context, "count", 'every look "shapes" except "red shapes"')
    assert count.output["value"] == 1
    assert (await hands.read(context, "count", 'every look "shapes" except "circles"')).output["value"] == 2
