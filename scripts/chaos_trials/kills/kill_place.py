"""Where the errand of `scripts/chaos.py kill` is carried out, and what counts its effects: nothing that it can kill."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from fixtures.machine.desktop import PrivateDesktop
from fixtures.machine.processes import wait_until
from fixtures.machine.recorder import Recorder
from fixtures.machine.sound import PrivatePulse
from fixtures.site_server import SiteServer
from scripts import bench
from scripts.chaos_trials.kills.kill_errand import PROGRAM, WINDOW

LEVEL_BEFORE, LEVEL_AFTER = 40, 45
STARTING_S = 10.0
_PLAYER = "org.mpris.MediaPlayer2"
_KEPT_FILES = frozenset({"notes.txt", "kept.txt", "log.txt", "old.txt", ".surehand"})
_SCRIPT = '#!/bin/sh\necho started >> "$1"\n'


@dataclass(slots=True)
class Place:
    """Where one errand after the other is carried out.

    Attributes:
        root: A folder of its own.
        site: What counts clicks, keys and typing on a page.
        pulse: What has the volume.
        desk: What has windows and a player.
        window: What counts clicks and keys on the desktop.
        track: The number of the player's track when the errand began.
    """

    root: Path
    site: SiteServer
    pulse: PrivatePulse
    desk: PrivateDesktop
    window: Recorder
    track: int = 0

    @property
    def folder(self) -> Path:
        """The working folder."""
        return self.root / "work"

    @property
    def ledger(self) -> Path:
        """What a program writes into whenever it is started."""
        return self.root / "started.txt"

    def clear(self) -> None:
        """Put everything back to where the errand starts."""
        for folder in (self.folder, self.root / "home"):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        (self.folder / "log.txt").write_text("start\n")
        (self.folder / "old.txt").write_text("old\n")
        self.ledger.write_text("")
        self.site.reset()
        self._control("set-sink-volume", "desk_a", f"{LEVEL_BEFORE}%")
        # Whoever was killed between a press and its release still holds the key.
        self.desk.ask("xdotool", "keyup", "q", "keyup", "w", "keyup", "z", "mouseup", "1")
        self.window.keys.clear()
        self.window.clicks.clear()
        self.track = self._read_track()

    def environ(self) -> dict[str, str]:
        """What the errand's process is told."""
        home = {"HOME": str(self.root / "home"), "XDG_DATA_HOME": str(self.root / "home/share")}
        path = {"PATH": f"{self.root / 'bin'}:{self.desk.environ['PATH']}"}
        sound = {name: value for name, value in self.pulse.environ.items() if name.startswith("PULSE")}
        return {**self.desk.environ, **sound, **home, **path}

    def count_effects(self) -> dict[str, int]:
        """Return how often each act took effect, as the far end has it."""
        level = self._control("get-sink-volume", "desk_a").split("%")[0].rpartition("/")[2]
        trashed = list((self.root / "home/share/Trash/files").glob("*")) or list(self.folder.glob(".Trash-*/files/*"))
        kept = [each for each in ("notes.txt", "kept.txt") if (self.folder / each).exists()]
        typed = [event.detail["value"] for event in self.site.events("amount-typed")]
        keys = [pressed[-1] for pressed in list(self.window.keys)]
        return {
            "file.write": int(bool(kept)),
            "file.move": int(kept == ["kept.txt"]),
            "file.append": (self.folder / "log.txt").read_text().count("one more line\n"),
            "file.delete": len(trashed) if not (self.folder / "old.txt").exists() else 0,
            "browser.type": sum(value == "12.50" for value in typed),
            "browser.press": sum("7" in value for value in typed),
            "browser.click": len(self.site.events("paid")),
            "audio.volume_up": (int(level) - LEVEL_BEFORE) // (LEVEL_AFTER - LEVEL_BEFORE),
            "system.launch": self.ledger.read_text().count("started\n"),
            "media.next": self._read_track() - self.track,
            "desktop.click": sum(button == 1 for button, _, _ in list(self.window.clicks)),
            "desktop.type": keys.count("q"),
            "desktop.press": keys.count("z"),
        }

    def list_strays(self) -> list[str]:
        """Return files that nobody asked for."""
        names = [each.name for each in self.folder.iterdir()]
        return [name for name in names if name not in _KEPT_FILES and not name.startswith(".Trash")]

    def _control(self, *words: str) -> str:
        command = ["pactl", "--server", self.pulse.server, *words]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=dict(self.pulse.environ)).stdout

    def _read_track(self) -> int:
        return read_track(self.desk)


def read_track(desk: PrivateDesktop) -> int:
    """Return the number of the player's track; -1 while there is no player."""
    asked = ("org.freedesktop.DBus.Properties.Get", f"string:{_PLAYER}.Player", "string:Metadata")
    said = desk.ask(
        "dbus-send", "--session", "--print-reply", f"--dest={_PLAYER}.ledger", "/org/mpris/MediaPlayer2", *asked
    )
    found = re.search(r'"/track/(\d+)"', said)
    return int(found[1]) if found else -1


def make_place(stack: ExitStack) -> Place:
    """Start everything that a place has; the stack ends it."""
    root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sh-kill-")))
    (root / "bin").mkdir()
    program = root / "bin" / PROGRAM
    program.write_text(_SCRIPT)
    program.chmod(0o755)
    (root / "pulse").mkdir()
    pulse = PrivatePulse(root / "pulse")
    pulse.start()
    stack.callback(pulse.stop)
    desk = PrivateDesktop(root / "desk")
    stack.callback(desk.stop)
    desk.start()
    _start_player(desk)
    window = Recorder(desk.environ["DISPLAY"], WINDOW)
    stack.callback(window.close)
    return Place(root, stack.enter_context(SiteServer()), pulse, desk, window)


def _start_player(desk: PrivateDesktop) -> None:
    tracks = [{"title": "t"}] * 6000
    settings = {"address": desk.environ["DBUS_SESSION_BUS_ADDRESS"], "name": "ledger", "identity": "Ledger"}
    settings |= {"tracks": tracks, "status": "Paused"}
    program = bench.ROOT / "fixtures" / "machine" / "player.py"
    desk.open(sys.executable, str(program), json.dumps(settings), name="player")
    if not wait_until(lambda: read_track(desk) >= 0, STARTING_S):
        raise RuntimeError("the player did not come up")
