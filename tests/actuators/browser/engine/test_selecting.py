"""Whole plain selectors on real pages: several elements, records, exceptions, and elements by place and by value."""

from random import Random

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.probes import probe_all
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.selectors.selectors import parse_selector, quote_name
from core.tools.ports import ActionContext
from tests.cases import each_case


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext) -> Page:
    return await session.open_page(context)


async def find_ids(page: Page, selector: str) -> list[str]:
    return [match.get("id", "") for match in await probe_all(build_locator(parse_selector(selector), page), "about")]


LIKES = """<button id="a">Like</button><button id="b">Like</button><button hidden>Like</button>
    <button id="c">Like all</button><section aria-label="Old"><button id="d">Like</button></section>"""
TEAM = """<h2>Team</h2><table><tr><th>Name</th><th>Here</th></tr>
    <tr id="ada"><td>Ada</td><td><input type="checkbox" id="ada-box"></td></tr>
    <tr id="bob"><td>Bob</td><td><input type="checkbox" id="bob-box"></td></tr>
    <tr id="cy"><td>Cy Bob</td><td><input type="checkbox" id="cy-box"></td></tr></table>"""
SHOP = """<nav><ul><li><a href="#">Mugs</a></li><li><a href="#">Hats</a></li><li><a href="#">Pens</a></li></ul></nav>
    <main><div class="grid">
    <div class="card" id="blue"><img alt="Blue mug"><h3>Blue mug</h3><div class="line"><b>Price:</b> $24.00</div><button>Buy</button></div>
    <div class="card sale" id="red"><img alt="Red mug"><h3>Red mug</h3><div class="line"><b>Price:</b> $9.50</div><button>Buy</button></div>
    <div class="card" id="tall"><img alt="Tall mug"><h3>Tall mug</h3><div class="line"><b>Price:</b> $1,024</div><button>Buy</button></div>
    <div class="card" id="gone"><img alt="Old mug"><h3>Old mug</h3><div class="line">Sold out</div></div>
    </div></main>"""
STOCK = """<table><tr><th>Name</th><th>Price</th><th>Sold out</th></tr>
    <tr id="tea"><td>Tea</td><td id="tea-price">4</td><td id="tea-out"><input type="checkbox" id="tea-box"></td></tr>
    <tr id="milk"><th scope="row">Milk</th><td id="milk-price">Price on request</td><td id="milk-out"></td></tr>
    <tr id="total"><td colspan="2" id="sum">Tea and milk</td><td></td></tr></table>
    <section id="bills"><h2>Bills</h2><ul id="list"><li id="one"><b>Tea</b> 1</li><li id="two"><b>Tea cups</b> 2</li></ul></section>"""
SIGNS = """<div onclick="" style="cursor:pointer" id="go"><span id="in"><b>Go</b></span></div>
    <button id="bin"><i class="fa fa-trash" style="display:inline-block;width:9px;height:9px"></i></button>"""
MAIL = """<div class="mails"><div class="mail" id="one"><span class="from">Ada</span><span class="about">Hello</span>
    <span class="icons"><i class="trash"></i></span></div><div class="mail" id="two"><span class="from">Bob</span>
    <span class="about">Ada is here</span><span class="icons"><i class="trash"></i></span></div></div>"""


@each_case(
    ("html", "selector", "ids"),
    [
        (LIKES, 'every button "Like"', ["a", "b", "d"]),
        (LIKES, 'first 2 button "Like"', ["a", "b"]),
        (LIKES, 'button "Like" nth last', ["d"]),
        (LIKES, 'button "Like" nth 4', []),
        (LIKES, 'every button "Like" in "Old"', ["d"]),
        (LIKES, "every button", ["a", "b", "c", "d"]),
        (LIKES, 'every button except "Like all"', ["a", "b", "d"]),
        (LIKES, 'every button except "Like"', ["c"]),
        (LIKES, 'every button except "Share"', []),
        (TEAM, "every checkbox", ["ada-box", "bob-box", "cy-box"]),
        (TEAM, 'every checkbox except "Bob"', ["ada-box", "cy-box"]),
        (TEAM, 'every checkbox except "Ada", "Bob"', ["cy-box"]),
        (TEAM, 'every checkbox except "Ada", "Zoe"', []),
        (TEAM, 'checkbox in (record "Bob")', ["bob-box"]),
        (TEAM, 'checkbox in (record nth last in "Team")', ["cy-box"]),
        (TEAM, 'checkbox right of "Ada"', ["ada-box"]),
        (TEAM, 'checkbox below "Here"', ["ada-box"]),
        (TEAM, 'every checkbox below "Ada"', ["bob-box", "cy-box"]),
        (TEAM, 'checkbox nth 2 below "Here"', ["bob-box"]),
        (TEAM, 'checkbox above "Cy Bob"', ["bob-box"]),
        (TEAM, 'record "Cy Bob"', ["cy"]),
        (TEAM, 'record "Cy"', ["cy"]),
        (TEAM, 'record "Zoe"', []),
        (SHOP, 'record "Red mug"', ["red"]),
        (SHOP, "every record", ["blue", "red", "tall", "gone"]),
        (SHOP, "record nth 2", ["red"]),
        (SHOP, 'record with lowest "Price"', ["red"]),
        (SHOP, 'record with highest "price"', ["tall"]),
        (SHOP, 'record with lowest "Price" nth 2', ["blue"]),
        (SHOP, 'first 2 record with lowest "Price"', ["blue", "red"]),
        (SHOP, 'record with lowest "Weight"', []),
        (MAIL, 'record "Ada"', ["one"]),
        (MAIL, 'record "Bob"', ["two"]),
        (MAIL, "every record", ["one", "two"]),
        (STOCK, 'row with text "Tea"', ["tea"]),
        (STOCK, 'row with text "te"', []),
        (STOCK, 'every row with text "milk"', ["milk"]),
        (STOCK, 'every listitem with text "Tea"', ["one"]),
        (STOCK, 'listitem with text "cups"', ["two"]),
        (STOCK, 'listitem with text "Tea" with text "2"', []),
        (STOCK, 'checkbox in (row with text "Tea")', ["tea-box"]),
        (STOCK, 'cell "Price" in row "Tea"', ["tea-price"]),
        (STOCK, 'cell "Price" in row "Milk"', ["milk-price"]),
        (STOCK, 'cell "sold" in row "Milk"', ["milk-out"]),
        (STOCK, 'cell "Tea" in row "Tea"', [""]),
        (STOCK, 'checkbox in (cell "Sold out" in row "Tea")', ["tea-box"]),
        (STOCK, 'cell "Price" in row "Tea and milk"', ["sum"]),
        (STOCK, 'region "Bills"', ["bills"]),
        (STOCK, 'list "Bills"', []),
        (SIGNS, 'control "Go"', ["go"]),
        (SIGNS, 'icon "trash"', ["bin"]),
        (SIGNS, 'button "trash"', ["bin"]),
    ],
)
async def test_a_selector_names_exactly_these(page: Page, html: str, selector: str, ids: list[str]) -> None:
    await page.set_content(html)
    assert await find_ids(page, selector) == ids


def make_cards(label: str, texts: list[str], lang: str = "") -> str:
    cards = "".join(
        f'<div class="card" id="c{number}"><h3>Card {number}</h3><p><span>{label}:</span> <span>{text}</span></p></div>'
        for number, text in enumerate(texts)
    )
    return f'<div lang="{lang}">{cards}</div>' if lang else f"<div>{cards}</div>"


@each_case(
    ("order", "texts", "place"),
    [
        ("lowest", ["$1,200", "$900.50", "$1k"], 1),
        ("lowest", ["£3", "free", "£2"], 1),
        ("highest", ["5h 20m", "45 min", "1 day"], 2),
        ("lowest", ["11:30 pm", "9:05 am", "12:10 pm"], 1),
        ("highest", ["900 MB", "1.2 GB", "3 KB"], 1),
        ("highest", ["4.5 out of 5", "4.6 out of 5", "3 out of 5"], 1),
        ("lowest", ["-3 °C", "2 °C", "-7 °C"], 2),
        ("highest", ["1 review", "12 reviews", "9 reviews"], 1),
        ("highest", ["12%", "9%", "100%"], 2),
        ("newest", ["2024-05-03", "2023-12-31", "2024-01-01"], 0),
        ("oldest", ["May 3, 2024", "3 June 2022", "Dec 2023"], 1),
        ("newest", ["2 days ago", "3 hours ago", "yesterday"], 1),
        ("newest", ["13/02/2024", "01/03/2024", "12/02/2024"], 1),
        ("newest", ["2024-05-03 09:00", "2024-05-03 17:30", "2024-05-02"], 1),
        ("oldest", ["1999", "2004", "1987"], 2),
        ("lowest", ["May 3, 2024", "June 2, 2022", "July 9, 2023"], 1),
    ],
)
async def test_the_value_of_each_decides_which_is_meant(page: Page, order: str, texts: list[str], place: int) -> None:
    await page.set_content(make_cards("Figure", texts))
    assert await find_ids(page, f'record with {order} "Figure"') == [f"c{place}"]


@each_case(
    ("order", "texts", "places"),
    [
        ("lowest", ["$5", "$5", "$6"], [0, 1]),
        ("lowest", ["$5", "€4", "$6"], [0, 1, 2]),
        ("lowest", ["5 kg", "4 boxes", "6 kg"], [0, 1, 2]),
        ("lowest", ["3 for 2", "5"], [0, 1]),
        ("newest", ["01/02/2024", "03/04/2024"], [0, 1]),
        ("newest", ["soon 5", "2024-01-01"], [0, 1]),
    ],
)
async def test_equal_values_and_those_that_cannot_be_compared_single_out_nothing(
    page: Page, order: str, texts: list[str], places: list[int]
) -> None:
    await page.set_content(make_cards("Figure", texts))
    assert await find_ids(page, f'record with {order} "Figure"') == [f"c{place}" for place in places]


@each_case(("lang", "place"), [("de", 0), ("en-GB", 1), ("en-US", 1)])
async def test_the_language_of_the_page_decides_what_a_point_in_a_number_means(
    page: Page, lang: str, place: int
) -> None:
    await page.set_content(make_cards("Figure", ["1.500", "900"], lang))
    assert await find_ids(page, 'record with highest "Figure"') == [f"c{place}"]


@each_case(("lang", "place"), [("en-US", 1), ("en-GB", 0)])
async def test_the_language_of_the_page_decides_which_figure_is_the_month(page: Page, lang: str, place: int) -> None:
    await page.set_content(make_cards("Figure", ["01/03/2024", "02/01/2024"], lang))
    assert await find_ids(page, 'record with newest "Figure"') == [f"c{place}"]


async def test_the_lowest_of_any_numbers_is_found_however_they_are_written(page: Page) -> None:
    random = Random(7)
    forms = ["${:,.2f}", "$ {:.2f}", "USD", "from ${:,.2f} only"]
    for _ in range(12):
        numbers = random.sample(range(1, 5_000_000), 6)
        form = random.choice([form for form in forms if form != "USD"])
        await page.set_content(make_cards("Sum", [form.format(number / 100) for number in numbers], "en"))
        assert await find_ids(page, 'record with lowest "Sum"') == [f"c{numbers.index(min(numbers))}"], (form, numbers)


async def test_rows_are_compared_by_their_column_and_sums_are_left_out(page: Page) -> None:
    rows = "".join(f'<tr id="r{n}"><td>Item {n}</td><td>{n * 7 % 5 + 1}</td></tr>' for n in range(5))
    await page.set_content(
        f"<table><thead><tr><th>Item</th><th>Price</th></tr></thead><tbody>{rows}</tbody>"
        "<tfoot><tr><td>Total</td><td>15</td></tr></tfoot></table>"
    )
    assert await find_ids(page, 'record with highest "Price"') == ["r2"]
    assert await find_ids(page, 'row with lowest "Price"') == ["r0"]
    assert await find_ids(page, 'row "Item 3" with lowest "Price"') == ["r3"]


async def test_a_price_that_no_label_stands_beside_is_the_only_money_on_a_record(page: Page) -> None:
    await page.set_content(
        """<ul><li id="a">Mug <span>$24</span></li><li id="b">Hat <s>$30</s> <span>$18</span></li></ul>"""
    )
    assert await find_ids(page, 'record with lowest "Price"') == ["b"]
    assert await find_ids(page, 'record with lowest "Weight"') == []


async def test_reading_a_record_that_was_compared_reads_all_of_it(page: Page) -> None:
    await page.set_content('<ul><li id="a">Price: $5</li><li id="b">Price: $6</li></ul>')
    found = await probe_all(build_locator(parse_selector('record with lowest "Price"'), page), "text", most=100)
    assert [each["text"] for each in found] == ["Price: $5"]


FORM = """<style>* { font: 16px sans-serif } p { margin: 0; height: 40px } </style>
    <p><span id="zip">Zip</span> <input id="zip-field"> <button id="check">Check</button></p>
    <p><label for="town-field">Town</label> <input id="town-field"></p>
    <div style="height: 300px"></div><p><input id="far-field"><button id="far">Go</button></p>"""


@each_case(
    ("selector", "ids"),
    [
        ('field near "Zip"', ["zip-field"]),
        ('button near "Town"', ["check"]),
        ('field right of "Zip"', ["zip-field"]),
        ('button right of "Zip"', ["check"]),
        ('field left of "Check"', ["zip-field"]),
        ('field below "Zip"', ["town-field"]),
        ('field below "Town"', ["far-field"]),
        ('field above (button "Go")', ["town-field"]),
        ('every field below "Zip"', ["town-field", "far-field"]),
        ('field near (button "Go")', ["far-field"]),
        ('button near button "Check"', ["far"]),
        ('field above "Zip"', []),
        ('field near "Street"', []),
    ],
)
async def test_an_element_is_named_by_its_place_beside_another_one(page: Page, selector: str, ids: list[str]) -> None:
    await page.set_content(FORM)
    assert await find_ids(page, selector) == ids


async def test_what_is_as_near_as_another_is_not_singled_out(page: Page) -> None:
    await page.set_content(
        """<div style="display: flex; gap: 40px; width: 500px"><button id="a">Up</button><b>Here</b><button id="b">Down</button></div>"""
    )
    assert await find_ids(page, 'button near "Here"') == ["a", "b"]
    assert await find_ids(page, 'button left of "Here"') == ["a"]


async def test_of_things_in_a_table_the_one_in_the_same_row_is_the_nearest(page: Page) -> None:
    rows = "".join(
        f'<tr><td>Item {n}</td><td>Some text</td><td><button id="b{n}">Go</button></td></tr>' for n in range(5)
    )
    await page.set_content(f"<table>{rows}</table>")
    for number in range(5):
        assert await find_ids(page, f'button near "Item {number}"') == [f"b{number}"]


async def test_a_part_may_be_given_by_any_selector(page: Page) -> None:
    await page.set_content(SHOP)
    await page.evaluate("document.querySelectorAll('button').forEach((each, place) => each.id = `buy-${place}`)")
    assert await find_ids(page, 'button "Buy" in (record with lowest "Price")') == ["buy-1"]
    assert await find_ids(page, 'button "Buy" in (record "Tall mug" in (main in (record "Blue mug")))') == []
    assert await find_ids(page, 'button in (record below "Blue mug" with highest "Price")') == ["buy-2"]


async def test_records_of_any_markup_are_found_by_a_text_in_them(page: Page) -> None:
    random = Random(11)
    shapes = [
        ("<ul>{}</ul>", '<li id="{0}"><span>{1}</span> <button>Edit</button></li>'),
        ("<table>{}</table>", '<tr id="{0}"><td>{1}</td><td>{2}</td></tr>'),
        ("<div>{}</div>", '<div class="card" id="{0}"><h4>{1}</h4><p>{2}</p></div>'),
        ("<div>{}</div>", '<div id="{0}">{1}</div>'),
        ("<section>{}</section>", '<article id="{0}"><header><b>{1}</b></header><p>{2}</p></article>'),
        (
            "<div role=grid>{}</div>",
            '<div role=row id="{0}"><div role=gridcell>{1}</div><div role=gridcell>{2}</div></div>',
        ),
        (
            "<form>{}</form>",
            '<div class="row x{0}" id="{0}"><input value="{1}" aria-label="Title"><button>Save</button></div>',
        ),
        ("<div>{}</div>", '<a class="tile" href="#" id="{0}"><img alt=""><span>{1}</span></a>'),
    ]
    for outer, inner in shapes:
        names = random.sample(["Ada", "Bob", "Cy", "Dee", "Eve", "Flo"], 4)
        await page.set_content(outer.format("".join(inner.format(name.lower(), name, f"of {name}") for name in names)))
        for name in names:
            assert await find_ids(page, f"record {quote_name(name)}") == [name.lower()], (outer, inner)
