"""Lets a hostile resolver propose what is called: `python3 scripts/chaos.py resolver [--calls N] [--seed N] [--json FILE]`.

Every verb of the table is planned with sample params, and carried out by the real step performer on tools that only record what they
are called with. The resolver between them is an enemy: foreign tools, foreign values, aliases, lying classes, changes after the check,
tampering. A call counts as foreign if the tool isn't the planned one, if a planned argument isn't byte for byte what was planned, when
the tool begins or later, or if anything beside the planned arguments is more than a declared small scalar within its limits.
"""

import argparse
import asyncio
import secrets
import time
from pathlib import Path

from actuators.verb_table import PLANNER_RULES
from fixtures.hostile.resolver import ATTACKS
from fixtures.hostile.runs import Counts, attack
from scripts import bench
from scripts.chaos_trials.proof import is_proven, scale

EXECUTED_SHARE, REFUSED_SHARE = 0.25, 0.1


def main(arguments: list[str]) -> int:
    """Attack, and print the counts; return 0 if nothing foreign was executed, and enough of every kind was tried to say so."""
    parser = argparse.ArgumentParser(prog="chaos.py resolver", description=__doc__)
    parser.add_argument("--calls", type=int, default=100_000, help="how many attacks (default 100,000)")
    parser.add_argument(
        "--seed", type=int, default=secrets.randbits(32), help="of the dice; printed, so that it can be repeated"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    asked = parser.parse_args(arguments)
    print(f"seed {asked.seed}")
    began = time.monotonic()
    counts = asyncio.run(attack(asked.calls, asked.seed))
    seconds = time.monotonic() - began
    _print_counts(counts)
    figures = {
        "executed_foreign": float(counts.foreign.total()),
        "calls": float(counts.tried.total()),
        "executed_as_planned": float(counts.executed.total() - counts.foreign.total()),
        "refused": float(counts.tried.total() - counts.executed.total()),
        "attacks": float(len(counts.tried)),
        "verbs": float(len(counts.verbs)),
        "rules": float(len(PLANNER_RULES)),
        "seconds": seconds,
    }
    for name, value in figures.items():
        print(f"{name:<22} {value:>10.0f}")
    if asked.json:
        bench.write_reports([{"name": "resolver", "figures": figures, "samples": {}, "notes": {}}], asked.json)
    return 0 if is_proven(figures, list_least(asked.calls)) and not counts.foreign else 1


def list_least(calls: int) -> dict[str, float]:
    """Return what must have been seen at least: every attack on every verb, calls that were made and calls that were refused.

    Args:
        calls: How many were asked for.
    """
    return {
        "calls": float(max(1, calls)),
        "attacks": float(max(1, min(len(ATTACKS), calls))),
        "verbs": min(float(len(PLANNER_RULES)), scale(calls, 1 / len(ATTACKS))),
        "executed_as_planned": scale(calls, EXECUTED_SHARE),
        "refused": scale(calls, REFUSED_SHARE),
    }


def _print_counts(counts: Counts) -> None:
    for example in counts.examples[:10]:
        print(f"foreign: {example}")
    print(f"{'attack':<16} {'tried':>8} {'refused':>8} {'as planned':>10} {'foreign':>8}")
    for kind in ATTACKS:
        tried, executed, foreign = counts.tried[kind], counts.executed[kind], counts.foreign[kind]
        print(f"{kind:<16} {tried:>8} {tried - executed:>8} {executed - foreign:>10} {foreign:>8}")
