"""Benchmarks, as ratios against the raw library in the same run: `python3 scripts/bench.py browser [--rounds N] [--json FILE]`.

Prints a table; with `--json FILE` also writes `{"name", "figures", "samples", "machine"}`.
"""

import argparse
import json
import os
import platform
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHON = ROOT / ".venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def main() -> int:
    """Run the named benchmark and print its figures; return 0 if it could be measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=["browser"], help="what to measure")
    parser.add_argument("--rounds", type=int, default=9, help="pairs of jobs, at least 7 (default 9)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    asked = parser.parse_args()
    if not _runs_in_own_environment():
        return _start_again()
    sys.path.insert(0, str(ROOT))
    from bench_browser import measure_browser

    report = measure_browser(max(7, asked.rounds))
    _print_report(report)
    if asked.json:
        machine = {"system": platform.platform(), "cores": os.cpu_count(), "python": platform.python_version()}
        written = {name: report[name] for name in ("name", "figures", "samples")} | {"machine": machine}
        asked.json.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
    return 0


def _runs_in_own_environment() -> bool:
    return Path(sys.prefix).resolve() == (ROOT / ".venv").resolve()


def _start_again() -> int:
    """Set up the environment if need be, and run this script in it."""
    import bootstrap

    try:
        bootstrap.prepare("base")
    except bootstrap.SetupError as error:
        sys.stderr.write(f"setup: {error}\n")
        return 1
    return bootstrap.hand_over([str(PYTHON), str(Path(__file__).resolve()), *sys.argv[1:]])


def _print_report(report: dict[str, object]) -> None:
    figures, notes = report["figures"], report["notes"]
    assert isinstance(figures, dict)
    assert isinstance(notes, dict)
    width = max(map(len, figures))
    for name, value in figures.items():
        print(f"{name:<{width}}  {value:>10.4g}  {notes.get(name, '')}")


if __name__ == "__main__":
    sys.exit(main())
