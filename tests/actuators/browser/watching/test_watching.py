"""Waiting for a time or a value, acting again until something holds, and staying over what moves."""

import time

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import DeadlineError, InputError, TargetError
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

FALLING = """<label>Share price:</label> <span id="price">$42.00</span> <input aria-label="Rate" value="9"><script>
let price = 42;
setInterval(() => { price -= 1; document.querySelector('#price').textContent = `$${price}.00`; }, 30);
</script>"""
ROLLING = """<button>Roll</button> <div id="shown-number">-</div><p hidden id="done">All done</p><script>
let rolls = 0;
document.querySelector('button').onclick = () => setTimeout(() => {
  rolls += 1;
  document.querySelector('#shown-number').textContent = String(rolls * 3);
  document.querySelector('#done').hidden = rolls < 3;
}, 40);
</script>"""
MOVING = """<div id="ball" role="button" aria-label="Ball" style="position:absolute;width:40px;height:40px;background:red"></div><script>
let x = 0;
setInterval(() => { x = (x + 1) % 300; document.querySelector('#ball').style.left = `${x}px`; }, 100);
</script>"""


@pytest.fixture
async def hands(session: PlaywrightSession, context: ActionContext) -> Hands:
    await session.open_page(context)
    return Hands(session)


async def test_a_given_time_is_waited(hands: Hands, context: ActionContext):
    began = time.monotonic()
    outcome = await hands.wait(context, seconds=0.3)
    assert time.monotonic() - began >= 0.3
    assert outcome.output["waited_s"] >= 0.3


async def test_a_value_that_crosses_a_bound_is_waited_for(
    hands: Hands, context: ActionContext, session: PlaywrightSession
):
    await session.current_page(context).set_content(FALLING)
    outcome = await hands.wait(context, selector='value "price"', value="below $38.50")
    assert float(outcome.evidence["shown"].strip("$")) < 38.5
    field = await hands.wait(context, selector='field "Rate"', value="at least 9")
    assert field.evidence["shown"] == "9"


async def test_a_value_that_never_comes_is_told_with_what_is_shown(
    hands: Hands, context: ActionContext, session: PlaywrightSession
):
    await session.current_page(context).set_content(ROLLING)
    with pytest.raises(DeadlineError, match="to be above 3"):
        await hands.wait(context, selector="#shown-number", value="above 3", timeout=0.3)


@pytest.mark.parametrize("args", [{"value": "even"}, {"selector": "p", "value": "below much"}])
async def test_a_condition_without_its_parts_is_refused(hands: Hands, context: ActionContext, args: dict[str, str]):
    with pytest.raises(InputError):
        await hands.wait(context, **args)


async def test_a_click_is_repeated_until_a_value_holds_and_not_once_more(
    hands: Hands, context: ActionContext, session: PlaywrightSession
):
    page = session.current_page(context)
    await page.set_content(ROLLING)
    outcome = await hands.click(context, 'button "Roll"', until='value "number"', value="above 8")
    assert (outcome.evidence["clicks"], outcome.evidence["shown"]) == (3, "9")
    again = await hands.click(context, 'button "Roll"', until='value "number"', value="odd")
    assert again.evidence["clicks"] == 0
    assert await page.evaluate("rolls") == 3


async def test_a_click_is_repeated_until_something_appears(
    hands: Hands, context: ActionContext, session: PlaywrightSession
):
    page = session.current_page(context)
    await page.set_content(ROLLING)
    assert (await hands.click(context, 'button "Roll"', until='text "All done"')).evidence["clicks"] == 3


async def test_what_never_holds_says_how_often_was_clicked(
    hands: Hands, context: ActionContext, session: PlaywrightSession
):
    page = session.current_page(context)
    await page.set_content(ROLLING)
    with pytest.raises(DeadlineError) as caught:
        await hands.click(context, 'button "Roll"', until='value "number"', value="below 0")
    assert caught.value.evidence["clicks"] == await page.evaluate("rolls")
    assert caught.value.evidence["clicks"] > 0


async def test_the_pointer_stays_over_what_moves(hands: Hands, context: ActionContext, session: PlaywrightSession):
    await session.current_page(context).set_content(MOVING)
    outcome = await hands.hover(context, 'button "Ball"', seconds=0.5)
    assert outcome.evidence["stayed_s"] >= 0.5
    assert outcome.evidence["off_s"] < outcome.evidence["stayed_s"] / 2


@pytest.mark.parametrize(("covers", "is_clicked"), [("left:30px;width:200px", True), ("left:0;width:200px", False)])
async def test_what_is_partly_covered_is_clicked_where_it_shows(
    hands: Hands, context: ActionContext, session: PlaywrightSession, covers: str, is_clicked: bool
):
    page = session.current_page(context)
    await page.set_content(
        f"""<style>body {{ margin: 0 }}</style><button style="width:100px;height:40px" onclick="this.id = 'clicked'">One</button>
        <div style="position:absolute;top:0;height:60px;background:red;{covers}"></div>"""
    )
    if is_clicked:
        assert (await hands.click(context, 'button "One"')).effect == "confirmed"
    else:
        with pytest.raises(TargetError) as caught:
            await hands.click(context, 'button "One"')
        assert caught.value.code == "target_covered"
    assert await page.locator("#clicked").count() == is_clicked
