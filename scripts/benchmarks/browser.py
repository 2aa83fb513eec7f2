"""The browser benchmark: a job of 15 actions on the fixture shop, by Surehand as people get it, and by raw Playwright, in turn.

Each side has a process and a browser of its own, which stay for all jobs: ours with journal, kept runs, log and the proxy that pages go
through, all as `surehand run` has them. Then the same with each of these parts taken out, which shows what it costs; and with all of
them out, which shows what planning and receipts cost. A cold start is a new process from its beginning until its first page is there.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from actuators.browser.playwright.session.discovery import find_browser
from agent.assembly import list_families, make_registry, make_session
from agent.requests.requests import Request
from agent.settings.settings import Settings
from core.planning.authority import RulesResolver, enforce_authority, list_candidates
from scripts.benchmarks.environment import keep_bytecode
from scripts.benchmarks.workers.browser_jobs import PARTS, list_goals
from scripts.benchmarks.workers.browser_timings import Row, write_table

ROOT = Path(__file__).resolve().parents[2]
PYTHON = sys.executable
JOBS_PER_ROUND = 3
COLD_STARTS = 5
LIMIT_S = 60.0
NOTES = {
    "wall_ratio": "wall time as shipped, ours / raw, median of paired ratios",
    "wall_ratio_low": "lower quartile of the pairs",
    "wall_ratio_high": "upper quartile of the pairs",
    "cpu_ratio": "CPU time of all processes of a side, ours / raw, median of pairs",
    "cold_ratio": "a new process until its first page is there, ours / raw, median of pairs",
    "memory_mib": "what all processes of a side hold after a round, ours less raw, median; what pages leave for later makes it jump",
    "wall_ratio_engine_alone": "Playwright alone with our engine in every document, by Playwright alone",
    "ours_trips": "messages to Playwright's driver in our job, median",
    "raw_trips": "the same of the raw job",
    "left_share": "questions and acts of ours that were left to Playwright's way, of all",
    "wall_ratio_without_everything": "none of these parts: planning, acting, receipts",
    "ours_ms": "our job: planning, 15 actions, receipts; median wall ms",
    "raw_ms": "the raw job: the same 15 calls; median wall ms",
    "cold_s": "our cold start, s",
    "raw_cold_s": "the raw one, s",
    "plan_ms": "planning per goal, as a session does it, ms; aim ≤ 0.1",
    "authority_ms": "resolver and authority per action, among all tools, ms; aim ≤ 0.1",
    "help_s": "surehand --help, whole process, s; aim ≤ 0.3",
    "import_core_s": "import of rules, planner, orchestrator and executor, less an empty python, s; aim ≤ 0.15",
    "import_core_whole_s": "the same with the empty python's time",
    "import_language_s": "import of the interpreter on top of it, s",
}


@dataclass(slots=True)
class Pairs:
    """What both sides took, in the same rounds.

    Attributes:
        wall: Wall seconds a job, ours and raw, a round.
        cpu: The same of CPU seconds.
        memory_mib: What both hold after a round.
    """

    wall: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    cpu: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    memory_mib: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])


class Worker:
    """A process that does jobs on one side; once it is made, its first page is there."""

    def __init__(self, site: str, folder: Path, how: Sequence[str], variables: Mapping[str, str]) -> None:
        """Start it.

        Args:
            site: Address of the fixture sites.
            folder: An empty working folder.
            how: ``ours``, ``raw`` or ``engine``; the parts that ours does without, joined by commas; and ``timings`` to watch steps.
            variables: Its environment.
        """
        worker = ROOT / "scripts" / "benchmarks" / "workers" / "browser_worker.py"
        command = [PYTHON, str(worker), site, str(folder), *how]
        began = time.perf_counter()
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env={**variables, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._read()
        self.cold_s = time.perf_counter() - began

    def ask(self, what: str) -> Any:
        """Ask for jobs, by their number, or for ``memory``."""
        assert self._process.stdin
        self._process.stdin.write(f"{what}\n")
        self._process.stdin.flush()
        return self._read()

    def close(self) -> None:
        """Let it close its browser and end."""
        self._process.communicate(timeout=LIMIT_S)

    def _read(self) -> Any:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the job could not be done; what it said is above")
        return json.loads(line)


@dataclass(frozen=True, slots=True)
class Sides:
    """Starts workers.

    Attributes:
        site: Address of the fixture sites.
        variables: Environment of the workers.
    """

    site: str
    variables: Mapping[str, str]

    @contextmanager
    def start(self, side: str, without: str = "", *more: str) -> Generator[Worker]:
        """Start a worker in a folder of its own, and end it."""
        with (
            tempfile.TemporaryDirectory(prefix="surehand-bench-") as folder,
            closing(Worker(self.site, Path(folder), (side, without, *more), self.variables)) as worker,
        ):
            yield worker

    def compare_jobs(self, rounds: int, without: str = "", side: str = "ours") -> Pairs:
        """Let both sides do jobs in turn; who begins changes from round to round."""
        pairs = Pairs()
        with ExitStack() as stack:
            workers = [stack.enter_context(self.start(side, without)), stack.enter_context(self.start("raw"))]
            for number in range(rounds + 1):
                order = (0, 1) if number % 2 else (1, 0)
                found = {which: workers[which].ask(str(JOBS_PER_ROUND)) for which in order}
                if number:  # the first round warms up
                    for name, kept in (("wall", pairs.wall), ("cpu", pairs.cpu)):
                        kept.append((statistics.mean(found[0][name]), statistics.mean(found[1][name])))
                    pairs.memory_mib.append((workers[0].ask("memory"), workers[1].ask("memory")))
        return pairs

    def time_steps(self, rounds: int) -> tuple[list[list[Row]], list[list[Row]]]:
        """Return what each step took in jobs of ours and of Playwright alone, in turn."""
        with ExitStack() as stack:
            workers = [stack.enter_context(self.start(side, "", "timings")) for side in ("ours", "raw")]
            jobs = [[worker.ask("timings") for worker in workers] for _ in range(rounds + 1)]
        ours, raw = zip(*jobs[1:], strict=True)
        return list(ours), list(raw)

    def compare_starts(self, times: int) -> list[tuple[float, float]]:
        """Return the seconds of cold starts, ours and raw, in turn; the first ones make the bytecode."""
        found: list[tuple[float, float]] = []
        for number in range(times + 1):
            taken: dict[str, float] = {}
            for side in ("ours", "raw") if number % 2 else ("raw", "ours"):
                with self.start(side) as worker:
                    taken[side] = worker.cold_s
            found.append((taken["ours"], taken["raw"]))
        return found[1:]


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


async def measure_planning(folder: Path, times: int = 300) -> float:
    """Return the median milliseconds that planning takes per goal in a session as shipped."""
    goals = list_goals("http://127.0.0.1:8123")
    taken: list[float] = []
    async with make_session(Settings(), folder) as session:
        for _ in range(times):
            began = time.perf_counter()
            planned = session.plan(Request(goals=goals))
            taken.append((time.perf_counter() - began) * 1000 / len(goals))
            assert not planned.errors, planned.errors
    return statistics.median(taken)


async def measure_authority(folder: Path, times: int = 300) -> float:
    """Return the median milliseconds that resolver and authority take per action, with the tools as shipped."""
    specs = make_registry(list_families(Settings(), folder)).specs()
    async with make_session(Settings(), folder) as session:
        planned = session.plan(Request(goals=list_goals("http://127.0.0.1:8123")))
    assert planned.orchestration
    actions = planned.orchestration.graph.nodes.values()
    resolver = RulesResolver()
    taken: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        for action in actions:
            candidates = list_candidates(action, specs)
            enforce_authority(action, await resolver.resolve(action, candidates), candidates)
        taken.append((time.perf_counter() - began) * 1000 / len(actions))
    return statistics.median(taken)


def measure_process(variables: Mapping[str, str], *command: str, times: int = 11) -> float:
    """Return the median seconds that a command takes as a whole process, once its modules are compiled to bytecode."""
    taken: list[float] = []
    for _ in range(times + 1):
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT, env=variables)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken[1:])


def measure_browser(rounds: int, *, timings: bool = False) -> dict[str, Any]:
    """Return figures, samples and what the figures mean.

    Args:
        rounds: Pairs of jobs.
        timings: Whether to print what each step takes, and nothing else.
    """
    find_browser().require()
    with serve_sites() as site, keep_bytecode() as variables:
        sides = Sides(site, variables)
        if timings:
            ours, raw = sides.time_steps(rounds)
            print("\n".join(write_table(ours, raw)), flush=True)
            return {
                "name": "browser",
                "figures": count_trips(ours, raw),
                "samples": {"steps": ours, "raw": raw},
                "notes": NOTES,
            }
        starts = sides.compare_starts(COLD_STARTS)
        shipped = sides.compare_jobs(rounds)
        ladder = {part: sides.compare_jobs(rounds, part) for part in PARTS}
        ladder["everything"] = sides.compare_jobs(rounds, ",".join(PARTS))
        engine = sides.compare_jobs(rounds, side="engine")
        processes = measure_processes(variables)
    with tempfile.TemporaryDirectory(prefix="surehand-bench-") as folder:
        core = {
            "plan_ms": asyncio.run(measure_planning(Path(folder))),
            "authority_ms": asyncio.run(measure_authority(Path(folder))),
        }
    alone = {"wall_ratio_engine_alone": find_ratio(engine.wall), "cpu_ratio_engine_alone": find_ratio(engine.cpu)}
    figures = sum_up(shipped, starts) | sum_up_ladder(ladder) | alone | core | processes
    samples = {"wall_s": shipped.wall, "cpu_s": shipped.cpu, "cold_s": starts, "memory_mib": shipped.memory_mib}
    return {"name": "browser", "figures": figures, "samples": samples, "notes": NOTES}


def count_trips(ours: Sequence[Sequence[Row]], raw: Sequence[Sequence[Row]]) -> dict[str, float]:
    """Return how many messages went to the driver in a job, ours and raw, medians, and the share that our way left to Playwright's."""
    rows = [row for job in ours for row in job]
    left, direct = (sum(row[name] for row in rows) for name in ("left", "direct"))
    return {
        f"{name}_trips": statistics.median(sum(row["trips"] for row in job) for job in jobs)
        for name, jobs in (("ours", ours), ("raw", raw))
    } | {"left_share": left / (left + direct)}


def measure_processes(variables: Mapping[str, str]) -> dict[str, float]:
    """Return what the command and its imports take."""
    core = "import core.execution.executor, core.planning.orchestrator, core.planner_rules"
    surehand = Path(PYTHON).with_name("surehand.exe" if sys.platform == "win32" else "surehand")
    empty_s, core_s, language_s = (
        measure_process(variables, PYTHON, "-c", each) for each in ("pass", core, f"{core}, core.language.interpreter")
    )
    return {
        "help_s": measure_process(variables, str(surehand), "--help"),
        "import_core_s": core_s - empty_s,
        "import_core_whole_s": core_s,
        "import_language_s": language_s - core_s,
    }


def sum_up(shipped: Pairs, starts: list[tuple[float, float]]) -> dict[str, float]:
    """Return the figures of what is shipped."""
    low, _, high = statistics.quantiles(list_ratios(shipped.wall), n=4)
    return {
        "wall_ratio": find_ratio(shipped.wall),
        "wall_ratio_low": low,
        "wall_ratio_high": high,
        "cpu_ratio": find_ratio(shipped.cpu),
        "cold_ratio": find_ratio(starts),
        "memory_mib": statistics.median(ours - raw for ours, raw in shipped.memory_mib),
        "ours_ms": statistics.median(ours for ours, _ in shipped.wall) * 1000,
        "raw_ms": statistics.median(raw for _, raw in shipped.wall) * 1000,
        "cold_s": statistics.median(ours for ours, _ in starts),
        "raw_cold_s": statistics.median(raw for _, raw in starts),
    }


def sum_up_ladder(ladder: Mapping[str, Pairs]) -> dict[str, float]:
    """Return the figures of what is left when parts are taken out."""
    walls = {f"wall_ratio_without_{part}": find_ratio(pairs.wall) for part, pairs in ladder.items()}
    return walls | {f"cpu_ratio_without_{part}": find_ratio(pairs.cpu) for part, pairs in ladder.items()}


def find_ratio(pairs: list[tuple[float, float]]) -> float:
    """Return the median of paired ratios."""
    return statistics.median(list_ratios(pairs))


def list_ratios(pairs: list[tuple[float, float]]) -> list[float]:
    """Return ours by raw, pair by pair."""
    return [ours / raw for ours, raw in pairs]
