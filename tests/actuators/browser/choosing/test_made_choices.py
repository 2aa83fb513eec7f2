"""Choosing in what a page has made of its own, as the server received it."""

from dataclasses import replace

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.actuators.browser.pens import Pen


@pytest.fixture
async def page(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Pen:
    pen = Pen(Hands(session), session, context, site)
    await pen.open("/elements/made-choices")
    return pen


@pytest.mark.parametrize(
    ("selector", "value", "told"),
    [
        ('field "Planet"', "Venus", "ve"),
        ('field "Colours"', "Green", ["Green"]),
        ('field "Labels"', "urgent", ["urgent"]),
        ('field "Folder"', "Recipes", "Recipes"),
        ('field "Folder"', "Work > Plans", "Plans"),
        ('field "Stop"', "Stop 187", "Stop 187"),
        ('field "Guide"', "Grace Hopper", "Grace Hopper"),
        ('field "Friend"', "Barbara Liskov", "Barbara Liskov"),
    ],
)
async def test_what_is_chosen_is_what_the_page_holds(page: Pen, selector: str, value: str, told: str | list[str]):
    outcome = await page.forms.select(page.context, selector, value)
    assert outcome.effect == "confirmed"
    assert (await page.wait("chosen"))[-1].detail["value"] == told


async def test_a_choice_that_leads_to_another_page_is_sure_where_that_shows_it(
    session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    page, hands = await session.open_page(context), Hands(session)
    await page.goto(f"{site.url}/shop/catalogue")
    kept = await hands.select(context, 'field "Sort by"', "Price, low to high")
    assert (kept.effect, page.url) == ("confirmed", f"{site.url}/shop/catalogue?sort=price-up")
    await page.evaluate("document.querySelector('form').action = '/shop/signin'")
    gone = await hands.select(context, 'field "Sort by"', "Name")
    assert gone.effect == "unverified"
    await page.goto(f"{site.url}/shop/catalogue")
    await page.evaluate(
        "() => { const list = document.querySelector('#sort').cloneNode(true); document.querySelector('#sort').replaceWith(list);"
        "list.onchange = () => { location.href = '?sort=name'; }; }"
    )
    forgotten = await hands.select(context, 'field "Sort by"', "Price, low to high")
    assert forgotten.effect == "unverified"


async def test_setting_a_field_chooses_in_the_same_way(page: Pen):
    outcome = await page.forms.set(page.context, 'field "Stop"', "Stop 12")
    assert (outcome.effect, outcome.output["value"]) == ("confirmed", "Stop 12")


async def test_a_choice_of_several_is_exactly_what_was_asked_for(page: Pen):
    await page.forms.select(page.context, 'field "Colours"', ("Red", "Green"))
    outcome = await page.forms.select(page.context, 'field "Colours"', ("Green", "Blue"))
    assert outcome.effect == "confirmed"
    assert sorted((await page.wait("chosen", 4))[-1].detail["value"]) == ["Blue", "Green"]


async def test_several_texts_become_several_chips(page: Pen):
    await page.forms.select(page.context, 'field "Labels"', ("urgent", "winter"))
    assert (await page.wait("chosen", 2))[-1].detail["value"] == ["urgent", "winter"]


async def test_a_missing_option_is_refused_and_nothing_stays_typed_or_open(page: Pen):
    with pytest.raises(TargetError) as caught:
        await page.forms.select(page.context, 'field "Colours"', "Mauve")
    assert caught.value.code == "target_missing"
    assert '"Grey"' in str(caught.value)
    assert await page.value_of("#colours") == ""
    assert await page.session.current_page(page.context).locator(".layer").count() == 0


async def test_what_the_page_takes_back_is_not_told_as_chosen(page: Pen):
    with pytest.raises(ActionError) as caught:
        await page.forms.select(page.context, 'field "Fickle"', "Yes")
    assert caught.value.code == "value_differs"


async def test_a_menu_that_opens_on_the_press_over_its_button_was_opened(page: Pen):
    outcome = await page.forms.click(page.context, 'button "Press menu"')
    assert outcome.evidence["changed"] == ["opened"]
    await page.forms.click(page.context, 'menuitem "Archive"')
    assert (await page.wait("chosen"))[-1].detail["value"] == "Archive"


async def test_filling_in_goes_by_the_labels_of_the_hidden_fields(page: Pen):
    wanted = {"planet": "Venus", "guide": "Ada Lovelace", "friend": "Grace Hopper"}
    outcome = await page.forms.fill(replace(page.context, timeout_s=15.0), fields=wanted)
    assert outcome.evidence["matched"] == {"planet": "Planet", "guide": "Guide", "friend": "Friend"}
    events = {each.detail["id"]: each.detail["value"] for each in await page.wait("chosen", 3)}
    assert events == {"planet": "ve", "guide": "Ada Lovelace", "friend": "Grace Hopper"}


async def test_of_several_search_boxes_the_one_that_was_opened_over_the_others_is_meant(page: Pen):
    await page.forms.click(page.context, 'combobox "Nobody"')
    await page.type("searchbox", "hopper")
    await page.forms.press(page.context, key="Enter")
    assert (await page.wait("chosen"))[-1].detail["value"] == "Grace Hopper"


async def test_several_search_boxes_beside_each_other_stay_ambiguous_whichever_has_the_focus(page: Pen):
    shown = page.session.current_page(page.context)
    await shown.evaluate(
        "() => document.querySelector('[type=search]').after(Object.assign(document.createElement('input'), {type: 'search'}))"
    )
    await shown.focus("[type=search]")
    with pytest.raises(TargetError) as caught:
        await page.type("searchbox", "hopper")
    assert caught.value.code == "target_ambiguous"
