"""`scripts/chaos.py kill`: kills a run at every boundary and at random moments, goes on with it, and asks the far end.

The errand writes, appends, moves and deletes files, types, presses a key and clicks on a page and on a desktop, turns the sound up,
starts a program and goes to a player's next track, in branches side by side. What happened is counted where it matters: on the disk
and in its trash, at the site's server, in a window, in a program's own file, at the sound server and the player. It fails, too, where
it proved nothing: where hardly a kill was in the middle of an act, some act was never caught, or nothing unknown was told.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sqlite3
import statistics
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts import bench
from scripts.chaos_trials.kills.kill_errand import ACTS, list_acts
from scripts.chaos_trials.kills.kill_place import Place, make_place
from scripts.chaos_trials.proof import is_proven, scale

LIMIT_S = 60.0
MID_ACT_SHARE = 0.25
UNKNOWN_SHARE = 0.1
KILLS_PER_ACT = 10
"""How many kills it takes until one of them must have caught some further kind of act in the middle."""


@dataclass(slots=True)
class Tally:
    """What was counted.

    Attributes:
        counts: By name.
        recovery_s: How long it took each time until what was open was settled.
        faults: What was not as promised, in words.
        caught: By verb, how often a kill found it begun and not ended.
    """

    counts: Counter[str] = field(default_factory=Counter[str])
    recovery_s: list[float] = field(default_factory=list[float])
    faults: list[str] = field(default_factory=list[str])
    caught: Counter[str] = field(default_factory=Counter[str])


def main(arguments: list[str]) -> int:
    """Kill, go on, count; return 0 if nothing was repeated, lost or left unsaid."""
    parser = argparse.ArgumentParser(prog="chaos.py kill", description=__doc__)
    parser.add_argument("--kills", type=int, default=500, help="how many (default 500)")
    parser.add_argument("--places", type=int, default=2, help="errands at a time (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="of the random moments (default 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    asked = parser.parse_args(arguments)
    with ExitStack() as stack:
        places = [make_place(stack) for _ in range(asked.places)]
        tally = asyncio.run(_kill_all(places, asked.kills, asked.seed))
    figures = _sum_up(tally)
    for name, value in figures.items():
        print(f"{name:<28} {value:>10.4g}")
    for fault in tally.faults:
        print(f"  ! {fault}")
    if asked.json:
        bench.write_reports(
            [{"name": "kill", "figures": figures, "samples": {"recovery_s": tally.recovery_s}}], asked.json
        )
    kept = not (figures["repeated"] or figures["lost"] or figures["faults"])
    told = figures["unknown_reported"] == figures["unknown"]
    return 0 if is_proven(figures, list_least(asked.kills)) and kept and told else 1


def list_least(kills: int) -> dict[str, float]:
    """Return what must have been seen at least, so that it says something that nothing was repeated or lost.

    Args:
        kills: How many were asked for.
    """
    kinds = sum(bool(act.effect) for act in ACTS)
    return {
        "kills": float(max(1, kills)),
        "mid_act": scale(kills, MID_ACT_SHARE),
        "kinds_caught": min(float(kinds), scale(kills, 1 / KILLS_PER_ACT)),
        "unknown_reported": scale(kills, UNKNOWN_SHARE),
    }


def _list_moments(kills: int, writes: int, seed: int) -> list[str]:
    """Return moments to die: boundaries of the errand, all of them in turn and in no order, each followed by a moment at random."""
    chance = random.Random(seed)
    boundaries = [f"{when}:{number}" for number in range(1, writes + 1) for when in ("before", "after")]
    moments: list[str] = []
    for index in range(kills):
        if index // 2 % len(boundaries) == 0 and index % 2 == 0:
            chance.shuffle(boundaries)
        moments.append(boundaries[index // 2 % len(boundaries)] if index % 2 == 0 else f"random:{chance.random()}")
    return moments


async def _kill_all(places: list[Place], kills: int, seed: int) -> Tally:
    tally = Tally()
    length_s, writes = await _measure_errand(places[0])
    moments = _list_moments(kills, writes, seed)
    queue = list(reversed(moments))
    chance = random.Random(kills)

    async def work(place: Place) -> None:
        while queue:
            if not await _kill_once(place, queue.pop(), length_s, tally):
                queue.append(f"random:{chance.random() / 2}")  # that moment came after the end
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{tally.counts['kills']} of {len(moments)}")

    await asyncio.gather(*(work(place) for place in places))
    return tally


async def _measure_errand(place: Place) -> tuple[float, int]:
    """Return how many seconds the errand takes from its acceptance to its end, undisturbed, and how many durable writes.

    Raises:
        RuntimeError: If it doesn't succeed.
    """
    await asyncio.to_thread(place.clear)
    process = await _start(place, "run", place.site.url, str(place.ledger))
    assert process.stdout
    await asyncio.wait_for(process.stdout.readline(), LIMIT_S)
    began = asyncio.get_running_loop().time()
    out, err = await asyncio.wait_for(process.communicate(), LIMIT_S)
    length_s = asyncio.get_running_loop().time() - began
    effects = await asyncio.to_thread(place.count_effects)
    if set(effects.values()) != {1}:
        raise RuntimeError(f"The errand does not even succeed by itself: {effects}\n{(out + err).decode()}")
    return length_s, json.loads(out.splitlines()[-1])["writes"]


async def _start(place: Place, *words: str) -> Process:
    command = [sys.executable, "-m", "scripts.chaos_trials.kills.kill_worker", words[0], str(place.folder), *words[1:]]
    return await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, env=place.environ(), cwd=bench.ROOT)


async def _kill_once(place: Place, moment: str, length_s: float, tally: Tally) -> bool:
    """Kill an errand at a moment, go on with it, and judge; return whether it could be killed at all."""
    await asyncio.to_thread(place.clear)
    kind, _, share = moment.partition(":")
    process = await _start(place, "run", place.site.url, str(place.ledger), *([moment] if kind != "random" else []))
    assert process.stdout
    first = (await asyncio.wait_for(process.stdout.readline(), LIMIT_S)).decode().split()
    if kind == "random":
        try:
            await asyncio.wait_for(process.wait(), float(share) * length_s)
        except TimeoutError:
            with suppress(ProcessLookupError):  # it has ended by itself just now
                os.kill(process.pid, signal.SIGKILL)
    await asyncio.wait_for(process.wait(), LIMIT_S)
    if process.returncode != -signal.SIGKILL:
        tally.counts["ended_before"] += 1
        return False
    tally.counts["kills"] += 1
    run_id = first[1]
    before, opened = await asyncio.to_thread(place.count_effects), _read_open(place.folder, run_id)
    if opened is None:
        tally.counts["not_begun"] += 1  # killed before the first row: nothing may have happened
        if any(before.values()):
            tally.faults.append(f"{moment}: acted without a row: {before}")
        answer = await _resume(place, run_id, moment, tally)
        if answer and answer["errors"] != ["unknown_run"]:
            tally.faults.append(f"{moment}: what was never begun is told as {answer['errors'] or answer['steps']}")
        return True
    answer = await _resume(place, run_id, moment, tally)
    if answer:
        after = await asyncio.to_thread(place.count_effects)
        _judge(moment, answer, opened, after, place.list_strays(), tally)
    return True


def _read_open(folder: Path, run_id: str) -> set[str] | None:
    """Return the acts that have an intent and no outcome, read past the program; None where there is no row at all."""
    file = folder / ".surehand/journal.sqlite"
    rows: list[tuple[str, str]] = []
    if not file.exists():
        return None
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database, suppress(sqlite3.OperationalError):
        rows = database.execute(
            "SELECT action_id, state FROM rows WHERE run_id = ? ORDER BY position", [run_id]
        ).fetchall()
    if not rows:
        return None
    last = {action_id: state for action_id, state in rows if state in {"intent", "done", "failed", "unknown"}}
    return {action_id for action_id, state in last.items() if state in {"intent", "unknown"}}


async def _resume(place: Place, run_id: str, moment: str, tally: Tally) -> dict[str, Any] | None:
    process = await _start(place, "resume", run_id)
    out, err = await asyncio.wait_for(process.communicate(), LIMIT_S)
    if process.returncode or not out:
        tally.faults.append(f"{moment}: resume ended with {process.returncode}: {err.decode()[-300:]}")
        return None
    return json.loads(out.splitlines()[-1])


def _judge(
    moment: str, answer: dict[str, Any], opened: set[str], effects: dict[str, int], strays: list[str], tally: Tally
) -> None:
    counts = tally.counts
    tally.recovery_s.append(answer["settled_s"])
    if answer["errors"]:
        tally.faults.append(f"{moment}: resume refused: {answer['errors']}")
        return
    acts = {action_id: act for action_id, act in list_acts().items() if act.effect}
    tally.caught.update(acts[action_id].effect for action_id in opened if action_id in acts)
    counts["acts_begun"] += len(opened)
    counts["mid_act"] += any(action_id in acts for action_id in opened)
    for action_id, act in acts.items():
        status, code = answer["steps"][action_id]
        counts["repeated"] += max(0, effects[act.effect] - 1)
        faults = _find_faults(status, code, asked=act.is_asked, happened=effects[act.effect] > 0)
        counts["lost"] += len(faults)
        tally.faults += [f"{moment}: {action_id} {fault}" for fault in faults]
        if act.is_asked and action_id in opened:
            counts["unknown"] += 1
            counts["unknown_reported"] += code == "outcome_unknown"
    if strays:
        tally.faults.append(f"{moment}: left behind: {', '.join(strays)}")


def _find_faults(status: str, code: str, *, asked: bool, happened: bool) -> list[str]:
    """Return what is wrong with what is told of an act, beside what the far end has."""
    if status == "ok":
        return [] if happened else ["is told as done and left no effect"]
    if not asked:
        return [f"was not finished: {status} ({code})"]
    return [f"took effect and is told as {status} ({code})"] if happened and code != "outcome_unknown" else []


def _sum_up(tally: Tally) -> dict[str, float]:
    names = ("kills", "not_begun", "ended_before", "mid_act", "acts_begun", "repeated", "lost")
    figures = {name: float(tally.counts[name]) for name in (*names, "unknown", "unknown_reported")}
    figures["faults"] = float(len(tally.faults))
    figures["kinds_caught"] = float(len(tally.caught))
    figures |= {f"caught_{act.effect}": float(tally.caught[act.effect]) for act in ACTS if act.effect}
    if len(tally.recovery_s) > 1:
        figures["recovery_p50_s"] = statistics.median(tally.recovery_s)
        figures["recovery_p95_s"] = statistics.quantiles(tally.recovery_s, n=20)[-1]
    return figures
