"""Runs the same tests again and again, and names those that flicker: their cause is a race, in them or in the product."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scripts.lanes.ci import choose
from scripts.lanes.house import House, say
from scripts.lanes.runs import read_paths

MISUSED = 2
USAGE = "--repeat needs how many runs: a whole number, at least 1"


def run_repeatedly(house: House, runs: int, arguments: Sequence[str], since: str | None) -> int:
    """Run the same tests several times, and name those that fail in some runs only."""
    if runs < 1:
        say(USAGE)
        return MISUSED
    tasks, options = read_paths(house.root, arguments)
    tasks = tasks or choose(house, since).list_tasks()
    failures: Counter[str] = Counter()
    for run in range(1, runs + 1):
        say(f"run {run} of {runs}")
        verdicts = house.run(tasks, options=options)
        failures.update([*verdicts.failures, *verdicts.unreadable])
        print(*verdicts.write_failures(), verdicts.sum_up(), sep="\n", flush=True)
    say(tell_flickers(failures, runs))
    return 1 if failures else 0


def tell_flickers(failures: Counter[str], runs: int) -> str:
    """Return what failed in some runs, and what in all of them."""
    some = {name: count for name, count in failures.items() if count < runs}
    always = sorted(failures.keys() - some.keys())
    lines = [f"failed in some of {runs} runs and passed in others: {len(some)}"]
    lines += [f"  {name} (failed in {count} of {runs})" for name, count in sorted(some.items())]
    lines += [f"failed in every run: {len(always)}", *(f"  {name}" for name in always)] if always else []
    return "\n".join(lines)
