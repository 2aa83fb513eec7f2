"""Dialogs: dismissed at once and reported, unless the plan answers them."""

import asyncio
from dataclasses import replace
from typing import Any, Literal

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError
from core.results.attendance import list_dialogs
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands


@pytest.fixture
async def hands(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Hands:
    """Hands on a page whose buttons open dialogs."""
    await Hands(session).navigate(context, f"{site.url}/dialogs/")
    return Hands(session)


@pytest.fixture
def before_dialog(context: ActionContext) -> ActionContext:
    """An action that a ``dialog`` action follows."""
    return replace(context, followers=("browser.dialog",))


async def click(session: PlaywrightSession, context: ActionContext, selector: str) -> dict[str, Any]:
    """Click as a tool does; return the evidence."""
    async with session.watch(context) as watch:
        await watch.run(session.current_page(context).click(selector))
        return watch.evidence()


async def read_answers(site: SiteServer, name: str, count: int = 1) -> list[dict[str, object]]:
    """What the page reported to the server, without the number that it gives each report."""
    events = await asyncio.to_thread(site.received.wait_for_events, name, count)
    return [{key: value for key, value in event.detail.items() if key != "seq"} for event in events]


async def test_a_dialog_is_dismissed_at_once_and_reported(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    evidence = await click(session, context, "#confirm")
    assert evidence["dialogs"] == [{"kind": "confirm", "message": "Delete everything?", "answer": "dismiss"}]
    assert await read_answers(site, "confirm-answered") == [{"answer": False}]


@pytest.mark.parametrize("action", ["accept", "dismiss"])
async def test_a_dialog_that_the_plan_answers_stays_open_until_then(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    before_dialog: ActionContext,
    site: SiteServer,
    action: Literal["accept", "dismiss"],
):
    evidence = await click(session, before_dialog, "#confirm")
    assert evidence["dialogs"] == [{"kind": "confirm", "message": "Delete everything?", "answer": "open"}]
    assert site.events("confirm-answered") == []
    outcome = await hands.dialog(context, action)
    assert outcome.effect == "confirmed"
    assert outcome.output == {"kind": "confirm", "message": "Delete everything?", "armed": False}
    assert outcome.evidence["act"] == "done"
    assert await read_answers(site, "confirm-answered") == [{"answer": action == "accept"}]


async def test_a_prompt_receives_the_text_exactly(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    before_dialog: ActionContext,
    site: SiteServer,
):
    await click(session, before_dialog, "#prompt")
    text = 'Ada "Lovelace" 😀\\n'
    outcome = await hands.dialog(context, "accept", text)
    assert outcome.evidence["default"] == "nobody"
    assert await read_answers(site, "prompt-answered") == [{"answer": text}]


async def test_an_empty_text_differs_from_none(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    before_dialog: ActionContext,
    site: SiteServer,
):
    await click(session, before_dialog, "#prompt")
    await hands.dialog(context, "accept", "")
    await click(session, before_dialog, "#prompt")
    await hands.dialog(context, "accept")
    answers = [detail["answer"] for detail in await read_answers(site, "prompt-answered", 2)]
    assert answers == ["", "nobody"]


async def test_text_for_a_dialog_that_takes_none_is_refused_and_the_dialog_stays(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    before_dialog: ActionContext,
    site: SiteServer,
):
    await click(session, before_dialog, "#confirm")
    with pytest.raises(ActionError) as caught:
        await hands.dialog(context, "accept", "yes")
    assert caught.value.code == "no_prompt"
    await hands.dialog(context, "accept")
    assert await read_answers(site, "confirm-answered") == [{"answer": True}]


async def test_two_dialogs_in_a_row_are_answered_one_by_one(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    before_dialog: ActionContext,
    site: SiteServer,
):
    await click(session, before_dialog, "#two")
    first = await hands.dialog(before_dialog, "accept")
    assert (first.output["message"], first.evidence["act"]) == ("Are you sure?", "another dialog is open")
    second = await hands.dialog(context, "dismiss")
    assert (second.output["message"], second.evidence["act"]) == ("Really?", "done")
    assert await read_answers(site, "two-answered") == [{"first": True, "second": False}]


async def test_without_an_open_dialog_the_next_one_is_answered(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    outcome = await hands.dialog(context, "accept", "Ada")
    assert (outcome.output["armed"], outcome.effect) == (True, "unverified")
    evidence = await click(session, context, "#prompt")
    assert await read_answers(site, "prompt-answered") == [{"answer": "Ada"}]
    assert evidence["dialogs"][0]["answer"] == "accept"
    await click(session, context, "#prompt")
    assert (await read_answers(site, "prompt-answered", 2))[1] == {"answer": None}


async def test_a_dialog_that_opens_between_an_action_and_its_answer_is_held_too(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    before_dialog: ActionContext,
    site: SiteServer,
):
    await click(session, before_dialog, "#alert-later")
    await session.dialogs.wait_held(context.lane)
    outcome = await hands.dialog(context, "accept")
    assert outcome.output == {"kind": "alert", "message": "A late alert", "armed": False}
    assert await asyncio.to_thread(site.received.wait_for_events, "alert-closed")


async def test_while_a_dialog_waits_other_verbs_say_so(
    hands: Hands, session: PlaywrightSession, context: ActionContext, before_dialog: ActionContext
):
    await click(session, before_dialog, "#confirm")
    with pytest.raises(ActionError, match="Delete everything") as caught:
        await Hands(session).reload(context)
    assert caught.value.code == "dialog_open"
    assert "browser.dialog" in caught.value.hint


async def test_navigating_dismisses_what_nobody_answered(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    before_dialog: ActionContext,
    site: SiteServer,
):
    await click(session, before_dialog, "#confirm")
    outcome = await Hands(session).navigate(context, f"{site.url}/table/small")
    assert outcome.output["url"] == f"{site.url}/table/small"
    assert await read_answers(site, "confirm-answered") == [{"answer": False}]


async def test_a_page_that_alerts_while_loading_does_not_hang_navigate(
    session: PlaywrightSession, context: ActionContext, before_dialog: ActionContext, site: SiteServer
):
    hands = Hands(session)
    page = await session.open_page(context)
    await page.route(
        "**/table/small", lambda route: route.fulfill(content_type="text/html", body="<script>alert('hi')</script>x")
    )
    plain = await hands.navigate(context, f"{site.url}/table/small")
    assert plain.evidence["dialogs"] == [{"kind": "alert", "message": "hi", "answer": "dismiss"}]
    held = await hands.navigate(before_dialog, f"{site.url}/table/small")
    assert (held.effect, held.evidence["dialogs"][0]["answer"]) == ("unverified", "open")
    answered = await Hands(session).dialog(context, "accept")
    assert answered.evidence["act"] == "done"


@pytest.mark.parametrize("way", ["click", "navigate"])
async def test_a_page_that_asks_whether_to_leave_it_is_left_by_a_click_and_by_navigate_and_it_is_told(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer, way: str
):
    page = session.current_page(context)
    await page.click("#draft")
    await page.keyboard.type("unsaved")
    before = page.url
    act = hands.click(context, "#leave") if way == "click" else hands.navigate(context, f"{site.url}/table/small")
    outcome = await act
    told = "The page asked whether to leave it, and the answer was to leave."
    assert (list_dialogs(outcome.evidence), outcome.effect, page.url != before) == ([told], "confirmed", True)


async def test_a_click_that_the_page_is_not_left_for_ends_with_the_answer(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    page = session.current_page(context)
    await page.click("#draft")
    await page.keyboard.type("unsaved")
    session.dialogs.arm(context.lane, "dismiss", None)
    async with asyncio.timeout(8):
        outcome = await hands.click(replace(context, timeout_s=20.0), "#leave")
    told = "The page asked whether to leave it, and the answer was to stay."
    assert (list_dialogs(outcome.evidence), page.url) == ([told], f"{site.url}/dialogs/")


async def test_a_session_closes_while_a_dialog_is_open(
    hands: Hands, session: PlaywrightSession, before_dialog: ActionContext
):
    await click(session, before_dialog, "#confirm")
    await session.close()
    assert len(session.tabs) == 0


async def test_dialogs_of_other_lanes_are_their_own(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    before_dialog: ActionContext,
    site: SiteServer,
):
    other = replace(context, lane="g1")
    await Hands(session).navigate(other, f"{site.url}/dialogs/")
    await click(session, before_dialog, "#confirm")
    evidence = await click(session, other, "#confirm")
    assert evidence["dialogs"] == [{"kind": "confirm", "message": "Delete everything?", "answer": "dismiss"}]
    await hands.dialog(context, "accept")
    assert await read_answers(site, "confirm-answered", 2) == [
        {"answer": False},
        {"answer": True},
    ]
