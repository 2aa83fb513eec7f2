"""The clipboard of Linux: xclip in an X11 session, wl-clipboard in a Wayland session."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Sequence, Sized
from contextlib import suppress

from actuators.base import Availability, Environment
from actuators.clipboard.ports import check_encodable
from actuators.deadlines import finish_within, pause
from actuators.platforms.x11_displays import assess_display
from core.base.errors import DeviceError
from core.base.late_dataclasses import dataclass

CALL_S = 3.0
_BACK_S = 2.0
_STEP_S = 0.01
_PICTURE_TYPES = {"image/png"}
_TEXT_TYPES = {"UTF8_STRING", "STRING", "TEXT", "text/plain", "text/plain;charset=utf-8"}
_NO_TEXT = ("not available", "no selection", "nothing is copied", "no suitable type", "cannot convert")


@dataclass(frozen=True, slots=True)
class ClipboardCommand:
    """How a clipboard is read and written by programs, each with its arguments; pictures are PNGs.

    What it can be read as comes a line each. A program that writes leaves a process behind that hands the content out.
    """

    read: Sequence[str]
    types: Sequence[str]
    write: Sequence[str]
    read_picture: Sequence[str]
    write_picture: Sequence[str]
    package: str


class CommandClipboard:
    """The clipboard of a session, for texts and pictures."""

    def __init__(
        self, environment: Environment, command: ClipboardCommand, assess_session: Callable[[], Availability]
    ) -> None:
        self._environment = environment
        self._command = command
        self._assess_session = assess_session

    def assess(self) -> Availability:
        """Say whether session and programs are there."""
        found = self._assess_session()
        path = self._environment.variables.get("PATH")
        missing = [
            each for each in {self._command.read[0], self._command.write[0]} if shutil.which(each, path=path) is None
        ]
        if found.available and missing:
            reason = f"{' and '.join(sorted(missing))} not found"
            remedy = f"Install {self._command.package}, such as by: apt-get install {self._command.package}"
            return Availability("clipboard", available=False, reason=reason, remedy=remedy)
        return found

    async def read(self) -> str | None:
        """Return its text; None if it holds none. ``server_missing`` without a session, or ``not_settled``."""
        text = await self._read_as(_TEXT_TYPES, self._command.read)
        return None if text is None else text.decode("utf-8", "replace")

    async def read_picture(self) -> bytes | None:
        """Return its picture as a PNG; None if it holds none."""
        return await self._read_as(_PICTURE_TYPES, self._command.read_picture)

    async def write(self, text: str) -> None:
        """Replace its content, and return once others would read it; ``not_settled`` if another's text is there."""
        check_encodable(text)
        await self._write(self._command.write, text.encode())
        await self._settle(self.read, text)

    async def write_picture(self, png: bytes) -> None:
        """Replace its content by a picture, and return once others would read it."""
        await self._write(self._command.write_picture, png)
        await self._settle(self.read_picture, png)

    async def close(self) -> None:
        """Do nothing: the text stays where it is."""

    async def _read_as(self, types: set[str], argv: Sequence[str]) -> bytes | None:
        # Some owners hand out anything, such as a picture, as whatever they are asked for: so ask what it is first.
        offered = await self._ask(self._command.types)
        if offered is None or types.isdisjoint(offered.decode("utf-8", "replace").split("\n")):
            return None
        return await self._ask(argv)

    async def _write(self, argv: Sequence[str], content: bytes) -> None:
        code, _, words = await self._run(argv, content)
        if code != 0:
            raise _failed(argv[0], words)

    async def _settle(self, read: Callable[[], Awaitable[Sized | None]], wanted: Sized) -> None:
        loop = asyncio.get_running_loop()
        end_s = loop.time() + _BACK_S
        while (found := await read()) != wanted:
            if loop.time() > end_s:
                raise DeviceError(
                    "The clipboard holds other text than was put there; another program changed it.",
                    code="not_settled",
                    hint="Close clipboard programs and try again.",
                    evidence={"length": None if found is None else len(found)},
                )
            await pause(_STEP_S)

    async def _ask(self, argv: Sequence[str]) -> bytes | None:
        code, output, words = await self._run(argv, None)
        if code == 0:
            return output
        if any(each in words.lower() for each in _NO_TEXT):
            return None
        raise _failed(argv[0], words)

    async def _run(self, argv: Sequence[str], content: bytes | None) -> tuple[int, bytes, str]:
        """Run a program; return its exit code, output and words. What stays behind holds no pipe of ours open."""
        writes = content is not None
        try:
            process = await asyncio.create_subprocess_exec(
                shutil.which(argv[0], path=self._environment.variables.get("PATH")) or argv[0],
                *argv[1:],
                env=dict(self._environment.variables),
                stdin=asyncio.subprocess.PIPE if writes else asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL if writes else asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL if writes else asyncio.subprocess.PIPE,
            )
        except OSError as error:
            raise _failed(argv[0], error.strerror or str(error)) from error
        try:
            output, words = await finish_within(process.communicate(content), CALL_S)
        except TimeoutError:
            raise DeviceError(
                f"The owner of the clipboard did not answer within {CALL_S:g} s.",
                code="not_settled",
                hint="Check whether the program that you copied from hangs.",
            ) from None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        return process.returncode or 0, output or b"", (words or b"").decode("utf-8", "replace").strip()


def _failed(program: str, words: str) -> DeviceError:
    return DeviceError(
        f"{program} could not reach the clipboard: {words or 'no reason given'}.",
        code="server_missing",
        hint="Run surehand doctor to see what the clipboard needs.",
        evidence={"program": program},
    )


_X11 = ClipboardCommand(
    read=("xclip", "-selection", "clipboard", "-target", "UTF8_STRING", "-out"),
    types=("xclip", "-selection", "clipboard", "-target", "TARGETS", "-out"),
    write=("xclip", "-selection", "clipboard", "-in"),
    read_picture=("xclip", "-selection", "clipboard", "-target", "image/png", "-out"),
    write_picture=("xclip", "-selection", "clipboard", "-target", "image/png", "-in"),
    package="xclip",
)
_WAYLAND = ClipboardCommand(
    read=("wl-paste", "--no-newline", "--type", "text/plain;charset=utf-8"),
    types=("wl-paste", "--list-types"),
    write=("wl-copy", "--type", "text/plain;charset=utf-8"),
    read_picture=("wl-paste", "--no-newline", "--type", "image/png"),
    write_picture=("wl-copy", "--type", "image/png"),
    package="wl-clipboard",
)


def make_clipboard(environment: Environment) -> CommandClipboard:
    """Return the clipboard of a session."""
    if environment.variables.get("WAYLAND_DISPLAY"):
        reason = f"Wayland on {environment.variables['WAYLAND_DISPLAY']}"
        found = Availability("clipboard", available=True, reason=reason)
        return CommandClipboard(environment, _WAYLAND, lambda: found)
    return CommandClipboard(environment, _X11, lambda: assess_display(environment, "clipboard"))
