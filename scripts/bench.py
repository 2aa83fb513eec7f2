"""Benchmarks, as ratios against the raw library in the same run: `python3 scripts/bench.py NAME… [--rounds N] [--json FILE]`.

Names: browser, look, flows, engine, files, audio, desktop, journal, language, miniwob, planners, local-model. `flows`, `language` and `miniwob` have no raw counterpart: they
count what is done by outlines alone, what is understood, and what is done of what other people wrote; `planners` is beside the bare questions. Prints a table
each; with `--json FILE` also writes `{"name", "figures", "samples", "machine"}`.
"""

import argparse
import asyncio
import json
import os
import platform
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the scripts import each other from the root

from scripts.setup import machine

ROOT = Path(__file__).resolve().parents[1]
NAMES = (
    "browser",
    "look",
    "flows",
    "engine",
    "files",
    "audio",
    "desktop",
    "journal",
    "language",
    "miniwob",
    "planners",
    "local-model",
)
ON_MACHINE = frozenset(("files", "audio", "desktop", "journal"))
PYTHON = ROOT / ".venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def main() -> int:
    """Run the named benchmark and print its figures; return 0 if it could be measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", choices=NAMES, metavar="NAME", help=f"what to measure: {', '.join(NAMES)}")
    parser.add_argument("--rounds", type=int, default=9, help="pairs of jobs, at least 7 (default 9)")
    parser.add_argument("--tools", help="look: only these tools, joined by commas")
    parser.add_argument("--pages", help="look: only these pages, joined by commas")
    parser.add_argument("--property", action="store_true", help="look: count what outlines keep of their word instead")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    parser.add_argument("--data", type=Path, metavar="FILE", help="language: labelled sentences, a JSON object a line")
    halves = ("development", "sealed", "both")
    parser.add_argument("--half", choices=halves, default="both", help="miniwob: which tasks (default both)")
    parser.add_argument(
        "--task",
        action="append",
        default=[],
        help="miniwob: only this task of the development half; flows: only tasks of this name",
    )
    asked = parser.parse_args()
    if not runs_in_own_environment():
        return start_again(Path(__file__))
    if ON_MACHINE.intersection(asked.names):
        machine.ensure()
    reports = [measure(name, asked) for name in dict.fromkeys(asked.names)]
    if asked.json:
        write_reports(reports, asked.json)
    return 0


def measure(name: str, asked: argparse.Namespace) -> dict[str, Any]:
    """Run one benchmark and print its figures."""
    print(f"--- {name}", flush=True)
    report = _measure(name, asked)
    _print_report(report)
    return report


def _measure(name: str, asked: argparse.Namespace) -> dict[str, Any]:
    rounds = max(7, asked.rounds)
    room = name.replace("-", "_")
    module = import_module(f"scripts.benchmarks.{room}")
    if name in {"browser", "planners", "local-model"}:
        return getattr(module, f"measure_{room}")(rounds)
    if name == "engine":
        return asyncio.run(module.measure_engine(rounds))
    if name == "look" and asked.property:
        return asyncio.run(import_module("scripts.benchmarks.promises.property").measure_property(asked.pages))
    if name == "look":
        return asyncio.run(module.measure_look(rounds, asked.tools, asked.pages))
    if name == "flows":
        return asyncio.run(module.measure_flows(asked.task))
    if name == "language":
        return module.measure_language(asked.data)
    if name == "miniwob":
        halves = ("development", "sealed") if asked.half == "both" else (asked.half,)
        return asyncio.run(module.measure_miniwob(halves, asked.task))
    return {"name": name, "figures": asyncio.run(module.measure(rounds)), "samples": {}, "notes": {}}


def write_reports(reports: list[dict[str, Any]], file: Path) -> None:
    """Write what was measured as JSON."""
    file.write_text(json.dumps(join_reports(reports), indent=2) + "\n", encoding="utf-8")


def join_reports(reports: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the reports as one; with several, the figures of each are named after it."""
    machine = {"system": platform.platform(), "cores": os.cpu_count(), "python": platform.python_version()}
    joined: dict[str, Any] = {"name": " ".join(report["name"] for report in reports)}
    for part in ("figures", "samples"):
        joined[part] = {
            f"{report['name']}.{key}" if len(reports) > 1 else key: value
            for report in reports
            for key, value in report[part].items()
        }
    return joined | {"machine": machine}


def runs_in_own_environment() -> bool:
    """Tell whether this Python is the project's own."""
    return Path(sys.prefix).resolve() == (ROOT / ".venv").resolve()


def start_again(script: Path, level: str = "base") -> int:
    """Set up the environment if need be, and run a script of this folder in it, with the arguments of this one.

    Args:
        script: The script.
        level: What it needs, as `bootstrap.prepare` takes it.
    """
    from scripts.setup import bootstrap

    try:
        bootstrap.prepare(level)
    except bootstrap.SetupError as error:
        sys.stderr.write(f"setup: {error}\n")
        return 1
    return bootstrap.hand_over([str(PYTHON), str(script.resolve()), *sys.argv[1:]])


def _print_report(report: dict[str, Any]) -> None:
    figures, notes = report["figures"], report["notes"]
    width = max(map(len, figures))
    for name, value in figures.items():
        print(f"{name:<{width}}  {value:>10.4g}  {notes.get(name, '')}")


if __name__ == "__main__":
    sys.exit(main())
