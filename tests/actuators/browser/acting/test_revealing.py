"""Bringing elements into sight on pages that say little about what they open."""

from urllib.parse import quote

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.rules.browser_choices import RevealMethod
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

CONTEXT = ActionContext("g0_reveal_1", timeout_s=20.0)


@pytest.fixture
async def pointer(session: PlaywrightSession, site: SiteServer) -> Hands:
    await Hands(session).navigate(CONTEXT, site.url + "/elements/opening")
    return Hands(session)


@pytest.mark.parametrize(
    ("selector", "by", "through"),
    [
        ('button "Walnut"', "sections", ["Native details"]),
        ('button "Hazelnut"', "sections", ["Told by nothing"]),
        ('button "Almond"', "sections", ["Slides down"]),
        ('button "Pistachio"', "sections", ["Fetched"]),
        ('text "and the end of the story"', "sections", ["Read more"]),
        ('link "Kettles"', "menus", ["Products"]),
        ('menuitem "Colours"', "menus", ["Extras"]),
        ('text "Entry thirty-seven"', "scroll", []),
        ('text "Numbered three"', "pages", ["2", "3"]),
    ],
)
async def test_an_element_comes_into_sight(pointer: Hands, selector: str, by: RevealMethod, through: list[str]):
    outcome = await pointer.reveal(CONTEXT, selector, by)
    assert outcome.output == {"by": by, "through": through}
    assert (outcome.effect, outcome.evidence["in_view"]) == ("confirmed", True)


async def test_a_section_in_a_tab_is_reached_through_both(pointer: Hands):
    outcome = await pointer.reveal(CONTEXT, 'button "Chestnut"')
    assert outcome.output == {"by": "sections", "through": ["Two", "Inside two"]}


async def test_what_is_out_of_the_window_is_scrolled_to(pointer: Hands, session: PlaywrightSession):
    await session.current_page(CONTEXT).set_viewport_size({"width": 400, "height": 200})
    outcome = await pointer.reveal(CONTEXT, 'field "Note"')
    assert outcome.output == {"by": "scroll", "through": []}
    assert outcome.evidence["in_view"] is True


async def test_in_vain_nothing_is_sent_or_left_and_the_scrolling_is_taken_back(
    pointer: Hands, session: PlaywrightSession, site: SiteServer
):
    with pytest.raises(TargetError) as caught:
        await pointer.reveal(CONTEXT, 'button "Coconut"')
    assert caught.value.code == "target_missing"
    tried = {(each["kind"], each["name"]) for each in caught.value.evidence["tried"]}
    assert {
        ("sections", "Fetched"),
        ("tabs", "Two"),
        ("menus", "Products"),
        ("scroll", "Feed"),
        ("pages", "3"),
    } <= tried
    page = session.current_page(CONTEXT)
    assert page.url == site.url + "/elements/opening"
    assert not site.received.requests("/elements/fields")
    assert await page.evaluate("[scrollY, document.getElementById('feed').scrollTop]") == [0, 0]


async def test_a_part_of_a_text_does_not_stand_in_for_the_whole_one_that_is_hidden(
    pointer: Hands, session: PlaywrightSession
):
    await session.current_page(CONTEXT).evaluate(
        "document.querySelector('h1').textContent = 'Find the Walnut in the details'"
    )
    outcome = await pointer.reveal(CONTEXT, 'text "Walnut"')
    assert outcome.output == {"by": "sections", "through": ["Native details"]}


POSTS = """<style>.posts ul { display: none } .posts .open ul { display: block } i { display: inline-block; width: 14px; height: 14px; background: grey }</style>
<div class="posts">POSTS</div><script>
for (const more of document.querySelectorAll('.more')) more.addEventListener('click', () => more.parentElement.classList.toggle('open'));
for (const entry of document.querySelectorAll('li')) entry.addEventListener('click', () => { document.title = entry.dataset.who + ' ' + entry.textContent; });
</script>"""
POST = """<div class="post"><b>@WHO</b><p>A report about tea</p><div><i class="like"></i><i class="more"></i><ul>
<li data-who="WHO">Report</li><li data-who="WHO">Block @WHO</li></ul></div></div>"""


async def test_an_icon_without_a_role_opens_the_menu_of_the_part_that_is_meant_alone(
    pointer: Hands, session: PlaywrightSession
):
    page = session.current_page(CONTEXT)
    await page.set_content(
        POSTS.replace("POSTS", "".join(POST.replace("WHO", who) for who in ("ada", "grace", "mary")))
    )
    outcome = await pointer.reveal(CONTEXT, 'control "Report" in (record "@grace")', "menus")
    assert outcome.output["by"] == "menus"
    assert outcome.evidence["count"] == 1
    await pointer.click(CONTEXT, 'control "Report" in (record "@grace")')
    assert await page.title() == "grace Report"


async def test_what_only_a_hidden_menu_says_is_not_read_on_what_holds_the_menu(
    pointer: Hands, session: PlaywrightSession
):
    page = session.current_page(CONTEXT)
    await page.set_content(POSTS.replace("POSTS", POST.replace("WHO", "ada").replace("A report about tea", "Tea")))
    with pytest.raises(TargetError) as caught:
        await pointer.click(ActionContext("g0_click_1", timeout_s=3.0), 'text "Block @ada"')
    assert caught.value.code == "target_hidden"


POINTED_AT = """<style>#about { display: none; position: absolute; top: 60px; left: 0 }</style>
<div id="bar" style="position:relative;display:inline-block;padding:10px">OPENER<div id="about"><a href="#" onclick="document.title = 'jobs'">Open positions</a></div></div>
<script>let late;
bar.onmouseenter = () => { clearTimeout(late); late = setTimeout(() => { about.style.display = 'block' }, 200) };
bar.onmouseleave = () => { clearTimeout(late); late = setTimeout(() => { about.style.display = 'none' }, 300) };</script>"""


@pytest.mark.parametrize("opener", ["<b>Company</b>", "<p><span>Company</span></p>", "Company <hr>"])
async def test_what_a_page_shows_for_the_pointer_without_a_sign_is_found_by_pointing(
    session: PlaywrightSession, opener: str
) -> None:
    page = await session.open_page(CONTEXT)
    await page.goto("data:text/html," + quote(POINTED_AT.replace("OPENER", opener)))
    outcome = await Hands(session).click(CONTEXT, 'link "Open positions"', reveal="menus")
    assert (outcome.effect, await page.title()) == ("confirmed", "jobs")


NOT_POINTED_AT = (
    """<button onclick="document.title = 'deleted'">Delete all</button><div hidden><a href="#">Put away</a></div>"""
)


async def test_what_is_only_pointed_at_is_not_pressed(session: PlaywrightSession) -> None:
    page = await session.open_page(CONTEXT)
    await page.goto("data:text/html," + quote("<div>" + NOT_POINTED_AT.replace("button", "b") + "</div>"))
    with pytest.raises(TargetError):
        await Hands(session).click(CONTEXT, 'link "Put away"', reveal="menus")
    assert await page.title() == ""


OPEN_MENUS = """<button aria-haspopup="menu" onclick="document.title += 'closed'; view.remove()">File</button>
<button aria-haspopup="menu" aria-expanded="true">View</button><div role="menu" id="view" style="width:200px">
<div role="menuitem" id="zoom"><span>Zoom</span><i> ›</i></div><div role="menuitem">Print</div></div>
<script>zoom.onmouseenter = () => setTimeout(() => {
  view.insertAdjacentHTML('beforeend', '<div role="menu"><div role="menuitem" onclick="document.title += 1">Whole width</div></div>') }, 200)</script>"""


async def test_a_menu_that_is_open_is_looked_through_before_another_one_closes_it(session: PlaywrightSession) -> None:
    page = await session.open_page(CONTEXT)
    await page.goto("data:text/html;charset=utf-8," + quote(OPEN_MENUS))
    await Hands(session).click(CONTEXT, 'menuitem "Whole width"', reveal="menus")
    assert await page.title() == "1"
