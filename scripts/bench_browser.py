"""The browser benchmark: a job of 15 actions on the fixture shop, by Surehand and by raw Playwright, in turn, in one browser."""

import asyncio
import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import psutil
from bench_environment import keep_bytecode
from playwright.async_api import Browser, async_playwright

from actuators.browser.discovery import find_browser
from actuators.browser.playwright.back_end import make_toolsets
from actuators.browser.playwright.browser_session import BrowserSettings, PlaywrightSession
from actuators.browser.playwright.page_engine import register_engine
from actuators.browser.tools import BROWSER_TOOLSETS
from core.approvals import ClassGate
from core.authority import enforce_authority, list_candidates
from core.budgets import Budget
from core.executor import PlanExecutor
from core.goals import Goal
from core.orchestrator import GoalOrchestrator
from core.planner import GoalPlanner, Setting
from core.planner_rules import PLANNER_RULES
from core.policy import Policy
from core.ports import Toolset
from core.resolver import RulesResolver
from core.run_terms import RunTerms
from core.scopes import build_meta_goal
from core.steps import StepPerformer
from core.tools import ToolRegistry
from core.world import Capability, WorldState

ROOT = Path(__file__).resolve().parents[1]
PYTHON = sys.executable
TIMES_PER_ROUND = 3
WORLD = WorldState(
    platform=sys.platform,
    capabilities={"browser": Capability(available=True)},
    anchors={"workspace": tempfile.gettempdir()},
    values={"platforms": ()},
)
NOTES = {
    "wall_ratio": "wall time, ours / raw, median of paired ratios; aim ≤ 1.10",
    "wall_ratio_low": "lower quartile of the pairs",
    "wall_ratio_high": "upper quartile of the pairs",
    "cpu_ratio": "CPU time of this process, driver and browser, ours / raw, median of pairs; aim ≤ 1.10",
    "ours_ms": "our job: planning, 15 actions, receipts; median wall ms",
    "raw_ms": "the raw job: the same 15 calls; median wall ms",
    "plan_ms": "planning per goal, ms; aim ≤ 0.1",
    "authority_ms": "resolver and authority per action, ms; aim ≤ 0.1",
    "help_s": "surehand --help, whole process, s; aim ≤ 0.3",
    "import_core_s": "import of rules, planner, orchestrator and executor, less an empty python, s; aim ≤ 0.15",
    "import_core_whole_s": "the same with the empty python's time",
    "import_language_s": "import of the interpreter on top of it, s",
}


@dataclass(slots=True)
class Clock:
    """Wall and CPU seconds of jobs."""

    wall: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])

    async def time(self, job: Callable[[], Awaitable[None]]) -> None:
        """Do a job several times and note what it took each, on average."""
        gc.collect()
        cpu, wall = read_cpu_s(), time.perf_counter()
        for _ in range(TIMES_PER_ROUND):
            await job()
        self.wall.append((time.perf_counter() - wall) / TIMES_PER_ROUND)
        self.cpu.append((read_cpu_s() - cpu) / TIMES_PER_ROUND)


def read_cpu_s() -> float:
    """Return the CPU seconds of this process and all below it that run."""
    me = psutil.Process()
    total = 0.0
    for process in (me, *me.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue  # it ended meanwhile
        total += times.user + times.system
    return total


def list_goals(site: str) -> list[Goal]:
    """Return the 15 goals of our job."""
    steps: list[tuple[str, dict[str, Any]]] = [
        ("navigate", {"url": f"{site}/shop/signin"}),
        ("type", {"selector": 'field "Email"', "text": "ada@example.com"}),
        ("type", {"selector": 'field "Password"', "text": "s3cret: ok?"}),
        ("check", {"selector": 'checkbox "Keep me signed in"'}),
        ("click", {"selector": 'button "Sign in"'}),
        ("wait", {"url": f"{site}/shop/dashboard"}),
        ("click", {"selector": 'link "Catalogue"'}),
        ("click", {"selector": 'link "Blue mug"'}),
        ("type", {"selector": 'field "Quantity"', "text": "2"}),
        ("select", {"selector": 'field "Colour"', "value": "White"}),
        ("check", {"selector": 'checkbox "Gift wrap"'}),
        ("click", {"selector": 'button "Add to basket"'}),
        ("wait", {"selector": 'text "2 mugs"'}),
        ("click", {"selector": 'link "Basket"'}),
        ("read", {"target": "text", "selector": "testid=total"}),
    ]
    scopes = ["root", *(f"after:g{index}" for index in range(len(steps)))]
    return [Goal("browser", verb, params, scope=scope) for (verb, params), scope in zip(steps, scopes, strict=False)]


async def do_raw_job(browser: Browser, site: str) -> None:
    """Do the same 15 actions by Playwright alone."""
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(f"{site}/shop/signin")
    await page.get_by_label("Email").fill("ada@example.com")
    await page.get_by_label("Password").fill("s3cret: ok?")
    await page.get_by_role("checkbox", name="Keep me signed in").check()
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url(f"{site}/shop/dashboard")
    await page.get_by_role("link", name="Catalogue").click()
    await page.get_by_role("link", name="Blue mug").click()
    await page.get_by_label("Quantity").fill("2")
    await page.get_by_label("Colour").select_option("White")
    await page.get_by_role("checkbox", name="Gift wrap").check()
    await page.get_by_role("button", name="Add to basket").click()
    await page.get_by_text("2 mugs").wait_for()
    await page.get_by_role("link", name="Basket").click()
    total = await page.get_by_test_id("total").inner_text()
    assert total
    await context.close()


async def do_our_job(browser: Browser, site: str) -> None:
    """Plan the 15 goals and run them, with receipts."""
    with tempfile.TemporaryDirectory() as folder:
        session = PlaywrightSession.over(browser, BrowserSettings(artifacts_dir=Path(folder)))
        tools = make_toolsets(session)

        async def provide(toolset: type[Toolset]) -> Toolset:
            return tools[toolset]

        registry = ToolRegistry()
        for toolset in BROWSER_TOOLSETS:
            registry.register(toolset, provide)
        graph = (
            GoalOrchestrator(GoalPlanner(PLANNER_RULES))
            .orchestrate(build_meta_goal(list_goals(site)), Setting(WORLD))
            .graph
        )
        executor = PlanExecutor(StepPerformer(registry, RulesResolver(), PLANNER_RULES))
        terms = RunTerms(world=WORLD, policy=Policy(), budget=Budget(), gate=ClassGate())
        logs = await executor.execute(graph, terms)
        await session.close()
    failed = [f"{log.description}: {log.result.error}" for log in logs if log.result.status != "ok"]
    assert len(logs) == 15
    assert not failed, failed


@contextmanager
def serve_sites() -> Generator[str]:
    """Serve the fixture sites from a process of their own, so that its CPU time counts for neither side."""
    command = [PYTHON, str(ROOT / "fixtures" / "site_server.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


async def compare_jobs(rounds: int, site: str) -> tuple[Clock, Clock]:
    """Return the times of our jobs and of the raw ones, done in turn in one browser."""
    ours, raw = Clock(), Clock()
    async with async_playwright() as playwright:
        await register_engine(playwright)
        found = find_browser().require()
        browser = await playwright.chromium.launch(executable_path=found.executable)
        await do_raw_job(browser, site)
        await do_our_job(browser, site)
        for number in range(rounds):
            pair = [(ours, do_our_job), (raw, do_raw_job)]
            for clock, job in pair if number % 2 else reversed(pair):
                await clock.time(partial(job, browser, site))
        await browser.close()
    return ours, raw


def measure_planning(times: int = 300) -> float:
    """Return the median milliseconds that planning takes per goal."""
    goals = list_goals("http://127.0.0.1:8123")
    orchestrator = GoalOrchestrator(GoalPlanner(PLANNER_RULES))
    taken: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        orchestrator.orchestrate(build_meta_goal(goals), Setting(WORLD))
        taken.append((time.perf_counter() - began) * 1000 / len(goals))
    return statistics.median(taken)


async def measure_authority(times: int = 300) -> float:
    """Return the median milliseconds that resolver and authority take per action."""
    registry = ToolRegistry()

    async def provide(_: type[Toolset]) -> Toolset:
        raise AssertionError

    for toolset in BROWSER_TOOLSETS:
        registry.register(toolset, provide)
    goals = build_meta_goal(list_goals("http://127.0.0.1:8123"))
    graph = GoalOrchestrator(GoalPlanner(PLANNER_RULES)).orchestrate(goals, Setting(WORLD)).graph
    resolver = RulesResolver()
    taken: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        for action in graph.nodes.values():
            candidates = list_candidates(action, registry.specs())
            enforce_authority(action, await resolver.resolve(action, candidates), candidates)
        taken.append((time.perf_counter() - began) * 1000 / len(graph.nodes))
    return statistics.median(taken)


def measure_process(*command: str, times: int = 11) -> float:
    """Return the median seconds that a command takes as a whole process, once its modules are compiled to bytecode."""
    taken: list[float] = []
    with keep_bytecode() as variables:
        for _ in range(times + 1):
            began = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT, env=variables)
            taken.append(time.perf_counter() - began)
    return statistics.median(taken[1:])


def measure_browser(rounds: int) -> dict[str, Any]:
    """Return figures, samples and what the figures mean."""
    with serve_sites() as site:
        ours, raw = asyncio.run(compare_jobs(rounds, site))
    walls = [left / right for left, right in zip(ours.wall, raw.wall, strict=True)]
    cpus = [left / right for left, right in zip(ours.cpu, raw.cpu, strict=True)]
    low, _, high = statistics.quantiles(walls, n=4)
    empty = measure_process(PYTHON, "-c", "pass")
    core = "import core.executor, core.orchestrator, core.planner_rules"
    core_s, language_s = (measure_process(PYTHON, "-c", each) for each in (core, f"{core}, core.language.interpreter"))
    surehand = Path(PYTHON).with_name("surehand.exe" if sys.platform == "win32" else "surehand")
    figures = {
        "wall_ratio": statistics.median(walls),
        "wall_ratio_low": low,
        "wall_ratio_high": high,
        "cpu_ratio": statistics.median(cpus),
        "ours_ms": statistics.median(ours.wall) * 1000,
        "raw_ms": statistics.median(raw.wall) * 1000,
        "plan_ms": measure_planning(),
        "authority_ms": asyncio.run(measure_authority()),
        "help_s": measure_process(str(surehand), "--help"),
        "import_core_s": core_s - empty,
        "import_core_whole_s": core_s,
        "import_language_s": language_s - core_s,
    }
    samples = {"wall_ratio": walls, "cpu_ratio": cpus, "ours_s": ours.wall, "raw_s": raw.wall}
    return {"name": "browser", "figures": figures, "samples": json.loads(json.dumps(samples)), "notes": NOTES}
