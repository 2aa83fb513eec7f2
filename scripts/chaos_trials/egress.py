"""Every way out of a page that is known, to a forbidden host and to an allowed one.

    python3 scripts/chaos.py egress [--only NAME…] [--json FILE]

Places on this machine count what arrives, on their sockets. Three stages: pages of a listed host (only listed hosts are
allowed), pages of a public host (this machine and names that stand for it are forbidden), and the same pages in a plain
browser without the wall, for comparison. Ends with 0 only if nothing arrived where it was forbidden, and everything
that this browser does at all where it was allowed; and if enough of them lead out without the wall to say so.
"""

import argparse
import asyncio
import os
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from playwright.async_api import BrowserContext, async_playwright
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.session.browser_session import BrowserSettings, PlaywrightSession
from actuators.browser.playwright.session.discovery import find_browser
from actuators.browser.playwright.verbs.navigation import PlaywrightNavigation
from actuators.browser.tools.navigation import NavigationTools
from core.base.errors import SurehandError
from core.policy.policy import Policy
from core.tools.ports import ActionContext
from fixtures.egress.routes import EGRESS_ROUTES, EgressRoute
from fixtures.egress.trials import ALLOWED, FORBIDDEN, Stage, Trial, Visit, try_routes
from fixtures.machine.network import DeclaredNetwork
from scripts import bench
from scripts.chaos_trials.proof import is_proven, scale

HOME = "127.0.0.1"
PUBLIC, OTHER_PUBLIC = "93.184.215.14", "93.184.215.15"
LISTED = Stage()
OPEN_WORLD = Stage("site.example", (FORBIDDEN, "inner.example", "both.example"), "cdn.example")
CONTEXT = ActionContext("g0_chaos_1", timeout_s=20.0)
_WORKING_SHARE = 0.5


def main(arguments: list[str]) -> int:
    """Take the routes and print what became of them; return 0 if nothing leaked and nothing was harmed."""
    parser = argparse.ArgumentParser(
        prog="chaos.py egress", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="take these routes only")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    asked = parser.parse_args(arguments)
    os.environ.update(NO_PROXY="*", no_proxy="*")  # no proxy of this machine comes between the wall and the places
    if unknown := set(asked.only or ()) - {route.name for route in EGRESS_ROUTES}:
        parser.error(f"there is no route called {', '.join(sorted(unknown))}")
    routes = [route for route in EGRESS_ROUTES if not asked.only or route.name in asked.only]
    listed, public, without = asyncio.run(try_everything(routes))
    print_table(listed, public, without)
    figures = count(listed, public, without)
    for name, value in figures.items():
        print(f"{name:<24} {value}")
    if asked.json:
        bench.write_reports([{"name": "egress", "figures": figures, "samples": {}, "notes": {}}], asked.json)
    kept = figures["leaks"] == 0 and figures["allowed_harmed"] == 0
    return 0 if is_proven(figures, list_least(len(routes))) and kept else 1


def list_least(routes: int) -> dict[str, float]:
    """Return what must have been seen at least, so that it says something that nothing leaked.

    Args:
        routes: How many were to be taken.
    """
    return {
        "routes": float(max(1, routes)),
        "routes_that_work": scale(routes, _WORKING_SHARE),
        "leaks_without_wall": scale(routes, _WORKING_SHARE),
        "trials": float(max(1, routes)),
        "allowed_arrived": scale(routes, _WORKING_SHARE),
    }


async def try_everything(routes: Sequence[EgressRoute]) -> tuple[list[Trial], list[Trial], list[Trial]]:
    """Take the routes on all three stages."""
    policy = Policy(hosts=(HOME, ALLOWED))
    async with open_wall(DeclaredNetwork(), replace(CONTEXT, policy=policy)) as visit:
        listed = await try_routes(routes, visit, LISTED)
    network = DeclaredNetwork(
        {
            "site.example": (PUBLIC,),
            "cdn.example": (OTHER_PUBLIC,),
            "inner.example": (FORBIDDEN,),
            "both.example": (OTHER_PUBLIC, FORBIDDEN),
        },
        {PUBLIC: HOME, OTHER_PUBLIC: ALLOWED},
    )
    anywhere = [route for route in routes if not route.needs_secure]
    async with open_wall(network, CONTEXT) as visit:
        public = await try_routes(anywhere, visit, OPEN_WORLD)
    async with open_plain() as visit:
        without = await try_routes(routes, visit, LISTED)
    return listed, public, without


@asynccontextmanager
async def open_wall(network: DeclaredNetwork, context: ActionContext) -> AsyncGenerator[Visit]:
    """Open a session as the program does, and yield how to visit pages in it, each on a lane of its own."""
    with tempfile.TemporaryDirectory() as folder:
        session = PlaywrightSession(BrowserSettings(artifacts_dir=Path(folder), network=network))
        lanes = iter(range(1_000_000))

        @asynccontextmanager
        async def visit(url: str) -> AsyncGenerator[None]:
            own = replace(context, lane=f"lane{next(lanes)}")
            await _go(session, own, url)
            yield
            await session.end_lane(own.lane)

        try:
            yield visit
        finally:
            await session.close()


@asynccontextmanager
async def open_plain() -> AsyncGenerator[Visit]:
    """Open a browser as Playwright does, and yield how to visit pages in it."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_browser().require().executable)

        @asynccontextmanager
        async def visit(url: str) -> AsyncGenerator[None]:
            context = await browser.new_context()
            await _open(context, url)
            yield
            await context.close()

        yield visit
        await browser.close()


async def _go(session: PlaywrightSession, context: ActionContext, url: str) -> None:
    try:
        await NavigationTools(PlaywrightNavigation(session)).navigate(context, url, "commit")
    except SurehandError:
        # A page that leaves at once may break its own journey off. Whether its route works shows at the allowed place.
        return


async def _open(context: BrowserContext, url: str) -> None:
    page = await context.new_page()
    try:
        await page.goto(url, wait_until="commit")
    except PlaywrightError:
        return  # as above


def count(listed: list[Trial], public: list[Trial], without: list[Trial]) -> dict[str, int]:
    """Return the figures."""
    works = {trial.route.name for trial in without if trial.arrived}
    behind = [*listed, *public]
    offered = [trial for trial in behind if trial.route.name in works and not trial.route.is_off]
    return {
        "routes": len(without),
        "routes_that_work": len(works),
        "trials": len(behind),
        "leaks": sum(trial.leaked for trial in behind),
        "allowed_arrived": sum(trial.arrived for trial in offered),
        "allowed_harmed": sum(not trial.arrived for trial in offered),
        "switched_off": len({trial.route.name for trial in behind if trial.route.is_off}),
        "leaks_without_wall": sum(trial.leaked for trial in without),
    }


def print_table(listed: list[Trial], public: list[Trial], without: list[Trial]) -> None:
    """Print a line for each route."""
    inside, world = ({trial.route.name: trial for trial in trials} for trials in (listed, public))
    print(f"{'route':<24}{'listed hosts':<24}{'public page':<24}{'without the wall':<24}remark")
    print(" " * 24 + "leaked  allowed twin    " * 3)
    for trial in without:
        name = trial.route.name
        cells = "".join(f"{_tell(found):<24}" for found in (inside.get(name), world.get(name), trial))
        remark = trial.route.is_off or ("" if trial.arrived else "this browser doesn't take it")
        print(f"{name:<24}{cells}{remark}")


def _tell(trial: Trial | None) -> str:
    if trial is None:
        return "-"
    return f"{'LEAKED' if trial.leaked else 'no':<8}{'arrived' if trial.arrived else 'no'}"
