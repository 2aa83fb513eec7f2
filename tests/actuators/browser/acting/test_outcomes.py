"""What comes of an act is the outcome of its step: handlers that never ran, menus that act on press, forms, pages, dialogs."""

from dataclasses import replace
from typing import Any

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, NavigationError, TargetError
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.actuators.browser.pens import Pen


class Hand(Pen):
    """The form tools and the pointer."""

    async def click(self, selector: str, **how: Any) -> ToolOutcome:
        return await Hands(self.session).click(self.context, selector, **how)

    async def fail(self, selector: str) -> ActionError:
        with pytest.raises(ActionError) as caught:
            await Hands(self.session).click(replace(self.context, timeout_s=2.0), selector)
        return caught.value


@pytest.fixture
async def hand(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Hand:
    hand = Hand(Hands(session), session, context, site)
    await hand.open("/elements/outcomes")
    return hand


@pytest.mark.parametrize(
    ("name", "stopped_by"),
    [
        ("Stopped by the document", "html"),
        ("Stopped by the window", "html"),
        ("Stopped around it", "section"),
        ("Cancelled by hand", "html"),
    ],
)
async def test_a_click_that_was_stopped_before_its_element_is_unverified(
    hand: Hand, name: str, stopped_by: str
) -> None:
    outcome = await hand.click(f'button "{name}"')
    assert outcome.effect == "unverified"
    assert outcome.evidence["stopped_by"]["tag"] == stopped_by


async def test_a_click_that_its_element_stops_itself_is_confirmed(hand: Hand) -> None:
    outcome = await hand.click('button "Stops it itself"')
    assert outcome.effect == "confirmed"
    assert "stopped_by" not in outcome.evidence


@pytest.mark.parametrize(("name", "chosen"), [("Acts on press", "menu-down"), ("Acts on release", "menu-up")])
async def test_a_menu_that_acts_on_press_was_clicked(hand: Hand, name: str, chosen: str) -> None:
    outcome = await hand.click(f'control "{name}"')
    assert outcome.evidence["events"][0] == "pointerdown"
    (event,) = await hand.wait("chosen")
    assert event.detail["id"] == chosen


@pytest.mark.parametrize(("name", "changed"), [("Goes away on press", "navigated_to"), ("Saves on press", "requests")])
async def test_what_the_page_did_upon_a_press_is_evidence(hand: Hand, name: str, changed: str) -> None:
    outcome = await hand.click(f'button "{name}"')
    assert outcome.effect == "unverified"
    assert changed in outcome.evidence["changed"]


async def test_a_press_that_only_drew_the_element_anew_failed_and_is_not_told_as_nothing(hand: Hand) -> None:
    error = await hand.fail('button "Drawn anew on press"')
    assert isinstance(error, TargetError)
    assert error.code == "target_detached"
    assert error.acted
    assert "Nothing was clicked" not in str(error)


async def test_a_form_whose_fields_are_named_like_properties_of_elements_is_clicked(hand: Hand) -> None:
    outcome = await hand.click('button "Save it"')
    assert outcome.effect == "confirmed"
    assert outcome.evidence["navigated_to"].endswith("/elements/fields")


async def test_a_question_that_was_answered_no_leaves_the_effect_open(hand: Hand) -> None:
    outcome = await hand.click('button "Delete all"')
    assert outcome.effect == "unverified"
    assert "Really delete?" in outcome.evidence["note"]
    assert [request.method for request in hand.site.received if request.path == "/elements/fields"] == []
    assert (await hand.click('button "Tells"')).effect == "confirmed"


async def test_a_page_that_asks_whether_to_leave_it_is_left_where_a_link_leads_away(hand: Hand) -> None:
    outcome = await hand.click('link "Leave with a question"')
    assert outcome.effect == "confirmed"
    assert (outcome.evidence["dialogs"][0]["kind"], outcome.evidence["dialogs"][0]["answer"]) == (
        "beforeunload",
        "accept",
    )
    assert outcome.evidence["navigated_to"].endswith("/elements/links")


@pytest.mark.parametrize(("button", "field"), [("Sign up", "Your mail"), ("Go on", "Your age")])
async def test_a_form_that_was_not_sent_because_of_its_fields_is_an_error_that_names_them(
    hand: Hand, button: str, field: str
) -> None:
    error = await hand.fail(f'button "{button}"')
    assert error.code == "form_invalid"
    assert error.acted
    assert field in error.message
    assert error.evidence["invalid"][0]["message"]


async def test_submitting_an_invalid_form_is_an_error_by_every_verb(hand: Hand) -> None:
    with pytest.raises(ActionError, match="Your mail") as typed:
        await hand.type('field "Town"', "Oslo", submit=True)
    assert typed.value.code == "form_invalid"
    with pytest.raises(ActionError, match="Your mail") as pressed:
        await hand.forms.press(hand.context, "Enter", 'field "Town"')
    assert pressed.value.code == "form_invalid"
    with pytest.raises(ActionError, match="Your mail") as filled:
        await hand.forms.fill(hand.context, {"town": "Oslo"}, submit=True)
    assert filled.value.code == "form_invalid"
    sent = await hand.forms.fill(hand.context, {"your mail": "a@b.de"}, submit=True)
    assert sent.evidence["navigated_to"].endswith("/elements/fields")


async def test_only_what_was_sent_is_told_as_submitted(hand: Hand) -> None:
    found = await hand.type('field "Find"', "tea", submit=True)
    assert (found.effect, found.evidence["submitted"]) == ("confirmed", True)
    await hand.open("/elements/settling")
    lost = await hand.type('field "Plain"', "tea", submit=True)
    assert (lost.effect, lost.evidence["submitted"]) == ("unverified", False)


@pytest.mark.parametrize(
    ("name", "code"),
    [("To nowhere", "dns_failed"), ("To an unsafe port", "unsafe_port"), ("To another network", "not_public")],
)
async def test_a_click_that_leads_to_a_page_that_can_not_be_opened_failed(hand: Hand, name: str, code: str) -> None:
    error = await hand.fail(f'link "{name}"')
    assert isinstance(error, NavigationError)
    assert error.acted
    assert error.code == code
    assert error.evidence["received_by"]["name"] == name
