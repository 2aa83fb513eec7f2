"""The values that people call by a name, on real pages."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from playwright.async_api import Page

from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.probes import probe_all
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.selectors.selectors import parse_selector, quote_name
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands
from tests.cases import each_case


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext) -> Page:
    return await session.open_page(context)


async def read_values(page: Page, selector: str) -> list[str]:
    found = await probe_all(build_locator(parse_selector(selector), page), "text", most=1000)
    return [each["text"] for each in found]


# By the stages of the rules: a page, a selector, what is read.
PAGES = [
    ('<label>Total <input value="24"></label>', 'value "total"', ["24"]),
    ('<label for="t">Total:</label> <output id="t"> £24 </output>', 'value "Total"', ["£24"]),
    ('<label>Quantity <input type="number" value="3"></label>', 'value "quantity"', ["3"]),
    ("<label>Size <select><option>S<option selected>M</select></label>", 'value "size"', ["M"]),
    ('<meter aria-label="Disk" value="0.6">full</meter>', 'value "disk"', ["0.6"]),
    ('<progress aria-label="Upload" max="10" value="4"></progress>', 'value "upload"', ["4"]),
    ('<div role="progressbar" aria-label="Upload" aria-valuenow="40"></div>', 'value "upload"', ["40"]),
    ('<div role="progressbar" aria-label="Upload" aria-valuenow="4" aria-valuetext="4 of 10"></div>', 'value "upload"', ["4 of 10"]),
    ('<p role="status" aria-label="Balance">£5</p>', 'value "balance"', ["£5"]),
    ("<label>Total weight <output>2 kg</output></label>", 'value "weight"', ["2 kg"]),
    ("<label>Subtotal <output>2</output></label>", 'value "total"', []),
    # Definition lists.
    ("<dl><dt>Price</dt><dd>£20</dd><dt>Total:</dt><dd> £24 </dd></dl>", 'value "total"', ["£24"]),
    ("<dl><div><dt>Price</dt><dd>£20</dd></div><div><dt>Total</dt><dd>£24</dd></div></dl>", 'value "price"', ["£20"]),
    ("<dl><dt>Total</dt><dt>Sum</dt><dd>£24</dd></dl>", 'value "total"', ["£24"]),
    ("<dl><dt>Total</dt><dd>£24</dd><dd>£25</dd></dl>", 'value "total"', ["£24", "£25"]),
    ("<dl><dt>Total</dt><dd></dd><dt>Sum</dt><dd>1</dd></dl>", 'value "total"', []),
    ("<dl><dt>Total</dt><dd hidden>£24</dd></dl>", 'value "total"', []),
    ('<dl><dt>Name</dt><dd><input value="Ada"></dd></dl>', 'value "name"', ["Ada"]),
    # Tables by rows.
    ('<table><tr><th scope="row" colspan="4">Total</th><td><strong>£24.00</strong></td><td></td></tr></table>', 'value "Total"', ["£24.00"]),
    ("<table><tr><th>Total</th><td></td><td colspan=2></td><td>£24</td></tr></table>", 'value "total"', ["£24"]),
    ("<table><tr><th>Total</th><td colspan=2>2 items</td><td>£24</td></tr></table>", 'value "total"', ["£24"]),
    ("<table><tr><th>Total</th><td colspan=2>£24</td></tr></table>", 'value "total"', ["£24"]),
    ("<table><tr><th>A</th><td></td><th>B</th><td>2</td></tr></table>", 'value "a"', []),
    ("<table><tr><th>A</th><td>1</td><th>B</th><td>2</td></tr></table>", 'value "b"', ["2"]),
    ("<table><tr><th>A</th><td><button>Change</button></td><td>1</td></tr></table>", 'value "a"', ["1"]),
    ('<div role="table"><div role="row"><span role="rowheader">Total</span><span role="cell">£24</span></div></div>', 'value "total"', ["£24"]),
    # Tables by columns.
    ("<table><tr><th>Item</th><th>Total</th></tr><tr><td>Mug</td><td>£24</td></tr></table>", 'value "total"', ["£24"]),
    ("<table><tr><th>Item</th><th>Total</th></tr><tr><td>Mug</td><td>£24</td></tr><tr><td>Cup</td><td>£4</td></tr></table>", 'value "total"', []),
    ("<table><tr><th>Item</th><th>Total</th></tr><tr><td>Mug</td><td>£24</td></tr><tr><td>Cup</td><td>£4</td></tr></table>", 'value "total" in "Cup"', ["£4"]),
    ("<table><thead><tr><th>Item</th><th>Total</th></tr></thead><tr><td>Mug</td><td>£8</td></tr><tfoot><tr><th>Total</th><td>£9</td></tr></tfoot></table>", 'value "total"', ["£9"]),
    # Labels beside their values.
    ("<p><b>Total:</b> £24</p>", 'value "total"', ["£24"]),
    ("<p>Total: £24</p>", 'value "total"', ["£24"]),
    ("<p>Subtotal: £20<br>Total: £24<br>Paid</p>", 'value "total"', ["£24"]),
    ("<p><b>Name:</b> Ada<br><b>Age:</b> 36</p>", 'value "name"', ["Ada"]),
    ("<p><b>Name:</b> Ada <b>Age:</b> 36</p>", 'value "name"', ["Ada"]),
    ("<p><b>Total</b> <i>£24</i></p>", 'value "total"', ["£24"]),
    ("<p><b>Total</b> -£24</p>", 'value "total"', ["-£24"]),
    ("<p>Total: <b>£24</b></p>", 'value "total"', ["£24"]),
    ("<div><span>Total</span><span>£24</span></div>", 'value "total"', ["£24"]),
    ("<div><div><span>Total</span></div><div>£24</div></div>", 'value "total"', ["£24"]),
    ("<div><p>Total</p><h2>£24</h2><p>up by 2 %</p></div>", 'value "total"', ["£24"]),
    ("<div><span>Sub</span><span>1</span><span>Total</span><span>2</span></div>", 'value "total"', ["2"]),
    ("<div><span>Item</span><span>Total</span><span>Date</span></div>", 'value "total"', []),
    ("<div><span>Item</span><span>Total</span><span>Date</span></div>", 'value "item"', []),
    ("<table><tr><td>Total:</td><td>£24</td></tr></table>", 'value "total"', ["£24"]),
    ('<input type="checkbox" id="g"><label for="g">Gift wrap</label><span>£1.50 each</span>', 'value "gift wrap"', ["£1.50 each"]),
    ('<input type="radio" id="a"><label for="a">A</label><input type="radio" id="b"><label for="b">B</label>', 'value "a"', []),
    ("<p>The <b>total</b> is the sum of all.</p>", 'value "total"', []),
    ("<p>The <b>total</b> <i>amount</i> is due.</p>", 'value "total"', []),
    ("<div><span>Total</span><button>Pay</button></div>", 'value "total"', []),
    ("<div><span>Total</span><button>Pay</button><b>£24</b></div>", 'value "total"', []),
    ("<button><span>Total</span><span>£24</span></button>", 'value "total"', []),
    ("<table><tr><th><span>Total</span><span>up</span></th></tr></table>", 'value "total"', []),
    (f"<div><span>Total</span><span>{'long ' * 30}</span></div>", 'value "total"', []),
    ("<p>Total: 1<br>Total: 2</p>", 'value "total"', ["Total: 1\nTotal: 2"]),
    # Marks of the document.
    ('<strong data-testid="price">£8.50</strong>', 'value "price"', ["£8.50"]),
    ('<strong data-testid="order-number">7</strong>', 'value "Order number"', ["7"]),
    ('<strong id="orderTotal">7</strong>', 'value "order total"', ["7"]),
    ('<h1 itemprop="name">Blue mug</h1>', 'value "name"', ["Blue mug"]),
    ('<p class="big price"><span><span>£</span>8.50</span></p>', 'value "price"', ["£8.50"]),
    ('<div class="price"><span class="price">£8.50</span></div>', 'value "price"', ["£8.50"]),
    ('<div class="total">Total £24</div>', 'value "total"', ["£24"]),
    ('<input name="total" value="24">', 'value "total"', ["24"]),
    ('<input name="total">', 'value "total"', []),
    ('<span class="price">Price</span>', 'value "price"', []),
    ('<button class="price">£8</button>', 'value "price"', []),
    ('<label id="price">Cost</label>', 'value "price"', []),
    ('<b class="price" hidden>£8</b>', 'value "price"', []),
    ('<b class="price">£8</b><b class="price">£9</b>', 'value "price"', ["£8", "£9"]),
    ('<section aria-label="Mug"><b class="price">£8</b></section><b class="price">£9</b>', 'value "price" in "Mug"', ["£8"]),
    ('<b class="price">£8</b><b class="price">£9</b>', 'value "price" nth 2', ["£9"]),
]  # fmt: skip


@each_case(("html", "selector", "texts"), PAGES)
async def test_a_value_is_what_people_call_by_its_name(page: Page, html: str, selector: str, texts: list[str]) -> None:
    await page.set_content(html)
    assert await read_values(page, selector) == texts


async def test_values_in_shadow_roots_are_found(page: Page) -> None:
    await page.set_content("<my-total></my-total><my-bill></my-bill>")
    await page.evaluate(
        """() => {
            document.querySelector('my-total').attachShadow({ mode: 'open' }).innerHTML = '<b>Total:</b> <i>£24</i>';
            document.querySelector('my-bill').attachShadow({ mode: 'closed' }).innerHTML = 'Price: £8';
        }"""
    )
    assert await read_values(page, 'value "total"') == ["£24"]
    assert await read_values(page, 'value "price"') == []
    await page.set_content("<table><tr><th scope=row>Total</th><td><my-price></my-price></td></tr></table>")
    await page.evaluate(
        "() => { document.querySelector('my-price').attachShadow({ mode: 'open' }).innerHTML = '<b>£</b><i>8</i>'; }"
    )
    assert await read_values(page, 'value "total"') == ["£8"]


async def test_a_value_is_looked_for_in_frames_where_the_page_has_none(
    session: PlaywrightSession, page: Page, context: ActionContext
) -> None:
    reading = Hands(session)
    await page.set_content('<iframe title="Till" srcdoc="<p>Total: £24</p>"></iframe>')
    for selector in ('value "Total"', 'frame "Till" >> value "Total"'):
        assert (await reading.read(context, "text", selector)).output["text"] == "£24"
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p>Total: £25</p>')")
    assert (await reading.read(context, "text", 'value "Total"')).output["text"] == "£25"


async def test_a_value_that_comes_late_is_waited_for(
    session: PlaywrightSession, page: Page, context: ActionContext
) -> None:
    await page.set_content("<p id=p>Total</p>")
    await page.evaluate("setTimeout(() => { document.getElementById('p').textContent = 'Total: £24'; }, 300)")
    outcome = await Hands(session).read(context, "text", 'value "Total"')
    assert outcome.output == {"text": "£24", "value": "£24", "truncated": False}


async def test_a_part_of_a_text_is_the_value_only_for_the_selector_that_named_it(page: Page) -> None:
    await page.set_content("<p>Total: £24</p>")
    assert await read_values(page, 'value "Total"') == ["£24"]
    assert await read_values(page, "p") == ["Total: £24"]
    assert await read_values(page, 'text "Total: £24"') == ["Total: £24"]


async def test_records_are_made_of_values(session: PlaywrightSession, page: Page, context: ActionContext) -> None:
    await page.set_content(
        """<ul><li><b>Blue mug</b><p>Price: £8.50</p></li><li><b>Red mug</b><p>Price: £9</p></li></ul>
        <table><tr><th>Item</th><th>Stock</th></tr><tr><td>Mug</td><td>7</td></tr><tr><td>Cup</td><td>9</td></tr></table>"""
    )
    reading = Hands(session)
    prices = await reading.extract(context, {"price": {"selector": 'value "Price"', "type": "number"}}, rows="li")
    assert prices.output["rows"] == [{"price": 8.5}, {"price": 9.0}]
    stock = await reading.extract(context, {"n": {"selector": 'value "Stock"', "type": "integer"}}, rows="tr:has(td)")
    assert stock.output["rows"] == [{"n": 7}, {"n": 9}]


async def test_a_missing_value_names_the_labels_that_have_one(
    session: PlaywrightSession, page: Page, context: ActionContext
) -> None:
    await page.set_content(
        """<h1>Total</h1><p>Grand total: £24</p><dl><dt>Delivery</dt><dd>£3</dd><dt>Empty</dt><dd></dd></dl>
        <b data-testid="order-number">7</b>"""
    )
    with pytest.raises(TargetError) as caught:
        await Hands(session).read(replace(context, timeout_s=3.0), "text", 'value "Total"')
    assert caught.value.code == "target_missing"
    nearest, *others = [each["selector"] for each in caught.value.evidence["nearest"]]
    assert (nearest, sorted(others)) == ('value "Grand total"', ['value "Delivery"', 'value "order number"'])
    assert caught.value.hint == 'Did you mean value "Grand total"?'


NAMES = st.text(st.characters(categories=["L", "N"], max_codepoint=0x2FF), min_size=1, max_size=12)
AMOUNTS = st.decimals(0, 99999, places=2).map(lambda amount: f"£{amount}")
SHAPES = (
    "<dl><dt>{name}</dt><dd>{value}</dd></dl>",
    "<dl><div><dt>{name}:</dt><dd>{value}</dd></div></dl>",
    "<table><tr><th scope=row>{name}</th><td>{value}</td></tr></table>",
    "<table><tr><th>{name}</th><td></td><td>{value}</td></tr></table>",
    "<table><tr><th>Item</th><th>{name}</th></tr><tr><td>Mug</td><td>{value}</td></tr></table>",
    "<table><tr><td>{name}</td><td>{value}</td></tr></table>",
    "<p>{name}: {value}</p>",
    "<p><b>{name}:</b> {value}</p>",
    "<p><b>{name}</b> {value}</p>",
    "<p>{name}: <b>{value}</b></p>",
    "<p>Hello<br>{name}: {value}<br>Bye</p>",
    "<div><span>{name}</span><span>{value}</span></div>",
    "<div><div><i>{name}</i></div><div><b>{value}</b></div></div>",
    "<label for={name}-is-here>{name}</label><output id={name}-is-here>{value}</output>",
    '<label>{name}<input value="{value}"></label>',
    '<b data-testid="{name}">{value}</b>',
    '<b itemprop="{name}">{value}</b>',
)


def in_other_case(name: str) -> str:
    """Return a name in capitals, unless lower case doesn't bring it back."""
    return name.upper() if name.upper().lower() == name.lower() else name


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(NAMES, min_size=2, max_size=4, unique_by=lambda name: name.upper().lower()), data=st.data())
async def test_any_value_is_found_by_its_label_alone_however_it_is_marked_up(
    page: Page, names: list[str], data: st.DataObject
) -> None:
    values = [data.draw(AMOUNTS) for _ in names]
    shapes = [data.draw(st.sampled_from(SHAPES)) for _ in names]
    await page.set_content(
        "".join(shape.format(name=n, value=v) for shape, n, v in zip(shapes, names, values, strict=True))
    )
    for name, value in zip(names, values, strict=True):
        assume(name.lower() not in {"item", "mug", "hello", "bye"})
        assert await read_values(page, f"value {quote_name(in_other_case(name))}") == [value], shapes
