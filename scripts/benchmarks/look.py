"""The look benchmark: what a model is told of a page by us and by others, in tokens, milliseconds, and in what is there and missing.

Each tool has the project's browser to itself, with the same window, and looks at the same pages; who can't be had is left out, with the reason. What a
person could act on is judged without us (`looks/judge.py`). A tool tells of a thing if what it calls it by, its own refs, leads to that element
or to a part of it; ours is also asked to open what it folds, and each of its lines must name exactly what it stands for.
"""

import asyncio
import json
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from actuators.browser.playwright.session.discovery import find_browser
from scripts.benchmarks.looks.aria import RawPages
from scripts.benchmarks.looks.installing import prepare_modules, run_node
from scripts.benchmarks.looks.judge import Judgement, find_missing, judge
from scripts.benchmarks.looks.others.agent_browser import AgentBrowser
from scripts.benchmarks.looks.others.browser_use import BrowserUse
from scripts.benchmarks.looks.others.playwright_mcp import PlaywrightMcp
from scripts.benchmarks.looks.ours import Surehand
from scripts.benchmarks.looks.pages import PAGES, LookPage, serve_page
from scripts.benchmarks.looks.sightings import OURS, Sighting, as_samples, compare, describe_page
from scripts.benchmarks.looks.tools import LookingTool, MissingToolError

OTHERS: dict[str, Callable[[str], Any]] = {
    "agent-browser": AgentBrowser,
    "playwright-mcp": PlaywrightMcp,
    "browser-use": BrowserUse,
}
TOOLS = (OURS, *OTHERS, "aria")
WARM_UP = 1


async def measure_look(rounds: int, tools: str | None = None, pages: str | None = None) -> dict[str, Any]:
    """Return the report.

    Args:
        rounds: How often each tool looks at each page.
        tools: Which of `TOOLS`, joined by commas; None for all.
        pages: Which of `PAGES`, likewise.

    Raises:
        SystemExit: If one is named that isn't there.
    """
    chosen, sightings = choose(tools, TOOLS), list[Sighting]()
    async with AsyncExitStack() as stack:
        served = [page for name in choose(pages, PAGES) if (page := await try_serve(stack, name))]
        judged = await judge_pages(served)
        for tool in chosen:
            sightings += await measure_tool(tool, served, judged, rounds)
    for page in served:
        judgement = judged[page.name]
        facts = (
            f"{len(judgement.things)} things to act on, {judgement.covered} covered, {len(judgement.parents)} elements"
        )
        print(describe_page(page.name, facts, [each for each in sightings if each.page == page.name]), flush=True)
    figures, notes = compare(sightings, OTHERS)
    return {"name": "look", "figures": figures, "samples": as_samples(sightings), "notes": notes}


def choose(asked: str | None, there: Sequence[str]) -> Sequence[str]:
    """Return what was asked for by names joined by commas; all where nothing was.

    Raises:
        SystemExit: If one isn't there.
    """
    names = asked.split(",") if asked else there
    if wrong := [name for name in names if name not in there]:
        raise SystemExit(f"not measured: {', '.join(wrong)}; there are {', '.join(there)}")
    return names


async def try_serve(stack: AsyncExitStack, name: str) -> LookPage | None:
    """Serve a page until the stack is left; where it can't be had, say why and return None."""
    try:
        return await stack.enter_async_context(serve_page(name))
    except MissingToolError as error:
        print(f"page {name} is left out: {error}", flush=True)
        return None


async def judge_pages(pages: Sequence[LookPage]) -> dict[str, Judgement]:
    """Return what a person could act on, by the names of the pages."""
    judged: dict[str, Judgement] = {}
    async with RawPages(find_executable()) as raw:
        for page in pages:
            await raw.open(page.addresses)
            judged[page.name] = await judge(raw.page)
    return judged


async def measure_tool(
    name: str, pages: Sequence[LookPage], judged: dict[str, Judgement], rounds: int
) -> list[Sighting]:
    """Return what came of a tool on each page; where it can't be had or fails, say why."""
    sightings: list[Sighting] = []
    try:
        async with make_tool(name, pages) as tool:
            for page in pages:
                try:
                    sightings.append(await measure_page(tool, name, page, judged[page.name], rounds))
                except RuntimeError as error:
                    print(f"{name} fails on {page.name}: {error}", flush=True)
    except (MissingToolError, EOFError) as error:
        print(f"{name} is left out: {error}", flush=True)
    return sightings


def make_tool(name: str, pages: Sequence[LookPage]) -> Any:
    """Return a tool by its name; entering it starts it."""
    executable = find_executable()
    if name == OURS:
        return Surehand(executable, [page.host for page in pages])
    return OTHERS.get(name, RawPages)(executable)


def find_executable() -> str:
    """Return the browser that the project uses."""
    return find_browser().require().executable


async def measure_page(tool: LookingTool, name: str, page: LookPage, judgement: Judgement, rounds: int) -> Sighting:
    """Return what came of a tool on a page."""
    await tool.open(page.addresses)
    times: list[float] = []
    text = ""
    for _ in range(WARM_UP + rounds):
        began = time.perf_counter()
        text = await tool.look()
        times.append((time.perf_counter() - began) * 1000)
    told = await tool.identify()
    print(f"{name} has looked at {page.name}", flush=True)
    missing, folded = find_missing(judgement, told.numbers), find_missing(judgement, told.numbers | told.in_folds)
    return Sighting(
        page=page.name,
        tool=name,
        tokens=await asyncio.to_thread(count_tokens, text),
        milliseconds=statistics.median(times[WARM_UP:]),
        things=len(judgement.things),
        lines=told.lines,
        has=len(judgement.things) - len(folded),
        in_folds=len(missing) - len(folded),
        looks=told.looks,
        missing=tuple(map(str, folded)),
        wrong=told.wrong,
        tried=told.tried,
        text=text,
    )


def count_tokens(text: str) -> int:
    """Return the tokens (o200k) of a text."""
    folder = prepare_modules().parent
    return json.loads(run_node([str(Path(folder) / "tokens.js")], folder, json.dumps([text])))[0]
