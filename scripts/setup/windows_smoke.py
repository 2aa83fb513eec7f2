r"""Tries Surehand's hands on a real Windows, with a person watching: `python scripts\windows_smoke.py [--yes]`.

It asks before everything that can be seen or heard, puts back what it changed, and ends with a table to send to us. It
needs what `pip install .[desktop,audio]` installs. It touches nothing but a new folder in the temporary folder, the
default sound device, the clipboard and a Notepad that it starts itself.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
import tempfile
import wave
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TEXT = 'żółć 日本 😀 <a> & "b"'
START_LIMIT_S = 15
# Whatever goes wrong on a machine that we don't know belongs into the table.
FAULTS = (OSError, AssertionError, ImportError, AttributeError, TypeError, ValueError, LookupError, RuntimeError)
if sys.platform != "win32":
    raise SystemExit("This needs a real Windows; `python3 scripts/test.py --windows` does what can be done elsewhere.")

Step = Callable[[], Awaitable[str]]


class SkippedError(Exception):
    """The person said no, or something is not there."""


async def agrees(warning: str) -> bool:
    """Ask the person."""
    answer = await asyncio.to_thread(input, f"{warning} Go on? [y/N] ")
    return answer.strip().lower() in {"y", "yes"}


class Walk:
    """The steps, what came of each, and whether to ask."""

    def __init__(self, *, ask: bool) -> None:
        """Begin with nothing tried."""
        self._ask = ask
        self.rows: list[tuple[str, str, str]] = []

    async def step(self, name: str, act: Step, *, warning: str = "") -> None:
        """Try one thing, after asking where it can be seen or heard; whatever happens goes into the table."""
        from core.base.errors import SurehandError

        if warning and self._ask and not await agrees(warning):
            self.rows.append((name, "skipped", "the person said no"))
            return
        try:
            self.rows.append((name, "ok", await act()))
        except SkippedError as reason:
            self.rows.append((name, "skipped", str(reason)))
        except (SurehandError, *FAULTS) as error:
            self.rows.append((name, "FAILED", f"{type(error).__name__}: {error}"))
        print(f"{self.rows[-1][1]:8}{name}: {self.rows[-1][2]}", flush=True)

    def print_table(self) -> None:
        """Print what there is to send."""
        print(f"\n--- please send from here ---\n{platform.platform()}, Python {platform.python_version()}")
        width = max(len(name) for name, _, _ in self.rows)
        for name, outcome, words in self.rows:
            print(f"{name:{width}}  {outcome:7}  {words}")
        print("--- to here ---")


class AudioSteps:
    """Levels, mute, sessions and a sound; each puts back what it changes."""

    def __init__(self) -> None:
        """Start nothing yet."""
        from actuators.audio.pycaw.server import PycawServer

        self.server = PycawServer()

    async def find(self) -> Any:
        """Return the default output as it is now."""
        found = [each for each in await self.server.devices("output") if each.is_default]
        return found[0] if found else skip("there is no output device")

    async def list_all(self) -> str:
        """List devices."""
        outputs, inputs = await self.server.devices("output"), await self.server.devices("input")
        return f"{[each.name for each in outputs]} and {[each.name for each in inputs]}"

    async def set_level(self) -> str:
        """Set and read back a level."""
        before = await self.find()
        try:
            await self.server.set_level(before, 20)
            now = (await self.find()).level_percent
            assert abs(now - 20) < 1, f"20 was set, {now} was read"
        finally:
            await self.server.set_level(before, before.level_percent)
        return f"20 was read back; {before.level_percent:g} again"

    async def mute(self) -> str:
        """Mute twice, and once not."""
        before = await self.find()
        try:
            for muted in (True, True, False):
                await self.server.set_mute(before, muted=muted)
                assert (await self.find()).muted is muted, f"mute {muted} was not read back"
        finally:
            await self.server.set_mute(before, muted=before.muted)
        return "on, on, off were read back"

    async def list_apps(self) -> str:
        """List what plays."""
        return str([(each.app, each.level_percent) for each in await self.server.streams("output")])

    async def set_default(self) -> str:
        """Make another device the default, and back."""
        before = await self.find()
        others = [each for each in await self.server.devices("output") if each.id != before.id]
        other = others[0] if others else skip("there is one output only")
        try:
            await self.server.set_default(other, 5)
        finally:
            await self.server.set_default(before, 5)
        return f"{other.name}, then {before.name} again"

    async def play(self) -> str:
        """Play a hum."""
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder, "ton żółty.wav"))
            with wave.open(path, "wb") as file:
                file.setparams((1, 2, 8000, 0, "NONE", ""))
                file.writeframes((b"\x40\x1f" * 10 + b"\xc0\xe0" * 10) * 200)  # 400 hertz
            return f"{await self.server.play(path):.2f} s for a sound of 0.50 s"


async def walk_audio(walk: Walk) -> None:
    """Walk through the sound system."""
    steps = AudioSteps()
    await walk.step("audio: devices", steps.list_all)
    await walk.step("audio: level", steps.set_level, warning="The volume will be 20 for a moment.")
    await walk.step("audio: mute", steps.mute, warning="The sound will be off for a moment.")
    await walk.step("audio: applications", steps.list_apps)
    await walk.step("audio: default device", steps.set_default, warning="The default output will change for a moment.")
    await walk.step("audio: play", steps.play, warning="You will hear a hum of half a second.")
    await steps.server.close()


async def walk_files(walk: Walk) -> None:
    """What the machine can do, and files by the tools, below a folder of their own."""
    from actuators.base import Environment
    from actuators.catalog import list_machine_families
    from actuators.files.verbs.moving import FileMovingTools
    from actuators.files.verbs.reading import FileReadingTools
    from actuators.files.verbs.writing import FileWritingTools
    from core.policy.policy import Policy
    from core.tools.ports import ActionContext

    with tempfile.TemporaryDirectory() as folder:
        environment = Environment(
            platform=sys.platform, variables=dict(os.environ), workspace=Path(folder), state_dir=Path(folder, "state")
        )
        families = list_machine_families(environment)
        files = families[0]
        context = ActionContext("smoke", timeout_s=10, policy=Policy(roots=(folder,)))
        path = str(Path(folder, "żółć 日本.txt"))

        async def assess() -> str:
            found = [family.assess(capability) for family in families for capability in family.capabilities]
            return ", ".join(f"{each.capability}={'yes' if each.available else each.reason}" for each in found)

        async def write() -> str:
            writing: Any = await files.provide(FileWritingTools)
            reading: Any = await files.provide(FileReadingTools)
            outcome = await writing.write(context, path, TEXT)
            read = (await reading.read(context, path)).output
            assert TEXT in str(read), f"{read} was read"
            assert await asyncio.to_thread(Path(path).read_bytes) == TEXT.encode()
            return f"{outcome.effect}; the text was read back"

        async def delete() -> str:
            moving: Any = await files.provide(FileMovingTools)
            outcome = await moving.delete(context, "file", path)
            assert not await asyncio.to_thread(Path(path).exists), "it is still there"
            return f"{outcome.effect}; {outcome.undo}"

        await walk.step("machine: what it can do", assess)
        await walk.step("files: write and read", write)
        await walk.step("files: recycle bin", delete, warning="A small file will be put into the recycle bin.")
        for family in families:
            await family.close()


async def walk_desktop(walk: Walk) -> None:
    """Clipboard, windows and typing, in a Notepad of our own."""
    from actuators.clipboard.windows import WindowsClipboard
    from actuators.desktop.win32.uia import UiAutomation
    from actuators.desktop.win32.windows import Win32Windows

    clipboard, windows, tree = WindowsClipboard(), Win32Windows(), UiAutomation()

    async def copy() -> str:
        before = await clipboard.read()
        await clipboard.write(TEXT)
        read = await clipboard.read()
        await clipboard.write(before or "")
        assert read == TEXT, f"{read!r} was read back"
        return "the text was read back; your own text is there again"

    async def show() -> str:
        displays, found = await windows.displays(), await windows.windows()
        return f"{[(each.bounds, each.scale) for each in displays]}, {len(found)} windows"

    await walk.step("clipboard", copy, warning="The clipboard will be used (only text is put back).")
    await walk.step("windows: list", show)
    notepad = NotepadSteps(windows, clipboard, tree)
    await walk.step("windows and typing", notepad.run, warning="A Notepad will open, move, be typed into and close.")
    for part in (clipboard, windows, tree):
        await part.close()


class NotepadSteps:
    """A Notepad of our own: placed, typed into, read back and closed."""

    def __init__(self, windows: Any, clipboard: Any, tree: Any) -> None:
        """Start nothing yet."""
        from actuators.desktop.win32.hands import Win32Hands

        self.windows = windows
        self.clipboard = clipboard
        self.tree = tree
        self.hands = Win32Hands()
        self.before: set[str] = set()

    async def find(self) -> Any:
        """Return its window; Notepad of Windows 11 hands over to another process, so the window is known by being new."""
        found = await self.windows.windows()
        return next((each for each in found if each.id not in self.before and "otepad" in each.app), None)

    async def until(self, is_so: Callable[[], Awaitable[bool]], limit_s: float) -> bool:
        """Wait until something is so."""
        from actuators.deadlines import Deadline, settle

        return await settle(is_so, self.windows.wait_for_change, Deadline(limit_s))

    async def run(self) -> str:
        """Do all of it, and leave nothing."""
        self.before = {window.id for window in await self.windows.windows()}
        saved = await self.clipboard.read()
        process = await asyncio.create_subprocess_exec("notepad.exe")
        try:
            return "; ".join([await self.place(), await self.type(), await self.look()])
        finally:
            await self.hands.close()
            await self.clipboard.write(saved or "")
            if process.returncode is None:
                process.kill()
            # What the person typed in another Notepad is not ours: only the new window is asked to close.
            if left := await self.find():
                await self.windows.close_window(left)

    async def place(self) -> str:
        """Wait for the window, place it and give it the focus."""
        from actuators.desktop.ports.desktop import Rect

        async def is_there() -> bool:
            return await self.find() is not None

        async def is_active() -> bool:
            window = await self.find()
            return window is not None and window.active

        assert await self.until(is_there, START_LIMIT_S), "no Notepad came"
        wanted = Rect(120, 100, 700, 500)
        await self.windows.place(await self.find(), wanted)
        await self.windows.focus(await self.find())
        assert await self.until(is_active, 5), "it did not get the focus"
        bounds = (await self.find()).bounds
        return "placed exactly" if bounds == wanted else f"placed at {bounds}"

    async def type(self) -> str:
        """Type a text, and read it back through the clipboard."""
        await self.hands.type_text(TEXT)
        for key in ("a", "c"):
            await self.hands.strike(("Control", key))

        async def is_copied() -> bool:
            return await self.clipboard.read() == TEXT

        assert await self.until(is_copied, 5), f"typed; {await self.clipboard.read()!r} was read"
        return "typed losslessly"

    async def look(self) -> str:
        """Count what UI Automation shows of it."""
        seen = self.tree.assess()
        elements = len(await self.tree.elements(await self.find())) if seen.available else seen.reason
        return f"elements by UI Automation: {elements}"


def skip(reason: str) -> Any:
    """Skip the step."""
    raise SkippedError(reason)


async def run(*, ask: bool) -> int:
    """Walk through everything and print the table."""
    walk = Walk(ask=ask)
    await walk_files(walk)
    await walk_audio(walk)
    await walk_desktop(walk)
    walk.print_table()
    return 1 if any(outcome == "FAILED" for _, outcome, _ in walk.rows) else 0


def main() -> int:
    """Read the command line and walk."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--yes", action="store_true", help="ask nothing")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    return asyncio.run(run(ask=not options.yes))


if __name__ == "__main__":
    sys.exit(main())
