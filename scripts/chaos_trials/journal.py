"""Flips bits of a journal, cuts its files, and fills its disk: `python3 scripts/chaos.py journal [--flips N] [--json FILE]`.

Each case has a fresh copy of a journal as a crash leaves it: database, write-ahead log and witness. Then all runs are read. A case is
`detected` if it was reported and every run that wasn't reported reads exactly as it was written; `harmless` if all of them do (bytes
that nothing reads); otherwise `missed`. To damaged runs rows are appended in some cases, which must be refused (`went_on`). A journal
without a fault must not be reported (`false_alarms`), and a trial in which hardly anything was detected or refused proves nothing.

Then files are really made, through planner, executor and tools, with a journal that may not grow: `acts_without_intent` counts files
that are there although the journal doesn't say that they were going to be made.
"""

import argparse
import asyncio
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from scripts import bench
from scripts.chaos_trials.full_disks import FullDisk, fill_disk
from scripts.chaos_trials.journal_cases import (
    Case,
    Sample,
    Verdict,
    judge_cases,
    list_cuts,
    list_flips,
    list_sound,
    make_sample,
)
from scripts.chaos_trials.proof import is_proven, scale

_CASES_AT_ONCE = 50
_LIMITS = (*range(0, 16_384, 1024), *range(16_384, 262_144, 8192))
_PROMISES = ("missed", "acted_from_bad_rows", "went_on", "acts_without_intent", "false_alarms")
_DETECTED_SHARE, _STOPPED_SHARE = 0.5, 0.02


def main(arguments: list[str]) -> int:
    """Try all cases and print the counts; return 0 if every promise was kept."""
    parser = argparse.ArgumentParser(prog="chaos.py journal", description=__doc__)
    parser.add_argument("--flips", type=int, default=10_000, help="bits to flip, each on a fresh copy (default 10,000)")
    parser.add_argument(
        "--seed", type=int, default=secrets.randbits(32), help="which bits; printed, so that it can be repeated"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    asked = parser.parse_args(arguments)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="surehand-chaos-") as folder:
        sample = asyncio.run(make_sample(Path(folder) / "journal"))
    print(f"seed {asked.seed}; " + ", ".join(f"{name} {len(data)} bytes" for name, data in sample.files.items()))
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        flips = try_cases(pool, sample, list(list_flips(sample, asked.flips, asked.seed)))
        tails = try_cases(pool, sample, list(list_cuts(sample)))
        sound = try_cases(pool, sample, list(list_sound(sample)))
        disks = try_limits(pool)
    figures = gather_figures(flips, tails, disks) | {"false_alarms": float(sound.detected + sound.missed)}
    figures["seconds"] = time.monotonic() - began
    for example in (flips.examples + tails.examples)[:10]:
        print(f"missed: {example}")
    for name, value in figures.items():
        print(f"{name:<20} {value:>10.0f}")
    if asked.json:
        bench.write_reports([{"name": "journal", "figures": figures, "samples": {}, "notes": {}}], asked.json)
    return 0 if is_proven(figures, list_least(asked.flips, figures["tails"])) and is_kept(figures) else 1


def try_cases(pool: ProcessPoolExecutor, sample: Sample, cases: Sequence[Case]) -> Verdict:
    """Try cases, some at a time in each process."""
    total = Verdict()
    parts = [cases[start : start + _CASES_AT_ONCE] for start in range(0, len(cases), _CASES_AT_ONCE)]
    for verdict in pool.map(partial(judge_cases, sample), parts):
        total.add(verdict)
    return total


def try_limits(pool: ProcessPoolExecutor) -> FullDisk:
    """Make files with journals that may grow to different sizes."""
    total = FullDisk()
    if sys.platform == "win32":
        print("disk full: not tried, since this platform has no limit on the size of files")
        return total
    for found in pool.map(fill_disk, _LIMITS):
        total.add(found)
    return total


def gather_figures(flips: Verdict, tails: Verdict, disks: FullDisk) -> dict[str, float]:
    """Return the counts by name."""
    return {
        "flips": flips.detected + flips.harmless + flips.missed,
        "detected": flips.detected,
        "harmless": flips.harmless,
        "missed": flips.missed + tails.missed,
        "tails": tails.detected + tails.harmless + tails.missed,
        "tails_detected": tails.detected,
        "tails_harmless": tails.harmless,
        "acted_from_bad_rows": flips.bad_rows + tails.bad_rows,
        "went_on": flips.went_on + tails.went_on,
        "stopped": flips.stopped + tails.stopped,
        "full_disks": disks.runs,
        "acts_done": disks.made,
        "acts_refused": disks.refused,
        "acts_without_intent": disks.acts_without_intent,
    }


def is_kept(figures: dict[str, float]) -> bool:
    """Tell whether every promise was kept."""
    return not any(figures[name] for name in _PROMISES)


def list_least(flips: int, tails: float) -> dict[str, float]:
    """Return what must have been seen at least, so that it says something that nothing was missed.

    Args:
        flips: How many were asked for.
        tails: How many cuts there are.
    """
    least = {"flips": float(max(1, flips)), "detected": scale(flips, _DETECTED_SHARE)}
    least |= {"tails_detected": scale(tails, _DETECTED_SHARE), "stopped": scale(flips, _STOPPED_SHARE)}
    disks = {} if sys.platform == "win32" else {"acts_done": 1.0, "acts_refused": 1.0}
    return least | disks
