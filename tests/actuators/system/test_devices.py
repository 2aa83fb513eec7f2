import asyncio
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from actuators.platforms.session_bus import Bus
from actuators.system.linux.logind import LinuxPower, LinuxScreenLock, LogindPower
from actuators.system.linux.parts import Backlight, BusNotifier, LinuxOpener
from actuators.system.ports.devices import PowerAction
from actuators.system.processes.shutdown_command import UNIX_COMMANDS, WINDOWS_COMMANDS, ShutdownCommand
from core.base.errors import ActionError, DeviceError, UnsupportedError
from fixtures.machine.bus import PrivateBus
from fixtures.machine.bus_program import BusProgram
from fixtures.machine.desktop import PrivateDesktop
from fixtures.machine.logind import PrivateLogind
from tests.contracts.system.bench import ProgramFolder, SystemBench

SAVER = "org.freedesktop.ScreenSaver"


def make_shutdown(folder: Path, exit_code: int = 0) -> dict[str, str]:
    """Put a command of ours in the place of the system's, and return the environment in which only it is found."""
    command = folder / "shutdown"
    command.write_text(f'#!/bin/sh\necho "$@" >> {folder}/told\nexit {exit_code}\n')
    command.chmod(0o755)
    return {"PATH": str(folder)}


async def test_a_notification_shows_its_text_and_no_markup(bench: SystemBench, desk: PrivateDesktop):
    title, message = "Zażółć <i>x</i>", "1 < 2 & <b>bold</b> 日本"
    outcome = await bench.call("notify", title=title, message=message, urgency="critical")
    assert outcome.output["server"] == "dunst"
    assert outcome.evidence["version"]
    asked = await asyncio.create_subprocess_exec(
        "dunstctl", "history", env=desk.environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    await asked.communicate()
    again = await bench.call("notify", title=title)
    assert again.output["id"] != outcome.output["id"]


async def test_without_a_notification_server_it_is_missing(system_bus: PrivateBus):
    notifier = BusNotifier(bus := Bus(system_bus.address))
    found = notifier.assess()
    assert (found.available, found.reason) == (False, "no notification server runs")
    with pytest.raises(DeviceError) as caught:
        await notifier.notify("x", "y", "normal")
    assert caught.value.code == "server_missing"
    await bus.close()


async def test_a_server_that_takes_markup_gets_it_escaped_and_another_gets_it_plain(system_bus: PrivateBus):
    name = "org.freedesktop.Notifications"
    for abilities, body in {("body", "body-markup"): "&lt;b&gt; &amp;", ("body",): "<b> &"}.items():
        told: list[tuple[object, ...]] = []
        server = BusProgram(system_bus.address)
        server.offer(name, "GetCapabilities", lambda abilities=abilities: ("as", [list(abilities)]))
        server.offer(name, "GetServerInformation", lambda: ("ssss", ["ours", "us", "1", "1.2"]))
        server.offer(name, "Notify", lambda *args, told=told: (told.append(args), ("u", [7]))[1])
        await server.start(name)
        bus = Bus(system_bus.address)
        shown = await BusNotifier(bus).notify("T", "<b> &", "low")
        assert (shown.id, shown.server) == (7, "ours")
        assert told[0][3:5] == ("T", body)
        await bus.close()
        await server.stop()


async def test_logind_is_asked_first_whether_it_can(system_bus: PrivateBus, logind: PrivateLogind):
    power = LogindPower(bus := Bus(system_bus.address))
    logind.answers |= {"CanSuspend": "na", "CanPowerOff": "no"}
    with pytest.raises(UnsupportedError, match="the machine can't sleep"):
        await power.sleep()
    with pytest.raises(UnsupportedError, match="no permission to shutdown"):
        await power.schedule("shutdown", 60.0)
    assert (logind.suspended, logind.scheduled) == (0, ("", 0))
    await bus.close()


async def test_a_right_that_is_missing_is_told_to_be_so(system_bus: PrivateBus, logind: PrivateLogind):
    power = LogindPower(bus := Bus(system_bus.address))
    logind.denies = True
    with pytest.raises(ActionError) as caught:
        await power.schedule("restart", 60.0)
    assert caught.value.code == "no_permission"
    await bus.close()


async def test_a_restart_at_once_can_still_be_read_back(system_bus: PrivateBus, logind: PrivateLogind):
    power = LogindPower(bus := Bus(system_bus.address))
    ordered = await power.schedule("restart", 0.0)
    assert ordered is not None
    assert (ordered.action, logind.scheduled[0]) == ("restart", "reboot")
    await bus.close()


async def test_where_no_locker_follows_nothing_is_claimed(system_bus: PrivateBus, logind: PrivateLogind):
    logind.has_locker = False
    lock = LinuxScreenLock(Bus(""), bus := Bus(system_bus.address))
    assert lock.assess().available
    assert await lock.lock(0.5) is None
    await bus.close()


async def test_the_desktops_own_screen_saver_is_asked_before_logind(system_bus: PrivateBus, logind: PrivateLogind):
    saver = BusProgram(system_bus.address)
    state = {"active": False, "deaf": False}
    saver.offer(SAVER, "Lock", lambda: state.update(active=not state["deaf"]))
    saver.offer(SAVER, "GetActive", lambda: ("b", [state["active"]]))
    await saver.start(SAVER)
    lock = LinuxScreenLock(bus := Bus(system_bus.address), Bus(system_bus.address))
    assert lock.assess().reason == SAVER
    assert await lock.lock(2.0) is True
    state |= {"active": False, "deaf": True}
    assert await lock.lock(0.5) is False
    assert not logind.locked
    await bus.close()
    await saver.stop()


async def test_a_backlight_that_we_may_not_write_is_set_through_logind(system_bus: PrivateBus, tmp_path: Path):
    device = tmp_path / "screen0"
    device.mkdir()
    for name, value in (("brightness", 10), ("max_brightness", 255), ("type", "raw")):
        (device / name).write_text(str(value))
    backlight = Backlight(bus := Bus(system_bus.address), tmp_path)
    assert await backlight.read() == pytest.approx(3.92, abs=0.01)
    await backlight.write(100)
    assert (device / "brightness").read_text() == "255"
    await bus.close()


async def test_the_kernels_advice_decides_between_backlights(tmp_path: Path):
    for name, kind in (("a", "raw"), ("b", "firmware"), ("c", "platform")):
        (tmp_path / name).mkdir()
        for file, value in (("brightness", "1"), ("max_brightness", "2"), ("type", kind)):
            (tmp_path / name / file).write_text(value)
    assert Backlight(Bus(""), tmp_path).assess().reason == "b"


async def test_without_a_backlight_it_says_so(tmp_path: Path):
    backlight = Backlight(Bus(""), tmp_path / "none")
    assert (backlight.assess().available, backlight.assess().reason) == (False, "the kernel reports no backlight")
    with pytest.raises(DeviceError) as caught:
        await backlight.read()
    assert caught.value.code == "device_missing"


async def test_the_command_gets_minutes_that_are_rounded_up(tmp_path: Path):
    power = ShutdownCommand(make_shutdown(tmp_path), UNIX_COMMANDS)
    assert power.assess().available
    orders: list[tuple[PowerAction, float]] = [("shutdown", 0.0), ("shutdown", 61.0), ("restart", 60.0)]
    for action, delay_s in orders:
        assert await power.schedule(action, delay_s) is None
    assert await power.cancel()
    assert (tmp_path / "told").read_text().splitlines() == ["-h +0", "-h +2", "-r +1", "-c"]
    with pytest.raises(UnsupportedError):
        await power.sleep()


async def test_the_command_of_windows_gets_seconds(tmp_path: Path):
    variables = make_shutdown(tmp_path)
    (tmp_path / "shutdown").rename(tmp_path / "shutdown.exe")
    power = ShutdownCommand(variables, WINDOWS_COMMANDS)
    await power.schedule("restart", 90.5)
    assert await power.cancel()
    assert (tmp_path / "told").read_text().splitlines() == ["/r /t 91", "/a"]


async def test_a_command_that_refuses_is_an_error_and_nothing_to_call_off_is_none(tmp_path: Path):
    power = ShutdownCommand(make_shutdown(tmp_path, exit_code=1), UNIX_COMMANDS)
    with pytest.raises(ActionError) as caught:
        await power.schedule("shutdown", 0.0)
    assert caught.value.code == "not_possible"
    assert not await power.cancel()


async def test_a_shutdown_that_may_not_be_called_off_is_an_error_where_the_command_tells_why(tmp_path: Path):
    variables = make_shutdown(tmp_path, exit_code=5)
    (tmp_path / "shutdown").rename(tmp_path / "shutdown.exe")
    with pytest.raises(ActionError) as caught:
        await ShutdownCommand(variables, WINDOWS_COMMANDS).cancel()
    assert (caught.value.code, caught.value.evidence["exit_code"]) == ("not_possible", 5)
    assert not await ShutdownCommand(variables, replace(WINDOWS_COMMANDS, none_ordered=5)).cancel()


async def test_the_command_is_used_only_where_logind_is_not(
    system_bus: PrivateBus, logind: PrivateLogind, tmp_path: Path
):
    command = ShutdownCommand(make_shutdown(tmp_path), UNIX_COMMANDS)
    bus = Bus(system_bus.address)
    await LinuxPower(LogindPower(bus), command).schedule("shutdown", 600.0)
    assert logind.scheduled[0] == "poweroff"
    assert not (tmp_path / "told").exists()
    await bus.close()
    await LinuxPower(LogindPower(Bus("")), command).schedule("shutdown", 600.0)
    assert (tmp_path / "told").read_text() == "-h +10\n"


def test_systemds_own_command_is_no_way_where_systemd_does_not_answer(tmp_path: Path):
    (tmp_path / "systemctl").write_text("")
    (tmp_path / "systemctl").chmod(0o755)
    (tmp_path / "shutdown").symlink_to(tmp_path / "systemctl")
    power = LinuxPower(LogindPower(Bus("")), ShutdownCommand({"PATH": str(tmp_path)}, UNIX_COMMANDS))
    assert (power.assess().available, power.assess().reason) == (False, "there is no system bus")


async def test_a_document_is_opened_by_the_program_that_the_desktop_has_for_it(
    bench: SystemBench, programs: ProgramFolder
):
    seen = bench.workspace / "seen"
    programs.add_program("reader", f'#!/bin/sh\necho "$1" > {seen}.new\nmv {seen}.new {seen}\n')
    programs.add_entry("test.reader", name="Reader", command=f"reader{bench.tag} %f", more="MimeType=text/plain;")
    (programs.entries / "mimeapps.list").write_text("[Default Applications]\ntext/plain=test.reader.desktop\n")
    letter = bench.workspace / "a $(letter) ż.txt"
    letter.write_text("Dear Ada")
    outcome = await bench.call("open", target=letter.name)
    assert outcome.evidence["exit_code"] == 0
    tail = await asyncio.create_subprocess_exec(
        "sh", "-c", 'while [ ! -e "$1" ]; do :; done', "sh", str(seen), stdout=subprocess.DEVNULL
    )
    await asyncio.wait_for(tail.wait(), 10.0)
    assert seen.read_text() == f"{letter}\n"


async def test_a_kind_that_nothing_opens_is_missing_its_program(bench: SystemBench):
    (bench.workspace / "odd.no-such-kind").write_bytes(b"\x00\x01\x02\x03")
    with pytest.raises(DeviceError) as caught:
        await bench.call("open", target="odd.no-such-kind")
    assert caught.value.code == "app_missing"


async def test_an_opener_that_becomes_the_program_is_let_go(tmp_path: Path, programs: ProgramFolder):
    programs.add_program("x", "")
    opener = programs.programs / "xdg-open"
    opener.write_text(f"#!/bin/sh\nexec /usr/bin/tail -f {programs.root}/bin/xdg-open\n")
    opener.chmod(0o755)
    variables = {"PATH": str(programs.programs), "DISPLAY": ":0"}
    told = await LinuxOpener(variables, tmp_path).open("https://example.com/", 0.5)
    assert isinstance(told["pid"], int)
    assert told["exit_code"] is None
