"""A service under many hands whose browsers die: `python3 scripts/chaos.py serve [--runs N] [--principals N] [--every S] [--json FILE]`.

Principals with tokens of their own sign in on a page, again and again, through a real `surehand serve`, half of the runs in a session that is kept. Every few
seconds half of the service's browsers are killed. What a run is told is judged by what the site received: an act told as done that did not
arrive, or told as failed that did, is lost; one that arrived twice is repeated; what arrived in the name of another, or is listed to
another, is crossed. Ends with 0 only if none was, and no step was told as a fault of Surehand.
"""

import argparse
import asyncio
import json
import os
import random
import secrets
import shutil
import signal
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

from agent.access.token_files import make_token
from fixtures.site_server import SiteServer
from scripts import bench
from scripts.chaos_trials.journey import JOURNEYS, Visit
from scripts.chaos_trials.proof import is_proven, scale

PROGRAM = Path(sys.executable).parent / "surehand"
_BROWSERS = ("chrom", "headless")
_RUN_S = 300.0
_ARRIVING_SHARE = 0.25
_SHOWN = 20
_PROMISES = ("internal_error", "lost", "repeated", "crossed", "faults")


@dataclass(slots=True)
class Tally:
    """What was counted.

    Attributes:
        counts: By name.
        codes: What steps that did not succeed were told as.
        examples: What was not as it should be.
    """

    counts: Counter[str] = field(default_factory=Counter[str])
    codes: Counter[str] = field(default_factory=Counter[str])
    examples: list[str] = field(default_factory=list[str])

    def note(self, name: str, what: str) -> None:
        """Count something that must not be, with an example."""
        self.counts[name] += 1
        self.examples.append(f"{name}: {what}")


@dataclass(frozen=True, slots=True)
class Trial:
    """A service, and the site that its principals use.

    Attributes:
        site: The site.
        folder: The folder that is served.
        address: Where the service answers.
        tokens: By principal.
        tally: Where to count.
    """

    site: SiteServer
    folder: Path
    address: str
    tokens: Mapping[str, str]
    tally: Tally

    def open(self, principal: str) -> httpx.AsyncClient:
        """Return a client with a principal's token."""
        headers = {"Authorization": f"Bearer {self.tokens[principal]}"}
        return httpx.AsyncClient(base_url=self.address, headers=headers, trust_env=False, timeout=_RUN_S)


def main(arguments: list[str]) -> int:
    """Run the trial, print what came of it; return 0 if every promise was kept."""
    parser = argparse.ArgumentParser(prog="chaos.py serve", description=__doc__)
    parser.add_argument("--runs", type=int, default=64, help="how many (default 64), shared by all principals")
    parser.add_argument("--principals", type=int, default=16, help="how many (default 16)")
    parser.add_argument("--every", type=float, default=5.0, metavar="S", help="seconds from kill to kill (default 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    asked = parser.parse_args(arguments)
    tally = asyncio.run(make_trial(asked.runs, asked.principals, asked.every))
    counted = ("runs", "kills", "arrived", "succeeded", *_PROMISES)
    figures = {name: float(tally.counts[name]) for name in counted}
    for name, value in figures.items():
        print(f"{name:<16} {value:>6.0f}")
    for code, count in tally.codes.most_common():
        print(f"told as {code}: {count}")
    for example in tally.examples[:_SHOWN]:
        print(example)
    if asked.json:
        bench.write_reports([{"name": "serve", "figures": figures, "samples": {}}], asked.json)
    least = {"runs": float(max(1, asked.runs)), "kills": 1.0, "arrived": scale(asked.runs, _ARRIVING_SHARE)}
    return 0 if is_proven(figures, least) and not any(figures[each] for each in _PROMISES) else 1


async def make_trial(runs: int, principals: int, every_s: float) -> Tally:
    """Let principals make runs while browsers are killed, and judge.

    Args:
        runs: How many in all.
        principals: How many.
        every_s: Seconds from kill to kill.
    """
    tally = Tally()
    root = Path(tempfile.mkdtemp(prefix="sh-"))
    names = [f"p{number}" for number in range(principals)]
    try:
        with SiteServer() as site:
            async with _serve(root, names) as (process, address, tokens):
                trial = Trial(site, root / "work", address, tokens, tally)
                killing = asyncio.ensure_future(_kill_browsers(process.pid, every_s, tally))
                shares = [len(range(number, runs, principals)) for number in range(principals)]
                await asyncio.gather(*(_use(trial, name, share) for name, share in zip(names, shares, strict=True)))
                killing.cancel()
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return tally


@asynccontextmanager
async def _serve(root: Path, names: list[str]) -> AsyncGenerator[tuple[Process, str, dict[str, str]]]:
    """Start a service that knows principals, in folders of its own, and end it."""
    own, work = root / "config" / "surehand", root / "work"
    for each in (own, work):
        await asyncio.to_thread(each.mkdir, parents=True)
    tokens = {name: make_token(own, name) for name in names}
    lines = [f"[service.principals.{name}]\nrequests_per_minute = 100000\n" for name in names]
    await asyncio.to_thread((own / "settings.toml").write_text, "\n".join(lines))
    folders = {f"XDG_{each.upper()}_HOME": str(root / each) for each in ("config", "state", "data")}
    command = [str(PROGRAM), "serve", "--port", "0", "--json"]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=work, env=os.environ | folders, stdin=DEVNULL, stdout=PIPE
    )
    try:
        assert process.stdout
        told = json.loads(await process.stdout.readline())
        yield process, told["address"], tokens
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


async def _kill_browsers(service: int, every_s: float, tally: Tally) -> None:
    """Kill half of the service's browsers, and nobody else's, again and again."""
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), every_s)
        found = await asyncio.to_thread(list_browsers, service)
        for process in random.sample(found, (len(found) + 1) // 2):
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
                tally.counts["kills"] += 1


def list_browsers(service: int) -> list[psutil.Process]:
    """Return the browsers that a service started, without the processes that they started.

    Args:
        service: Its process.
    """
    found: list[psutil.Process] = []
    for process in psutil.Process(service).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if _is_browser(process) and not _is_browser(process.parent()):
                found.append(process)
    return found


def _is_browser(process: psutil.Process | None) -> bool:
    return process is not None and any(each in process.name().lower() for each in _BROWSERS)


async def _use(trial: Trial, principal: str, runs: int) -> None:
    """Make the runs of a principal one after another, and see that no others are listed."""
    own: set[str] = set()
    async with trial.open(principal) as client:
        for number in range(runs):
            visit = Visit(trial.site, trial.folder, secrets.token_hex(6), number)
            record = await _order(client, visit, "kept" if number % 2 else "")
            trial.tally.counts["runs"] += 1
            own.add(str(record.get("run_id")))
            _judge(trial.tally, visit, record)
        listed = {each["run_id"] for each in (await client.get("/v1/runs?most=1000")).json()}
    if listed != own:
        trial.tally.note("crossed", f"{principal} is told of {sorted(listed ^ own)}")


async def _order(client: httpx.AsyncClient, visit: Visit, session: str) -> Mapping[str, Any]:
    goals: list[dict[str, Any]] = []
    for name, params in JOURNEYS["sign in"].write(visit):
        domain, _, verb = name.partition(".")
        goals.append({"domain": domain, "verb": verb, "params": params})
    answer = await client.post("/v1/runs", json={"goals": goals, "session": session, "wait": True, "attended": False})
    return answer.json()


def _judge(tally: Tally, visit: Visit, record: Mapping[str, Any]) -> None:
    """Compare what was told of a run with what the site received of it."""
    arrived = [str(each["email"]) for each in visit.marks("signed in")]
    tally.counts["arrived"] += bool(arrived)
    tally.counts["succeeded"] += record.get("outcome") == "success"
    told = f"{record.get('run_id')} {record.get('errors', record.get('error'))}"
    if "outcome" not in record:
        tally.note("faults", told)
        return
    results = [each["result"] for each in record["step_logs"]]
    errors = [*record["errors"], *(each["error"] for each in results if each.get("error"))]
    tally.codes.update(each["code"] for each in errors)
    for error in errors:
        if error["code"] == "internal_error":
            tally.note("internal_error", str(error))
    if len(arrived) > 1:
        tally.note("repeated", told)
    if any(each != f"{visit.token}@example.com" for each in arrived):
        tally.note("crossed", f"{told}: {arrived}")
    clicks = [each["result"] for each in record["step_logs"] if each["name"] == "browser.click"]
    is_told = any(each["status"] == "ok" for each in clicks)
    is_unknown = any(each["effect"] == "unverified" or is_code(each, "outcome_unknown") for each in clicks)
    if (is_told and not arrived) or (arrived and not is_told and not is_unknown):
        tally.note("lost", f"{told}: {clicks}, arrived {arrived}")


def is_code(result: Mapping[str, Any], code: str) -> bool:
    """Tell whether a step is told as failed with a code."""
    return (result.get("error") or {}).get("code") == code
