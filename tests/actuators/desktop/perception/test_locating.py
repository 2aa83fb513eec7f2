"""Locating and looking on a desktop in memory: what only a declared world shows reliably."""

import asyncio

import pytest

from actuators.desktop.fake.state import FakeDesktop, FakeDesktopElement, FakeWindow
from actuators.desktop.finding.locating import Locating
from actuators.desktop.platforms.fake import make_fake_back_end
from actuators.desktop.ports.desktop import Rect
from actuators.desktop.tools.elements import ElementTools
from actuators.desktop.tools.perceiving import ScreenTools
from core.base.errors import ActionError, DeadlineError, DeviceError, TargetError, UnknownOutcomeError
from core.tools.ports import ActionContext

CONTEXT = ActionContext("g0_a_1", timeout_s=5)


class Desk:
    """A desktop with two overlapping windows."""

    def __init__(self) -> None:
        self.button = FakeDesktopElement("button", "OK", Rect(10, 30, 60, 20), actions=("press",))
        self.row = FakeDesktopElement("listitem", "Last row", Rect(10, 300, 60, 20))
        self.list = FakeDesktopElement("scroll pane", "", Rect(10, 60, 100, 100), children=[self.row])
        self.secret = FakeDesktopElement(
            "textbox", "Password", Rect(10, 200, 90, 20), "hunter2", {"enabled", "visible", "editable", "password"}
        )
        self.front = FakeWindow("Front", "Editor", Rect(0, 0, 200, 250), [self.button, self.list, self.secret])
        self.front.texts = {"Sign in": Rect(120, 30, 60, 20), "Help": Rect(120, 60, 40, 20)}
        self.back = FakeWindow("Back", "Viewer", Rect(100, 0, 300, 200))
        self.back.texts = {"Sign in": Rect(50, 30, 60, 20), "Cancel": Rect(200, 30, 60, 20)}
        self.state = FakeDesktop(self.front, self.back)
        parts = make_fake_back_end(self.state).parts
        self.locating = Locating(parts, patience_s=0.5)
        self.screen = ScreenTools(parts, self.locating)
        self.elements = ElementTools(parts, self.locating)

    async def fail(self, target: str, window: str | None = None) -> TargetError:
        """Return why something can't be located."""
        with pytest.raises(TargetError) as caught:
            await self.locating.locate(target, None, window, timeout_s=5)
        return caught.value


@pytest.fixture
def fake() -> Desk:
    return Desk()


async def test_a_text_that_another_window_covers_is_not_seen(fake: Desk):
    error = await fake.fail('text "Sign in"', "Back")
    assert (error.code, error.evidence["nearest"]) == ("target_missing", ["Cancel"])
    assert "Front" in error.evidence["covered_by"][0]
    assert "Focus the window" in error.hint


async def test_two_texts_are_an_error_that_lists_both_places(fake: Desk):
    fake.front.texts["SIGN IN"] = Rect(120, 100, 60, 20)
    error = await fake.fail('text "Sign in"', "Front")
    assert error.code == "target_ambiguous"
    assert [each["y"] for each in error.evidence["matches"]] == [30, 100]
    spot = await fake.locating.locate('text "Sign in" nth 2', None, "Front", timeout_s=5)
    assert (spot.x, spot.y) == (150, 110)


async def test_a_text_anywhere_tells_the_window_that_it_is_in(fake: Desk):
    spot = await fake.locating.locate('text "Cancel"', None, None, timeout_s=5)
    assert spot.window is not None
    assert (spot.window.title, spot.found["text"]) == ("Back", "Cancel")


async def test_what_is_scrolled_out_of_view_is_refused(fake: Desk):
    error = await fake.fail('list item "Last row"')
    assert (error.code, "scrolled out of view" in error.message) == ("target_hidden", True)


async def test_of_what_is_cut_off_the_visible_part_is_the_target(fake: Desk):
    fake.row.bounds = Rect(10, 150, 60, 40)
    spot = await fake.locating.locate('list item "Last row"', None, None, timeout_s=5)
    assert (spot.x, spot.y) == (40, 155)


async def test_nothing_is_looked_for_in_a_minimized_window(fake: Desk):
    fake.front.minimized = True
    assert (await fake.fail('text "Help"', "Front")).code == "target_hidden"
    assert (await fake.fail('button "OK"', "Front")).code == "target_hidden"


async def test_a_button_that_appears_is_waited_for(fake: Desk):
    fake.front.elements.remove(fake.button)
    looking = asyncio.ensure_future(fake.locating.locate('button "OK"', None, None, timeout_s=5))
    await asyncio.sleep(0)
    fake.front.elements.append(fake.button)
    assert (await looking).x == 40


async def test_a_text_that_appears_is_waited_for(fake: Desk):
    waiting = asyncio.ensure_future(fake.screen.wait(CONTEXT, text="Welcome", timeout=3))
    await asyncio.sleep(0)
    fake.front.texts["Welcome"] = Rect(120, 100, 60, 20)
    assert (await waiting).output["text"] == "Welcome"


async def test_a_text_that_stays_is_an_error_that_says_what_is_seen(fake: Desk):
    with pytest.raises(DeadlineError) as caught:
        await fake.screen.wait(CONTEXT, text="Help", state="hidden", timeout=0.3)
    assert caught.value.evidence["seen"][0]["text"] == "Help"


async def test_reading_a_window_leaves_out_what_is_above_it(fake: Desk):
    outcome = await fake.screen.read(CONTEXT, window="Back")
    assert (outcome.output["text"], outcome.evidence["way"]) == ("Cancel", "ocr")
    assert [each["text"] for each in outcome.output["lines"]] == ["Cancel"]


async def test_points_of_a_search_are_those_of_its_screenshot(fake: Desk):
    outcome = await fake.screen.find(CONTEXT, text="Help", window="Front")
    match = outcome.output["matches"][0]
    point = {"point": [match["x"] + 5, match["y"] + 5], "screenshot": outcome.output["screenshot"]}
    spot = await fake.locating.locate(point, None, None, timeout_s=5)
    assert (spot.x, spot.y) == (match["x"] + 5, match["y"] + 5)


async def test_a_password_is_set_but_neither_read_nor_told(fake: Desk):
    outcome = await fake.elements.set_value(CONTEXT, 'field "Password"', "s3cret!")
    assert fake.secret.value == "s3cret!"
    assert (outcome.effect, outcome.output["value"], outcome.output["before"]) == ("unverified", None, None)
    assert outcome.undo_record is None
    assert "s3cret" not in (await fake.screen.snapshot(CONTEXT, window="Front")).output["text"]
    assert (await fake.screen.read(CONTEXT, name="Password")).output["value"] is None


async def test_a_press_that_changes_nothing_is_not_confirmed(fake: Desk):
    outcome = await fake.elements.invoke(CONTEXT, 'button "OK"')
    assert (outcome.effect, outcome.evidence["changed"]) == ("unverified", [])


async def test_a_press_that_is_not_answered_has_an_unknown_outcome(fake: Desk):
    fake.state.faults["accessibility.invoke"] = DeviceError("It hangs.", code="not_settled")
    with pytest.raises(UnknownOutcomeError):
        await fake.elements.invoke(CONTEXT, 'button "OK"')


async def test_a_text_that_the_application_changes_is_an_error(fake: Desk):
    field = FakeDesktopElement("textbox", "Name", Rect(10, 222, 90, 20), "", {"enabled", "visible", "editable"})
    other = FakeDesktopElement("checkbox", "Stubborn", Rect(100, 222, 90, 20), actions=("press",))
    fake.front.elements += [field, other]
    assert (await fake.elements.set_value(CONTEXT, 'field "Name"', 12.5)).output["value"] == "12.5"
    with pytest.raises(ActionError) as caught:
        await fake.elements.set_value(CONTEXT, 'check box "Stubborn"', "on")
    assert (caught.value.code, caught.value.evidence["value"]) == ("not_set", "off")


async def test_what_can_not_be_pressed_says_so(fake: Desk):
    fake.front.elements.append(FakeDesktopElement("heading", "Title", Rect(80, 5, 90, 20)))
    with pytest.raises(TargetError) as caught:
        await fake.elements.invoke(CONTEXT, 'heading "Title"')
    assert caught.value.code == "target_unsuitable"
