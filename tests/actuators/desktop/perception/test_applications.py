"""Real applications through the accessibility bus."""

import asyncio
import gc
import signal
import time
from pathlib import Path

import pytest
from dbus_fast import Variant

from actuators.base import Environment
from actuators.deadlines import Deadline, settle
from actuators.desktop.atspi.accessibility import AtspiAccessibility
from actuators.desktop.finding.locating import Locating
from actuators.platforms.session_bus import Bus, BusObject
from core.base.errors import DeviceError, TargetError
from fixtures.machine.desktop import PrivateDesktop
from tests.actuators.desktop.perception.programs import Programs

TEXT = "żółć 日本 😀\nsecond line"


async def test_a_documents_text_is_set_and_read_back(programs: Programs):
    await programs.open("Untitled 1 - Mousepad", "mousepad", "--disable-server")
    await programs.call("wait", role="textbox", window="Mousepad")
    outcome = await programs.call("set_value", target='textbox in "Untitled 1 - Mousepad"', value=TEXT)
    assert (outcome.effect, outcome.output["value"], outcome.output["before"]) == ("confirmed", TEXT, "")
    assert (await programs.call("read", role="textbox", window="Mousepad")).output["text"] == TEXT


async def test_an_application_that_hangs_costs_a_second_and_is_named(programs: Programs):
    process = await programs.open("galculator", "galculator")
    await programs.call("wait", role="button", name="7", window="galculator")
    process.send_signal(signal.SIGSTOP)
    try:
        start_s = time.monotonic()
        outcome = await programs.call("snapshot", window="galculator")
        assert time.monotonic() - start_s < 3
        assert "- The application galculator does not answer." in outcome.output["text"]
        with pytest.raises(TargetError) as caught:
            await programs.call("invoke", target='button "7"', window="galculator", timeout_s=2)
        assert caught.value.evidence["silent"] == ["galculator"]
        assert "does not answer" in caught.value.message
    finally:
        process.send_signal(signal.SIGCONT)


async def test_an_application_that_is_busy_for_longer_than_an_answer_may_take_is_asked_again(programs: Programs):
    process = await programs.open("galculator", "galculator")
    await programs.call("wait", role="button", name="7", window="galculator")
    impatient = Locating(programs.back_end.parts, patience_s=0.3)
    process.send_signal(signal.SIGSTOP)
    finding = asyncio.ensure_future(impatient.find_element('button "7"', "galculator", timeout_s=15))
    try:
        for _ in range(2):  # each takes as long as an answer may: it has been asked in vain at least once
            await programs.call("snapshot", window="galculator")
        assert not finding.done()
    finally:
        process.send_signal(signal.SIGCONT)
    assert (await finding).element.name == "7"


async def test_a_look_that_is_given_up_leaves_nothing_behind(programs: Programs):
    await programs.open("galculator", "galculator")
    await programs.call("wait", role="button", name="7", window="galculator")
    for step in range(12):
        looking = asyncio.ensure_future(programs.call("snapshot", window="galculator"))
        await asyncio.wait({looking}, timeout=0.002 * step)
        looking.cancel()
        start_s = time.monotonic()
        await asyncio.wait({looking})
        assert time.monotonic() - start_s < 0.2
    gc.collect()  # what was begun and never awaited would be told now


async def test_a_hung_application_does_not_hide_the_others(programs: Programs):
    process = await programs.open("galculator", "galculator")
    await programs.open("Untitled 1 - Mousepad", "mousepad", "--disable-server")
    await programs.call("wait", role="button", name="7", window="galculator")
    await programs.call("wait", role="textbox", window="Mousepad")
    process.send_signal(signal.SIGSTOP)
    try:
        assert (await programs.call("find", role="menu", name="Document")).output["count"] == 1
    finally:
        process.send_signal(signal.SIGCONT)


async def test_an_application_that_tells_nothing_is_to_be_read(programs: Programs):
    await programs.open("plain", "xterm", "-T", "plain", "-e", "cat")
    with pytest.raises(TargetError) as caught:
        await programs.call("invoke", target='button "OK"', window="plain", timeout_s=1)
    assert "reports nothing to the accessibility system" in caught.value.message
    assert 'text "OK"' in caught.value.hint
    outline = (await programs.call("snapshot", window="plain")).output
    assert [line["selector"] for line in outline["lines"]] == ["", ""]
    assert "reports nothing to the accessibility system" in outline["text"]


async def test_an_application_without_a_list_of_its_elements_is_walked_through(programs: Programs):
    await programs.open("galculator", "galculator")
    await programs.call("wait", role="button", name="7", window="galculator")
    parts = programs.back_end.parts
    window = next(each for each in await parts.windows.windows() if each.title == "galculator")
    walking = AtspiAccessibility(parts.environment, use_cache=False)
    walked, listed = await walking.elements(window), await parts.accessibility.elements(window)
    await walking.close()
    shown = [[each for each in found if "visible" in each.states] for found in (walked, listed)]
    assert shown[0] == shown[1]
    assert "Scientific Mode" in [each.name for each in walked]


async def test_an_entry_of_a_closed_menu_is_pressed(programs: Programs):
    await programs.open("galculator", "galculator")
    await programs.call("wait", role="button", name="7", window="galculator")
    outcome = await programs.call("invoke", target='menuitem "Scientific Mode"', window="galculator")
    assert (outcome.effect, "checked" in outcome.output["states"]["after"]) == ("confirmed", True)
    await programs.call("wait", role="button", name="sin", window="galculator", timeout=5)


async def test_an_element_that_appears_is_waited_for_by_events(programs: Programs):
    await programs.open("galculator", "galculator")
    await programs.call("wait", role="button", name="7", window="galculator")
    waiting = asyncio.ensure_future(programs.call("wait", window="galculator Preferences", timeout=10))
    await programs.call("invoke", target='menuitem "Preferences..."', window="galculator")
    assert (await waiting).output["title"] == "galculator Preferences"
    waiting = asyncio.ensure_future(programs.call("wait", role="radio", name="infinite stack size", timeout=10))
    await programs.call("invoke", target='tab "General"', window="galculator Preferences")
    assert (await waiting).output["role"] == "radio"


async def test_an_element_of_an_application_that_has_ended_is_gone(programs: Programs):
    process = await programs.open("galculator", "galculator")
    await programs.call("wait", role="button", name="7", window="galculator")
    tree = programs.back_end.parts.accessibility
    key = next(each for each in await tree.elements(None) if each.name == "7")
    process.terminate()
    await asyncio.to_thread(process.wait, 10)

    async def is_gone() -> bool:
        return await tree.refresh(key) is None

    assert await settle(is_gone, tree.wait_for_change, Deadline(5))
    with pytest.raises(TargetError) as caught:
        await tree.invoke(key, "Click")
    assert caught.value.code == "target_detached"


async def test_accessibility_that_was_switched_on_is_switched_off_again(programs: Programs, desk: PrivateDesktop):
    bus = Bus(desk.environ["DBUS_SESSION_BUS_ADDRESS"])
    status = BusObject("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Status")
    properties = BusObject(status.name, status.path, "org.freedesktop.DBus.Properties")

    async def switch(*, on: bool) -> None:
        await bus.call(properties, "Set", "ssv", status.interface, "IsEnabled", Variant("b", on))

    await switch(on=False)
    try:
        await programs.back_end.parts.accessibility.elements(None)
        assert await bus.get(status, "IsEnabled") is True
        await programs.back_end.close()
        assert await bus.get(status, "IsEnabled") is False
    finally:
        await switch(on=True)
        await bus.close()


@pytest.mark.parametrize("variables", [{}, {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"}])
async def test_without_a_bus_the_assessment_says_so_and_what_to_do(variables: dict[str, str], tmp_path: Path):
    tree = AtspiAccessibility(Environment(platform="linux", variables=variables, workspace=tmp_path))
    found = tree.assess()
    assert (found.capability, found.available) == ("accessibility", False)
    assert "session" in found.remedy
    with pytest.raises(DeviceError) as caught:
        await tree.elements(None)
    assert caught.value.code == "server_missing"
    await tree.close()
    await tree.close()


@pytest.mark.parametrize(
    ("held", "text", "way"),
    [
        ("before", "日本語を打つのは遅い", "clipboard"),
        ("before", "日本語\nを打つのは", "keys"),
        ("before", "żółć 日", "keys"),
    ],
)
async def test_text_of_many_foreign_characters_is_pasted_and_the_clipboard_keeps_what_it_held(
    programs: Programs, held: str, text: str, way: str
):
    await programs.open("Untitled 1 - Mousepad", "mousepad", "--disable-server")
    await programs.call("wait", role="textbox", window="Mousepad")
    clipboard = programs.back_end.parts.clipboard
    await clipboard.write(held)
    outcome = await programs.call("type", text=text, window="Mousepad")
    assert (outcome.output["way"], outcome.effect) == (way, "confirmed")
    assert (await programs.call("read", role="textbox", window="Mousepad")).output["text"] == text
    assert await clipboard.read() == held


async def test_a_dialog_that_was_opened_by_invoke_can_be_read_and_takes_keys(programs: Programs):
    await programs.open("Untitled 1 - Mousepad", "mousepad", "--disable-server")
    await programs.call("wait", role="textbox", window="Mousepad")
    await programs.call("type", text="abc", window="Mousepad")
    outcome = await programs.call("invoke", target='menuitem "Save As..."', window="Mousepad")
    assert outcome.effect == "confirmed"
    await programs.call("wait", role="textbox", name="Name", window="Save As")
    await programs.call("press", keys="Escape", window="Save As")
    await programs.call("wait", window="Save As", state="hidden", timeout=5)
    assert (await programs.call("read", role="textbox", window="Mousepad")).output["text"] == "abc"


async def test_an_unsaved_document_asks_before_its_window_closes(programs: Programs):
    await programs.open("Untitled 1 - Mousepad", "mousepad", "--disable-server")
    await programs.call("wait", role="textbox", window="Mousepad")
    await programs.call("type", text="abc", window="Mousepad")
    with pytest.raises(DeviceError, match="It asks: 'Save Changes'") as caught:
        await programs.call("close_window", window="Untitled 1 - Mousepad")
    assert caught.value.code == "not_settled"
    with pytest.raises(DeviceError, match=r"Save Changes.*may need an answer first"):
        await programs.call("focus_window", window="Untitled 1 - Mousepad")
