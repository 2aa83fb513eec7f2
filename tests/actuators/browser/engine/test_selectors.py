"""Plain selectors on real pages: which elements they name."""

from random import Random

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.probes import probe_all
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.selectors.selectors import parse_selector, quote_name
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.cases import each_case


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext) -> Page:
    return await session.open_page(context)


async def find_ids(page: Page, selector: str) -> list[str]:
    return [match.get("id", "") for match in await probe_all(build_locator(parse_selector(selector), page), "about")]


@each_case(
    ("path", "selector", "ids"),
    [
        ("hidden", 'button "save"', ["save-visible"]),
        ("hidden", 'button "Submit"', ["submit"]),
        ("hidden", 'button "ubmit"', ["submit", "submit-all", "resubmit"]),
        ("hidden", 'button "Delete" nth 2', ["delete-second"]),
        ("hidden", 'field "City" in "Billing"', ["billing-city"]),
        ("hidden", 'field "City" in group "Shipping"', ["shipping-city"]),
        ("hidden", 'button "Delete" in "Twins"', ["delete-first", "delete-second"]),
        ("hidden", 'button "Not displayed"', ["display-none"]),
        ("fields", 'field "email"', ["email"]),
        ("fields", 'field "Nickname"', ["placeholder-only"]),
        ("fields", 'field "Company"', ["aria-labelled"]),
        ("fields", 'field "Editable"', ["editable"]),
        ("fields", 'field "Password"', ["password"]),
        ("fields", 'field "placeholder only"', ["placeholder-only"]),
        ("fields", 'field "tel"', []),
        ("fields", 'field "text"', ["text"]),
        ("fields", 'textbox "Text"', ["text"]),
        ("fields", 'searchbox "Search"', ["search"]),
        ("fields", 'spinbutton "Number"', ["number"]),
        ("fields", 'slider "Range"', ["range"]),
        ("fields", "label=Text area", ["textarea"]),
        ("fields", "placeholder=look", ["search"]),
        ("choices", 'checkbox "Night mode"', ["night"]),
        ("choices", 'control "Terms"', ["terms"]),
        ("choices", 'radio "Express" in "Delivery"', ["express"]),
        ("choices", 'switch "Wi-Fi"', ["switch"]),
        ("choices", 'combobox "Fruit"', ["fruit"]),
        ("choices", 'control "Fruit"', ["fruit"]),
        ("choices", 'listbox "Toppings"', ["toppings"]),
        ("choices", 'control "wi-fi"', ["switch"]),
        ("shadow", 'button "Open"', ["in-open"]),
        ("shadow", 'field "Mixed closed field"', ["in-mixed-closed-field"]),
        ("shadow", 'control "Slotted button"', ["slotted"]),
        ("names", 'control "Settings"', ["title-name"]),
    ],
)
async def test_a_plain_selector_names_what_people_would_expect(
    page: Page, site: SiteServer, path: str, selector: str, ids: list[str]
) -> None:
    url = f"{site.url}/elements/{path}"
    if page.url != url:
        await page.goto(url)
    assert await find_ids(page, selector) == ids


async def test_regions_are_sections_groups_dialogs_rows_and_what_a_heading_stands_over(page: Page) -> None:
    await page.set_content(
        """<section aria-label="One"><button id="a">Go</button></section>
        <fieldset><legend>Two</legend><button id="b">Go</button></fieldset>
        <div class="card"><div><h3>Three</h3></div><p><button id="c">Go</button></p></div>
        <dialog open><h2>Four</h2><button id="d">Go</button></dialog>
        <table><tr><td>Five</td><td><button id="e">Go</button></td></tr><tr><td>Six</td><td><button id="f">Go</button></td></tr></table>
        <ul><li>Seven <button id="g">Go</button></li></ul>
        <details open><summary>Eight</summary><button id="h">Go</button></details>"""
    )
    names = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight"]
    assert [await find_ids(page, f'button "Go" in "{name}"') for name in names] == [[each] for each in "abcdefgh"]
    assert await find_ids(page, 'button "Go" in dialog "Four"') == ["d"]
    assert await find_ids(page, 'button "Go" in row "Six"') == ["f"]
    assert await find_ids(page, 'button "Go" in dialog "One"') == []


async def test_the_exact_name_wins_and_while_it_is_hidden_no_part_of_a_name_does(page: Page) -> None:
    await page.set_content('<button id="draft">Save draft</button><button id="save" hidden>Save</button>')
    assert await find_ids(page, 'button "Save"') == ["save"]
    assert await find_ids(page, 'control "Save"') == ["save"]
    await page.evaluate("document.getElementById('save').remove()")
    assert await find_ids(page, 'button "Save"') == ["draft"]


async def test_what_is_visible_comes_before_what_is_hidden(page: Page) -> None:
    await page.set_content(
        """<p hidden>Welcome</p><p id="shown">Welcome back</p>
        <label hidden>Email <input id="old"></label><label>Email <input id="new"></label>"""
    )
    assert await find_ids(page, 'text "Welcome"') == ["shown"]
    assert await find_ids(page, 'field "Email"') == ["new"]


async def test_a_field_is_found_by_label_before_its_attributes_and_by_its_type_last(page: Page) -> None:
    await page.set_content('<label>Your e-mail <input id="a" name="email"></label><input id="b" type="email">')
    assert await find_ids(page, 'field "email"') == ["a"]
    await page.evaluate("document.getElementById('a').name = ''")
    assert await find_ids(page, 'field "email"') == ["b"]
    await page.set_content('<label for="x">First name *</label><input id="x"><input name="first_name" id="y">')
    assert await find_ids(page, 'field "First name"') == ["x"]
    await page.set_content('<input name="first_name" id="y">')
    assert await find_ids(page, 'field "First name"') == ["y"]


async def test_text_is_the_smallest_element_with_it_and_never_a_script(page: Page) -> None:
    await page.set_content('<div><p id="p">Hello <b id="b">world</b></p></div><script>"Hello world"</script>')
    assert await find_ids(page, 'text "Hello world"') == ["p"]
    assert await find_ids(page, 'text "world"') == ["b"]


async def test_a_link_around_a_button_counts_once(page: Page) -> None:
    await page.set_content('<a href="#" id="outer"><button id="inner">Go</button></a>')
    assert await find_ids(page, 'control "Go"') == ["inner"]


async def test_roles_follow_the_document_and_their_words(page: Page) -> None:
    await page.set_content(
        """<h2 id="h">A</h2><img id="i" alt="A"><nav id="n" aria-label="A"></nav><ul id="l" aria-label="A"><li id="li">A</li></ul>
        <div role="tablist"><button role="tab" id="t">A</button></div><div role="menu"><div role="menuitem" id="m">A</div></div>
        <table id="tb"><caption>A</caption><tr id="r"><th scope="row" id="rh">A</th><td id="c">A</td></tr></table>
        <div role="alertdialog" aria-label="A" id="d"></div><progress id="p" aria-label="A"></progress>
        <select id="s" aria-label="A"><option id="o">A</option></select>"""
    )
    expected = {
        "heading": "h", "image": "i", "navigation": "n", "list": "l", "listitem": "li", "tab": "t", "menuitem": "m", "table": "tb",
        "row": "r", "rowheader": "rh", "cell": "c", "dialog": "d", "progressbar": "p", "combobox": "s", "option": "o",
    }  # fmt: skip
    assert {word: await find_ids(page, f'{word} "A"') for word in expected} == {
        word: [i] for word, i in expected.items()
    }


@pytest.mark.parametrize("name", ["plain", "outer", "Plain frame"])
async def test_a_frame_is_named_by_title_name_or_address(page: Page, site: SiteServer, name: str) -> None:
    await page.goto(f"{site.url}/frames/")
    titles: list[str] = await page.locator("iframe").evaluate_all("all => all.map(e => e.title)")
    wanted = name if name != "Plain frame" else titles[0]
    assert await build_locator(parse_selector(f"frame {quote_name(wanted)} >> button"), page).count() == 1


async def test_a_literal_selector_is_not_looked_for_in_frames(page: Page, site: SiteServer) -> None:
    await page.goto(f"{site.url}/frames/")
    assert await build_locator(parse_selector("#in-middle-frame"), page).count() == 0


async def test_any_name_is_found_whatever_is_in_it(page: Page) -> None:
    for name in draw_names():
        await page.evaluate(PUT_NAME, name)
        found = [await find_ids(page, f"{form} {quote_name(name)}") for form in ("button", "control", "text")]
        assert found == [["b"], ["b"], ["p"]], name


PUT_NAME = """(name) => { document.body.innerHTML = '<button id=b></button><p id=p></p>';
  document.getElementById('b').ariaLabel = name; document.getElementById('p').textContent = name; }"""


def draw_names() -> list[str]:
    """Names of every kind of character, the same in each run."""
    signs = "\\\"'`<>[](){}|/^$.*+?#&%~@!=:;,_- \u00a0\u3000"
    letters = "aZéßİıŁ日本ا שא😀é👩‍👩‍👧"
    random = Random(7)
    return [
        name for _ in range(60) if (name := "".join(random.choices(signs + letters, k=random.randint(1, 12)))).strip()
    ]
