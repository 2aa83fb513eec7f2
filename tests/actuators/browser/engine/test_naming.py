"""How elements are named: by the shortest selector that finds that element and nothing else."""

from typing import Any

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.locators import build_locator, write_form
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.looking.outlines import Inquiry, Look, RefNumbers, Room, look_at
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.selectors.selectors import PlainSelector, parse_selector, render_selector
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.engine.conftest import Modules
from tests.actuators.browser.hands import Hands
from tests.cases import each_case
from tests.thoroughness import spread

TEAM = """<h1>Team</h1><table><tr><th>Name</th><th>Here</th><th>Price</th></tr>
    <tr><td>Tea</td><td><input type="checkbox"></td><td>£4</td></tr>
    <tr><td>Milk</td><td><input type="checkbox" id="t"></td><td id="price">£9</td></tr></table>"""
TWINS = """<section><h2>Old</h2><ul><li>Tea <button>Delete</button></li></ul></section>
    <section><h2>New</h2><ul><li>Tea <button id="t">Delete</button></li><li>Milk <button>Delete</button></li></ul></section>"""
CARDS = """<div><div class="card"><b>Ada</b><p>42</p><button>Book</button></div>
    <div class="card"><b>Bob</b><p>17</p><button id="t">Book</button></div></div>"""
ICONS = """<style>i { display: inline-block; width: 16px; height: 16px }</style><button><i class="fa fa-pencil"></i></button>
    <button id="t"><i class="fa fa-trash"></i></button>"""
LONG = "Everything that we know of the weather in the north of the country, "
HUGE = "word " * 1_000_000


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext) -> Page:
    return await session.open_page(context)


async def name_it(page: Page, css: str = "#t") -> str:
    return write_form(await probe(page.locator(css), "selector", 10_000))


async def find_ids(page: Page, selector: str) -> list[str]:
    found = build_locator(parse_selector(selector), page)
    return [await each.get_attribute("id") or "" for each in await found.all()]


@each_case(
    ("html", "selector"),
    [
        ('<button id="t">Save</button>', 'button "Save"'),
        ('<label>Email <input id="t"></label>', 'field "Email"'),
        ('<input type="password" id="t" placeholder="Secret">', 'field "Secret"'),
        ('<p>City: <input id="t"></p><p>Zip: <input></p>', 'field "City"'),
        ('<label><input type="checkbox" id="t"> Terms</label>', 'checkbox "Terms"'),
        ('<a href="#" id="t">Read on</a><a href="#">Read</a>', 'link "Read on"'),
        ('<div onclick="" style="cursor:pointer" id="t"><span>Go <b>on</b></span></div>', 'control "Go on"'),
        (TEAM, 'checkbox in "Milk"'),
        (TWINS, 'button "Delete" in "Tea" in "New"'),
        (CARDS, 'button "Book" in (record "Bob")'),
        (ICONS, 'icon "trash"'),
        ('<button>Go</button><button id="t">Go</button>', 'button "Go" nth 2'),
        ('<section aria-label="A"><button>Go</button><button id="t">Go</button></section><button>Go</button>', 'button "Go" in "A" nth 2'),
        ('<nav id="t"><a href="#">Home</a></nav>', "navigation"),
        ('<h3 role="tab">Third</h3><ul role="tablist"><li role="tab" id="t">Third</li></ul>', 'tab "Third" nth 2'),
        ('<table><tr><td>1</td></tr></table><table id="t"><tr><td>2</td></tr></table>', "table nth 2"),
        ('<section id="t"><h2>Billing</h2><p>Text</p></section>', 'region "Billing"'),
        ('<div role="dialog" id="t" aria-label="Edit">x</div>', 'dialog "Edit"'),
        ('<button data-testid="one" id="t">Go</button><button>Go</button>', 'testid="one"'),
        (r'<button id="t">Say "hi" \ C:\new</button>', r'button "Say \"hi\" \\ C:\\new"'),
        ('<button id="t">Two\n  lines</button>', 'button "Two lines"'),
        ('<button id="t">שמור 💾 保存</button>', 'button "שמור 💾 保存"'),
        (f'<a href="#" id="t">{LONG} and more of it</a><a href="#">Other</a>', f'link "{LONG.strip()} and more of"'),
        (f'<button id="t">{HUGE}</button><button>Other</button>', f'button "{HUGE[:79].strip()}"'),
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
async def test_an_element_has_the_shortest_name_that_is_its_own(page: Page, html: str, selector: str) -> None:
    await page.set_content(html)
    assert await name_it(page) == selector
    assert await find_ids(page, f"{selector} # what is said of it") == ["t"]


async def test_a_cell_without_a_name_that_stays_goes_by_column_and_row(page: Page) -> None:
    await page.set_content(TEAM)
    assert await name_it(page, "#price") == 'cell "Price" in "Milk"'
    assert await find_ids(page, 'cell "Price" in row "Milk"') == ["price"]
    assert await find_ids(page, 'checkbox in (cell "Here" in row "Milk")') == ["t"]


async def test_names_do_not_change_when_the_page_is_drawn_anew(page: Page) -> None:
    for html in (TEAM, TWINS, CARDS, ICONS):
        await page.set_content(html)
        before = await name_it(page)
        await page.evaluate("() => { document.body.innerHTML = String(document.body.innerHTML); }")
        assert await name_it(page) == before
        assert await find_ids(page, before) == ["t"]


async def test_what_is_in_shadow_roots_within_each_other_is_named(page: Page) -> None:
    await page.set_content("<div id=host></div>")
    await page.evaluate(
        """() => {
          let root = document.getElementById('host');
          for (let level = 0; level < 100; level += 1) {
            const shadow = root.attachShadow({ mode: 'open' });
            shadow.innerHTML = `<section aria-label="Level ${level}"><button ${level === 99 ? 'id="t"' : ''}>Go</button><div></div></section>`;
            root = shadow.querySelector('div');
          }
        }"""
    )
    assert await name_it(page) == 'button "Go" in "Level 99"'
    assert await find_ids(page, 'button "Go" in "Level 99"') == ["t"]


async def test_what_covers_an_element_is_named_as_it_is_everywhere(page: Page) -> None:
    await page.set_content(
        """<button id="t">Save</button>
        <section aria-label="Cookies" style="position:fixed;inset:0"><p>Yes?</p></section>"""
    )
    answer = await probe(page, "outline", 5000, **{"from": 1, "is_page": True, "secrets": [], "words": []})
    refs = [f"e{number}" for number in range(1, answer["next"])]
    told = await probe(page, "named", 5000, refs=refs, limit_ms=5000)
    covers = [write_form(each["covered_by"]["selector"]) for each in told if each and each["covered_by"]]
    assert set(covers) == {'region "Cookies"'}


async def test_what_was_in_the_way_of_a_click_is_told_by_its_selector(
    session: PlaywrightSession, context: ActionContext, page: Page
) -> None:
    await page.set_content(
        '<button>Save</button><section aria-label="Cookies" style="position:fixed;inset:0"><p id="p">Yes?</p></section>'
    )
    with pytest.raises(TargetError) as caught:
        await Hands(session).click(context, 'button "Save"')
    assert caught.value.evidence["blocker"]["selector"] == 'region "Cookies"'


async def look_at_all(page: Page) -> Look:
    return await look_at(page, Room(page), Inquiry(RefNumbers()), 5000, is_page=True)


PATHS = [
    "/dialogs/downloads", "/elements/choices", "/elements/controls", "/elements/covered", "/elements/fields", "/elements/hidden",
    "/elements/links", "/elements/names", "/elements/opening", "/elements/place", "/elements/pointer", "/elements/shadow",
    "/elements/states", "/frames/", "/shop/", "/shop/catalogue", "/shop/signin", "/table/small",
]  # fmt: skip


@pytest.mark.parametrize("path", spread(PATHS, 6))
async def test_every_name_finds_exactly_the_element_that_it_was_made_for(
    page: Page, site: SiteServer, path: str
) -> None:
    await page.goto(site.url + path)
    look = await look_at_all(page)
    items = [item for item in look.items if item.kind not in {"text", "heading", "hidden", "frame"}]
    wrong: list[tuple[str, int]] = []
    for ref, name in (await look.name_items(items)).items():
        spec = parse_selector(f"{name.selector} # {ref}")
        if isinstance(spec.core, PlainSelector) and spec.core.kind == "ref":
            continue
        assert render_selector(spec) == name.selector
        found = await build_locator(spec, page).element_handles()
        meant = await look.rooms[ref].place.locator(engine_selector("ref", name=ref)).element_handles()
        if len(found) != 1 or not await found[0].evaluate("(one, other) => one === other", meant[0]):
            wrong.append((name.selector, len(found)))
    assert items
    assert wrong == []


FORMS: list[dict[str, Any]] = [
    {"query": {"op": op, "name": name, "roles": roles}, "regions": regions, "exceptions": [], "placements": [], "quantity": "all"}
    for op, name, roles in [
        ("role", "Delete", ["button"]), ("role", "del", ["button"]), ("role", "", ["row"]), ("control", "Delete", []), ("control", "Tea", []),
        ("text", "Tea", []), ("text", "te", []), ("record", "Tea", []), ("record", "Ada", []), ("field", "", []), ("field", "Here", []),
        ("role", "Old", ["region"]), ("role", "Price", ["cell", "gridcell"]), ("control", "trash", []),
    ]
    for regions in ([], [{"name": "Tea", "roles": []}], [{"name": "New", "roles": []}], [{"name": "tea", "roles": ["row"]}])
]  # fmt: skip


@pytest.mark.parametrize("html", [TEAM, TWINS, CARDS, ICONS, f"{TEAM}{TWINS}{CARDS}{ICONS}"], ids=range(5))
async def test_what_is_remembered_within_a_question_changes_no_answer(modules: Modules, html: str) -> None:
    await modules.show(html)
    body = f"""(() => {{
      const all = [document, ...document.querySelectorAll('*')];
      const ask = () => {{ forgetTexts(); return {FORMS!r}.map((form) => findForm(document, form).map((each) => all.indexOf(each))); }};
      const plain = ask();
      return [plain, remembering(() => [ask(), ask()]).map((each) => JSON.stringify(each) === JSON.stringify(plain))];
    }})()"""
    plain, same = await modules.run("engine/finding/selecting", body, "engine/names/memory", "engine/names/naming")
    assert any(plain)
    assert same == [True, True]
