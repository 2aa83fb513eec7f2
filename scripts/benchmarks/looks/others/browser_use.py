"""browser-use's picture of a page in words, as its model is given it, from a process in an environment of its own."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from scripts.benchmarks.looks.installing import prepare_python, read_child_environment
from scripts.benchmarks.looks.judge import NUMBERS
from scripts.benchmarks.looks.processes import LineProcess
from scripts.benchmarks.looks.tools import WINDOW, Told

WORKER = Path(__file__).with_name("browser_use_worker.py")


class BrowserUse:
    """browser-use in a process that is asked by lines."""

    def __init__(self, executable: str) -> None:
        """Look through a browser of its own.

        Args:
            executable: The browser.
        """
        self._executable = executable
        self._folder = tempfile.TemporaryDirectory(prefix="surehand-peer-")
        self._worker: LineProcess | None = None

    async def __aenter__(self) -> Self:
        """Start the process and its browser."""
        home = self._folder.name
        variables = read_child_environment() | {
            "ANONYMIZED_TELEMETRY": "false",
            "BROWSER_USE_CLOUD_SYNC": "false",
            "BROWSER_USE_CONFIG_DIR": home,
            "BROWSER_USE_VERSION_CHECK": "false",
        }
        size = [str(length) for length in WINDOW]
        command = [str(prepare_python()), "-P", str(WORKER), self._executable, home, *size]
        self._worker = await LineProcess.start(command, Path(home), variables)
        await self._worker.hear()
        return self

    async def __aexit__(self, *_: object) -> None:
        """End process and browser."""
        if self._worker:
            await self._worker.close()
        self._folder.cleanup()

    async def open(self, addresses: Sequence[str]) -> None:
        """Go to the addresses, one after another."""
        for address in addresses:
            await self._ask("open", address)

    async def look(self) -> str:
        """Return what its model would be given of the page's elements."""
        return await self._ask("look")

    async def identify(self) -> Told:
        """Ask it for the numbers on the elements whose index is in the text."""
        found: list[int] = await self._ask("identify", NUMBERS)
        return Told(frozenset(found), lines=len(found))

    async def _ask(self, what: str, given: str = "") -> Any:
        assert self._worker
        await self._worker.say([what, given])
        answer = await self._worker.hear()
        if "error" in answer:
            raise RuntimeError(f"browser-use, {what}: {answer['error']}")
        return answer["result"]
