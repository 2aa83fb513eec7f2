"""Everyday journeys, many times: `python3 scripts/chaos.py journeys [--runs N] [--idle | --busy] [--only NAME] [--json FILE]`.

Sessions are put together as people get them, with journal, proxy and kept runs. Each run of a journey is judged by the far end, by what
the server received or what is on the disk. A failure is false if the journey happened or could have happened, a success if it did not
happen. All of it is done on an idle machine, and beside a process that keeps a core busy. Ends with 0 only if no answer was false
and all runs were made.
"""

import argparse
import asyncio
import contextlib
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.assembly import make_session
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.approvals.approvals import ClassGate
from core.base.budgets import Budget
from core.results.tool_results import RunResult
from fixtures.site_server import SiteServer
from scripts import bench
from scripts.chaos_trials.journey import JOURNEYS, Journey, Visit, make_goals

RUNS_OF_A_SESSION = 25
SHOWN = 20
_BUSY = "while True: pass"
BUDGET = Budget(seconds=60)


@dataclass(slots=True)
class Account:
    """What came of the runs of one journey.

    Attributes:
        seconds: How long each took.
        false_failures: Runs that were told as failed, and had happened or could have.
        false_successes: Runs that were told as done, and had not happened.
        examples: What was told and found, of the false ones.
    """

    seconds: list[float] = field(default_factory=list[float])
    false_failures: int = 0
    false_successes: int = 0
    examples: list[str] = field(default_factory=list[str])


Accounts = dict[tuple[str, str], Account]


def main(arguments: list[str]) -> int:
    """Make the runs, print the table; return 0 if no answer was false and all were made."""
    parser = argparse.ArgumentParser(prog="chaos.py journeys", description=__doc__)
    parser.add_argument(
        "--runs", type=int, default=200, help="how many of each journey (default 200), in each surrounding"
    )
    parser.add_argument("--only", action="append", choices=list(JOURNEYS), help="leave the other journeys out")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--idle", dest="surroundings", action="store_const", const=["idle"], help="not beside a busy core"
    )
    where.add_argument(
        "--busy", dest="surroundings", action="store_const", const=["busy"], help="only beside a busy core"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    asked = parser.parse_args(arguments)
    if asked.runs < 1:
        parser.error("--runs is at least 1: nothing is proved by none")
    names, surroundings = asked.only or list(JOURNEYS), asked.surroundings or ["idle", "busy"]
    accounts: Accounts = {(name, each): Account() for each in surroundings for name in names}
    for each in surroundings:
        with _load(each):
            asyncio.run(make_runs({key: told for key, told in accounts.items() if key[1] == each}, asked.runs))
    figures = make_figures(accounts)
    print_table(accounts, figures)
    if asked.json:
        samples = {_slug(*key): told.seconds for key, told in accounts.items()}
        bench.write_reports([{"name": "journeys", "figures": figures, "samples": samples}], asked.json)
    is_whole = figures["runs"] == asked.runs * len(names) * len(surroundings)
    return 0 if is_whole and not figures["false_failures"] and not figures["false_successes"] else 1


async def make_runs(accounts: Accounts, runs: int) -> None:
    """Make the runs of journeys, some at a time in one session.

    Args:
        accounts: Where to note what comes of them, by journey and surrounding.
        runs: How many of each.
    """
    folder = Path(tempfile.mkdtemp(prefix="sh-"))
    try:
        with SiteServer() as site:
            for (name, surrounding), account in accounts.items():
                for first in range(0, runs, RUNS_OF_A_SESSION):
                    numbers = range(first, min(first + RUNS_OF_A_SESSION, runs))
                    await _use_session(JOURNEYS[name], site, folder / secrets.token_hex(4), numbers, account)
                    site.reset()
                sys.stderr.write(f"{name}, {surrounding}: {len(account.seconds)} runs\n")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _use_session(
    journey: Journey, site: SiteServer, workspace: Path, numbers: Sequence[int], account: Account
) -> None:
    await asyncio.to_thread(workspace.mkdir)
    async with make_session(Settings(), workspace) as session:
        for number in numbers:
            visit = Visit(site, workspace, secrets.token_hex(6), number)
            began = time.perf_counter()
            result = await _travel(session, journey, visit)
            account.seconds.append(time.perf_counter() - began)
            judge(journey, visit, result, account)


async def _travel(session: AgentSession, journey: Journey, visit: Visit) -> RunResult:
    request = Request(goals=make_goals(journey.write(visit)), budget=BUDGET, gate=ClassGate(["apply_diff", "confirm"]))
    return await session.run(request)


def judge(journey: Journey, visit: Visit, result: RunResult, account: Account) -> None:
    """Compare what was told of a run with what the far end knows of it.

    Args:
        journey: What was to be done.
        visit: The run.
        result: What was told.
        account: Where to note it.
    """
    is_told, has_happened = result.outcome == "success", journey.has_happened(visit)
    is_false_failure = not is_told and (has_happened or journey.can_happen)
    is_false_success = is_told and not has_happened
    account.false_failures += is_false_failure
    account.false_successes += is_false_success
    if is_false_failure or is_false_success:
        found = "happened" if has_happened else "did not happen"
        account.examples.append(f"run {visit.number} {found}: {result.outcome}, {result.reply} {result.errors}")


def make_figures(accounts: Accounts) -> dict[str, float]:
    """Return the figures by name: of all journeys, and of each."""
    told = accounts.values()
    figures = {
        "false_failures": float(sum(each.false_failures for each in told)),
        "false_successes": float(sum(each.false_successes for each in told)),
        "runs": float(sum(len(each.seconds) for each in told)),
        "seconds": sum(sum(each.seconds) for each in told),
    }
    for key, each in accounts.items():
        name = _slug(*key)
        figures |= {f"{name}_runs": float(len(each.seconds)), f"{name}_median_s": statistics.median(each.seconds)}
        figures |= {
            f"{name}_false_failures": float(each.false_failures),
            f"{name}_false_successes": float(each.false_successes),
        }
    return figures


def print_table(accounts: Accounts, figures: dict[str, float]) -> None:
    """Print a line for each journey and surrounding, and what was false."""
    print(
        f"{'journey':<20} {'':<5} {'runs':>5} {'false failures':>15} {'false successes':>16} {'median':>8} {'slowest':>8}"
    )
    for (name, surrounding), each in accounts.items():
        times = f"{statistics.median(each.seconds):>7.2f}s {max(each.seconds):>7.2f}s"
        print(
            f"{name:<20} {surrounding:<5} {len(each.seconds):>5} {each.false_failures:>15} {each.false_successes:>16} {times}"
        )
    for (name, surrounding), each in accounts.items():
        for example in each.examples[:SHOWN]:
            print(f"false: {name}, {surrounding}, {example}")
    print(
        f"{figures['runs']:.0f} runs, {figures['false_failures']:.0f} false failures, {figures['false_successes']:.0f} false successes"
    )


@contextlib.contextmanager
def _load(surrounding: str) -> Generator[None]:
    """Keep a core busy for as long as this is open, if that is wanted."""
    if surrounding == "idle":
        yield
        return
    with subprocess.Popen([sys.executable, "-c", _BUSY]) as spinning:
        try:
            yield
        finally:
            spinning.kill()


def _slug(name: str, surrounding: str) -> str:
    return f"{name.replace(' ', '_').replace('-', '_')}_{surrounding}"
