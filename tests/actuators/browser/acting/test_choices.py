"""Choosing options and ticking boxes, as the server received it."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.actuators.browser.pens import Pen


@pytest.fixture
def pen(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Pen:
    return Pen(Hands(session), session, context, site)


@pytest.fixture
async def choices(pen: Pen) -> Pen:
    await pen.open("/elements/choices?ms=200")
    return pen


@pytest.mark.parametrize(
    ("selector", "value", "chosen"),
    [
        ('field "Country"', "Japan", ["Japan"]),
        ('field "Country"', "japan", ["Japan"]),
        ('field "Country"', "pl", ["Poland"]),
        ('field "Country"', 3, ["United Kingdom"]),
        ('field "Country"', "2", ["Japan"]),
        ('field "Toppings"', ("Cheese", "Basil"), ["Cheese", "Basil"]),
        ('field "Labels that are values"', "one", ["one"]),
        ('field "Filled later"', "Second", ["Second"]),
        ('field "Car"', "Saab", ["Saab"]),
        ('combobox "Fruit"', "Pear", ["Pear"]),
        ('field "City"', "Kyoto", ["Kyoto"]),
    ],
)
async def test_an_option_is_chosen_by_label_value_or_number(
    choices: Pen, selector: str, value: str | int | tuple[str, ...], chosen: list[str]
) -> None:
    outcome = await choices.forms.select(choices.context, selector, value)
    assert outcome.effect == "confirmed"
    assert outcome.output["selected"] == chosen


async def test_the_server_sees_what_was_chosen(choices: Pen) -> None:
    await choices.forms.select(choices.context, 'field "Toppings"', ("Olives", "Capers"))
    await choices.forms.select(choices.context, 'combobox "Fruit"', "Plum")
    (changed,) = await choices.wait("changed")
    assert changed.detail["value"] == ["olives", "capers"]
    (chosen,) = await choices.wait("chosen")
    assert chosen.detail == {**chosen.detail, "value": "Plum", "trusted": True}


@pytest.mark.parametrize(
    ("selector", "value", "code", "words"),
    [
        ('field "Country"', "Germany", "target_missing", '"Poland", "Japan"'),
        ('field "Size"', "Medium (sold out)", "target_disabled", "disabled"),
        ('field "Car"', "audi", "target_disabled", "Audi"),
        ('field "Country"', ("Japan", "Poland"), "target_unsuitable", "only one"),
        ('combobox "Fruit"', "Kiwi", "target_missing", '"Apple"'),
        ('checkbox "Terms"', "x", "target_unsuitable", "no options"),
    ],
)
async def test_an_option_that_can_not_be_chosen_is_refused_and_the_others_listed(
    choices: Pen, selector: str, value: str | tuple[str, ...], code: str, words: str
) -> None:
    with pytest.raises(TargetError) as caught:
        await choices.forms.select(choices.short, selector, value)
    assert caught.value.code == code
    assert words in str(caught.value)


async def test_a_select_that_leads_to_another_page_at_once_is_unverified_and_no_error(pen: Pen) -> None:
    await pen.open("/elements/choices")
    page = pen.session.current_page(pen.context)
    await page.evaluate(
        "() => { document.getElementById('country').onchange = () => { location.href = '/elements/names'; } }"
    )
    outcome = await pen.forms.select(pen.context, 'field "Country"', "Japan")
    assert outcome.effect in {"confirmed", "unverified"}
    assert outcome.output["selected"] == ["Japan"]


BOXES = ["Terms", "Night mode", "Remember me", "Wrapped box", "Mixed box"]


@pytest.mark.parametrize("name", BOXES)
async def test_a_box_is_ticked_once_and_cleared_again(choices: Pen, name: str) -> None:
    check = choices.forms.check
    first = await check(choices.context, f'checkbox "{name}"')
    assert (first.effect, first.output["checked"], first.evidence["already"]) == ("confirmed", True, False)
    again = await check(choices.context, f'checkbox "{name}"')
    assert (again.effect, again.evidence["already"]) == ("confirmed", True)
    cleared = await check(choices.context, f'checkbox "{name}"', checked=False)
    assert (cleared.output["checked"], cleared.evidence["already"]) == (False, False)
    told = "toggled" if name == "Remember me" else "changed"
    events = await choices.wait(told, 2)
    assert len(events) == 2


@pytest.mark.parametrize(
    "selector", ['radio "Express"', 'switch "Wi-Fi"', 'button "Bold"', 'text "Night mode"', "#wrapping-label"]
)
async def test_switches_radio_buttons_toggles_and_labels_are_ticked(choices: Pen, selector: str) -> None:
    outcome = await choices.forms.check(choices.context, selector)
    assert (outcome.effect, outcome.output["checked"]) == ("confirmed", True)


async def test_a_box_that_does_not_stay_ticked_is_an_error(choices: Pen) -> None:
    with pytest.raises(ActionError) as caught:
        await choices.forms.check(choices.context, 'checkbox "Stubborn box"')
    assert caught.value.code == "state_not_kept"


async def test_what_can_not_be_ticked_is_refused(choices: Pen) -> None:
    with pytest.raises(TargetError, match="not a checkbox"):
        await choices.forms.check(choices.context, 'field "Country"')
    await choices.forms.check(choices.context, 'radio "Express"')
    with pytest.raises(TargetError, match="can't be cleared"):
        await choices.forms.check(choices.context, 'radio "Express"', checked=False)
    await choices.open("/elements/states")
    with pytest.raises(TargetError) as caught:
        await choices.forms.check(choices.short, 'checkbox "Disabled check box"')
    assert caught.value.code == "target_disabled"
