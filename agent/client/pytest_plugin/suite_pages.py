"""The report of a whole run of pytest: one page with all tests that had a hand, and a page for each of their runs."""

import html
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from uuid import uuid4

import pytest

from ..launcher import find_app_root
from .step_lines import SIGNS, write_lines

if TYPE_CHECKING:
    from .case_records import CaseRecord

_CASES, _RUNS = "cases", "runs"
_LAUNCHER = Path(__file__).parents[1] / "launcher.py"
_REPORT_S = 60.0


def clear_folder(config: pytest.Config) -> None:
    """Remove what an earlier run left in the report's folder, and nothing else."""
    folder = _locate(config)
    for name in (_CASES, _RUNS):
        shutil.rmtree(folder / name, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)


def write_case(item: pytest.Item, record: "CaseRecord") -> None:
    """Write down what came of a test, for the page that is made at the end."""
    folder = _locate(item.config) / _CASES
    folder.mkdir(parents=True, exist_ok=True)
    told = {
        "name": item.nodeid,
        "outcome": record.outcome,
        "seconds": round(record.seconds, 1),
        "lines": write_lines(record.runs, record.flow),
        "unmet": [str(each) for each in record.unmet],
        "runs": [done.run_id for done in record.runs],
        "files": [[kind, _name_from(folder.parent, place)] for kind, place in record.files],
    }
    (folder / f"{uuid4().hex}.json").write_text(json.dumps(told), encoding="utf-8")


def write_runs(config: pytest.Config, workspace: Path, runs: Iterable[str]) -> None:
    """Have the command `surehand sessions report` write a page for each run; one that has no such report writes none."""
    folder = _locate(config) / _RUNS
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        place = folder / f"{run}.html"
        command = [sys.executable, "-P", str(_LAUNCHER), "sessions", "report", run, "-o", str(place)]
        done = subprocess.run(command, cwd=workspace, capture_output=True, timeout=_REPORT_S, check=False)
        if done.returncode:
            return


def write_suite(config: pytest.Config) -> None:
    """Write the page with all tests."""
    folder = _locate(config)
    cases = [json.loads(each.read_bytes()) for each in sorted((folder / _CASES).glob("*.json"))]
    for case in cases:
        runs = (f"{_RUNS}/{run}.html" for run in case["runs"])
        case["pages"] = [each for each in runs if (folder / each).is_file()]
    (folder / "index.html").write_text(draw_page(cases), encoding="utf-8")


def _name_from(folder: Path, place: Path) -> str:
    """Return how a file is called from the report's folder, so that both can be moved together; by its address on another drive."""
    try:
        return quote(Path(os.path.relpath(place, folder)).as_posix())
    except ValueError:
        return place.as_uri()


def _locate(config: pytest.Config) -> Path:
    return (config.invocation_params.dir / str(config.getoption("surehand_html"))).absolute()


_STYLE = Path(__file__).with_name("suite_page.css")
_COLOURS = ("agent", "reports", "styles", "colours.css")
_ORDER = ("failed", "skipped", "passed")
_LOOKS: Mapping[str, str] = {"✓": "confirmed", "✗": "failed"}
_SEEN = "The page shows:"
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{told} · Surehand</title>
<style>{style}</style>
</head>
<body>
<main>
<header><p class="kicker">Tests with pytest</p><h1>{told}</h1><p class="facts">{facts}</p></header>
{cases}
</main>
</body>
</html>
"""


def draw_page(cases: Sequence[Mapping[str, Any]]) -> str:
    """Return the page.

    Args:
        cases: What `write_case` wrote of each test, and ``pages``: the reports of its runs.
    """
    ordered = sorted(cases, key=lambda case: (_ORDER.index(case["outcome"]), case["name"]))
    counts = Counter(str(case["outcome"]) for case in cases)
    told = (f"{counts[each]} {each}" for each in _ORDER if counts.get(each))
    seconds = sum(float(case["seconds"]) for case in cases)
    return _PAGE.format(
        told=_tell_outcome(counts, len(cases)),
        style=find_app_root().joinpath(*_COLOURS).read_text(encoding="utf-8") + _STYLE.read_text(encoding="utf-8"),
        facts=" ".join(f"<span>{each}</span>" for each in (*told, f"{seconds:.1f} s in tests")),
        cases="\n".join(_draw_case(each) for each in ordered),
    )


def _tell_outcome(counts: Mapping[str, int], count: int) -> str:
    if not count:
        return "No test had a hand"
    tests = "1 test" if count == 1 else f"{count} tests"
    return f"{tests}, {counts.get('failed', 0)} failed"


def _draw_case(case: Mapping[str, Any]) -> str:
    outcome = str(case["outcome"])
    look = {"failed": "failed", "passed": "confirmed"}.get(outcome, "skipped")
    file, _, name = str(case["name"]).partition("::")
    steps = "".join(_draw_step(each) for each in _split_steps(case["lines"]))
    unmet = "".join(_draw_unmet(each) for each in case["unmet"])
    body = f"{f'<ol>{steps}</ol>' if steps else ''}{unmet}{_draw_files(case)}"
    return (
        f'<details class="case look-{look}"{" open" if outcome == "failed" else ""}>'
        f'<summary><span class="mark">{outcome}</span>'
        f'<span class="name"><h2>{html.escape(name or file)}</h2><span class="file">{html.escape(file)}</span></span>'
        f'<span class="time">{float(case["seconds"]):.1f} s</span></summary>'
        f'<div class="body">{body or "<p>It did nothing.</p>"}</div></details>'
    )


def _split_steps(lines: Sequence[str]) -> Iterator[list[str]]:
    held: list[str] = []
    for line in lines:
        if held and line[:1] in SIGNS:
            yield held
            held = []
        held.append(line)
    if held:
        yield held


def _draw_step(lines: Sequence[str]) -> str:
    head, *below = lines
    sign = head[:1]
    told = f'<p class="below">{html.escape(chr(10).join(each.strip() for each in below))}</p>' if below else ""
    return (
        f'<li class="look-{_LOOKS.get(sign, "skipped")}"><span class="sign" aria-hidden="true">{sign}</span>'
        f"<div>{html.escape(head[1:].strip())}{told}</div></li>"
    )


def _draw_unmet(text: str) -> str:
    told, sign, seen = text.partition(_SEEN)
    shown = f"<details><summary>{_SEEN[:-1]}</summary><pre>{html.escape(seen.strip(chr(10)))}</pre></details>"
    return f'<div class="unmet"><p>{html.escape(told.strip())}</p>{shown if sign else ""}</div>'


def _draw_files(case: Mapping[str, Any]) -> str:
    links = [f'<a href="{html.escape(each)}">Run {number}</a>' for number, each in enumerate(case["pages"], 1)]
    links += [f'<a href="{html.escape(place)}">{html.escape(kind.capitalize())}</a>' for kind, place in case["files"]]
    pictures = [
        f'<a class="picture" href="{html.escape(place)}"><img src="{html.escape(place)}" loading="lazy" '
        'alt="The page at the end of the test"></a>'
        for kind, place in case["files"]
        if kind == "screenshot"
    ]
    return "".join(pictures) + (f'<p class="files">{" ".join(links)}</p>' if links else "")
