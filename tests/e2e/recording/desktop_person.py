"""A person at a desktop of their own, who records what they do: a robot that moves the real pointer and presses real keys."""

import shutil
import subprocess
import sys
import threading
from pathlib import Path

from actuators.base import Environment
from actuators.deadlines import Deadline, settle
from actuators.desktop.finding.locating import Locating
from actuators.desktop.platforms.linux import make_parts
from fixtures.machine.desktop import PrivateDesktop
from fixtures.machine.signals import heed_signals
from tests.prerequisites import miss

_ROOT = Path(__file__).parents[3]
_COMMAND = (sys.executable, "-c", "import sys; from agent.cli.main import main; sys.exit(main())")
_SOON_S = 60
_LOOKS = 4
_HELD_S = "0.09"
"""How long a person holds a button down."""


def skip_without(*programs: str) -> None:
    """Skip a test where a program is missing that it uses."""
    missing = [each for each in programs if shutil.which(each) is None]
    if missing:
        miss(f"{', '.join(missing)} not installed")


class DesktopPerson:
    """Starts `surehand record --desktop` and uses the program.

    Attributes:
        folder: The workspace.
        told: What the recorder has said by now.
    """

    def __init__(self, desk: PrivateDesktop, folder: Path) -> None:
        self.folder = folder
        self.told: list[str] = []
        self._desk = desk
        environment = Environment(platform="linux", variables=desk.environ, state_dir=folder)
        self._parts = make_parts(environment)
        self._locating = Locating(self._parts, patience_s=_SOON_S)
        self._started: list[subprocess.Popen[str]] = []
        self._changed = threading.Condition()

    async def record(self, begin: str, *options: str) -> None:
        """Start to record a program; return once it is heard what is done."""
        process = self._start("record", "--desktop", begin, "-o", "flow.yaml", *options)
        threading.Thread(target=self._listen, args=(process,), daemon=True).start()
        self.see("Recording.")

    async def click(self, target: str, window: str, *, button: int = 1, count: int = 1) -> None:
        """Click on an element with the real pointer."""
        self._robot("mousemove", "--sync", *map(str, await self._point_at(target, window)))
        press = ("mousedown", str(button), "sleep", _HELD_S, "mouseup", str(button))
        self._robot(*press * count)

    async def rest(self, target: str, window: str) -> None:
        """Move the real pointer onto an element."""
        self._robot("mousemove", "--sync", *map(str, await self._point_at(target, window)))

    def write(self, text: str) -> None:
        """Type with real keys."""
        self._robot("type", "--delay", "40", text)

    def press(self, keys: str) -> None:
        """Press real keys together."""
        self._robot("key", keys)

    def see(self, step: str) -> None:
        """Wait until the recorder has told something."""
        with self._changed:
            self._changed.wait_for(lambda: any(step in each for each in self.told) or "" in self.told, 60)
            assert any(step in each for each in self.told), self.told

    def end(self) -> tuple[int, str]:
        """Wait until the recorder has ended; return its exit code and what it told."""
        code = self._started[0].wait(120)
        with self._changed:
            self._changed.wait_for(lambda: "" in self.told, 60)
        return code, "".join(self.told)

    def stop(self) -> None:
        """Press Ctrl-C in the recorder's terminal."""
        self._started[0].send_signal(2)

    def replay(self, folder: Path) -> tuple[int, str]:
        """Carry the flow out in another folder; return the exit code and what was told."""
        process = self._start("run", str(self.folder / "flow.yaml"), "--yes", "run_job", folder=folder)
        out, err = process.communicate(timeout=120)
        return process.returncode, out + err

    @property
    def flow(self) -> str:
        """The flow that was written."""
        return (self.folder / "flow.yaml").read_text(encoding="utf-8")

    async def close(self) -> None:
        """End all that was started."""
        for process in self._started:
            if process.poll() is None:
                process.kill()
            process.wait()
            for pipe in (process.stdout, process.stderr):
                if pipe:
                    pipe.close()
        for part in (self._parts.accessibility, self._parts.windows, self._parts.screen):
            await part.close()

    async def _point_at(self, target: str, window: str) -> tuple[int, int]:
        """Return where an element is, once its window has come; it takes a person a few looks to find it."""

        async def has_come() -> bool:
            return any(window in each.title for each in await self._parts.windows.windows())

        assert await settle(has_come, self._parts.windows.wait_for_change, Deadline(_SOON_S))
        looks = [await self._locating.find_element(target, window, timeout_s=_SOON_S) for _ in range(_LOOKS)]
        bounds = looks[-1].element.bounds
        assert bounds
        return bounds.center

    def _start(self, *arguments: str, folder: Path | None = None) -> subprocess.Popen[str]:
        with heed_signals():
            process = subprocess.Popen(
                [*_COMMAND, *arguments],
                cwd=folder or self.folder,
                env=self._desk.environ | {"PYTHONPATH": str(_ROOT)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        self._started.append(process)
        return process

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr
        for line in process.stderr:
            with self._changed:
                self.told.append(line)
                self._changed.notify_all()
        with self._changed:
            self.told.append("")
            self._changed.notify_all()

    def _robot(self, *arguments: str) -> None:
        subprocess.run(["xdotool", *arguments], env=self._desk.environ, check=True)
