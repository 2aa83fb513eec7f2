"""The engine's modules as they are written, each loaded by a real page; and how much of them the tests reach."""

import json
import subprocess
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route

from actuators.browser.playwright.engine import scripts
from scripts.engine import NODE

HOME = Path(scripts.__file__).parents[1]
# In the order of `scripts/javascript/build.js`.
FOLDERS = (
    "engine/names",
    "engine/acting",
    "engine/finding",
    "engine",
    "engine/looks",
    "engine/values",
    "engine/controls",
    "engine/choosing",
    "engine/more",
    "engine/selectors",
    "engine/things",
    "engine/outline",
    "engine/recording",
    "engine/context",
)
ADDRESS = "http://engine.test"
# Characters of a module that some test reached, by module: 1 for each that was.
reached: dict[str, bytearray] = {}

RUN = """async ([module, body, others]) => {
  const path = (name) => `/${name}.ts`;
  const [core, later, own] = await Promise.all([import('/engine/main.ts'), import('/engine/later.ts'), import(path(module))]);
  const [more, outline] = await Promise.all([import('/engine/more/main.ts'), import('/engine/outline/main.ts')]);
  later.provideChunks((name) => ({ more, outline })[name]);
  const given = { core };
  for (const name of others) Object.assign(given, await import(path(name)));
  Object.assign(given, own);
  const find = (css) => document.querySelector(css);
  const names = Object.keys(given);
  return new Function('find', ...names, `return (${body})`)(find, ...names.map((name) => given[name]));
}"""

STRIP = """import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
console.log(JSON.stringify(process.argv.slice(1).map((file) => stripTypeScriptTypes(readFileSync(file, 'utf8')))));"""


def list_modules() -> list[str]:
    """Name every module of the engine, ``engine/names/naming``."""
    return sorted(f"{folder}/{file.stem}" for folder in FOLDERS for file in list_sources(folder))


def list_sources(folder: str) -> list[Path]:
    """Return the modules of a folder in their order; what only declares types is none."""
    return sorted(file for file in (HOME / folder).glob("*.ts") if not file.name.endswith(".d.ts"))


@cache
def read_scripts() -> dict[str, str]:
    """Return what a browser takes of each module, by its name: spaces stand where its types were, so every place is what it was."""
    files = [f"{name}.ts" for name in list_modules()]
    command = [str(NODE), "--no-warnings", "--input-type=module", "--eval", STRIP, *files]
    done = subprocess.run(command, cwd=HOME, capture_output=True, encoding="utf-8", check=True)
    return dict(zip(files, json.loads(done.stdout), strict=True))


class Modules:
    """A page that loads the engine's modules, and runs what a test asks of them."""

    def __init__(self, page: Page) -> None:
        """Keep the page."""
        self.page = page

    async def show(self, html: str) -> None:
        """Show a document; templates with shadow roots become such."""
        await self.page.evaluate(
            """(html) => {
              document.documentElement.removeAttribute('lang');
              document.head.replaceChildren();
              document.body.setHTMLUnsafe(html);
              scrollTo(0, 0);
            }""",
            html,
        )

    async def run(self, module: str, body: str, *others: str) -> Any:
        """Evaluate an expression with all that a module exports, and other modules.

        Args:
            module: ``engine/names/naming``.
            body: JavaScript; ``find`` finds an element by CSS.
            others: Modules whose exports it uses as well.
        """
        return await self.page.evaluate(RUN, [module, body, list(others)])


async def _answer(route: Route) -> None:
    name = route.request.url.removeprefix(ADDRESS).lstrip("/")
    if name in read_scripts():
        await route.fulfill(body=read_scripts()[name], content_type="text/javascript; charset=utf-8")
    else:
        await route.fulfill(body="<!doctype html><title>Engine</title><body></body>", content_type="text/html")


@pytest.fixture(scope="session")
async def modules(browser: Browser) -> AsyncIterator[Modules]:
    """The engine's modules in a page of their own."""
    context = await browser.new_context()
    page = await context.new_page()
    await page.route("**/*", _answer)
    settings = f"globalThis.SETTINGS = {json.dumps(scripts.SETTINGS)}; globalThis.WORDS = {json.dumps(scripts.WORDS)};"
    await page.add_init_script(settings)
    tools = await context.new_cdp_session(page)
    await tools.send("Profiler.enable")
    await tools.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})
    await page.goto(ADDRESS)
    yield Modules(page)
    for script in (await tools.send("Profiler.takePreciseCoverage"))["result"]:
        _note_coverage(script)
    await context.close()


def _note_coverage(script: dict[str, Any]) -> None:
    name = script["url"].removeprefix(f"{ADDRESS}/").removesuffix(".ts")
    file = HOME / f"{name}.ts"
    if not script["url"].startswith(ADDRESS) or not file.is_file():
        return
    # The browser counts in UTF-16; our modules have nothing beyond its first plane.
    seen = bytearray(b"\1" * len(file.read_text(encoding="utf-8")))
    # Outer ranges come before those in them.
    for each in (piece for function in script["functions"] for piece in function["ranges"]):
        start, end = each["startOffset"], each["endOffset"]
        seen[start:end] = (b"\1" if each["count"] else b"\0") * (end - start)
    known = reached.setdefault(name, bytearray(len(seen)))
    reached[name] = bytearray(one | other for one, other in zip(known, seen, strict=True))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many lines of each module were reached."""
    if not reached:
        return
    terminalreporter.section("lines of the engine's modules that were reached")
    sums = [0, 0]
    for name in list_modules():
        counts = _count_lines(name)
        sums = [one + other for one, other in zip(sums, counts, strict=True)]
        terminalreporter.write_line(f"{name:32} {_write_share(*counts)}")
    terminalreporter.write_line(f"{'all':32} {_write_share(*sums)}")


def _count_lines(name: str) -> list[int]:
    """Return how many lines with code a module has, and how many of them were reached."""
    text = (HOME / f"{name}.ts").read_text(encoding="utf-8")
    seen = reached.get(name, bytearray(len(text)))
    start, lines, hits = 0, 0, 0
    for line in text.split("\n"):
        if line.strip() and not line.strip().startswith(("//", "/*", "*", "import ")):
            lines += 1
            hits += any(seen[start + len(line) - len(line.lstrip()) : start + len(line)])
        start += len(line) + 1
    return [lines, hits]


def _write_share(lines: int, hits: int) -> str:
    return f"{hits:5} of {lines:5} {100 * hits / max(1, lines):6.1f} %"
