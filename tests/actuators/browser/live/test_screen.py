"""People watch the pages of a session, take them over, and give them back."""

import asyncio
from collections.abc import AsyncIterator
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from actuators.browser.playwright.live.screen import PlaywrightScreen
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.verbs.back_end import make_toolsets
from actuators.browser.ports.screens import ScreenFrame, Takeover
from actuators.browser.ports.touches import read_touches
from actuators.browser.tools.navigation import NavigationTools
from core.base.errors import DeviceError, InputError, RefusedError
from core.tools.ports import ActionContext

PAGE = """data:text/html,<title>Till</title><style>*{margin:0}button,input{display:block;width:200px;height:50px}</style>
<button onclick="this.textContent='Paid'">Pay</button><input aria-label=Name>
<button onclick="window.open('about:blank')">Receipt</button>"""


@pytest.fixture
async def screen(session: PlaywrightSession) -> AsyncIterator[PlaywrightScreen]:
    screen = PlaywrightScreen(session)
    yield screen
    await screen.close()


@pytest.fixture
async def till(session: PlaywrightSession, context: ActionContext) -> Any:
    """A page with two buttons and a field, below each other, 50 pixels high each."""
    page = await session.open_page(context)
    await page.set_viewport_size({"width": 400, "height": 200})
    await page.goto(PAGE)
    return page


def click(x_px: int, y_px: int) -> tuple[Any, ...]:
    place = {"x": x_px / 400, "y": y_px / 200}
    return read_touches([{"kind": "down", **place}, {"kind": "up", **place}])


def press(*keys: str) -> tuple[Any, ...]:
    return read_touches([{"kind": "key", "key": key} for key in keys])


def is_red(frame: ScreenFrame) -> bool:
    red, green, blue = Image.open(BytesIO(frame.data)).convert("RGB").crop((380, 180, 381, 181)).tobytes()
    return red > 240 and green < 20 and blue < 20


async def wait_for_frame(frames: Any, wanted: Any) -> ScreenFrame:
    """Return the first frame that is as wanted."""
    async with asyncio.timeout(10):
        async for frame in frames:
            if wanted(frame):
                return frame
    raise AssertionError("the frames ended")


async def test_who_watches_sees_the_page_its_address_and_what_changes_on_it(screen: PlaywrightScreen, till: Any):
    frames = screen.watch()
    first = await wait_for_frame(frames, lambda frame: frame.data)
    assert (first.title, first.width_px, first.height_px, first.held) == ("Till", 400, 200, False)
    assert first.url == till.url
    picture = Image.open(BytesIO(first.data))
    assert (picture.format, picture.size) == ("JPEG", (400, 200))
    await till.evaluate("document.body.style.background = 'rgb(255, 0, 0)'")
    red = await wait_for_frame(frames, is_red)
    assert red.data != first.data
    await frames.aclose()


async def test_where_no_page_is_open_a_frame_without_a_picture_says_so_and_the_first_page_appears(
    screen: PlaywrightScreen, session: PlaywrightSession, context: ActionContext
):
    frames = screen.watch()
    assert await anext(frames) == ScreenFrame()
    await (await session.open_page(context)).goto(PAGE)
    assert (await wait_for_frame(frames, lambda frame: frame.title == "Till")).data
    await frames.aclose()


async def test_two_who_watch_see_the_same_and_one_that_leaves_takes_nothing_from_the_other(
    screen: PlaywrightScreen, till: Any
):
    one, other = screen.watch(), screen.watch()
    await wait_for_frame(one, lambda frame: frame.data)
    await wait_for_frame(other, lambda frame: frame.data)
    await one.aclose()
    await till.evaluate("document.title = 'Shut'; document.body.style.background = 'red'")
    assert await wait_for_frame(other, lambda frame: frame.title == "Shut")
    await other.aclose()


async def test_a_person_clicks_and_types_and_what_they_did_is_told_without_the_text(
    screen: PlaywrightScreen, till: Any
):
    await screen.hold()
    await screen.touch(click(50, 25))
    await screen.touch(click(50, 75))
    await screen.touch(press("A", "d", "a"))
    await screen.touch(read_touches([{"kind": "text", "text": " Lovelace"}]))
    await screen.touch(press("Tab"))
    assert await till.inner_text("button >> nth=0") == "Paid"
    assert await till.input_value("input") == "Ada Lovelace"
    deeds = [str(each) for each in screen.release()]
    assert deeds == [
        "clicked button “Pay”",
        "clicked textbox “Name”",
        "typed 12 characters into textbox “Name”",
        "pressed Tab",
    ]
    assert screen.release() == ()


async def test_nobody_touches_a_page_that_the_plan_has(screen: PlaywrightScreen, till: Any):
    with pytest.raises(RefusedError) as caught:
        await screen.touch(click(50, 25))
    assert caught.value.code == "screen_not_held"
    assert await till.inner_text("button >> nth=0") == "Pay"


async def test_a_new_tab_of_the_person_is_shown_and_the_plan_goes_on_there(
    screen: PlaywrightScreen, till: Any, session: PlaywrightSession, context: ActionContext
):
    frames = screen.watch()
    await wait_for_frame(frames, lambda frame: frame.data)
    await screen.hold()
    await screen.touch(click(50, 125))
    await wait_for_frame(frames, lambda frame: frame.url == "about:blank" and frame.held)
    screen.release()
    assert session.current_page(context).url == "about:blank"
    await wait_for_frame(frames, lambda frame: not frame.held)
    await frames.aclose()


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "down", "x": 1.5},
        {"kind": "sing"},
        {"kind": "down", "selector": "button"},
        {"kind": "text", "text": "x" * 10_001},
        {"kind": "wheel", "dy": float("nan")},
    ],
)
def test_events_that_make_no_sense_are_refused_whole(event: dict[str, Any]):
    with pytest.raises(InputError):
        read_touches([{"kind": "move"}, event])


async def test_an_unknown_key_is_told_by_its_name(screen: PlaywrightScreen, till: Any):
    await screen.hold()
    with pytest.raises(InputError, match="“Anykey”"):
        await screen.touch(press("Anykey"))


async def test_no_step_begins_while_a_person_has_the_pages_and_the_next_one_says_what_they_did(
    screen: PlaywrightScreen, till: Any, session: PlaywrightSession, context: ActionContext
):
    await screen.hold()
    tool = make_toolsets(session)[NavigationTools]
    entered = asyncio.Event()

    async def step() -> dict[str, Any]:
        async with tool.attend("reload", context) as notes:
            entered.set()
            return notes

    waiting = asyncio.create_task(step())
    await screen.touch(click(50, 25))
    assert not entered.is_set()
    screen.release()
    assert await waiting == {"person": ["clicked button “Pay”"]}
    assert await step() == {}


async def test_a_person_waits_for_the_act_that_goes_on_and_not_for_what_only_looks(context: ActionContext):
    takeover = Takeover()
    async with takeover.take_turn(context, acts=False):
        await takeover.hold()
        takeover.release()
    async with takeover.take_turn(context, acts=True):
        with pytest.raises(DeviceError) as caught:
            await takeover.hold(0.05)
        assert caught.value.code == "screen_busy"
        assert not takeover.held
        taking = asyncio.create_task(takeover.hold())
        await asyncio.sleep(0)
        assert not taking.done()
    await taking
    assert takeover.held
    takeover.release()
