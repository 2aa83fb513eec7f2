"""Assertions: what holds, what doesn't and how that is shown."""

import asyncio
from typing import Any

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, ExpectationError, InputError, TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.cases import each_case


@pytest.fixture
async def reading(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Hands:
    page = await session.open_page(context)
    await page.goto(f"{site.url}/table/small")
    return Hands(session)


HOLDS: list[dict[str, Any]] = [
    {"selector": 'heading "Cards"'},
    {"selector": 'heading "Cards"', "state": "visible", "text": "Cards"},
    {"selector": 'heading "Nope"', "state": "hidden"},
    {"selector": 'heading "Nope"', "state": "detached"},
    {"selector": "testid=card", "count": 3},
    {"selector": ".nope", "count": 0},
    {"url": "/table/small"},
    {"url": "*/table/*", "title": "A small *"},
    {"text": "Berlin Ostbahnhof"},
    {"selector": 'table "Trains"', "text": "IC 1"},
]


@each_case("wanted", HOLDS)
async def test_what_holds_is_confirmed_by_evidence(
    reading: Hands, context: ActionContext, wanted: dict[str, Any]
) -> None:
    outcome = await reading.expect(context, **wanted)
    assert outcome.evidence["compared"]


FAILS: list[tuple[dict[str, Any], str]] = [
    ({"selector": 'heading "Crads"'}, "nothing matches"),
    ({"selector": 'heading "Cards"', "state": "hidden"}, 'expected "hidden", found "visible"'),
    ({"selector": 'heading "Cards"', "state": "checked"}, "not a checkbox"),
    ({"selector": 'heading "Cards"', "text": "cards!"}, 'expected "cards!", found "Cards"'),
    ({"selector": 'heading "Cards"', "text": "CARDS"}, "with other capital letters"),
    ({"selector": "testid=card", "count": 2}, "expected 2, found 3"),
    ({"url": "/nowhere"}, 'expected "/nowhere"'),
    ({"title": "A small"}, 'found "A small table"'),
    ({"text": "no such words"}, "the page's text"),
]


@each_case(("wanted", "words"), FAILS)
async def test_what_does_not_hold_shows_expected_and_actual(
    reading: Hands, context: ActionContext, wanted: dict[str, Any], words: str
) -> None:
    with pytest.raises(ExpectationError) as caught:
        await reading.expect(context, **wanted, timeout=0.2)
    assert words in str(caught.value)
    assert caught.value.evidence["differences"]


async def test_a_missing_element_names_the_nearest_and_two_are_ambiguous(
    reading: Hands, context: ActionContext
) -> None:
    with pytest.raises(ExpectationError) as missing:
        await reading.expect(context, 'heading "Crads"', timeout=0.2)
    assert missing.value.evidence["nearest"][0]["name"] == "Cards"
    with pytest.raises(TargetError) as two:
        await reading.expect(context, "testid=card", timeout=0.2)
    assert two.value.code == "target_ambiguous"


@each_case(
    ("wanted", "told"),
    [
        ({"text": "£9.00"}, 'expected "£9.00", but the page shows "£8.50", "£1.50"'),
        ({"selector": 'text "£9.00" in "Total"'}, 'expected "visible", but the page shows "£8.50", "£1.50"'),
        ({"selector": 'text "Sold aut"'}, 'but the page shows "Sold out"'),
        ({"selector": "#price", "text": "£9.00"}, 'the text: expected "£9.00", found "£8.50"'),
        ({"selector": 'field "Quantity"', "value": "3"}, 'the value: expected "3", found "1"'),
        ({"selector": 'button "Chekout"'}, "nothing matches"),
    ],
)
async def test_what_is_missed_is_told_with_what_stands_there(
    session: PlaywrightSession, context: ActionContext, wanted: dict[str, Any], told: str
) -> None:
    page = await session.open_page(context)
    await page.set_content(
        "<h1>Total</h1><p id=price>£8.50</p><p>with £1.50 each</p><p>Sold out</p>"
        "<label>Quantity <input value=1></label><button>Checkout</button>"
    )
    with pytest.raises(ExpectationError) as caught:
        await Hands(session).expect(context, **wanted, timeout=0.1)
    assert told in caught.value.message
    if "nothing" in told:
        assert caught.value.hint == 'Did you mean button "Checkout"?'


@pytest.mark.parametrize("wanted", [{"selector": 'heading "Nope"'}, {"text": "nope"}])
async def test_a_page_that_closes_meanwhile_is_told_as_that_at_once(
    session: PlaywrightSession, context: ActionContext, wanted: dict[str, Any]
) -> None:
    page = await session.open_page(context)
    closing = asyncio.get_running_loop().call_later(0.3, lambda: asyncio.ensure_future(page.close()))
    with pytest.raises(ActionError) as caught:
        await Hands(session).expect(context, **wanted, timeout=4)
    assert (closing.cancelled(), caught.value.code) == (False, "page_closed")


async def test_an_expectation_waits_until_it_holds(
    reading: Hands, context: ActionContext, session: PlaywrightSession, site: SiteServer
) -> None:
    await session.current_page(context).goto(f"{site.url}/elements/hidden?ms=400")
    outcome = await reading.expect(context, 'button "Shown later"')
    assert outcome.evidence["compared"]["visible"] is True
    await session.current_page(context).goto(f"{site.url}/elements/states?ms=400")
    assert (await reading.expect(context, 'button "Enabled later"', state="enabled")).evidence["waited_s"] >= 0


async def test_expectations_that_make_no_sense_are_refused(reading: Hands, context: ActionContext) -> None:
    senseless: tuple[dict[str, Any], ...] = ({}, {"state": "visible"}, {"count": 1, "text": "x"})
    for wanted in senseless:
        with pytest.raises(InputError):
            await reading.expect(context, **wanted)


async def test_a_text_is_there_as_it_is_written_whatever_capitals_a_style_makes_of_it(
    session: PlaywrightSession, context: ActionContext
) -> None:
    page = await session.open_page(context)
    await page.set_content("<p style='text-transform: uppercase'>Welcome, ada</p><p>Bye</p>")
    hands = Hands(session)
    assert (await hands.expect(context, text="Welcome, ada")).evidence["compared"]
    assert (await hands.expect(context, text="WELCOME, ADA")).evidence["compared"]
    with pytest.raises(ExpectationError):
        await hands.expect(context, text="bye", timeout=0.2)
