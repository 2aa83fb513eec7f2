"""Clicks on awkward elements: each is done truly, as the server saw it, or refused with the cause."""

import asyncio
import contextlib
from dataclasses import dataclass, replace
from typing import Any

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, TargetError, UnknownOutcomeError
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.thoroughness import spread

SHORT_S = 1.2


@dataclass
class Hand:
    """A pointer on a fixture page."""

    pointer: Hands
    session: PlaywrightSession
    context: ActionContext
    site: SiteServer

    async def open(self, path: str) -> None:
        page = await self.session.open_page(self.context)
        await page.goto(self.site.url + path)

    async def click(self, selector: str, **how: Any) -> ToolOutcome:
        return await self.pointer.click(self.context, selector, **how)

    async def fail(self, selector: str, timeout_s: float = SHORT_S) -> ActionError:
        with pytest.raises(ActionError) as caught:
            await self.pointer.click(replace(self.context, timeout_s=timeout_s), selector)
        return caught.value

    async def clicked(self, count: int = 1) -> list[str]:
        """The ids of what received clicks, as the server knows, once ``count`` are there."""
        events = await asyncio.to_thread(self.site.received.wait_for_events, "clicked", count)
        return [event.detail["id"] for event in events]


@pytest.fixture
def hand(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Hand:
    return Hand(Hands(session), session, context, site)


DONE = [
    ("/elements/covered", 'button "Under a passing layer"', "under-passing"),
    ("/elements/covered", 'button "Its own child"', "own-child"),
    ("/elements/covered", 'text "Its own child"', "own-child"),
    ("/elements/covered?ms=300", 'button "Under a leaving cover"', "under-leaving"),
    ("/elements/banner", 'button "In the middle"', "middle-button"),
    ("/elements/closing?on=load&ms=200", 'button "Beneath the dialog"', "beneath"),
    ("/elements/moving?ms=300", 'button "Still after a while"', "settling"),
    ("/elements/moving", 'button "Runs away" nth 1', "dodging"),
    ("/elements/moving?ms=50", 'button "Pushed down"', "pushed"),
    ("/elements/states?ms=300", 'button "Enabled later"', "enabled-later"),
    ("/elements/states", 'button "Looks disabled"', "looks-disabled"),
    ("/elements/states", 'button "Disables itself"', "disables-itself"),
    ("/elements/hidden", 'button "Without opacity"', "opacity-zero"),
    ("/elements/hidden", 'button "Aria hidden"', "aria-hidden"),
    ("/elements/hidden?ms=300", 'button "Shown later"', "shown-later"),
    ("/elements/hidden", 'button "Save"', "save-visible"),
    ("/elements/hidden", 'button "Delete" nth 2', "delete-second"),
    ("/elements/hidden", 'button "Update" in "Shipping"', "shipping-update"),
    ("/elements/hidden", 'button "Submit"', "submit"),
    ("/elements/place", 'button "One pixel"', "one-pixel"),
    ("/elements/place", 'button "In a scrolling box"', "in-scroller"),
    ("/elements/place", 'button "In a box in a box"', "in-nested-scroller"),
    ("/elements/place", 'button "In a clipping box"', "in-clipping-box"),
    ("/elements/place", 'link "that goes over two lines"', "two-lines"),
    ("/elements/place", 'button "Turned round"', "rotated"),
    ("/elements/place", 'button "Far down"', "far-down"),
    ("/elements/place", 'button "Far right"', "far-right"),
    ("/elements/replaced", 'button "Renamed on hover"', "renamed"),
    ("/elements/replaced?ms=10", 'button "Replaced later"', "replaced-later"),
    ("/elements/shadow", 'button "Open"', "in-open"),
    ("/elements/shadow", 'button "Inner"', "in-inner"),
    ("/elements/shadow", 'button "Slotted button"', "slotted"),
    ("/elements/links", 'link "Run a script"', "script-link"),
    ("/elements/links", 'link "Goes nowhere"', "prevented"),
    ("/frames/", 'frame "plain" >> button "Button in the frame"', "in-frame"),
    ("/frames/", 'frame "outer" >> frame "middle" >> frame "inner" >> button "Button in the frame"', "in-frame"),
    ("/frames/", 'frame "elsewhere" >> button "Button in the frame"', "in-frame"),
    ("/frames/", 'frame "late-frame" >> button "Button in the frame"', "in-frame"),
    ("/frames/", 'frame "added" >> button "Button in the frame"', "in-frame"),
    ("/frames/", 'control "Middle button"', "in-middle-frame"),
    ("/frames/", 'control "Deep in the frame"', "in-tall-frame"),
    ("/frames/", 'control "Written button"', "in-written"),
]


@pytest.mark.parametrize(("path", "selector", "receiver"), spread(DONE, 14))
async def test_a_click_that_succeeds_was_received_by_the_element_named_and_by_nothing_else(
    hand: Hand, path: str, selector: str, receiver: str
) -> None:
    await hand.open(path)
    outcome = await hand.click(selector)
    assert outcome.effect == "confirmed"
    assert outcome.evidence["events"] == ["mousedown", "mouseup", "click"]
    clicked = await hand.clicked()
    assert [each for each in clicked if each != "replaced-later-twin"] == [receiver] or clicked == [f"{receiver}-twin"]


REFUSED = [
    ("/elements/covered", 'button "Under an opaque overlay"', "target_covered", "opaque-overlay"),
    ("/elements/covered", 'button "Under a transparent layer"', "target_covered", "transparent layer"),
    ("/elements/covered", 'button "Covered in the middle"', "target_covered", "badge"),
    ("/elements/covered", 'button "No pointer events"', "target_covered", "pointer-events: none"),
    ("/elements/banner", 'button "Under the header"', "target_covered", "Sticky header"),
    ("/elements/banner", 'button "Under the banner"', "target_covered", 'dialog "Cookies"'),
    ("/elements/closing", 'button "Beneath the dialog"', "target_covered", 'dialog "Newsletter"'),
    ("/elements/moving", 'button "Never still"', "target_moving", "stand still"),
    ("/elements/moving", 'button "Never one size"', "target_moving", "stand still"),
    ("/elements/moving", 'button "Runs away for ever"', "target_moving", "under the pointer"),
    ("/elements/states", 'button "Disabled"', "target_disabled", "it is disabled"),
    ("/elements/states", 'button "Aria disabled"', "target_disabled", "aria-disabled"),
    ("/elements/states", 'button "In a disabled group"', "target_disabled", "group"),
    ("/elements/states", 'control "Inert"', "target_disabled", "inert"),
    ("/elements/hidden", 'button "Not displayed"', "target_hidden", "display: none"),
    ("/elements/hidden", 'button "Not visible"', "target_hidden", "visibility is hidden"),
    ("/elements/hidden", 'button "In closed details"', "target_hidden", "details"),
    ("/elements/hidden", 'button "Clipped away"', "target_hidden", "clipped"),
    ("/elements/place", 'button "No size"', "target_zero_size", "0 × 0 px"),
    ("/elements/place", 'button "No scale"', "target_zero_size", "0 × 0 px"),
    ("/elements/place", 'button "Out of reach"', "target_off_screen", "outside the window"),
    ("/elements/place", 'button "Out of the page"', "target_off_screen", "outside the window"),
    ("/elements/hidden", 'button "Delete"', "target_ambiguous", "delete-second"),
    ("/elements/hidden", 'button "Sbmit"', "target_missing", 'Did you mean button "Submit"?'),
    ("/elements/replaced", 'button "Removed on hover"', "target_detached", "removed from the page"),
    ("/elements/replaced", 'button "Replaced on press"', "target_detached", "only mousedown"),
    ("/elements/replaced", 'button "Keep"', "target_detached", "removed from the page"),
    ("/frames/", 'control "Button in the frame"', "target_ambiguous", 'frame "plain" >>'),
    ("/frames/", 'frame "nope" >> button "x"', "target_missing", "Nothing matches"),
    ("/elements/hidden", "div >> >> a", "bad_selector", "can't be understood"),
    ("/elements/hidden", "//a[", "bad_selector", "can't be understood"),
]


@pytest.mark.parametrize(("path", "selector", "code", "words"), REFUSED)
async def test_a_click_that_can_not_be_done_names_the_cause_and_clicks_nothing(
    hand: Hand, path: str, selector: str, code: str, words: str
) -> None:
    await hand.open(path)
    error = await hand.fail(selector)
    assert isinstance(error, TargetError)
    assert error.code == code, error.message
    assert words in str(error)
    assert hand.site.events("clicked") == []


async def test_a_covered_button_is_refused_in_time_and_says_how_long_it_waited(hand: Hand) -> None:
    await hand.open("/elements/banner")
    loop = asyncio.get_running_loop()
    start_s = loop.time()
    error = await hand.fail('button "Under the banner"', timeout_s=1.0)
    assert 0.7 < loop.time() - start_s < 1.0
    assert error.evidence["blocker"]["role"] == "dialog"
    assert error.evidence["blocker"]["name"] == "Cookies"
    assert 0.7 < error.evidence["waited_s"] < 1.0


async def test_a_button_that_its_press_takes_out_of_the_page_is_no_failure_and_not_confirmed(hand: Hand) -> None:
    await hand.open("/elements/replaced")
    outcome = await hand.click('button "Removed on press"')
    assert (outcome.effect, outcome.evidence["changed"]) == ("unverified", ["removed"])
    assert outcome.evidence["events"] == ["pointerdown", "mousedown"] or outcome.evidence["events"] == ["mousedown"]
    assert hand.site.events("clicked") == []


@pytest.mark.parametrize("name", ["Replaced on hover", "Replaced on move"])
async def test_a_twin_that_takes_the_name_over_before_the_press_is_clicked_once(hand: Hand, name: str) -> None:
    await hand.open("/elements/replaced")
    outcome = await hand.click(f'button "{name}"')
    twin = f"{name.lower().replace(' ', '-')}-twin"
    assert outcome.evidence["received_by"]["id"] == twin
    assert await hand.clicked() == [twin]


async def test_a_button_that_is_drawn_all_the_time_is_clicked_once_or_named_as_detached(hand: Hand) -> None:
    await hand.open("/elements/replaced")
    try:
        await hand.click('button "Drawn again and again"')
    except TargetError as error:
        refused = error
        assert hand.site.events("clicked") == []
    else:
        refused = None
        assert await hand.clicked() == ["redrawn"]
    assert refused is None or refused.code in {"target_detached", "target_moving"}


async def test_closed_shadow_roots_are_reached_and_stay_closed_for_the_page(hand: Hand) -> None:
    await hand.open("/elements/shadow")
    await hand.click('button "Mixed closed"')
    assert set(await hand.clicked(2)) == {"in-mixed-closed"}
    page = hand.session.current_page(hand.context)
    seen = "() => [document.querySelector('#closed-host').shadowRoot, document.querySelector('#open-host').shadowRoot.mode]"
    assert await page.evaluate(seen) == [None, "open"]


async def test_two_matches_are_listed_with_a_selector_for_each(hand: Hand) -> None:
    await hand.open("/elements/hidden")
    error = await hand.fail('button "Update"')
    assert [match["id"] for match in error.evidence["matches"]] == ["billing-update", "shipping-update"]
    for match in error.evidence["matches"]:
        hand.site.received.clear()
        await hand.click(match["selector"])
        assert await hand.clicked() == [match["id"]]


async def test_several_clicks_other_buttons_and_keys_are_received_as_such(hand: Hand) -> None:
    await hand.open("/elements/pointer")
    await hand.click('button "Double click me"', count=2)
    assert await hand.clicked(2) == ["double", "double"]
    await asyncio.to_thread(hand.site.received.wait_for_events, "double-clicked", 1)
    await hand.click('button "Click with keys"', modifiers=("Control", "Shift"))
    await hand.clicked(3)
    assert hand.site.events("clicked")[-1].detail["modifiers"] == ["Control", "Shift"]
    middle = await hand.click('button "Click with keys"', button="middle")
    assert middle.evidence["events"][-1] == "auxclick"
    right = await hand.click('region "Canvas"', button="right")
    assert "contextmenu" in right.evidence["events"]
    assert right.effect == "confirmed"
    await asyncio.to_thread(hand.site.received.wait_for_events, "context-menu", 1)


async def test_a_triple_click_is_three_clicks(hand: Hand) -> None:
    await hand.open("/elements/pointer")
    await hand.click('button "Double click me"', count=3)
    await hand.clicked(3)
    assert sorted(event.detail["count"] for event in hand.site.events("clicked")) == [1, 2, 3]


async def test_a_label_is_clicked_and_its_box_changes(hand: Hand) -> None:
    await hand.open("/elements/pointer")
    outcome = await hand.click('text "Label to click"')
    assert outcome.evidence["received_by"]["tag"] == "label"
    (changed,) = await asyncio.to_thread(hand.site.received.wait_for_events, "changed", 1)
    assert changed.detail["checked"] is True


async def test_what_a_click_led_to_is_evidence(hand: Hand) -> None:
    await hand.open("/elements/links")
    assert (await hand.click('button "Push a url"')).evidence["navigated_to"].endswith("/elements/links?pushed=yes")
    thrown = await hand.click('button "Throws an error"')
    assert thrown.effect == "confirmed"
    assert thrown.evidence["page_errors"] == ["the fixture's handler fails on purpose"]
    opened = await hand.click('link "Open in a new tab"')
    assert [address.removeprefix(hand.site.url) for address in opened.evidence["opened_tab"]] == ["/elements/names"]
    gone = await hand.click('button "Go to the names"')
    assert gone.evidence["navigated_to"].endswith("/elements/names")


async def test_a_link_to_a_slow_page_was_clicked_even_if_the_page_does_not_come_in_time(hand: Hand) -> None:
    await hand.open("/elements/links")
    outcome = await hand.pointer.click(replace(hand.context, timeout_s=0.8), 'link "To a slow page"')
    assert outcome.effect == "confirmed"
    assert await hand.clicked() == ["slow-link"]


async def test_a_click_waits_for_the_slow_page_that_it_leads_to(hand: Hand) -> None:
    await hand.open("/elements/links")
    outcome = await hand.click('control "To a slow page"')
    assert outcome.evidence["navigated_to"].endswith("/slow/?ms=1500")


async def test_a_dialog_ends_the_click_if_the_next_action_answers_it(hand: Hand) -> None:
    await hand.open("/elements/links")
    page = hand.session.current_page(hand.context)
    await page.evaluate("document.getElementById('prevented').addEventListener('click', () => alert('Sure?'))")
    follower = replace(hand.context, followers=("browser.dialog",))
    outcome = await hand.pointer.click(follower, 'link "Goes nowhere"')
    assert outcome.effect == "confirmed"
    assert outcome.evidence["dialogs"][0]["message"] == "Sure?"
    held = hand.session.dialogs.held("main")
    assert held is not None
    await hand.session.dialogs.answer("main", "accept", None)
    assert await hand.clicked() == ["prevented"]


async def test_a_dialog_that_nobody_answers_is_dismissed_and_reported(hand: Hand) -> None:
    await hand.open("/elements/links")
    page = hand.session.current_page(hand.context)
    await page.evaluate("document.getElementById('prevented').addEventListener('click', () => confirm('Sure?'))")
    outcome = await hand.click('link "Goes nowhere"')
    assert outcome.evidence["dialogs"][0]["answer"] == "dismiss"
    assert await hand.clicked() == ["prevented"]


async def test_a_page_that_is_closed_by_its_click_leaves_the_outcome_unknown_or_confirmed_but_never_failed(
    hand: Hand,
) -> None:
    await hand.open("/elements/links")
    page = hand.session.current_page(hand.context)
    await page.evaluate("document.getElementById('prevented').addEventListener('mousedown', () => window.close())")
    with contextlib.suppress(UnknownOutcomeError):
        assert (await hand.click('link "Goes nowhere"')).effect == "confirmed"


async def test_a_page_that_is_gone_before_the_click_says_that_nothing_was_done(hand: Hand) -> None:
    await hand.open("/elements/moving")
    page = hand.session.current_page(hand.context)
    clicking = asyncio.create_task(hand.click('button "Never still"'))
    await page.evaluate("() => new Promise(requestAnimationFrame)")
    await page.close()
    with pytest.raises(ActionError) as caught:
        await clicking
    assert caught.value.code == "page_closed"
    assert "nothing was done" in str(caught.value)


async def test_a_cancelled_click_does_not_stop_later_ones(hand: Hand) -> None:
    await hand.open("/elements/moving")
    clicking = asyncio.create_task(hand.click('button "Never still"'))
    page = hand.session.current_page(hand.context)
    await page.evaluate("() => new Promise(requestAnimationFrame)")
    clicking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await clicking
    await hand.click('button "Still after a while"')
    assert await hand.clicked() == ["settling"]


async def test_a_search_that_is_cancelled_leaves_no_task_behind(hand: Hand) -> None:
    await hand.open("/elements/moving")
    page = hand.session.current_page(hand.context)
    before = asyncio.all_tasks()
    clicking = asyncio.create_task(hand.click('control "Nowhere"'))
    while not any("Locator.wait_for" in repr(task) for task in asyncio.all_tasks()):
        await page.evaluate("() => new Promise(requestAnimationFrame)")
    clicking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await clicking
    assert asyncio.all_tasks() - before == set()


async def test_a_page_can_neither_see_the_receipts_nor_forge_one(hand: Hand) -> None:
    await hand.open("/elements/replaced")
    page = hand.session.current_page(hand.context)
    await page.evaluate(
        """() => {
          window.seen = [];
          console.debug = (...words) => window.seen.push(words);
          document.getElementById('replaced-on-press').addEventListener('mousedown', () =>
            console.info('surehand-receipt:x', JSON.stringify({ events: ['click'] })));
        }"""
    )
    error = await hand.fail('button "Replaced on press"')
    assert error.code == "target_detached"
    assert await page.evaluate("window.seen") == []


async def test_text_and_names_in_any_script_are_found(hand: Hand) -> None:
    await hand.open("/elements/names")
    names = {
        'button "Zażółć gęślą jaźń"': "polish",
        'button "日本語で送信"': "japanese",
        'button "😀"': "emoji-only",
        'button "إرسال الطلب"': "arabic",
        r'button "Say \"hello\""': "double-quotes",
        'button "Don\'t stop"': "single-quote",
        r'button "C:\\new\\table"': "backslashes",
        r"""button "\"It's\" \\ `this` ${that}" """: "mixed-quotes",
        r"""control "text=Buy >> nth=1, [x=\"y\"] in \"z\"" """: "selector-signs",
        'button "many spaces and a line break"': "spaces",
        'button "10 000 zł"': "nbsp",
        'control "Close window"': "aria-name",
        'control "Settings"': "title-name",
        'button "Print page"': "picture-name",
        'button "continue"': "upper-case",
        'button "A name that goes on"': "long",
    }
    for selector in names:
        await hand.click(selector)
    assert await hand.clicked(len(names)) == list(names.values()) or sorted(await hand.clicked()) == sorted(
        names.values()
    )


SLOW = """<button onmousedown="const end = performance.now() + 1500; while (performance.now() < end);" onclick="document.title = 'clicked'">Go</button>"""


async def test_a_click_on_which_the_page_works_for_longer_than_a_first_look_is_done(session: PlaywrightSession):
    context = ActionContext("g0_click_1", timeout_s=8.0)
    page = await session.open_page(context)
    await page.set_content(SLOW)
    outcome = await Hands(session).click(context, 'button "Go"')
    assert (outcome.effect, await page.title()) == ("confirmed", "clicked")
