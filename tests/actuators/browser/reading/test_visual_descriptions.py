"""Looks and icons on real pages: which elements they name, and how they are clicked and dragged."""

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.probes import probe_all
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.selectors.colour_names import COLOUR_FAMILIES
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands
from tests.cases import each_case


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext) -> Page:
    return await session.open_page(context)


async def find_ids(page: Page, selector: str) -> list[str]:
    return [match.get("id", "") for match in await probe_all(build_locator(parse_selector(selector), page), "about")]


DRAWN = """<p id="yellow" style="background: yellow">Click a yellow one</p><svg width="400" height="200">
<defs><circle id="never" r="20" fill="red"/><linearGradient id="fade"><stop stop-color="teal"/><stop stop-color="white"/></linearGradient></defs>
<ellipse id="round" cx="30" cy="30" rx="20" ry="20" style="fill: rgb(250 10 10)"/><ellipse id="oval" cx="90" cy="30" rx="30" ry="15" fill="oklch(0.6 0.25 29)"/>
<path id="disc" d="M 150 10 a 20 20 0 1 0 0.1 0 z" fill="navy"/><path id="slice" d="M200 30 L230 10 A 30 30 0 0 1 230 50 Z" fill="url(#fade)"/>
<rect id="turned" x="260" y="15" width="30" height="30" transform="rotate(45 275 30)" fill="pink"/><rect id="dot" x="320" y="10" width="20" height="20" rx="10" fill="lime"/>
<polygon id="star" points="40,80 46,98 64,98 50,109 55,126 40,115 25,126 30,109 16,98 34,98" fill="gold"/>
<polygon id="hexagon" points="100,80 117,90 117,110 100,120 83,110 83,90" fill="brown"/><path id="tri" d="M150 80l20 40h-40z" fill="grey"/>
<polyline id="ring" points="200,80 230,80 230,110 200,110 200,80" fill="none" stroke="crimson" stroke-width="3"/><line id="line" x1="250" y1="80" x2="300" y2="120" stroke="black"/>
<rect id="unseen" x="320" y="80" width="30" height="30" fill="none"/><rect id="faint" x="320" y="80" width="30" height="30" fill="red" fill-opacity="0"/>
<text id="big-a" x="30" y="180" font-size="40"><tspan>A</tspan></text><text id="small-a" x="80" y="180" font-size="20">a</text><text id="nine" x="120" y="180" font-size="20" font-weight="bold" fill="purple">9</text>
<text id="words" x="160" y="180" font-size="20">Some words</text></svg>"""


@each_case(
    ("look", "ids"),
    [
        ("circle", ["round", "disc", "dot"]),
        ("red circle", ["round"]),
        ("red ellipse", ["oval"]),
        ("dark blue circle", ["disc"]),
        ("navy thing", ["disc"]),
        ("slice", ["slice"]),
        ("teal item", ["slice"]),
        ("diamond", ["turned"]),
        ("green dot", ["dot"]),
        ("lime dot", ["dot"]),
        ("star", ["star"]),
        ("yellow one", ["star"]),
        ("six-sided polygon", ["hexagon"]),
        ("grey triangle", ["tri"]),
        ("hollow square", ["ring"]),
        ("red box", ["ring"]),
        ("crimson box", ["ring"]),
        ("line", ["line"]),
        ("A", ["big-a"]),
        ("large letter", ["big-a"]),
        ("small letter", ["small-a"]),
        ("digit", ["nine"]),
        ("bold text", ["nine"]),
        ("purple 9", ["nine"]),
        ("leftmost shape", ["round"]),
        ("20x20 px item", ["dot"]),
        ("black letter", ["big-a", "small-a"]),
        ("beige thing", []),
    ],
)
async def test_what_is_drawn_is_named_by_colour_shape_and_size(page: Page, look: str, ids: list[str]) -> None:
    await page.set_content(DRAWN)
    assert await find_ids(page, f'look "{look}"') == ids


STYLED = """<style>div { position: absolute; top: 10px } h2, p { margin-top: 120px }</style>
<div id="ball" style="left: 10px; width: 40px; height: 40px; border-radius: 50%; background: red"></div>
<div id="tile" style="left: 70px; width: 40px; height: 40px; background: linear-gradient(blue, navy)"></div>
<div id="wide" style="left: 130px; width: 80px; height: 40px; border: 2px solid green"></div>
<div id="roof" style="left: 230px; width: 0; height: 0; border: 20px solid transparent; border-top: 0; border-bottom-color: orange"></div>
<div id="cut" style="left: 290px; width: 40px; height: 40px; background: purple; clip-path: polygon(50% 0, 100% 50%, 50% 100%, 0 50%)"></div>
<div id="same" style="left: 350px; width: 40px; height: 40px; background: white"></div>
<h2 id="title" style="color: red">News</h2><p><button id="stop" style="background: #c00; color: #fff">Stop</button>
<button id="go" style="background: #0a0">Go</button> <a id="more" href="#" style="color: brown">More</a> <textarea id="note"></textarea><input id="plain"><input type="checkbox" id="tick"></p>"""


@each_case(
    ("look", "ids"),
    [
        ("red circle", ["ball"]),
        ("blue square", ["tile"]),
        ("green rectangle", ["wide"]),
        ("hollow box", ["wide"]),
        ("orange triangle", ["roof"]),
        ("purple diamond", ["cut"]),
        ("white box", []),
        ("red button", ["stop"]),
        ("green button", ["go"]),
        ("red heading", ["title"]),
        ("brown link", ["more"]),
        ("text area", ["note"]),
        ("text field", ["plain"]),
        ("check box", ["tick"]),
        ("80px wide green box", []),
    ],
)
async def test_boxes_that_style_makes_shapes_of_are_named_too(page: Page, look: str, ids: list[str]) -> None:
    await page.set_content(STYLED)
    assert await find_ids(page, f'look "{look}"') == ids


async def test_every_named_colour_is_known_by_its_name_and_its_family(page: Page) -> None:
    names = [(name, family) for family, names in COLOUR_FAMILIES.items() for name in names]
    drawn = "".join(
        f'<rect id="{name}" x="{place % 20 * 20}" y="{place // 20 * 20}" width="20" height="20" fill="{name}"/>'
        for place, (name, _) in enumerate(names)
    )
    await page.set_content(f'<svg width="400" height="160">{drawn}</svg>')
    for family, members in COLOUR_FAMILIES.items():
        assert set(await find_ids(page, f'look "{family} thing"')) == set(members)
    for name in ("crimson", "turquoise", "olive", "silver"):
        assert name in await find_ids(page, f'look "{name} thing"')


async def test_sizes_are_told_among_what_is_alike_and_mean_nothing_where_all_are_the_same(page: Page) -> None:
    circles = "".join(
        f'<circle id="c{size}{x}" cx="{x}" cy="50" r="{size}" fill="red"/>' for x, size in ((30, 10), (80, 10))
    )
    await page.set_content(f'<svg width="400" height="100">{circles}</svg>')
    assert (
        await find_ids(page, 'look "small circle"') == await find_ids(page, 'look "large circle"') == ["c1030", "c1080"]
    )
    sizes = "".join(f'<circle id="r{size}" cx="{size * 10}" cy="50" r="{size}" fill="red"/>' for size in (5, 12, 30))
    await page.set_content(f'<svg width="400" height="100">{sizes}</svg>')
    assert await find_ids(page, 'look "small circle"') == ["r5"]
    assert await find_ids(page, 'look "medium circle"') == ["r12"]
    assert await find_ids(page, 'look "large circle"') == ["r30"]


ICONS = """<style>i, span, svg { display: inline-block; width: 20px; height: 20px } .row { cursor: pointer }</style>
<div class="row">A row <i id="bin" class="fa fa-trash-o"></i><i id="pen" class="material-icons">edit</i><span id="close" class="closeEmail"></span></div>
<svg id="user" width="20" height="20"><use href="/icons.svg#icon-user"/></svg><svg id="titled" width="20" height="20"><title>Download</title><path d="M0 0h9v9z"/></svg>
<img id="star" src="/img/star-outline.png" width="20" height="20"><span id="likes" class="like-count"></span><span id="like" class="like"></span>
<button id="menu" class="navbar-hamburger"></button><button id="named" class="gear">Preferences</button>
<span id="tip" title="Print page" tabindex="0"></span><span id="hidden" class="camera" style="display: none"></span><p id="prose" class="camera">A camera is a thing.</p>"""


@each_case(
    ("selector", "ids"),
    [
        ('icon "trash"', ["bin"]),
        ('icon "rubbish bin"', ["bin"]),
        ('icon "edit"', ["pen"]),
        ('icon "pencil"', ["pen"]),
        ('icon "close email"', ["close"]),
        ('icon "close"', ["close"]),
        ('icon "user"', ["user"]),
        ('icon "profile"', ["user"]),
        ('icon "download"', ["titled"]),
        ('icon "star"', ["star"]),
        ('icon "like"', ["like"]),
        ('icon "hamburger menu"', ["menu"]),
        ('icon "print"', ["tip"]),
        ('icon "camera"', []),
        ('icon "bell"', []),
        ('button "Like"', ["like"]),
        ('button "Print page"', ["tip"]),
        ('control "close email"', ["close"]),
        ('control "gear"', []),
    ],
)
async def test_icons_are_named_by_what_is_said_of_them_or_what_their_authors_called_them(
    page: Page, selector: str, ids: list[str]
) -> None:
    await page.set_content(ICONS)
    assert await find_ids(page, selector) == ids


async def test_what_is_pressed_comes_before_what_only_reads_so_and_words_of_a_sentence_come_last(page: Page) -> None:
    await page.set_content(
        """<p>Press the item called <b id="told">Open</b> below.</p><div id="item">Open</div>
        <p>Then <b>Send</b> it.</p><div>Send</div><div id="pressed" style="cursor: pointer">Send</div>
        <span id="capital" class="x" onclick="0">OK</span><span id="small" onclick="0">ok</span>
        <script>const hidden = "Nowhere";</script>"""
    )
    assert await find_ids(page, 'control "Open"') == ["item"]
    assert await find_ids(page, 'control "send"') == ["pressed"]
    assert await find_ids(page, 'button "Send"') == ["pressed"]
    assert await find_ids(page, 'control "OK"') == ["capital"]
    assert await find_ids(page, 'control "ok"') == ["small"]
    assert await find_ids(page, 'control "Ok"') == ["capital", "small"]
    assert await find_ids(page, 'text "Nowhere"') == []


CLICKED = """<svg width="300" height="150" id="sheet">
<path id="hook" d="M10 10 h100 v20 h-80 v80 h-20 z" fill="green"/><rect id="frame" x="150" y="10" width="100" height="100" fill="none" stroke="black" stroke-width="4"/>
<g><rect id="slot" x="10" y="120" width="40" height="20" fill="silver"/><text id="label" x="12" y="135" pointer-events="none">Seat</text></g></svg>
<script>document.addEventListener('click', (event) => { document.title += event.target.id + ' '; });</script>"""


@pytest.mark.parametrize(
    ("selector", "hit"),
    [
        ('look "green path"', "hook"),
        ('look "6-sided shape"', "hook"),
        ('look "black box"', "frame"),
        ('control "Seat"', "slot"),
    ],
)
async def test_a_click_on_a_drawing_is_where_it_is_drawn(
    session: PlaywrightSession, page: Page, context: ActionContext, selector: str, hit: str
) -> None:
    await page.set_content(CLICKED)
    if selector == 'look "green path"':
        await page.locator("#hook").evaluate(
            "(hook) => hook.setAttribute('d', 'M10 10 h100 q5 10 0 20 h-80 v80 h-20 z')"
        )
    outcome = await Hands(session).click(context, selector)
    assert outcome.effect == "confirmed"
    assert await page.title() == hit


async def test_a_drawing_that_something_lies_over_is_covered_and_not_clicked(
    session: PlaywrightSession, page: Page, context: ActionContext
) -> None:
    await page.set_content(f'{CLICKED}<div id="over" style="position: fixed; inset: 0"></div>')
    with pytest.raises(TargetError) as caught:
        await Hands(session).click(context, 'look "6-sided shape"')
    assert caught.value.code == "target_covered"
    assert await page.title() == ""


DRAGGED = """<svg width="400" height="200"><rect id="in" x="200" y="40" width="120" height="100" fill="none" stroke="black"/>
<rect id="one" x="10" y="10" width="20" height="20" fill="red"/><rect id="two" x="50" y="10" width="20" height="20" fill="blue"/></svg>
<script>let held = null;
for (const each of document.querySelectorAll('#one, #two')) each.addEventListener('mousedown', () => { held = each; });
addEventListener('mousemove', (event) => { if (held) { held.setAttribute('x', event.offsetX - 10); held.setAttribute('y', event.offsetY - 10); } });
addEventListener('mouseup', () => { held = null; });</script>"""


async def test_shapes_are_dragged_into_an_outline_which_itself_stays(
    session: PlaywrightSession, page: Page, context: ActionContext
) -> None:
    await page.set_content(DRAGGED)
    outcome = await Hands(session).drag(context, 'every look "rectangle"', target='look "black box"')
    assert outcome.effect == "confirmed"
    assert [each.get("inside") for each in outcome.evidence["elements"]] == [None, True, True]
    assert await page.locator("#one").get_attribute("x") == await page.locator("#two").get_attribute("x") != "10"


async def test_what_does_not_move_into_an_outline_is_not_confirmed(
    session: PlaywrightSession, page: Page, context: ActionContext
) -> None:
    await page.set_content(DRAGGED.replace("held = each", "0"))
    outcome = await Hands(session).drag(context, 'look "red square"', target='look "black box"')
    assert outcome.effect == "unverified"
    assert outcome.evidence["inside"] is False
