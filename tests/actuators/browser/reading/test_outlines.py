"""What an outline tells of a page: everything to act on once, what it holds and takes, what is hidden, and what has changed."""

import asyncio
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.looking.looks import MOVING_S
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.cases import each_case
from tests.thoroughness import is_thorough


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext) -> Page:
    return await session.open_page(context)


@pytest.fixture
async def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


async def outline(hands: Hands, context: ActionContext, **wanted: Any) -> str:
    return (await hands.snapshot(context, **wanted)).output["text"]


TOLD = {
    "a label with its box is one thing": (
        '<label><input type="checkbox" checked> Tea</label>',
        'checkbox "Tea" # ticked',
    ),
    "a drawn box stands for the hidden one": (
        '<input type="checkbox" id="t" style="display:none"><label for="t" style="cursor:pointer">Tea</label>',
        'checkbox "Tea"',
    ),
    "a caption in front of a field is its name": ("<p>City: <input></p>", 'field "City"'),
    "what is pressed with its inner span is one thing": (
        '<div style="cursor:pointer"><span>Go <b>on</b></span></div>',
        'control "Go on"',
    ),
    "options are told as choices": (
        "<select aria-label=Size><option>Small<option>Large</select>",
        'field "Size" # = "Small", choose: Small | Large',
    ),
    "limits are told": ('<input type="number" aria-label="Age" min="1" max="10">', 'field "Age" # number 1–10'),
    "a date is told": ('<input type="date" aria-label="Day">', 'field "Day" # date'),
    "what is required and disabled is told": (
        '<input aria-label="Name" required><button disabled>Send</button>',
        'field "Name" # required\nbutton "Send" # disabled',
    ),
    "texts are told": ("<p>Welcome <b>back</b>, Ada</p>", "- Welcome back, Ada"),
    "a sentence has the words of its links": (
        '<p>Read the <a href="t">terms</a> before you sign.</p>',
        '- Read the terms before you sign.\nlink "terms"',
    ),
    "headings structure": ("<h1>Shop</h1><h2>Tea</h2>", "# Shop\n## Tea"),
    "a row is one line": (
        "<table><tr><th>Name<th>Age</tr><tr><td>Ada<td>36</tr></table>",
        "table nth 1\n  - Name | Age\n  - Ada | 36",
    ),
    "a row that is pressed tells each cell once, and is called by the first": (
        "<table><caption>Trains</caption><tr onclick=1><td>IC 1<td>Kraków</tr><tr onclick=1><td>IC 2<td>Łódź<td><a href=d>More</a></tr></table>",
        'table "Trains"\n  row "IC 1" # = "Kraków"\n  row "IC 2" # = "Łódź"\n    link "More"',
    ),
    "texts of blocks in something pressed are apart": (
        "<div style='cursor:pointer;display:flex'><i>GET</i><i>/pets</i></div><div style='cursor:pointer;display:flex'><i>PUT</i><i>/pets</i></div>",
        'control "GET /pets"\ncontrol "PUT /pets"',
    ),
    "a tab of a name that is there twice stays a tab": (
        "<ul role=tablist><li role=tab tabindex=0>One<li role=tab>Two</ul><ul role=tablist><li role=tab tabindex=0>One<li role=tab>Two</ul>",
        'tab "One" nth 1\ntab "Two" nth 1\ntab "One" nth 2\ntab "Two" nth 2',
    ),
    "what a password field holds is not told": (
        '<input type="password" aria-label="Password" value="s3cret!"><p>It is s3cret!</p>',
        'field "Password" # secret\n- It is •••',
    ),
    "what stands in shadow trees and slots is read in order": (
        "<div><template shadowrootmode=open><button>Before</button><slot></slot></template><button>Slotted</button></div>",
        'button "Before"\nbutton "Slotted"',
    ),
    "a message is told": ('<div role="alert">Wrong password</div>', 'alert "Wrong password"'),
}


@each_case("case", TOLD)
async def test_a_page_is_told(hands: Hands, context: ActionContext, page: Page, case: str) -> None:
    html, told = TOLD[case]
    await page.goto("about:blank")
    await page.evaluate("(html) => { document.body.setHTMLUnsafe(html); }", html)
    assert await outline(hands, context) == told


LISTENING: dict[str, tuple[str, str, str]] = {
    "a label that waits for a double click": ("<label>Milk</label>", "label", 'text "Milk"'),
    "a text that waits for a press": ("<p><span>Undo</span></p>", "span", 'text "Undo"'),
    "what holds controls listens for them": (
        "<div><button>Add</button><p>Rows</p></div>",
        "div",
        'button "Add"\n- Rows',
    ),
    "what is inside of what also listens is it": (
        "<div><b>Open</b><i>Later</i></div>",
        "div, b",
        'text "Open"\n- Later',
    ),
    "the page listens for all that is on it": ("<p>Hello</p>", "body", "- Hello"),
}


@each_case("case, how", product(LISTENING, ["click", "dblclick", "mousedown", "pointerdown", "onclick"]))
async def test_what_a_script_waits_to_be_pressed_is_a_thing_to_act_on(
    hands: Hands, context: ActionContext, page: Page, case: str, how: str
) -> None:
    html, listening, told = LISTENING[case]
    await page.goto("about:blank")
    await page.evaluate(
        """([html, css, how]) => {
            document.body.setHTMLUnsafe(html);
            for (const each of document.querySelectorAll(css)) {
                if (how === 'onclick') each.onclick = () => {};
                else each.addEventListener(how, () => {});
            }
        }""",
        [html, listening, how],
    )
    assert await outline(hands, context) == told


HIDDEN = {
    "closed details": ("<details><summary>More</summary><button>Deep</button></details>", 'opens: button "More"'),
    "a menu that a button controls": (
        '<button aria-controls="m" aria-expanded="false">File</button><ul id="m" role="menu" hidden><li role="menuitem">Open</ul>',
        'opens: button "File"',
    ),
    "a panel of a tab": (
        '<button role="tab" id="two" aria-controls="p">Two</button><div id="p" role="tabpanel" hidden><button>In</button></div>',
        'opens: tab "Two"',
    ),
    "what the mouse shows in entries": (
        "<style>b { display: none } li:hover b { display: block }</style><ul><li><input> Milk <b role=button></b><li><input> Tea <b role=button></b></ul>",
        '… 2 buttons, hidden (hover: listitem "Milk")',
    ),
    "a list that the mouse opens, and a press leaves": (
        "<style>li ul { display: none } li:hover ul { display: block }</style><ul><li><a href=t>Tea</a><ul><li><a href=g>Green</a></ul></ul>",
        '… 1 link, hidden (hover: link "Tea")',
    ),
    "what is only read": (
        '<button aria-controls="p">More</button><p id="p" hidden>All our tea is green.</p>',
        '… "All our tea is green.", hidden (opens: button "More")',
    ),
    "a menu off the screen": (
        '<a href="#side">Menu</a><nav id="side" style="position:fixed;left:-300px;width:200px"><a href="x">Home</a></nav>',
        'opens: link "Menu"',
    ),
}


@each_case("case", HIDDEN)
async def test_a_hidden_part_is_one_line_with_what_opens_it(
    hands: Hands, context: ActionContext, page: Page, case: str
) -> None:
    html, told = HIDDEN[case]
    await page.set_content(html)
    lines = (await outline(hands, context)).splitlines()
    assert [line for line in lines if told in line and line.startswith("…")], lines


MODALS: dict[str, str] = {
    "showModal": "<dialog id=d><button>OK</button></dialog>",
    "aria-modal": "<div id=d role=dialog aria-modal=true aria-label=Sure style='position:fixed;inset:0;background:white'><button>OK</button></div>",
}


@pytest.mark.parametrize("html", list(MODALS.values()), ids=list(MODALS))
async def test_what_lies_behind_a_modal_dialog_is_one_line(
    hands: Hands, context: ActionContext, page: Page, html: str
) -> None:
    await page.set_content(f"<main><button>One</button><button>Two</button></main>{html}")
    await page.evaluate("document.querySelector('dialog')?.showModal()")
    told = await outline(hands, context)
    assert 'button "OK"' in told
    assert 'button "One"' not in told
    assert "behind the dialog: 2 buttons" in told


async def test_frames_carry_their_name_in_each_selector(
    hands: Hands, context: ActionContext, page: Page, site: SiteServer
) -> None:
    await page.goto(f"{site.url}/frames/")
    lines = (await hands.snapshot(context)).output["lines"]
    selectors = [line["selector"] for line in lines]
    assert 'frame "Outer" >> frame "Middle" >> button "Middle button"' in selectors
    part = await outline(hands, context, scope='frame "Plain"')
    assert 'frame "Plain" >> field "Field in the frame"' in part
    assert "Middle" not in part


async def test_a_ref_in_a_frame_is_found_without_its_frame(
    hands: Hands, context: ActionContext, page: Page, site: SiteServer
) -> None:
    await page.goto(f"{site.url}/frames/")
    lines = (await hands.snapshot(context)).output["lines"]
    ref = next(line["ref"] for line in lines if "Middle button" in line["text"])
    outcome = await hands.click(context, f"ref={ref}")
    assert outcome.evidence["received_by"]["name"] == "Middle button"


async def test_a_ref_names_its_element_across_looks_and_never_another_one(
    hands: Hands, context: ActionContext, page: Page
) -> None:
    await page.set_content("<button>One</button><button>Two</button>")
    first = {line["text"]: line["ref"] for line in (await hands.snapshot(context)).output["lines"]}
    await page.evaluate(
        "document.body.prepend(Object.assign(document.createElement('button'), { textContent: 'New' }))"
    )
    second = {line["text"]: line["ref"] for line in (await hands.snapshot(context)).output["lines"]}
    assert {text: second[text] for text in first} == first
    await page.evaluate("document.body.firstElementChild.nextElementSibling.remove()")
    await hands.snapshot(context)
    with pytest.raises(TargetError) as caught:
        await hands.click(replace(context, timeout_s=30.0), "ref=" + first['button "One"'])
    assert caught.value.code == "target_missing"


async def test_since_tells_only_what_was_added_gone_or_changed(
    hands: Hands, context: ActionContext, page: Page
) -> None:
    await page.set_content(
        '<h1>List</h1><label><input type="checkbox"> Milk</label><button>Keep</button><a href="old">Old</a>'
    )
    assert 'button "Keep"' in await outline(hands, context, since=True)
    await page.evaluate(
        """() => {
          document.querySelector('input').checked = true;
          document.querySelector('a').remove();
          document.body.append(Object.assign(document.createElement('button'), { textContent: 'Undo' }));
        }"""
    )
    told = await outline(hands, context, since=True)
    assert 'checkbox "Milk" # ticked, was: not ticked' in told
    assert 'button "Undo" # new' in told
    assert 'link "Old" # gone' in told
    assert "Keep" not in told
    assert "nothing has changed" in await outline(hands, context, since=True)


async def test_a_look_tells_of_the_other_tab_that_a_click_opened(
    hands: Hands, context: ActionContext, page: Page
) -> None:
    await page.set_content("<button onclick='window.open(`about:blank`).document.title = `The terms`'>Read</button>")
    assert "other tab" not in await outline(hands, context)
    await hands.click(context, 'button "Read"')
    assert (await outline(hands, context, since=True)).splitlines()[-1] == '… 1 other tab: "The terms"'
    whole = (await hands.snapshot(context, max_tokens=50)).output
    assert whole["text"].endswith('… 1 other tab: "The terms"')
    assert whole["tokens"] <= 50
    await hands.switch_tab(context, tab=1)
    assert "terms" not in await outline(hands, context)


TIMES = 1 if is_thorough() else 10
LARGE = {
    "a hundred thousand rows": f"'<table>' + '<tr><td>x<td><button>Do</button></tr>'.repeat({100_000 // TIMES}) + '</table>'",
    "a name of 5 MB": f"`<button>${{'word '.repeat({1_000_000 // TIMES})}}</button>`",
    "a thousand levels": "'<div>'.repeat(1000) + '<button>Deep</button>'",
}


@pytest.mark.parametrize("html", list(LARGE.values()), ids=list(LARGE))
async def test_an_outline_of_a_large_page_is_small_and_tells_what_stands_around(
    hands: Hands, context: ActionContext, page: Page, html: str
) -> None:
    await page.set_content("<button>First</button><div></div><p><button>Last</button></p>")
    await page.evaluate(f"document.querySelector('div').innerHTML = {html}")
    outcome = await hands.snapshot(replace(context, timeout_s=30.0), max_tokens=500)
    assert outcome.output["tokens"] <= 500
    assert '"First"' in outcome.output["text"]
    assert '"Last"' in outcome.output["text"]


async def test_a_page_that_makes_everything_anew_all_the_time_is_told(
    hands: Hands, context: ActionContext, page: Page
) -> None:
    await page.set_content(
        "<div></div><script>(function go() { document.querySelector('div').innerHTML = '<button>A</button><button>B</button>'; setTimeout(go, 0); })()</script>"
    )
    assert await outline(hands, context) == 'button "A"\nbutton "B"'


async def test_nested_shadow_roots_are_looked_into(hands: Hands, context: ActionContext, page: Page) -> None:
    await page.set_content("<div></div>")
    await page.evaluate(
        """() => {
          let at = document.querySelector('div');
          for (let level = 0; level < 100; level += 1) {
            const root = at.attachShadow({ mode: level % 2 ? 'open' : 'closed' });
            root.innerHTML = `<button>B${level}</button><div></div>`;
            at = root.querySelector('div');
          }
        }"""
    )
    told = await outline(hands, context, max_tokens=5000)
    assert [f'button "B{level}"' in told for level in range(100)] == [True] * 100


async def test_a_heading_as_scope_is_what_stands_under_it(hands: Hands, context: ActionContext, page: Page) -> None:
    await page.set_content(
        "<h2>Tea</h2><button>Pour</button><h3>Green</h3><a href=g>Sencha</a><h2>Milk</h2><button>Add</button>"
    )
    text = await outline(hands, context, scope='heading "Tea"')
    assert text == '## Tea\nbutton "Pour"\n### Green\nlink "Sencha"'


FADE = """<style>dialog, #veil { transition: opacity 150ms; opacity: 0 } .shown { opacity: 1 !important }</style>
<div id="veil"></div><dialog id="d" aria-label="New member"><input aria-label="Name"></dialog>
<button onclick="veil.classList.add('shown'); veil.addEventListener('transitionend', () => {
  d.showModal(); d.offsetWidth; d.classList.add('shown'); })">Add</button>"""


async def test_a_dialog_that_fades_in_behind_something_else_is_told_as_it_will_be(
    hands: Hands, context: ActionContext, page: Page
) -> None:
    await page.set_content(FADE)
    await hands.click(context, 'button "Add"')
    assert 'dialog "New member"\n  field "Name"' in await outline(hands, context)


async def test_what_moves_for_long_or_for_ever_is_not_waited_for(
    hands: Hands, context: ActionContext, page: Page
) -> None:
    turning = "<style>@keyframes turn { to { rotate: 1turn } } p { animation: turn 9s infinite } b { animation: turn 60s }</style>"
    await page.set_content(f"{turning}<p>Wait</p><b>Slowly</b><button>Go</button>")
    await outline(hands, context)
    began = asyncio.get_running_loop().time()
    assert 'button "Go"' in await outline(hands, context)
    assert asyncio.get_running_loop().time() - began < MOVING_S
