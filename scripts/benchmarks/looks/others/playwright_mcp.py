"""Playwright MCP's `browser_snapshot`, spoken to over standard input and output as its clients do."""

import json
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from scripts.benchmarks.looks.installing import find_node, read_child_environment, require_package
from scripts.benchmarks.looks.judge import NUMBERS
from scripts.benchmarks.looks.processes import LineProcess
from scripts.benchmarks.looks.tools import WINDOW, Told

REF = re.compile(r"\[ref=(\w+)\]")
_PROTOCOL = "2025-06-18"
_IDENTIFY = """async (page) => {
  await page.evaluate(%s, false);
  const number = (ref) => page.locator('aria-ref=' + ref).evaluate((element) => window.benchNumbers.get(element) ?? -1);
  const found = [];
  for (const ref of %s) found.push(await number(ref));
  return found;
}"""


class PlaywrightMcp:
    """The server of `@playwright/mcp`, with snapshots given in full as it does by itself."""

    def __init__(self, executable: str) -> None:
        """Look through a browser of its own.

        Args:
            executable: The browser.
        """
        self._executable = executable
        self._folder = tempfile.TemporaryDirectory(prefix="surehand-peer-")
        self._server: LineProcess | None = None
        self._asked = 0
        self._text = ""

    async def __aenter__(self) -> Self:
        """Start the server; its browser starts with the first page."""
        script = require_package("@playwright/mcp") / "cli.js"
        size = "x".join(map(str, WINDOW))
        options = [
            "--headless",
            "--isolated",
            "--no-sandbox",
            "--viewport-size",
            size,
            "--output-dir",
            self._folder.name,
        ]
        command = [str(find_node()), str(script), "--executable-path", self._executable, *options]
        self._server = await LineProcess.start(command, Path(self._folder.name), read_child_environment())
        client = {"name": "surehand-bench", "version": "1"}
        await self._ask("initialize", protocolVersion=_PROTOCOL, capabilities={}, clientInfo=client)
        await self._server.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    async def __aexit__(self, *_: object) -> None:
        """End server and browser."""
        if self._server:
            await self._server.close()
        self._folder.cleanup()

    async def open(self, addresses: Sequence[str]) -> None:
        """Go to the addresses, one after another."""
        for address in addresses:
            await self._call("browser_navigate", url=address)

    async def look(self) -> str:
        """Return the whole answer of `browser_snapshot`."""
        self._text = await self._call("browser_snapshot")
        return self._text

    async def identify(self) -> Told:
        """Ask its own refs for the elements that they stand for."""
        refs = list(dict.fromkeys(REF.findall(self._text)))
        answer = await self._call("browser_run_code_unsafe", code=_IDENTIFY % (NUMBERS, json.dumps(refs)))
        found = re.search(r"\[[-\d,\s]*\]", answer)
        numbers = frozenset(json.loads(found[0])) if found else frozenset[int]()
        return Told(numbers - {-1}, lines=len(refs))

    async def _call(self, tool: str, **arguments: Any) -> str:
        answer = await self._ask("tools/call", name=tool, arguments=arguments)
        text = "".join(each.get("text", "") for each in answer["content"])
        if answer.get("isError"):
            raise RuntimeError(f"{tool}: {text[:400]}")
        return text

    async def _ask(self, method: str, **params: Any) -> Any:
        assert self._server
        self._asked += 1
        await self._server.say({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params})
        while (answer := await self._server.hear()).get("id") != self._asked:
            continue
        return answer["result"]
