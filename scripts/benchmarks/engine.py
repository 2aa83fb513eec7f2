"""What our scripts cost in every document: bytes that are sent, wall time, and CPU time of the browser and its driver.

A small page is loaded again and again, and one thing on it is found: without anything of ours, with the context script, with the engine
registered but not asked, and with all as people get it. The ways take turns, each in a browser of its own, so that what else the
machine does falls on all of them.
"""

import os
import statistics
import time
from dataclasses import dataclass, field
from typing import Any

import psutil
from playwright.async_api import Playwright, Route, async_playwright

from actuators.browser.playwright.engine.scripts import CONTEXT_SCRIPT, ENGINE_NAME, ENGINE_SCRIPT, engine_selector
from actuators.browser.playwright.session.discovery import find_browser

DOCUMENTS = 60
WARM_UP = 10
PLAIN = "css=button"
PAGE = "<!doctype html><title>Shop</title><h1>Shop</h1>" + "".join(
    f"<p><label>Amount {n} <input></label><button>Add {n}</button></p>" for n in range(20)
)
NOTES = {
    "engine_bytes": "bytes of the engine, sent with the first question to each document",
    "context_bytes": "bytes of the context script, sent once a context and run in each document",
    "ms": "loading a page and finding a thing on it by raw Playwright, median ms",
    "engine_ms": "more ms of it with the engine, asked",
    "context_ms": "more ms of it with the context script",
    "cpu_ms": "CPU ms of browser and driver a document, raw Playwright",
    "engine_idle_cpu_ms": "more CPU ms a document with the engine registered and not asked",
    "engine_cpu_ms": "more CPU ms a document with the engine, asked",
    "more_cpu_ms": "more CPU ms a document with a question that needs the part that is evaluated later",
    "context_cpu_ms": "more CPU ms a document with the context script",
    "all_cpu_ms": "more CPU ms a document with both",
}


@dataclass(frozen=True, slots=True)
class Way:
    """What is put into documents, and what is asked of them.

    Attributes:
        has_engine: Whether the engine is registered.
        has_context: Whether the context script runs.
        selector: Of the question.
    """

    has_engine: bool = False
    has_context: bool = False
    selector: str = PLAIN


@dataclass(slots=True)
class Costs:
    """Of a way: milliseconds a document, a round each."""

    wall_ms: list[float] = field(default_factory=list[float])
    cpu_ms: list[float] = field(default_factory=list[float])


NAMED = engine_selector("role", name="Add 3", roles=["button"])
DESCRIBED = engine_selector("value", name="Amount 3")
WAYS = {
    "raw": Way(),
    "context": Way(has_context=True),
    "idle": Way(has_engine=True),
    "engine": Way(has_engine=True, selector=NAMED),
    "more": Way(has_engine=True, selector=DESCRIBED),
    "all": Way(has_engine=True, has_context=True, selector=NAMED),
}


async def measure_engine(rounds: int) -> dict[str, Any]:
    """Measure all ways in turn.

    Args:
        rounds: How often each has its turn.
    """
    costs = {name: Costs() for name in WAYS}
    for _ in range(rounds):
        for name, way in WAYS.items():
            async with async_playwright() as playwright:
                wall_ms, cpu_ms = await _load_documents(playwright, way)
            costs[name].wall_ms.append(wall_ms)
            costs[name].cpu_ms.append(cpu_ms)
    return {
        "name": "engine",
        "figures": _compare(costs),
        "samples": {name: each.cpu_ms for name, each in costs.items()},
        "notes": NOTES,
    }


def _compare(costs: dict[str, Costs]) -> dict[str, float]:
    def more(name: str, part: str) -> float:
        pairs = zip(getattr(costs[name], part), getattr(costs["raw"], part), strict=True)
        return statistics.median(one - other for one, other in pairs)

    return {
        "engine_bytes": len(ENGINE_SCRIPT),
        "context_bytes": len(CONTEXT_SCRIPT),
        "ms": statistics.median(costs["raw"].wall_ms),
        "engine_ms": more("engine", "wall_ms"),
        "context_ms": more("context", "wall_ms"),
        "cpu_ms": statistics.median(costs["raw"].cpu_ms),
        "engine_idle_cpu_ms": more("idle", "cpu_ms"),
        "engine_cpu_ms": more("engine", "cpu_ms"),
        "more_cpu_ms": more("more", "cpu_ms"),
        "context_cpu_ms": more("context", "cpu_ms"),
        "all_cpu_ms": more("all", "cpu_ms"),
    }


async def _load_documents(playwright: Playwright, way: Way) -> tuple[float, float]:
    """Return the median wall and the mean CPU milliseconds of a document."""
    if way.has_engine:
        await playwright.selectors.register(ENGINE_NAME, script=ENGINE_SCRIPT, content_script=True)
    found = find_browser().found
    arguments = ["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else []
    browser = await playwright.chromium.launch(executable_path=found.executable if found else None, args=arguments)
    context = await browser.new_context()
    if way.has_context:
        await context.add_init_script(CONTEXT_SCRIPT)
    page = await context.new_page()
    await page.route("**/*", _answer)
    times: list[float] = []
    before = 0.0
    for number in range(WARM_UP + DOCUMENTS):
        if number == WARM_UP:
            before = _count_cpu_s()
        began = time.perf_counter()
        await page.goto("http://shop.test/")
        await page.locator(way.selector).count()
        times.append((time.perf_counter() - began) * 1000)
    spent_s = _count_cpu_s() - before
    await browser.close()
    return statistics.median(times[WARM_UP:]), spent_s * 1000 / DOCUMENTS


async def _answer(route: Route) -> None:
    await route.fulfill(body=PAGE, content_type="text/html")


def _count_cpu_s() -> float:
    """Return the CPU seconds of all processes that this one started."""
    spent = 0.0
    for process in psutil.Process().children(recursive=True):
        try:
            times = process.cpu_times()
        except psutil.Error:  # ended meanwhile
            continue
        spent += times.user + times.system
    return spent
