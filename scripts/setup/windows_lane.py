"""Runs the tests on a Windows that wine provides: `python3 scripts/test.py --windows [pytest arguments]`.

It ends with pytest's exit code; with 0, and the reason on standard error, where there is no wine and none may be installed.
`docs/guides/windows.md` says what this proves and what it doesn't.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the scripts import each other from the root

from scripts.setup import bootstrap, wine
from scripts.setup.system import SetupError, install_packages, report_missing, say

# What runs when nothing is named: the verdict on paths, which must be the same on every host; the files; the journal and what
# is kept of runs; and what only Windows has. All of tests/core passes as well, in a minute more.
SUITES = (
    "tests/core/addresses/test_path*.py",
    "tests/core/planning/test_path_bases.py",
    "tests/core/test_imports.py",
    "tests/contracts/test_files.py",
    "tests/agent/store",
    "tests/actuators/test_*.py",
    "tests/actuators/platforms/test_device_thread.py",
    "tests/actuators/platforms/test_x11_connection.py",
    "tests/windows",
)
OPTIONS = (
    "-q",
    "-o",
    "cache_dir=C:\\pytest-cache",  # apart from that of the tests on the host
    "--confcutdir=tests/windows",  # tests/conftest.py starts a browser, which is not there
    "-p",
    "tests.windows.plugin",  # in its place
    "--basetemp=C:\\pytest",
)
LIMIT_S = 1800
START_LIMIT_S = 10
SCREEN = "1280x800x24"
PULSE_OPTIONS = ("--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes", "--realtime=no")
PRIVATE_FOLDERS: tuple[str, ...] = ("HOME", "XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH", "PULSE_STATE_PATH")
PULSE_SCRIPT = """
load-module module-null-sink sink_name=lane_speakers sink_properties=device.description=LaneSpeakers
load-module module-null-sink sink_name=lane_headset sink_properties=device.description=LaneHeadset
load-module module-native-protocol-unix auth-anonymous=1 socket={socket}
"""


def main(arguments: list[str]) -> int:
    """Run the lane and return pytest's exit code, 0 when there is no wine, 1 when the set-up failed."""
    bootstrap.prepare("dev")
    if not wine.find():
        report_missing("wine, which the tests on Windows need", "On Debian: sudo apt install wine wine64 xvfb")
        return 0
    with wine.hold_lock(), contextlib.ExitStack() as stack:
        start_s = time.monotonic()
        wine.prepare()
        stack.callback(wine.end)
        extra = {**stack.enter_context(give_display()), **stack.enter_context(give_sound())}
        say(f"ready after {time.monotonic() - start_s:.0f} s")
        chosen = any(Path(argument.partition("::")[0]).exists() for argument in arguments)
        command = [wine.PYTHON, "-m", "pytest", *OPTIONS, *arguments, *(() if chosen else list_suites())]
        code, words = wine.run(command, limit_s=LIMIT_S, extra=extra)
        if code == 124:
            say(f"ended after {LIMIT_S} s, which is more than everything together takes, also on a busy machine")
        elif code == 0 and not re.search(r"\d+ passed", words):
            say("no test has passed")
            code = 1
        return code


def list_suites() -> list[str]:
    """List the files and folders that run when nothing is named."""
    return [path.as_posix() for pattern in SUITES for path in sorted(Path().glob(pattern))]


@contextlib.contextmanager
def give_display() -> Generator[Mapping[str, str]]:
    """Give a screen to the programs on Windows: a display of our own, which no window manager serves."""
    if not shutil.which("Xvfb") and not install_packages("apt-get", ["xvfb"]):
        report_missing("Xvfb, a screen for the tests on Windows", "On Debian: sudo apt install xvfb")
        yield {}
        return
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    with start(command, pass_fds=(writer,)):
        os.close(writer)
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        if not number:
            raise SetupError("Xvfb does not start")
        yield {"DISPLAY": f":{number}", "SUREHAND_LANE_SCREEN": SCREEN}


@contextlib.contextmanager
def give_sound() -> Generator[Mapping[str, str]]:
    """Give two silent outputs to the programs on Windows, where PulseAudio is installed."""
    if not shutil.which("pulseaudio"):
        report_missing("PulseAudio, sound for the tests on Windows", "On Debian: sudo apt install pulseaudio")
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="surehand-sound-") as folder:
        socket = Path(folder, "native")
        script = Path(folder, "script.pa")
        script.write_text(PULSE_SCRIPT.format(socket=socket), encoding="utf-8")
        private = dict.fromkeys(PRIVATE_FOLDERS, folder)
        with start(["pulseaudio", "-n", "-F", str(script), *PULSE_OPTIONS], extra=private) as server:
            wait_for(socket, server)
            yield {"PULSE_SERVER": f"unix:{socket}", "SUREHAND_LANE_SOUND": "1"}


@contextlib.contextmanager
def start(
    command: list[str], *, pass_fds: tuple[int, ...] = (), extra: Mapping[str, str] | None = None
) -> Generator[subprocess.Popen[bytes]]:
    """Run a server for the time of a block; it ends with this script in any case."""
    server = subprocess.Popen(
        [*wine.list_guards(), *command],
        pass_fds=pass_fds,
        env={**os.environ, **(extra or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield server
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(START_LIMIT_S)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def wait_for(path: Path, server: subprocess.Popen[bytes]) -> None:
    """Wait until a server has made its socket.

    Raises:
        SetupError: When it ended or did not within the time.
    """
    end_s = time.monotonic() + START_LIMIT_S
    while not path.exists():
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(0.02)
            raise SetupError("pulseaudio does not start")
        if time.monotonic() > end_s:
            raise SetupError("pulseaudio did not start in time")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except SetupError as error:
        sys.stderr.write(f"setup: {error}\n")
        sys.exit(1)
