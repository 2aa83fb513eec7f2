"""agent-browser's `snapshot -i`: a command each time, as its users run it; a process of its own keeps the browser meanwhile."""

import asyncio
import json
import os
import platform
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from scripts.benchmarks.looks.installing import read_child_environment, require_package
from scripts.benchmarks.looks.judge import NUMBERS
from scripts.benchmarks.looks.tools import WINDOW, MissingToolError, Told

REF = re.compile(r"\bref=(e\d+)\]")
_MACHINES = {"x86_64": "x64", "AMD64": "x64", "arm64": "arm64", "aarch64": "arm64"}
_SYSTEMS = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}


class AgentBrowser:
    """The program of the npm package for this system, in a session of its own."""

    def __init__(self, executable: str) -> None:
        """Look through a browser of its own.

        Args:
            executable: The browser.
        """
        self._executable = executable
        self._folder = tempfile.TemporaryDirectory(prefix="surehand-peer-")
        self._program = ""
        self._text = ""

    async def __aenter__(self) -> Self:
        """Find the program, and open its window."""
        self._program = str(await asyncio.to_thread(_find_program))
        await self._run("open", "about:blank")
        await self._run("set", "viewport", *map(str, WINDOW))
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close its browser."""
        if self._program:
            await self._run("close")
        self._folder.cleanup()

    async def open(self, addresses: Sequence[str]) -> None:
        """Go to the addresses, one after another."""
        for address in addresses:
            await self._run("open", address)

    async def look(self) -> str:
        """Return what the command prints."""
        self._text = await self._run("snapshot", "-i")
        return self._text

    async def identify(self) -> Told:
        """Ask its own refs for the numbers that were written on their elements."""
        await self._run("eval", f"({NUMBERS.strip().rstrip(';')})(true)")
        refs = list(dict.fromkeys(REF.findall(self._text)))
        asked = json.dumps([["get", "attr", f"@{ref}", "data-bench"] for ref in refs])
        answers: list[dict[str, Any]] = json.loads(await self._run("batch", "--json", given=asked))
        found = [each["result"]["value"] for each in answers if each.get("success")]
        return Told(frozenset(int(value) for value in found if value), lines=len(refs))

    async def _run(self, *arguments: str, given: str = "") -> str:
        variables = read_child_environment() | {
            "AGENT_BROWSER_SESSION": f"surehand-{os.getpid()}",
            "AGENT_BROWSER_EXECUTABLE_PATH": self._executable,
            "AGENT_BROWSER_ARGS": "--no-sandbox",
        }
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            self._program, *arguments, cwd=self._folder.name, env=variables, stdin=pipe, stdout=pipe, stderr=pipe
        )
        output, complaint = await process.communicate(given.encode())
        if process.returncode and arguments[0] != "batch":
            raise RuntimeError(f"agent-browser {arguments[0]}: {(complaint or output).decode()[:400]}")
        return output.decode()


def _find_program() -> Path:
    """Return the program for this system, which can be run once it has been unpacked."""
    system, machine = _SYSTEMS.get(platform.system()), _MACHINES.get(platform.machine())
    ending = ".exe" if system == "win32" else ""
    program = require_package("agent-browser") / "bin" / f"agent-browser-{system}-{machine}{ending}"
    if not program.is_file():
        raise MissingToolError("agent-browser has no program for this system")
    program.chmod(0o755)
    return program
