"""Programs of the desktop that end while something is done there: every family says so."""

import asyncio
import os
import subprocess
from dataclasses import replace
from typing import Any

import pytest

from actuators.base import Environment
from actuators.desktop.tools.perceiving import ScreenTools
from actuators.desktop.tools.windowing import WindowTools
from actuators.platforms.session_bus import Bus, BusObject, BusRefusalError
from actuators.seat.attending import AttendedToolset
from actuators.system.platforms.linux import make_back_end
from actuators.system.tools.querying import QueryTools
from core.base.errors import DeviceError
from core.tools.ports import ActionContext, Toolset
from fixtures.machine.desktop import PrivateDesktop
from tests.actuators.desktop.perception.programs import Programs

_CONTEXT = ActionContext("g0_read_1")


def _tools(back_end: Any, declared: type[Toolset]) -> AttendedToolset:
    return back_end.toolsets[declared]


async def _wait_for_death(process: subprocess.Popen[bytes]) -> None:
    """Return once a process is dead, and leave it unburied, as a desktop leaves its programs for a while."""
    await asyncio.to_thread(os.waitid, os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)


@pytest.mark.parametrize("buried", [True, False])
async def test_a_program_that_ends_while_it_is_looked_at_is_named_with_its_windows(programs: Programs, buried: bool):
    process = await programs.open("brief", "xterm", "-T", "brief", "-e", "cat")
    async with _tools(programs.back_end, ScreenTools).attend("read", _CONTEXT) as notes:
        process.kill()
        await (asyncio.to_thread(process.wait) if buried else _wait_for_death(process))
    assert notes == {"ended": [{"program": "xterm", "pid": process.pid, "windows": ["brief"]}]}


async def test_it_is_named_however_the_step_ends(programs: Programs):
    process = await programs.open("brief", "xterm", "-T", "brief", "-e", "cat")
    attended = _tools(programs.back_end, ScreenTools).attend("wait", _CONTEXT)
    notes = await attended.__aenter__()
    process.kill()
    await _wait_for_death(process)
    hidden = await attended.__aexit__(DeviceError, DeviceError("The window is gone."), None)
    assert not hidden
    assert [each["pid"] for each in notes["ended"]] == [process.pid]


async def test_programs_that_go_on_are_not_named(programs: Programs):
    await programs.open("brief", "xterm", "-T", "brief", "-e", "cat")
    async with _tools(programs.back_end, ScreenTools).attend("snapshot", _CONTEXT) as notes:
        await programs.call("snapshot", window="brief")
    assert notes == {}


async def test_a_verb_that_closes_windows_tells_of_its_own_deed_only(programs: Programs):
    await programs.open("brief", "xterm", "-T", "brief", "-e", "cat")
    async with _tools(programs.back_end, WindowTools).attend(
        "close_window", replace(_CONTEXT, ends_programs=True)
    ) as notes:
        await programs.call("close_window", window="brief")
    assert notes == {}


async def test_the_system_family_names_it_too(programs: Programs, desk: PrivateDesktop):
    process = await programs.open("brief", "xterm", "-T", "brief", "-e", "cat")
    system = make_back_end(Environment(platform="linux", variables=desk.environ))
    async with _tools(system, QueryTools).attend("list_processes", _CONTEXT) as notes:
        process.kill()
        await _wait_for_death(process)
    await system.close()
    assert [each["program"] for each in notes["ended"]] == ["xterm"]


async def test_without_a_display_nothing_is_watched():
    system = make_back_end(Environment(platform="linux"))
    async with _tools(system, QueryTools).attend("list_processes", _CONTEXT) as notes:
        pass
    await system.close()
    assert notes == {}


async def test_a_program_with_qt_that_a_question_ends_is_named(programs: Programs, desk: PrivateDesktop):
    process = await programs.open("Untitled", "featherpad")
    await programs.call("wait", role="button", name="New", window="Untitled", timeout=20)
    tree = programs.back_end.parts.accessibility
    element = next(each for each in await tree.elements(None) if each.pid == process.pid)
    session = Bus(desk.environ["DBUS_SESSION_BUS_ADDRESS"])
    address = (await session.call(BusObject("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus"), "GetAddress"))[0]
    bus = Bus(address)
    async with _tools(programs.back_end, ScreenTools).attend("read", _CONTEXT) as notes:
        asked = BusObject(element.ref.name, element.ref.path, "org.a11y.atspi.Accessible")
        with pytest.raises((BusRefusalError, DeviceError)):
            await bus.get_all(asked)  # what must never be sent
        await _wait_for_death(process)
    await bus.close()
    await session.close()
    assert [(each["program"], each["windows"]) for each in notes["ended"]] == [("featherpad", ["Untitled"])]
