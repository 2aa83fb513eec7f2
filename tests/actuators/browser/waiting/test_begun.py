"""What is begun after an act is the act's, in whatever way: what the page takes back by it is never confirmed."""

from contextlib import suppress
from typing import Any

import pytest

from actuators.browser.playwright.acting.attending import SessionAttendance
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, ExpectationError, SurehandError
from core.results.attendance import FAILED, SAID
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.actuators.browser.pens import Pen
from tests.thoroughness import spread

TIMED = ["timer", "animation-frames", "frames-then-timer", "post-task", "message-channel"]
TIMED_TOO = ["timer-in-words", "interval-in-words", "signal-of-time", "messages-of-own", "window-messages"]
IDLE = [
    "idle-callback",
    "drawn",
]  # when it comes is the browser's business: where the page keeps the box, it may be told as open
PROMISED = ["database", "database-writes", "cache", "digest", "key", "bitmap", "locks", "storage", "permissions"]
LOADED = [
    "frame",
    "frame-of-own",
    "form-in-frame",
    "picture",
    "picture-apart",
    "script",
    "stylesheet",
    "font",
    "subtitles",
    "timer-in-frame",
    "frame-speaks",
]
MOVED = ["animate-finish", "animate-finished", "transition", "animation", "seen-then-timer", "resized-chain"]
MOVED_TOO = ["animate-apart", "transition-handled", "transition-finished"]
SLOW = ["view-transition", "scrolled", "played", "tone"]  # some browsers take longer for them than an act is waited for
SPOKEN = ["event-stream", "socket", "worker", "shared-worker", "broadcast", "port-asked", "frame-apart-speaks"]
WAYS = [
    *TIMED,
    *TIMED_TOO,
    *PROMISED,
    *LOADED,
    *MOVED,
    *MOVED_TOO,
    "fetch",
    "xhr",
    "xhr-again",
    "body-in-pieces",
    "body-piped",
    "beacon-then-timer",
]


@pytest.fixture
def pen(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Pen:
    return Pen(Hands(session), session, context, site)


async def tick(pen: Pen, way: str, *, keeps: bool, begins: str = "", ms: int = 0) -> str:
    """Tick a box whose page does something afterwards; return what was told of it."""
    # Soon, since what takes long is left open on a busy machine.
    how = f"keeps=1&ms={ms or 20}" if keeps else f"keeps=&ms={ms or 200}"
    await pen.open(f"/truth/page?control=box&watch=ever&way={way}&begins={begins}&{how}")
    try:
        return (await pen.forms.check(pen.context, 'checkbox "Agree"')).effect
    except ActionError as error:
        return error.code


@pytest.mark.parametrize("way", spread([*WAYS, *IDLE, *SLOW, *SPOKEN], 6))
async def test_a_box_that_the_page_clears_later_is_not_confirmed(pen: Pen, way: str) -> None:
    assert await tick(pen, way, keeps=False) in {"state_not_kept", "unverified"}


@pytest.mark.parametrize("way", spread(WAYS, 4))
async def test_a_box_whose_page_does_the_same_and_keeps_it_is_confirmed(pen: Pen, way: str) -> None:
    assert await tick(pen, way, keeps=True) == "confirmed"


@pytest.mark.parametrize("way", spread(SPOKEN, 2))
async def test_what_may_speak_at_any_time_leaves_it_open(pen: Pen, way: str) -> None:
    assert await tick(pen, way, keeps=True) == "unverified"


@pytest.mark.parametrize(
    ("query", "button"),
    [
        ("how=broken", 'button "Send"'),
        ("how=missing", 'button "Send"'),
        ("how=moved-broken", 'button "Send"'),
        ("how=broken&method=get", 'button "Send"'),
        ("how=broken", 'link "Orders"'),
        ("how=broken", 'button "Place the order"'),
    ],
)
async def test_a_press_that_leads_to_an_answer_of_400_or_more_fails_as_going_there_does(
    pen: Pen, query: str, button: str
) -> None:
    await pen.open(f"/truth/pages/form.html?{query}")
    with pytest.raises(SurehandError) as caught:
        await pen.forms.click(pen.context, button)
    assert caught.value.code == "http_status"
    assert caught.value.acted


@pytest.mark.parametrize("way", ["fetch-refused", "xhr-refused"])
async def test_what_is_expected_behind_an_act_is_judged_when_the_act_is_over(pen: Pen, way: str) -> None:
    await pen.open(f"/truth/page?control=saved&watch=ever&keeps=&way={way}&ms=600&begins=")
    await pen.forms.click(pen.context, 'button "Save"')
    with pytest.raises(ExpectationError):
        await pen.forms.expect(pen.context, text="Saved", timeout=2.0)


async def test_enter_that_leads_to_an_answer_of_400_or_more_fails_as_well(pen: Pen) -> None:
    await pen.open("/truth/pages/form.html?how=broken")
    await pen.type('field "Name"', "Ada")
    with pytest.raises(SurehandError) as caught:
        await pen.forms.press(pen.context, "Enter")
    assert caught.value.code == "http_status"


@pytest.mark.parametrize("ms", [200, 500])
async def test_an_older_interval_has_to_leave_alone_what_was_done_for_a_round(pen: Pen, ms: int) -> None:
    assert await tick(pen, "reconciler", keeps=False, begins="load", ms=ms) == "state_not_kept"
    assert await tick(pen, "reconciler", keeps=True, begins="load", ms=ms) == "confirmed"


async def test_an_interval_that_has_ended_itself_is_waited_for_no_more(pen: Pen) -> None:
    assert await tick(pen, "interval", keeps=True) == "confirmed"
    assert (await pen.forms.check(pen.context, 'checkbox "Agree"', checked=False)).effect == "confirmed"


async def attend(pen: Pen, **step: Any) -> dict[str, Any]:
    """Carry out a step; return what was noted around it."""
    attendance = SessionAttendance(pen.session).attend(pen.context, acts=True, opens=False, enters=False)
    noted: dict[str, Any] = {}
    with suppress(ActionError):
        async with attendance as noted:
            await getattr(pen.forms, step.pop("verb"))(pen.context, **step)
    return noted


@pytest.mark.parametrize("way", ["fetch-refused", "xhr-refused"])
async def test_a_request_of_an_act_that_is_refused_is_told_and_what_the_page_says_then(pen: Pen, way: str) -> None:
    await pen.open(f"/truth/page?control=alerted&watch=ever&keeps=&way={way}&ms=100&begins=")
    noted = await attend(pen, verb="click", selector='button "Save"')
    assert [each["status"] for each in noted[FAILED]] == [500]
    assert noted[FAILED][0]["url"].startswith(f"{pen.site.url}/truth/answer?ms=100")
    assert noted[SAID] == "It could not be kept"


async def test_what_older_requests_are_refused_is_not_told_of_an_act(pen: Pen) -> None:
    await pen.open("/truth/page?control=alerted&watch=ever&keeps=&way=fetch-refused&ms=100&begins=load")
    assert FAILED not in await attend(pen, verb="click", selector='button "Save"')
