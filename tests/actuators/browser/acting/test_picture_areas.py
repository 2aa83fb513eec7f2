"""Areas of pictures are links: they are told, named and clicked, wherever they are in their picture."""

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

HOUSE = """<body style="margin:0"><div style="height:{above}px"></div>
    <img usemap="#house" alt="House" width="300" height="200" style="border:5px solid;padding:7px;width:300px" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
    <map name="house"><area shape="rect" coords="0,0,100,200" href="#garden" alt="Garden door">
    <area shape="circle" coords="200,60,20" href="#kitchen" alt="Kitchen door">
    <area shape="poly" coords="150,190,290,190,290,120,285,120,285,185,150,185" href="#cellar" alt="Cellar stairs">
    <area shape="rect" coords="110,150,111,151" nohref alt="No door"></map>"""


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext) -> Page:
    return await session.open_page(context)


@pytest.mark.parametrize("above", [0, 3000])
@pytest.mark.parametrize(
    ("selector", "leads_to"),
    [('link "Garden door"', "garden"), ('control "Kitchen door"', "kitchen"), ('link "Cellar stairs"', "cellar")],
)
async def test_an_area_is_clicked_where_it_is(
    page: Page, session: PlaywrightSession, context: ActionContext, selector: str, leads_to: str, above: int
) -> None:
    await page.set_content(HOUSE.format(above=above))
    outcome = await Hands(session).click(context, selector)
    assert outcome.effect == "confirmed"
    assert outcome.evidence["received_by"]["tag"] == "area"
    assert await page.evaluate("location.hash") == f"#{leads_to}"


async def test_areas_are_told_as_links_and_their_picture_is_not_covered_by_them(
    page: Page, session: PlaywrightSession, context: ActionContext
) -> None:
    await page.set_content(HOUSE.format(above=0))
    lines = (await Hands(session).snapshot(context)).output["text"].splitlines()
    assert {'image "House"', 'link "Garden door"', 'link "Kitchen door"', 'link "Cellar stairs"'} <= set(lines)


async def test_an_area_under_something_else_is_covered(
    page: Page, session: PlaywrightSession, context: ActionContext
) -> None:
    cover = '<div style="position:absolute;inset:0;background:white">Wait</div>'
    await page.set_content(HOUSE.format(above=0) + cover)
    with pytest.raises(TargetError) as caught:
        await Hands(session).click(context, 'link "Garden door"')
    assert caught.value.code == "target_covered"
    assert await page.evaluate("location.hash") == ""
