"""What the desktop in memory is for: simulation, and faults on purpose."""

from pathlib import Path
from typing import Any

import pytest

from actuators.base import Environment
from actuators.desktop.fake.state import FakeDesktop, FakeDesktopElement, FakeWindow
from actuators.desktop.platforms.fake import make_fake_back_end
from actuators.desktop.ports.desktop import Display, Rect
from actuators.desktop.tools.input import InputTools
from actuators.desktop.tools.perceiving import ScreenTools
from actuators.desktop.tools.windowing import WindowTools
from actuators.verb_table import load_toolsets
from core.base.errors import ActionError, DeviceError, FileError, PolicyError, TargetError
from core.policy.policy import Policy
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from core.tools.registry import list_verbs

TYPABLE = "abcdefghijklmnopqrstuvwxyz "


@pytest.fixture
def field() -> FakeDesktopElement:
    return FakeDesktopElement("textbox", "Name", Rect(10, 10, 200, 30), "", {"enabled", "visible", "editable"})


@pytest.fixture
def desktop(field: FakeDesktopElement) -> FakeDesktop:
    return FakeDesktop(FakeWindow("Form", "Editor", Rect(100, 100, 400, 300), [field]))


def read(path: str) -> bytes:
    return Path(path).read_bytes()


async def call(desktop: FakeDesktop, verb: str, folder: Path = Path(), **args: Any) -> ToolOutcome:
    back_end = make_fake_back_end(desktop, Environment(platform="linux", state_dir=folder))
    policy = Policy(roots=(str(folder),)) if folder != Path() else Policy()
    tools = next(back_end.toolsets[each] for each in (InputTools, WindowTools, ScreenTools) if verb in list_verbs(each))
    return await getattr(tools, verb)(ActionContext("g0_a_1", timeout_s=3, policy=policy), **args)


def test_it_has_every_tool_and_says_what_it_is(desktop: FakeDesktop):
    back_end = make_fake_back_end(desktop)
    assert set(back_end.toolsets) == set(load_toolsets("desktop"))
    for capability in ("input", "windows", "screen", "accessibility", "vision"):
        found = back_end.assess(capability)
        assert (found.capability, found.available) == (capability, True)
        assert "simulated" in found.reason


async def test_an_empty_field_that_is_named_is_set_by_accessibility(desktop: FakeDesktop, field: FakeDesktopElement):
    outcome = await call(desktop, "type", text="żółć", target='textbox "Name"')
    assert (outcome.output["way"], outcome.effect, field.value) == ("accessibility", "confirmed", "żółć")
    assert desktop.events == []


@pytest.mark.parametrize("silent", [(), ("accessibility.refresh",)])
async def test_a_program_that_takes_a_text_and_answers_late_gets_it_once(
    desktop: FakeDesktop, field: FakeDesktopElement, silent: tuple[str, ...]
):
    for place in ("accessibility.set_text answered", *silent):
        desktop.faults[place] = DeviceError("It does not answer.", code="not_settled")
    outcome = await call(desktop, "type", text="tea", target='textbox "Name"')
    assert (outcome.output["way"], outcome.effect, field.value) == ("accessibility", "confirmed", "tea")
    assert desktop.events == []


async def test_a_field_that_holds_something_is_typed_into_and_keeps_it(desktop: FakeDesktop, field: FakeDesktopElement):
    field.value = "old "
    outcome = await call(desktop, "type", text="new", target='textbox "Name"')
    assert (outcome.output["way"], outcome.effect, field.value) == ("keys", "confirmed", "old new")


async def test_what_keys_cannot_type_is_pasted_and_the_clipboard_is_restored(
    desktop: FakeDesktop, field: FakeDesktopElement
):
    desktop.typable, desktop.focused, desktop.clipboard.text = TYPABLE, field, "mine"
    outcome = await call(desktop, "type", text="日本")
    assert (outcome.output["way"], outcome.effect, field.value) == ("clipboard", "confirmed", "日本")
    assert desktop.clipboard.text == "mine"
    assert outcome.evidence["clipboard"] == "restored"


async def test_a_clipboard_that_held_a_picture_loses_it_and_that_is_said(
    desktop: FakeDesktop, field: FakeDesktopElement
):
    desktop.typable, desktop.focused, desktop.clipboard.text = TYPABLE, field, None
    outcome = await call(desktop, "type", text="日本")
    assert "lost" in outcome.evidence["clipboard"]


async def test_a_field_that_takes_another_text_is_an_error(desktop: FakeDesktop, field: FakeDesktopElement):
    field.states.discard("enabled")
    desktop.focused = field
    with pytest.raises(ActionError) as caught:
        await call(desktop, "type", text="abc")
    assert caught.value.code == "not_typed"


async def test_keys_are_let_go_when_one_fails(desktop: FakeDesktop):
    desktop.faults["hands.strike"] = DeviceError("The server hangs.", code="not_settled")
    with pytest.raises(DeviceError):
        await call(desktop, "press", keys="ctrl+s")
    assert desktop.held == []


async def test_a_button_is_let_go_when_the_click_fails(desktop: FakeDesktop):
    desktop.faults["hands.button_up"] = DeviceError("The server hangs.", code="not_settled")
    with pytest.raises(DeviceError):
        await call(desktop, "click", target={"point": [200, 200]})
    assert desktop.held == []


@pytest.mark.parametrize(
    ("order", "verb", "args"),
    [
        ("minimize", "minimize", {}),
        ("maximize", "maximize", {}),
        ("place", "move_window", {"bounds": {"x": 300, "y": 300}}),
        ("close_window", "close_window", {}),
    ],
)
async def test_a_manager_that_does_not_follow_is_reported(
    desktop: FakeDesktop, order: str, verb: str, args: dict[str, Any]
):
    desktop.ignored.add(order)
    with pytest.raises(DeviceError) as caught:
        await call(desktop, verb, window="Form", **args)
    assert caught.value.code == "not_settled"


async def test_a_button_is_found_and_clicked_by_its_name(desktop: FakeDesktop):
    heard: list[str] = []
    desktop.windows[0].elements.append(
        FakeDesktopElement("button", "OK", Rect(50, 100, 80, 30), actions=("press",), on_act=heard.append)
    )
    outcome = await call(desktop, "click", target='button "OK"')
    assert heard == ["click"]
    assert (outcome.output["x"], outcome.output["y"]) == (190, 215)


async def test_a_screenshot_is_a_new_file_that_can_be_pointed_at(desktop: FakeDesktop, tmp_path: Path):
    outcome = await call(desktop, "screenshot", tmp_path, window="Form")
    assert (outcome.output["width"], outcome.output["height"]) == (400, 300)
    content = read(outcome.output["path"])
    assert content.startswith(b"\x89PNG")
    assert (int.from_bytes(content[16:20]), int.from_bytes(content[20:24])) == (400, 300)
    assert outcome.artifacts == (outcome.output["path"],)


async def test_a_point_of_a_screenshot_is_clicked_until_it_is_stale(desktop: FakeDesktop, tmp_path: Path):
    back_end = make_fake_back_end(desktop, Environment(platform="linux", state_dir=tmp_path))
    look, hands = back_end.toolsets[ScreenTools], back_end.toolsets[InputTools]
    assert isinstance(look, ScreenTools)
    assert isinstance(hands, InputTools)
    context = ActionContext("g0_a_1", timeout_s=3)
    shot = (await look.screenshot(context, window="Form")).output["screenshot"]
    target = {"point": [50, 60], "screenshot": shot}
    outcome = await hands.click(context, target)
    assert (outcome.output["x"], outcome.output["y"]) == (150, 160)
    desktop.windows[0].texts["New"] = Rect(40, 50, 40, 40)
    with pytest.raises(TargetError, match="out of date"):
        await hands.click(context, target)


@pytest.mark.parametrize(
    ("args", "size"),
    [
        ({}, (1280, 800)),
        ({"display": 0}, (1280, 800)),
        ({"region": {"x": 5, "y": 5, "width": 30, "height": 20}}, (30, 20)),
        ({"window": "Form", "region": {"x": 5, "y": 5, "width": 30, "height": 20, "space": "window"}}, (30, 20)),
    ],
)
async def test_a_screenshot_shows(desktop: FakeDesktop, tmp_path: Path, args: dict[str, Any], size: tuple[int, int]):
    outcome = await call(desktop, "screenshot", tmp_path, **args)
    assert (outcome.output["width"], outcome.output["height"]) == size


async def test_a_covered_window_comes_forward_for_its_picture(desktop: FakeDesktop, tmp_path: Path):
    desktop.open(FakeWindow("Above", "Editor", Rect(100, 100, 400, 300)))
    await call(desktop, "screenshot", tmp_path, window="Form")
    assert desktop.windows[0].title == "Form"


async def test_a_missing_display_is_an_error_that_lists_those_that_are_there(desktop: FakeDesktop, tmp_path: Path):
    desktop.displays.append(Display(1, "second", Rect(1280, 0, 800, 600)))
    with pytest.raises(DeviceError, match=r"0 \(fake\), 1 \(second\)") as caught:
        await call(desktop, "screenshot", tmp_path, display=7)
    assert caught.value.code == "device_missing"


async def test_a_screenshot_overwrites_nothing_and_stays_where_files_may_be(desktop: FakeDesktop, tmp_path: Path):
    (tmp_path / "there.png").write_text("kept")
    (tmp_path / "link").symlink_to("/")
    with pytest.raises(FileError) as caught:
        await call(desktop, "screenshot", tmp_path, path=str(tmp_path / "there.png"))
    assert caught.value.code == "already_exists"
    with pytest.raises(FileError) as caught:
        await call(desktop, "screenshot", tmp_path, path=str(tmp_path / "no" / "there.png"))
    assert caught.value.code == "not_found"
    with pytest.raises(PolicyError):
        await call(desktop, "screenshot", tmp_path, path=str(tmp_path / "link" / "there.png"))
    assert (tmp_path / "there.png").read_text() == "kept"


async def test_a_point_on_a_second_display_left_of_the_first_is_clicked(desktop: FakeDesktop):
    desktop.displays.append(Display(1, "left", Rect(-800, 0, 800, 600)))
    outcome = await call(desktop, "move", target={"point": [-400, 300]})
    assert (outcome.output["x"], outcome.output["y"]) == (-400, 300)


FOREIGN = "日本語を打つのは遅い"


@pytest.mark.parametrize(
    ("states", "held", "way"),
    [(set(), "old", "clipboard"), ({"password"}, "old", "keys"), (set(), None, "keys")],
    ids=["a field", "a password", "no text on the clipboard"],
)
async def test_text_that_keys_are_slow_for_is_pasted_where_nothing_is_risked(
    desktop: FakeDesktop, states: set[str], held: str | None, way: str
):
    field = FakeDesktopElement(
        "textbox", "Title", Rect(10, 40, 200, 30), "x", {"enabled", "visible", "editable", *states}
    )
    desktop.windows[0].elements.append(field)
    desktop.focused, desktop.clipboard.text = field, held
    outcome = await call(desktop, "type", text=FOREIGN, target='textbox "Title"')
    assert (outcome.output["way"], field.value, desktop.clipboard.text) == (way, "x" + FOREIGN, held)


@pytest.mark.parametrize(
    "title", ["Now – Surehand – Chromium", "(1) Now – Surehand — Mozilla Firefox", "Run – Surehand"]
)
@pytest.mark.parametrize(
    ("verb", "args"),
    [
        ("click", {"target": 'button "Approve"'}),
        ("click", {"target": {"point": [120, 120]}}),
        ("press", {"keys": "Enter"}),
        ("type", {"text": "y"}),
        ("type", {"text": "y", "target": 'textbox "Name"'}),
        ("scroll", {"target": {"point": [120, 120]}}),
    ],
)
async def test_nothing_is_pressed_or_typed_in_a_window_that_shows_the_console(
    desktop: FakeDesktop, field: FakeDesktopElement, title: str, verb: str, args: dict[str, Any]
) -> None:
    approve = FakeDesktopElement("button", "Approve", Rect(10, 60, 90, 30), None, {"enabled", "visible"})
    window = desktop.windows[0]
    window.title = title
    window.elements.append(approve)
    with pytest.raises(PolicyError) as caught:
        await call(desktop, verb, **args)
    assert caught.value.code == "persons_window"
    assert [each for each in desktop.events if each[0] != "move"] == []
    assert field.value == ""
