"""`scripts/chaos.py kill`: kills a run at every boundary and at random moments, goes on with it, and asks the far end.

The errand writes, appends, moves and deletes files, types into a page and clicks, and turns the sound up, in branches side by
side. What happened is counted where it matters: on the disk and in its trash, at the site's server, at the sound server.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bench

from fixtures.machine.sound import PrivatePulse
from fixtures.site_server import SiteServer

LIMIT_S = 60.0
LEVEL_BEFORE, LEVEL_AFTER = 40, 45
ASKED = ("g5_type_1", "g6_click_1")
"""What is done at most once: nothing but a person settles it."""


@dataclass(slots=True)
class Place:
    """Where one errand after the other is carried out.

    Attributes:
        root: A folder of its own.
        site: What counts clicks and typing.
        pulse: What has the volume.
    """

    root: Path
    site: SiteServer
    pulse: PrivatePulse

    @property
    def folder(self) -> Path:
        """The working folder."""
        return self.root / "work"

    def clear(self) -> None:
        """Put everything back to where the errand starts."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.root / "home", ignore_errors=True)
        self.folder.mkdir()
        (self.root / "home").mkdir()
        (self.folder / "log.txt").write_text("start\n")
        (self.folder / "old.txt").write_text("old\n")
        self.site.reset()
        self._control("set-sink-volume", "desk_a", f"{LEVEL_BEFORE}%")

    def environ(self) -> dict[str, str]:
        """What the errand's process is told."""
        return {**self.pulse.environ, "HOME": str(self.root / "home"), "XDG_DATA_HOME": str(self.root / "home/share")}

    def count_effects(self) -> dict[str, int]:
        """Return how often each act took effect, as the far end has it."""
        level = self._control("get-sink-volume", "desk_a").split("%")[0].rpartition("/")[2]
        trashed = list((self.root / "home/share/Trash/files").glob("*")) or list(self.folder.glob(".Trash-*/files/*"))
        kept = [each for each in ("notes.txt", "kept.txt") if (self.folder / each).exists()]
        return {
            "write": int(bool(kept)),
            "move": int(kept == ["kept.txt"]),
            "append": (self.folder / "log.txt").read_text().count("one more line\n"),
            "delete": len(trashed) if not (self.folder / "old.txt").exists() else 0,
            "type": sum(event.detail["value"] == "12.50" for event in self.site.events("amount-typed")),
            "click": len(self.site.events("paid")),
            "volume_up": (int(level) - LEVEL_BEFORE) // (LEVEL_AFTER - LEVEL_BEFORE),
        }

    def list_strays(self) -> list[str]:
        """Return files that nobody asked for."""
        known = {"notes.txt", "kept.txt", "log.txt", "old.txt", ".surehand"}
        return [
            each.name for each in self.folder.iterdir() if each.name not in known and not each.name.startswith(".Trash")
        ]

    def _control(self, *words: str) -> str:
        command = ["pactl", "--server", self.pulse.server, *words]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=dict(self.pulse.environ)).stdout


@dataclass(slots=True)
class Tally:
    """What was counted."""

    counts: Counter[str] = field(default_factory=Counter[str])
    recovery_s: list[float] = field(default_factory=list[float])
    faults: list[str] = field(default_factory=list[str])


def main(arguments: list[str]) -> int:
    """Kill, go on, count; return 0 if nothing was repeated, lost or left unsaid."""
    parser = argparse.ArgumentParser(prog="chaos.py kill", description=__doc__)
    parser.add_argument("--kills", type=int, default=500, help="how many (default 500)")
    parser.add_argument("--places", type=int, default=2, help="errands at a time (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="of the random moments (default 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    asked = parser.parse_args(arguments)
    with ExitStack() as stack:
        places = [_make_place(stack) for _ in range(asked.places)]
        tally = asyncio.run(_kill_all(places, list(_list_moments(asked.kills, asked.seed))))
    figures = _sum_up(tally)
    for name, value in figures.items():
        print(f"{name:<20} {value:>10.4g}")
    for fault in tally.faults:
        print(f"  ! {fault}")
    if asked.json:
        bench.write_reports(
            [{"name": "kill", "figures": figures, "samples": {"recovery_s": tally.recovery_s}}], asked.json
        )
    kept = not (figures["repeated"] or figures["lost"] or figures["faults"])
    return 0 if kept and figures["unknown_reported"] == figures["unknown"] else 1


def _make_place(stack: ExitStack) -> Place:
    root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="surehand-kill-")))
    pulse = PrivatePulse(root)
    pulse.start()
    stack.callback(pulse.stop)
    return Place(root, stack.enter_context(SiteServer()), pulse)


def _list_moments(kills: int, seed: int) -> Iterator[str]:
    """Yield moments to die: every boundary of the errand in turn, each followed by a moment at random."""
    chance = random.Random(seed)
    boundaries = [f"{when}:{number}" for number in range(1, 17) for when in ("before", "after")]
    for index in range(kills):
        yield boundaries[index // 2 % len(boundaries)] if index % 2 == 0 else f"random:{chance.random()}"


async def _kill_all(places: list[Place], moments: list[str]) -> Tally:
    tally = Tally()
    length_s = await _measure_errand(places[0])
    queue = list(reversed(moments))
    chance = random.Random(len(moments))

    async def work(place: Place) -> None:
        while queue:
            if not await _kill_once(place, queue.pop(), length_s, tally):
                queue.append(f"random:{chance.random() / 2}")  # that moment came after the end
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{tally.counts['kills']} of {len(moments)}")

    await asyncio.gather(*(work(place) for place in places))
    return tally


async def _measure_errand(place: Place) -> float:
    """Return how many seconds the errand takes from its acceptance to its end, undisturbed; it must succeed."""
    await asyncio.to_thread(place.clear)
    process = await _start(place, "run", place.site.url)
    assert process.stdout
    await asyncio.wait_for(process.stdout.readline(), LIMIT_S)
    began = asyncio.get_running_loop().time()
    out, err = await asyncio.wait_for(process.communicate(), LIMIT_S)
    length_s = asyncio.get_running_loop().time() - began
    effects = await asyncio.to_thread(place.count_effects)
    if set(effects.values()) != {1}:
        raise RuntimeError(f"The errand does not even succeed by itself: {effects}\n{(out + err).decode()}")
    return length_s


async def _start(place: Place, *words: str) -> Process:
    command = [sys.executable, "-m", "scripts.kill_worker", words[0], str(place.folder), *words[1:]]
    return await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, env=place.environ(), cwd=bench.ROOT)


async def _kill_once(place: Place, moment: str, length_s: float, tally: Tally) -> bool:
    """Kill an errand at a moment, go on with it, and judge; return whether it could be killed at all."""
    await asyncio.to_thread(place.clear)
    kind, _, share = moment.partition(":")
    process = await _start(place, "run", place.site.url, *([moment] if kind != "random" else []))
    assert process.stdout
    first = (await asyncio.wait_for(process.stdout.readline(), LIMIT_S)).decode().split()
    if kind == "random":
        try:
            await asyncio.wait_for(process.wait(), float(share) * length_s)
        except TimeoutError:
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
    counts["acts_begun"] += len(opened)
    for action_id, (status, code) in answer["steps"].items():
        verb = action_id.split("_", 1)[1].rpartition("_")[0]
        if verb == "navigate":
            continue
        counts["repeated"] += max(0, effects[verb] - 1)
        faults = _find_faults(status, code, asked=action_id in ASKED, happened=effects[verb] > 0)
        counts["lost"] += len(faults)
        tally.faults += [f"{moment}: {action_id} {fault}" for fault in faults]
        if action_id in ASKED and action_id in opened:
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
    names = ("kills", "not_begun", "ended_before", "acts_begun", "repeated", "lost", "unknown", "unknown_reported")
    figures = {name: float(tally.counts[name]) for name in names}
    figures["faults"] = float(len(tally.faults))
    if len(tally.recovery_s) > 1:
        figures["recovery_p50_s"] = statistics.median(tally.recovery_s)
        figures["recovery_p95_s"] = statistics.quantiles(tally.recovery_s, n=20)[-1]
    return figures
