import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("Xlib", reason="python-xlib is not installed")

from actuators.desktop.x11.windows import X11Watch
from fixtures.machine.desktop import PrivateDesktop
from fixtures.machine.processes import wait_until
from fixtures.machine.reaper import find_marked

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="Xvfb is Linux' own"),
    pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed"),
    pytest.mark.skipif(shutil.which("openbox") is None, reason="openbox is not installed"),
]
ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name, for sockets."""
    made = Path(tempfile.mkdtemp(prefix="sh-"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


def find_of(folder: Path) -> list[str]:
    """Return the commands of the processes whose home is in a folder."""
    found: list[str] = []
    for each in Path("/proc").iterdir():
        try:
            environ = (each / "environ").read_bytes() if each.name.isdigit() else b""
            if f"HOME={folder}/".encode() in environ:
                found.append((each / "comm").read_text().strip())
        except OSError:
            continue
    return found


def test_nothing_outlives_an_owner_that_is_killed(folder: Path):
    argv = [sys.executable, str(Path(__file__).with_name("desktop_owner.py")), str(folder)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"ready\n"
        assert wait_until(lambda: find_of(folder).count("sleep") == 2, 5)
        assert {"Xvfb", "openbox", "xterm", "xclip", "dbus-daemon"} <= set(find_of(folder))
        owner.kill()
    assert wait_until(lambda: not find_of(folder), 5), find_of(folder)


def test_nothing_is_left_of_a_desktop_that_was_stopped(folder: Path):
    desktop = PrivateDesktop(folder / "one")
    desktop.start()
    shell = desktop.open("xterm", "-e", "sh", "-c", "setsid nohup sleep 1000")
    assert wait_until(lambda: "sleep" in find_of(folder / "one"), 5)
    assert shell.poll() is None
    desktop.stop()
    assert find_of(folder / "one") == []


def test_two_desktops_know_nothing_of_each_other(folder: Path):
    one, other = PrivateDesktop(folder / "1"), PrivateDesktop(folder / "2", size="800x600")
    try:
        one.start()
        other.start()
        assert one.environ["DISPLAY"] != other.environ["DISPLAY"]
        assert one.environ["DBUS_SESSION_BUS_ADDRESS"] != other.environ["DBUS_SESSION_BUS_ADDRESS"]
        assert "1280x800" in one.ask("xdpyinfo")
        assert "800x600" in other.ask("xdpyinfo")
    finally:
        one.stop()
        other.stop()


def test_a_desktop_is_there_at_once(folder: Path):
    desktop = PrivateDesktop(folder / "one")
    start_s = time.monotonic()
    desktop.start()
    took_s = time.monotonic() - start_s
    desktop.stop()
    assert took_s < 3, "about a quarter of a second where nothing else runs"


def test_who_is_not_marked_is_not_found():
    assert list(find_marked(b"SUREHAND_KEPT_BY=nobody")) == []


async def test_a_watch_whose_display_goes_hears_of_it_once_and_stops_listening(folder: Path) -> None:
    desktop = PrivateDesktop(folder / "one")
    desktop.start()
    watch = X11Watch(desktop.environ["DISPLAY"])
    await watch.start()
    faults: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, fault: faults.append(fault))
    try:
        heard = watch.count
        desktop.stop()
        while watch.count == heard:
            await watch.wait(0.25, seen=heard)
        last = watch.count
        await watch.wait(0.25, seen=last)  # a socket that nobody took away would be readable all the time
    finally:
        loop.set_exception_handler(None)
        watch.close()
    assert faults == []
    assert watch.count - last <= 1


def test_a_desk_is_tidied_of_windows_and_clipboard_but_not_of_what_was_there(folder: Path):
    desk = PrivateDesktop(folder)
    desk.start()
    try:
        desk.open("xterm", "-T", "kept")
        assert wait_until(lambda: len(desk.list_windows()) == 1, 10)
        kept = desk.list_windows()
        desk.open("xterm", "-T", "left")
        assert wait_until(lambda: len(desk.list_windows()) == 2, 10)
        subprocess.run(["xclip", "-selection", "clipboard"], input=b"left", env=desk.environ, check=True)
        assert wait_until(lambda: desk.ask("xclip", "-selection", "clipboard", "-o") == "left", 10)
        desk.tidy(kept)
        assert desk.list_windows() == kept
        assert desk.ask("xclip", "-selection", "clipboard", "-o") == ""
    finally:
        desk.stop()
