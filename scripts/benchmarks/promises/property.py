"""The property of outlines, counted: `python3 scripts/bench.py look --property`.

On every fixture page, on strange pages made at random, and on pages that others have built: how many lines there are, how many name anything but what they
were made for (wrong), how many do so once the page has made itself anew (lost), and how many things that a person could act on no line and
no fold leads to (missing). Pages that can't be had here are left out, with the reason.
"""

import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

from playwright.async_api import Browser
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserProcess, BrowserSettings
from core.base.errors import SurehandError
from core.tools.ports import ActionContext
from fixtures.machine.network import DeclaredNetwork
from fixtures.site_server import SiteServer
from scripts.benchmarks.looks.pages import PAGES, serve_page
from scripts.benchmarks.looks.tools import MissingToolError
from scripts.benchmarks.promises.built import serve_built
from scripts.benchmarks.promises.fixture_pages import list_fixture_pages
from scripts.benchmarks.promises.keeping import Keeper, Verdict
from scripts.benchmarks.promises.strange import PageMaker

STRANGE = 100
MOST_PRINTED = 6
OPEN_S = 20.0
SETTLED_MS = 400.0
QUIET_MS = 5000.0
GROUPS = ("fixtures", "strange", "others")


async def measure_property(pages: str | None = None, seeds: int = STRANGE) -> dict[str, Any]:
    """Return the counts of each group of pages.

    Args:
        pages: Which of `GROUPS`, joined by commas; None for all.
        seeds: How many strange pages.
    """
    asked = pages.split(",") if pages else GROUPS
    verdicts: dict[str, list[Verdict]] = {}
    process = BrowserProcess(BrowserSettings())
    browser = await process.start()
    try:
        if "fixtures" in asked:
            with SiteServer() as server:
                addresses = [f"{server.url}{path}" for path in list_fixture_pages()]
                verdicts["fixtures"] = [await _check(browser, each.split("/", 3)[3], (each,)) for each in addresses]
        if "strange" in asked:
            verdicts["strange"] = [await _check_strange(browser, seed) for seed in range(seeds)]
        if "others" in asked:
            verdicts["others"] = await _check_others(browser)
    finally:
        await process.stop()
    return _report(verdicts)


async def _check_others(browser: Browser) -> list[Verdict]:
    found: list[Verdict] = []
    for name in PAGES:
        async with AsyncExitStack() as stack:
            try:
                page = await stack.enter_async_context(serve_page(name))
            except MissingToolError as error:
                print(f"page {name} is left out: {error}", flush=True)
                continue
            found.append(await _check(browser, name, page.addresses))
    with serve_built() as pages:
        for name, address in pages.items():
            found.append(await _check(browser, name, (address,)))
    return found


@asynccontextmanager
async def open_session(browser: Browser) -> AsyncGenerator[PlaywrightSession]:
    """Yield a session in a browser that runs."""
    with tempfile.TemporaryDirectory(prefix="surehand-bench-") as folder:
        hosts = ("127.0.0.1", "localhost")
        settings = BrowserSettings(artifacts_dir=Path(folder), network=DeclaredNetwork(), named_hosts=hosts)
        session = PlaywrightSession.over(browser, settings)
        try:
            yield session
        finally:
            await session.close()


async def _check(browser: Browser, name: str, addresses: Sequence[str]) -> Verdict:
    async with open_session(browser) as session:
        page = await session.open_page(ActionContext("g0_open_1", timeout_s=OPEN_S))
        try:
            for address in addresses:
                await page.goto(address, timeout=OPEN_S * 1000)
            with suppress(PlaywrightError):  # some pages ask for something all the time
                await page.wait_for_load_state("networkidle", timeout=QUIET_MS)
            await page.wait_for_timeout(SETTLED_MS)
            return _tell(await Keeper(session).check(name))
        except (PlaywrightError, SurehandError) as error:
            return _tell(Verdict(name, wrong=[f"the page can't be looked at: {error}"]))


async def _check_strange(browser: Browser, seed: int) -> Verdict:
    async with open_session(browser) as session:
        page = await session.open_page(ActionContext("g0_open_1", timeout_s=OPEN_S))
        await page.set_content(PageMaker(Random(seed)).make())
        return _tell(await Keeper(session).check(f"strange {seed}"))


def _tell(verdict: Verdict) -> Verdict:
    counts = f"{verdict.lines} lines, {verdict.things} things, {len(verdict.wrong)} wrong, {len(verdict.lost)} lost, {len(verdict.missing)} missing"
    print(f"{verdict.page}: {counts}", flush=True)
    for fault in verdict.faults[:MOST_PRINTED]:
        print(f"  {fault[:300]}", flush=True)
    return verdict


def _report(verdicts: dict[str, list[Verdict]]) -> dict[str, Any]:
    figures: dict[str, float] = {}
    for group, found in verdicts.items():
        figures |= {
            f"{group}_pages": len(found),
            f"{group}_lines": sum(each.lines for each in found),
            f"{group}_things": sum(each.things for each in found),
            f"{group}_by_ref": sum(each.refs for each in found),
            f"{group}_wrong": sum(len(each.wrong) for each in found),
            f"{group}_lost": sum(len(each.lost) for each in found),
            f"{group}_missing": sum(len(each.missing) for each in found),
        }
    notes = {f"{group}_{what}": "aim 0" for group in verdicts for what in ("wrong", "lost", "missing")}
    return {"name": "look", "figures": figures, "samples": {}, "notes": notes}
