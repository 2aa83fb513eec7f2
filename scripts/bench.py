"""Benchmarks, as ratios against the raw library in the same run: `python3 scripts/bench.py NAME… [--rounds N] [--json FILE]`.

Names: browser, proxy, look, flows, pages, engine, files, audio, desktop, journal, history, language, miniwob, authority, planners, local-model, serve, start, suite, record, mend, todomvc, truth. `flows`, `pages`,
`language`, `miniwob`, `authority`, `suite`, `record`, `mend`, `todomvc` and `truth` have no raw counterpart: they count what is done by outlines alone, what is done on kits and applications of others, what is
understood, what is done of what other people wrote, which published attacks reach their goal, which tests of playwright-python pass, whether what a robot with the real pointer recorded replays, what is
missed and proposed on changed pages, on which variants of one application the same flow does, and whether what is told is so on pages that take it back; `proxy` is beside a direct connection, `planners` beside the bare questions, `serve` beside the bare call in one process, `start` beside an empty Python. Prints a table each; with `--json FILE` also writes `{"name", "figures", "samples", "machine"}`.
"""

import argparse
import asyncio
import json
import os
import platform
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the scripts import each other from the root

from scripts.setup import machine

ROOT = Path(__file__).resolve().parents[1]
NAMES = (
    "browser",
    "proxy",
    "look",
    "flows",
    "pages",
    "engine",
    "files",
    "audio",
    "desktop",
    "journal",
    "history",
    "language",
    "miniwob",
    "authority",
    "planners",
    "local-model",
    "serve",
    "start",
    "suite",
    "record",
    "mend",
    "todomvc",
    "truth",
)
COUNTED = ("flows", "pages", "language", "miniwob", "authority", "suite", "record", "mend", "todomvc", "truth")
ROOMS = {
    "todomvc": "everyday.todomvc",
    "truth": "told.truth",
    "record": "recorded.purchases",
    "miniwob": "theirs.miniwob",
    "planners": "models.planners",
    "local-model": "models.local_model",
    "start": "doors.start",
    "history": "runs.history",
}
"""Where benchmarks are that have their module in a room."""

ON_MACHINE = frozenset(("files", "audio", "desktop", "journal", "history", "pages", "record"))
PYTHON = ROOT / ".venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def main() -> int:
    """Run the named benchmark and print its figures; return 0 if it could be measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", choices=NAMES, metavar="NAME", help=f"what to measure: {', '.join(NAMES)}")
    parser.add_argument("--rounds", type=int, default=9, help="pairs of jobs, at least 7 (default 9)")
    parser.add_argument("--tools", help="look: only these tools, joined by commas")
    parser.add_argument("--kit", action="append", default=[], help="pages: only this kit or application")
    parser.add_argument("--pattern", action="append", default=[], help="pages: only this pattern, such as date")
    ways = ("goal", "flow", "sentence")
    parser.add_argument("--way", action="append", choices=ways, default=[], help="pages: only asked for in this way")
    parser.add_argument("--pages", help="look: only these pages, joined by commas")
    parser.add_argument(
        "--timings", action="store_true", help="browser: print where the time of each step goes instead"
    )
    parser.add_argument("--property", action="store_true", help="look: count what outlines keep of their word instead")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    parser.add_argument(
        "--data",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="language: labelled sentences, a JSON object a line",
    )
    parser.add_argument(
        "--details",
        type=Path,
        metavar="FILE",
        help="language: also write what became of each sentence, the closed ones left out",
    )
    parser.add_argument(
        "--against", metavar="REF", help="language: print which sentences this version of git reads otherwise instead"
    )
    parser.add_argument("--suite", type=Path, metavar="DIR", help="suite: a checkout of playwright-python")
    halves = ("development", "sealed", "both")
    parser.add_argument("--half", choices=halves, default="both", help="miniwob: which tasks (default both)")
    parser.add_argument(
        "--task",
        action="append",
        default=[],
        help="miniwob: only this task of the development half; flows, pages: only tasks of this name; todomvc: only this variant; truth: only this family, or cases of this name; authority: only this suite or suite.task",
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
    module = import_module(f"scripts.benchmarks.{ROOMS.get(name, room)}")
    if name in {"browser", "proxy", "planners", "local-model"}:
        wishes = {"timings": True} if asked.timings and name == "browser" else {}
        return getattr(module, f"measure_{room}")(rounds, **wishes)
    if name == "engine":
        return asyncio.run(module.measure_engine(rounds))
    if name == "look":
        return asyncio.run(_look(rounds, module, asked))
    if name in COUNTED:
        return _count(name, module, asked)
    return {"name": name, "figures": asyncio.run(module.measure(rounds)), "samples": {}, "notes": {}}


async def _look(rounds: int, module: Any, asked: argparse.Namespace) -> dict[str, Any]:
    """Measure outlines, or count what they keep of their word."""
    if asked.property:
        return await import_module("scripts.benchmarks.promises.property").measure_property(asked.pages)
    return await module.measure_look(rounds, asked.tools, asked.pages)


def _count(name: str, module: Any, asked: argparse.Namespace) -> dict[str, Any]:
    """Run a benchmark that counts what is done of what other people wrote."""
    halves = ("development", "sealed") if asked.half == "both" else (asked.half,)
    ways: dict[str, Callable[[], Any]] = {
        "authority": lambda: module.measure_authority(asked.task),
        "flows": lambda: asyncio.run(module.measure_flows(asked.task)),
        "language": lambda: _read_language(module, asked),
        "mend": lambda: asyncio.run(module.measure_mend()),
        "miniwob": lambda: asyncio.run(module.measure_miniwob(halves, asked.task)),
        "pages": lambda: asyncio.run(module.measure_pages(module.read_wish(asked))),
        "suite": lambda: module.measure_suite(asked.suite),
        "todomvc": lambda: asyncio.run(module.measure_todomvc(asked.task)),
        "truth": lambda: asyncio.run(module.measure_truth(asked.task)),
    }
    return module.measure_record() if name == "record" else ways[name]()


def _read_language(module: Any, asked: argparse.Namespace) -> dict[str, Any]:
    """Measure the language, or compare it with another version of it."""
    if asked.against:
        return module.compare_language(asked.against, asked.data)
    return module.measure_language(asked.data, asked.details)


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
    width = max(map(len, figures), default=0)
    for name, value in figures.items():
        print(f"{name:<{width}}  {value:>10.4g}  {notes.get(name, '')}")


if __name__ == "__main__":
    sys.exit(main())
