"""Acting on several elements of pages that change meanwhile."""

from dataclasses import replace

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

# Draws a list anew at each click; ``next`` says what is left of it.
DRAWN = """<div id="list"></div><script>
  const clicked = [];
  let names = ['one', 'two', 'three'];
  const draw = () => {
    document.getElementById('list').innerHTML = names.map((name) => `<button data-name="${name}">Go</button>`).join('');
    for (const each of document.querySelectorAll('button')) each.onclick = () => { clicked.push(each.dataset.name); NEXT; draw(); };
  };
  draw();
</script>"""


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext) -> Page:
    return await session.open_page(context)


@pytest.fixture
def pointer(session: PlaywrightSession) -> Hands:
    return Hands(session)


@pytest.mark.parametrize("change", ["", "names = names.filter((each) => each !== clicked.at(-1))"])
async def test_elements_that_a_page_draws_anew_at_each_click_are_each_clicked_once(
    pointer: Hands, page: Page, context: ActionContext, change: str
) -> None:
    await page.set_content(DRAWN.replace("NEXT", change))
    outcome = await pointer.click(context, 'every button "Go"')
    assert outcome.evidence["count"] == 3
    assert await page.evaluate("clicked") == ["one", "two", "three"]


async def test_where_it_is_not_certain_which_one_is_left_none_is_clicked(
    pointer: Hands, page: Page, context: ActionContext
) -> None:
    await page.set_content(DRAWN.replace("NEXT", "names = [...names, 'more', 'and more']"))
    with pytest.raises(TargetError, match="1 of 3 elements were changed") as caught:
        await pointer.click(replace(context, timeout_s=1.5), 'every button "Go"')
    assert caught.value.evidence["done"] == 1
    assert await page.evaluate("clicked") == ["one"]


async def test_several_elements_in_a_frame_are_acted_on(pointer: Hands, page: Page, context: ActionContext) -> None:
    inner = "<button onclick='top.clicked.push(1)'>Go</button><button onclick='top.clicked.push(2)'>Go</button>"
    await page.set_content(f'<script>var clicked = []</script><iframe title="Inner" srcdoc="{inner}"></iframe>')
    for selector in ('frame "Inner" >> every button "Go"', 'every control "Go"'):
        outcome = await pointer.click(context, selector)
        assert outcome.evidence["count"] == 2
    assert await page.evaluate("clicked") == [1, 2, 1, 2]


async def test_several_elements_that_come_late_are_waited_for(
    pointer: Hands, page: Page, context: ActionContext
) -> None:
    await page.set_content(
        """<button onclick="clicked.push(1)">Go</button><script>var clicked = [];
        setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button onclick="clicked.push(2)">Go</button>'), 300)</script>"""
    )
    outcome = await pointer.click(context, 'first 2 button "Go"')
    assert outcome.evidence["count"] == 2
    assert await page.evaluate("clicked") == [1, 2]


async def test_the_first_few_in_order_of_a_value_are_refused_where_equals_follow(
    pointer: Hands, page: Page, context: ActionContext
) -> None:
    rows = "".join(f"<tr><td>{name}</td><td>{price}</td></tr>" for name, price in (("A", 1), ("B", 2), ("C", 2)))
    await page.set_content(f"<table><tr><th>Name</th><th>Price</th></tr>{rows}</table>")
    with pytest.raises(TargetError) as caught:
        await pointer.click(context, 'first 2 row with lowest "Price"')
    assert caught.value.code == "target_ambiguous"
    assert caught.value.evidence["count"] == 3
