"""Plants defects, one at a time, and sees whether the tests notice: `python3 scripts/mutate.py [--only NAME…] [--lane LANE] [-n N]`.

The defects are in `scripts/mutants/mutants.toml`, each with the definition and the syntax that it changes and with the tests that must fail.
Each is planted in a copy of the tree; the tree itself is not touched. Ends with 0 only if every defect could be planted and was caught:
by a test that failed as tests do, and that passes without it.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the scripts import each other from the root

from scripts import bench
from scripts.mutants import planting
from scripts.mutants.trials import Trial, find_unfit, run_trials
from scripts.setup import bootstrap, chromium, machine


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the defects and print what came of each; return 0 if all were caught."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these defects, or all of an area")
    parser.add_argument("--list", action="store_true", help="print the defects and plant none")
    parser.add_argument("-n", type=int, default=2, metavar="N", help="so many at a time (default 2)")
    parser.add_argument(
        "--lane", choices=("near", "ci"), help="by what a lane runs of what the defect reaches, not by its own tests"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    asked = parser.parse_args(arguments)
    if not bench.runs_in_own_environment():
        return bench.start_again(Path(__file__), "dev")
    wanted = set(asked.only or ())
    defects = [each for each in planting.read_table() if not wanted or wanted & {each.name, each.area}]
    if unknown := wanted.difference(*({each.name, each.area} for each in defects)):
        parser.error(f"there is no defect or area called {', '.join(sorted(unknown))}; --list names them")
    if asked.list:
        print("\n".join(f"{each.name:<28} {each.area:<10} {each.where}: {each.why}" for each in defects))
        return 0
    machine.ensure()
    chromium.ensure(bootstrap.PYTHON)
    if asked.lane:
        from scripts.lanes.house import House
        from scripts.mutants.lane_trials import LaneJudge

        house = House(bench.ROOT, Path(), workers=asked.n + 1)
        return try_all(run_trials(bench.ROOT, defects, 1, LaneJudge(asked.lane, house)), asked.json)
    if unfit := find_unfit(bench.ROOT, defects):
        print(f"these tests fail, or are missing, without any defect: {', '.join(unfit)}")
        return 1
    return try_all(run_trials(bench.ROOT, defects, asked.n), asked.json)


def try_all(tried: Iterable[Trial], file: Path | None) -> int:
    """Print what came of each defect and the figures; return 0 if all were caught.

    Args:
        tried: What came of them, as they are tried.
        file: Where the figures are written to as well, if anywhere.
    """
    trials: list[Trial] = []
    for trial in tried:
        trials.append(trial)
        print(tell(trial), flush=True)
    figures = count(trial.verdict for trial in trials)
    for name, value in figures.items():
        print(f"{name:<12} {value:>6.0f}")
    if file:
        samples = {"seconds": {trial.defect.name: trial.seconds for trial in trials}}
        bench.write_reports([{"name": "mutate", "figures": figures, "samples": samples}], file)
    return 0 if figures["caught"] == len(trials) else 1


def tell(trial: Trial) -> str:
    """Return a line about a trial."""
    defect = trial.defect
    return f"{trial.verdict:<12} {defect.name:<28} {defect.area:<10} {trial.seconds:>5.1f} s  {trial.where:<48} {trial.told}"


def count(verdicts: Iterable[str]) -> dict[str, float]:
    """Return the figures; a defect that no test is named for survives."""
    found = Counter(verdicts)
    counted = {each.replace(" ", "_"): float(found[each]) for each in ("survived", "caught", "broken", "not planted")}
    return {"planted": float(found.total() - found["not planted"]), **counted}


if __name__ == "__main__":
    sys.exit(main())
