"""A picture with numbers shows each number at the thing that its line names, and no secret."""

from typing import Any

import pytest
from PIL import Image
from playwright.async_api import Page

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.numbered_pictures import choose_color
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

Rect = tuple[int, int, int, int]
FRAME_PX = 2


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext) -> Page:
    return await session.open_page(context)


@pytest.fixture
async def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


async def look_at(hands: Hands, context: ActionContext, **wanted: Any) -> tuple[dict[str, int], Image.Image, list[int]]:
    """Return the number of each line by its selector, the picture, and which numbers it doesn't show."""
    outcome = await hands.snapshot(context, picture=True, **wanted)
    path = outcome.output["picture"]
    assert outcome.artifacts == (path,)
    numbers = {line["selector"]: line["number"] for line in outcome.output["lines"] if line["number"]}
    return numbers, Image.open(path).convert("RGB"), outcome.evidence["not_on_picture"]


def find_frame(picture: Image.Image, number: int, box: Rect) -> bool:
    """Tell whether a frame of the number's colour is drawn around a box: its left and lower sides, where no label stands."""
    left, top, right, bottom = box
    color = choose_color(number)
    wanted = tuple(int(color[at : at + 2], 16) for at in (1, 3, 5))
    middle_x, middle_y = (left + right) // 2, (top + bottom) // 2
    spots = [(left - 1, middle_y), (right, middle_y), (middle_x, bottom)]
    return all(picture.getpixel(spot) == wanted for spot in spots)


def place(left: int, top: int, label: str, *, more: str = "") -> str:
    style = f"position:absolute;left:{left}px;top:{top}px;width:100px;height:40px;margin:0;border:0;padding:0;{more}"
    return f'<button style="{style}">{label}</button>'


async def test_each_number_is_drawn_around_its_thing_and_stands_in_its_line(
    hands: Hands, context: ActionContext, page: Page
) -> None:
    await page.set_content(f"<body>{place(200, 100, 'Save')}{place(400, 300, 'Drop')}<p>Text</p>")
    numbers, picture, missing = await look_at(hands, context)
    assert (numbers, missing) == ({'button "Save"': 1, 'button "Drop"': 2}, [])
    assert find_frame(picture, 1, (200, 100, 300, 140))
    assert find_frame(picture, 2, (400, 300, 500, 340))


async def test_the_whole_page_is_shown_however_far_it_is_scrolled(
    hands: Hands, context: ActionContext, page: Page
) -> None:
    fixed = place(300, 50, "Help", more="position:fixed")
    tall = '<body style="margin:0"><div style="height:3000px"></div>'
    await page.set_content(f"{tall}{place(200, 2500, 'Far')}{place(50, 100, 'Near')}{fixed}")
    await page.evaluate("scrollTo(0, 700)")
    numbers, picture, missing = await look_at(hands, context)
    assert (picture.height, missing) == (3000, [])
    assert find_frame(picture, numbers['button "Far"'], (200, 2500, 300, 2540))
    assert find_frame(picture, numbers['button "Near"'], (50, 100, 150, 140))
    assert find_frame(picture, numbers['button "Help"'], (300, 750, 400, 790))
    assert await page.evaluate("scrollY") == 700


async def test_of_a_very_long_page_what_is_visible_is_shown_and_the_rest_has_no_number_on_it(
    hands: Hands, context: ActionContext, page: Page
) -> None:
    await page.set_content(f'<div style="height:50000px"></div>{place(200, 100, "Near")}{place(200, 900, "Seen")}')
    await page.evaluate("scrollTo(0, 700)")
    numbers, picture, missing = await look_at(hands, context)
    assert picture.height == await page.evaluate("innerHeight")
    assert missing == [numbers['button "Near"']]
    assert find_frame(picture, numbers['button "Seen"'], (200, 200, 300, 240))


async def test_what_a_scrolled_list_cuts_off_has_no_number_on_the_picture(
    hands: Hands, context: ActionContext, page: Page
) -> None:
    cut = "position:absolute;left:50px;top:50px;width:300px;height:100px;overflow:auto"
    await page.set_content(f'<div style="{cut}">{place(20, 20, "In")}{place(20, 400, "Below")}</div>')
    numbers, picture, missing = await look_at(hands, context)
    assert missing == [numbers['button "Below"']]
    assert find_frame(picture, numbers['button "In"'], (70, 70, 170, 110))


async def test_what_is_in_frames_is_numbered_where_it_is_seen(
    hands: Hands, context: ActionContext, page: Page, site: SiteServer
) -> None:
    inner = f"<body style='margin:0'>{place(10, 20, 'Deep')}"
    outer = f'<body style="margin:0">{place(5, 5, "Outer")}<iframe title="Two" style="position:absolute;left:30px;top:60px;border:4px solid;width:200px;height:120px"></iframe>'
    await page.set_content(
        '<iframe title="One" style="position:absolute;left:300px;top:200px;border:3px solid;width:400px;height:300px"></iframe>'
    )
    await page.frames[1].set_content(outer)
    await page.frames[2].set_content(inner)
    numbers, picture, missing = await look_at(hands, context)
    assert missing == []
    assert find_frame(picture, numbers['frame "One" >> button "Outer"'], (308, 208, 408, 248))
    assert find_frame(picture, numbers['frame "One" >> frame "Two" >> button "Deep"'], (347, 287, 447, 327))
    scoped, part, _ = await look_at(hands, context, scope='frame "One" >> frame "Two" >> button "Deep"')
    assert all(find_frame(part, number, (347, 287, 447, 327)) for number in scoped.values())


async def test_secrets_are_covered_on_a_numbered_picture(hands: Hands, context: ActionContext, page: Page) -> None:
    style = "position:absolute;left:100px;top:100px;width:200px;height:60px;background:#fff"
    await page.set_content(f'<input type="password" aria-label="Password" value="s3cret!" style="{style}">')
    numbers, picture, _ = await look_at(hands, context)
    assert list(numbers) == ['field "Password"']
    inside = picture.crop((140, 125, 280, 155))
    assert inside.getcolors() == [(inside.width * inside.height, (0x20, 0x20, 0x20))]


async def test_a_drawn_box_is_numbered_by_its_label(hands: Hands, context: ActionContext, page: Page) -> None:
    style = "position:absolute;left:150px;top:80px;width:120px;height:30px;cursor:pointer"
    await page.set_content(
        f'<input type="checkbox" id="t" style="display:none"><label for="t" style="{style}">Tea</label>'
    )
    numbers, picture, missing = await look_at(hands, context)
    assert missing == []
    assert find_frame(picture, numbers['checkbox "Tea"'], (150, 80, 270, 110))


async def test_without_a_picture_no_line_has_a_number(hands: Hands, context: ActionContext, page: Page) -> None:
    await page.set_content("<button>Save</button>")
    outcome = await hands.snapshot(context)
    assert "picture" not in outcome.output
    assert outcome.output["text"] == 'button "Save"'
    assert outcome.artifacts == ()
