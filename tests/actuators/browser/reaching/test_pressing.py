"""What a person presses though something lies over it or lets the press through, and how soon it is told where nobody could."""

from urllib.parse import quote

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, TargetError
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands
from tests.cases import each_case

CONTEXT = ActionContext("g0_reach_1", timeout_s=15.0)
SOON_S = 5.0
"""In which a person is told why nothing can be pressed, on a page where nothing goes on."""


@pytest.fixture
async def page(session: PlaywrightSession) -> Page:
    return await session.open_page(CONTEXT)


@pytest.fixture
def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


async def show(page: Page, html: str) -> None:
    await page.goto("data:text/html;charset=utf-8," + quote(html))


CARDS = """<style>.card { position: relative; width: 300px; padding: 1em; margin: 1em } .card a::after { content: ""; position: absolute; inset: 0 }
.tile { position: relative; width: 300px; height: 90px } .tile > a { position: absolute; inset: 0 }</style>
<div class="card"><h3>Walnut desk</h3><p>Two left</p><a href="#walnut" onclick="document.title = this.hash">See more</a></div>
<div class="card"><h3>Beech desk</h3><p>Sold out</p><a href="#beech" onclick="document.title = this.hash">See more</a></div>
<div class="tile"><p>Oak shelf</p><a href="#oak" onclick="document.title = this.hash" aria-label="Go to the shelf"></a></div>"""


@each_case(
    ("text", "link", "address"),
    [
        ("Beech desk", "See more", "#beech"),
        ("Two left", "See more", "#walnut"),
        ("Oak shelf", "Go to the shelf", "#oak"),
    ],
)
async def test_a_text_on_a_card_follows_the_link_that_the_card_stretches_over_it_and_says_which(
    page: Page, hands: Hands, text: str, link: str, address: str
) -> None:
    await show(page, CARDS)
    outcome = await hands.click(CONTEXT, f'text "{text}"')
    assert (outcome.effect, outcome.evidence["received_by"]["name"]) == ("confirmed", link)
    assert await page.title() == address


COVERED = """<style>.at { position: relative; width: 300px; height: 60px } .over { position: absolute; inset: 0; background: silver }</style>
<div class="at"><p>Under a plain sheet</p><div class="over" id="sheet">Sheet</div></div>
<div class="at"><button onclick="document.title = 'pressed'">Under a link</button><a class="over" href="#over">Over it</a></div>
<p>Beside a badge</p><a href="#badge" style="position:absolute;left:0;top:130px;width:60px;height:80px;background:gold">Badge</a>
<p style="margin-top:60px"><span style="display:none"><button>Put away</button></span>Nothing goes on here.</p>"""


@each_case(
    ("selector", "code", "words"),
    [
        ('text "Under a plain sheet"', "target_covered", "sheet"),
        ('button "Under a link"', "target_covered", "Over it"),
        ('button "Put away"', "target_hidden", "not displayed"),
    ],
)
async def test_what_nobody_could_press_is_told_soon_with_its_cause(
    page: Page, hands: Hands, selector: str, code: str, words: str
) -> None:
    await show(page, COVERED)
    with pytest.raises(TargetError) as caught:
        await hands.click(CONTEXT, selector)
    assert (caught.value.code, words in str(caught.value)) == (code, True), caught.value
    assert caught.value.evidence["waited_s"] < SOON_S
    assert (await page.title(), await page.evaluate("location.hash")) == ("", "")


async def test_a_cover_that_goes_away_is_waited_for(page: Page, hands: Hands) -> None:
    await show(page, COVERED + "<script>setTimeout(() => document.querySelector('#sheet').remove(), 1500)</script>")
    outcome = await hands.click(CONTEXT, 'text "Under a plain sheet"')
    assert (outcome.effect, outcome.evidence["received_by"]["name"]) == ("confirmed", "Under a plain sheet")


HOSTS = """<style>.through { pointer-events: none; width: 200px } .host { width: 200px }</style>
<div class="host" onclick="document.title = 'favourites'"><button class="through" role="tab">Favourites</button></div>
<div class="host" id="listening"><div><button class="through">Archive</button></div></div>
<div class="host" onclick="document.title = 'opened'"><h3>A lamp</h3><button class="through">Buy it</button></div>
<div class="host"><button class="through">Asleep</button></div>
<div class="host" onclick="document.title = 'opened'"><button class="through" disabled>Gone</button></div>
<script>document.querySelector('#listening').addEventListener('click', () => { document.title = 'archived' })</script>"""


@each_case(("selector", "title"), [('tab "Favourites"', "favourites"), ('button "Archive"', "archived")])
async def test_a_press_that_goes_through_to_the_host_that_handles_it_is_right(
    page: Page, hands: Hands, selector: str, title: str
) -> None:
    await show(page, HOSTS)
    outcome = await hands.click(CONTEXT, selector)
    assert (outcome.effect, await page.title()) == ("confirmed", title)


@each_case(
    ("selector", "code"),
    [
        ('button "Buy it"', "target_covered"),
        ('button "Asleep"', "target_covered"),
        ('button "Gone"', "target_disabled"),
    ],
)
async def test_a_press_that_would_go_through_to_something_else_is_refused(
    page: Page, hands: Hands, selector: str, code: str
) -> None:
    await show(page, HOSTS)
    with pytest.raises(ActionError) as caught:
        await hands.click(CONTEXT, selector)
    assert (caught.value.code, await page.title()) == (code, "")


def write_list(style: str, cover: str, around: str = "") -> str:
    """A list with room of its own that shines through, and what is drawn in its place."""
    return f"""<form><label for="meal">Meal</label><div style="position:relative;width:240px;height:36px" {around}>
<select id="meal" style="position:absolute;inset:0;opacity:0;{style}"><option value="">Any</option><option>Soup</option></select>{cover}</div></form>"""


@each_case(
    "html",
    [
        write_list("pointer-events:none", '<div aria-hidden="true">Any ▾</div>'),
        write_list("", "<div>Any ▾</div>"),
        write_list("pointer-events:none;z-index:1", "<span>Any</span><i>▾</i>"),
    ],
)
async def test_a_list_that_shines_through_is_used_under_what_is_drawn_in_its_place(
    page: Page, hands: Hands, html: str
) -> None:
    await show(page, html)
    outcome = await hands.select(CONTEXT, 'field "Meal"', value="Soup")
    assert (outcome.effect, outcome.output["selected"]) == ("confirmed", ["Soup"])
    assert await page.eval_on_selector("#meal", "each => each.value") == "Soup"


async def test_a_cover_that_opens_a_list_of_its_own_is_used_rather_than_the_list_under_it(
    page: Page, hands: Hands
) -> None:
    cover = """<div tabindex="0" style="height:36px;cursor:pointer" onclick="list.hidden = false" id="shown">Any ▾</div><ul id="list" hidden role="listbox" style="position:absolute">
<li role="option" onclick="shown.textContent = 'Soup'; list.hidden = true; meal.value = 'Soup'; document.title = 'by the cover'">Soup</li></ul>"""
    await show(page, write_list("pointer-events:none", cover))
    await hands.select(CONTEXT, 'field "Meal"', value="Soup")
    assert await page.title() == "by the cover"


MENU = """<style>@keyframes grow {{ from {{ opacity: 0; transform: scale(0.9) }} }} [role=menu] {{ animation: grow 400ms; width: 200px }}</style>
<button onclick="menu.hidden = false">View</button><div role="menu" id="menu" hidden>
<div role="menuitemcheckbox" aria-checked="false" tabindex="-1" onclick="document.title = 'ruler'; {closing}">Ruler</div></div>"""


@each_case(
    "closing", ["menu.remove()", "setTimeout(() => menu.remove(), 120)", "setTimeout(() => menu.hidden = true, 120)"]
)
async def test_an_entry_that_closes_its_menu_was_pressed_and_is_not_told_as_kept(
    page: Page, hands: Hands, closing: str
) -> None:
    await show(page, MENU.format(closing=closing))
    await hands.click(CONTEXT, 'button "View"')
    outcome = await hands.check(CONTEXT, 'menuitem "Ruler"')
    assert (outcome.effect, outcome.evidence.get("field_gone"), await page.title()) == ("unverified", True, "ruler")
    await show(page, MENU.format(closing=closing))
    await hands.click(CONTEXT, 'button "View"')
    assert (await hands.click(CONTEXT, 'menuitem "Ruler"')).effect == "confirmed"


OPENING = """<style>#menu { width: 200px; position: absolute; top: 60px; display: none }</style><button id="trigger">Point here</button>
<div id="menu" role="menu"><div role="menuitem" onclick="document.title = 'copied'">Copy</div></div>
<script>
let closing;
const menu = document.querySelector("#menu");
menu.remove();
const stages = ["display:block;opacity:0", "display:block;transform:scale(0)", "display:block"];
trigger.onmouseenter = () => { clearTimeout(closing); stages.forEach((style, place) => setTimeout(() => { document.body.append(menu); menu.style = style }, 100 + 100 * place)) };
trigger.onmouseleave = () => { closing = setTimeout(() => menu.remove(), 150) };
menu.onmouseenter = () => clearTimeout(closing);
</script>"""


async def test_a_menu_that_is_there_and_clear_before_it_opens_is_left_to_open(page: Page, hands: Hands) -> None:
    await show(page, OPENING)
    await hands.hover(CONTEXT, 'button "Point here"')
    assert (await hands.click(CONTEXT, 'menuitem "Copy"')).effect == "confirmed"
    assert await page.title() == "copied"


SHY = """<p><button id="shy" style="width:80px">Shy</button></p><script>
addEventListener("mousemove", () => { shy.parentElement.style.display = "none" }, { once: true })</script>"""


async def test_what_hides_from_the_pointer_is_told_as_hidden_soon(page: Page, hands: Hands) -> None:
    await show(page, SHY)
    with pytest.raises(ActionError) as caught:
        await hands.click(CONTEXT, 'button "Shy"')
    assert caught.value.code in {"target_hidden", "target_moving"}
    assert caught.value.evidence["waited_s"] < SOON_S
