"""The clipboard of macOS, by pbcopy and pbpaste. Not tried on a real Mac yet."""

import asyncio
import shutil
import subprocess

from actuators.base import Availability, Environment
from core.base.errors import DeviceError

_ANSWER_S = 5.0
_ENCODING = {"LC_ALL": "en_US.UTF-8"}
"""Without it, both read and write the text in another encoding."""


class MacClipboard:
    """The general pasteboard's text. A pasteboard without text reads as an empty one, since pbpaste tells no difference."""

    def __init__(self, environment: Environment) -> None:
        self._variables = {**environment.variables, **_ENCODING}

    def assess(self) -> Availability:
        """Say whether the programs are there."""
        found = all(shutil.which(name, path=self._variables.get("PATH")) for name in ("pbcopy", "pbpaste"))
        reason = "pbcopy and pbpaste" if found else "pbcopy and pbpaste are not on the path"
        return Availability("clipboard", available=found, reason=reason)

    async def read(self) -> str | None:
        """Return its text."""
        return (await asyncio.to_thread(self._run, "pbpaste", b"")).decode(errors="replace")

    async def write(self, text: str) -> None:
        """Replace its content."""
        await asyncio.to_thread(self._run, "pbcopy", text.encode())

    async def close(self) -> None:
        """Do nothing."""

    def _run(self, program: str, text: bytes) -> bytes:
        try:
            done = subprocess.run(
                [program], input=text, env=self._variables, capture_output=True, timeout=_ANSWER_S, check=True
            )
        except subprocess.TimeoutExpired as error:
            raise _failed(program, f"it doesn't answer within {_ANSWER_S:g} s", "not_settled") from error
        except (OSError, subprocess.CalledProcessError) as error:
            raise _failed(program, str(error), "server_missing") from error
        return done.stdout


def _failed(program: str, why: str, code: str) -> DeviceError:
    return DeviceError(
        f"{program} failed: {why}.", code=code, hint="Try it in a terminal.", evidence={"program": program}
    )
