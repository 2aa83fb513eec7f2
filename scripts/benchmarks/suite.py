"""The suite benchmark: the tests of playwright-python, which its makers wrote of clicks, fields, boxes, choices, files, drags, dialogs, frames and pop-ups, through our hands.

`--suite DIR` names a checkout of theirs (github.com/microsoft/playwright-python); nothing of it is kept here. Each test ends as passed, failed, or not applicable with the
reason: it asks for something that no goal says, for the words of the library's own errors, or acts on nothing.
"""

import json
import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from actuators.child_environments import make_child_environment
from scripts.benchmarks.environment import ROOT, prepare_environment

TESTS = Path("tests/async")
WHOLE: Mapping[str, str] = {
    "test_click.py": "click",
    "test_fill.py": "fill",
    "test_check.py": "check",
    "test_page_select_option.py": "select",
    "test_input.py": "upload",
    "test_dialog.py": "dialogs",
    "test_frames.py": "frames",
    "test_popup.py": "pop-ups",
}
"""Files of theirs of which every test is about one topic."""

BY_NAME: Mapping[str, str] = {
    "drag": "drag",
    "select_option": "select",
    "upload": "upload",
    "set_input_files": "upload",
    "check": "check",
    "fill": "fill",
    "clear": "fill",
    "press": "fill",
    "frame": "frames",
    "hover": "click",
    "click": "click",
}
"""Topics of single tests by what their names have in them, the first that fits."""

MIXED = ("test_page.py", "test_locators.py", "test_element_handle.py")
"""Files of which only tests with such names are taken."""

TOPICS = tuple(dict.fromkeys((*WHOLE.values(), *BY_NAME.values())))

_LAST_WORDS = 2000
_PYTEST = (
    *("-P", "-m", "pytest", "-q", "--timeout=60", "--browser=chromium"),
    *("-p", "scripts.benchmarks.theirs.plugin", "-p", "no:cacheprovider", "-p", "no:playwright", "-o", "addopts="),
)
"""How their tests are run: none of the checkout's own modules is found before the installed ones."""

Verdicts = dict[str, tuple[str, str]]


def measure_suite(folder: Path | None) -> dict[str, Any]:
    """Return the report.

    Args:
        folder: The checkout; None where nobody named one.
    """
    if folder is None or not (folder / TESTS).is_dir():
        why = "no --suite DIR" if folder is None else f"{folder} has no {TESTS}"
        print(f"skipped: {why}; it takes a checkout of playwright-python")
        return {"name": "suite", "figures": {}, "samples": {}, "notes": {}}
    python = prepare_environment("suite")
    found: Verdicts = {}
    for file in (*WHOLE, *MIXED):
        found |= run_tests(python, folder.resolve(), TESTS / file, "" if file in WHOLE else " or ".join(BY_NAME))
    return make_report(found)


def make_report(found: Verdicts) -> dict[str, Any]:
    """Print what did not pass, and return the report.

    Args:
        found: How each test ended, and why, by its name.
    """
    figures: dict[str, float] = {}
    for topic in TOPICS:
        verdicts = {name: each for name, each in found.items() if find_topic(name) == topic}
        counted = Counter(verdict for verdict, _ in verdicts.values())
        for verdict in ("passed", "failed", "not applicable"):
            figures[f"suite_{topic}_{verdict}".replace(" ", "_")] = counted[verdict]
        _tell(topic, verdicts)
    counted = Counter(verdict for verdict, _ in found.values())
    for verdict in ("passed", "failed", "not applicable"):
        figures[f"suite_{verdict}".replace(" ", "_")] = counted[verdict]
    judged = counted["passed"] + counted["failed"]
    return {"name": "suite", "figures": figures, "samples": found, "notes": {"suite_passed": f"of {judged}"}}


def find_topic(name: str) -> str:
    """Return what a test is about.

    Args:
        name: File and name, as pytest has them.
    """
    file, _, test = name.rpartition("/")[2].partition("::")
    return WHOLE.get(file) or next(topic for word, topic in BY_NAME.items() if word in test)


def run_tests(python: Path, folder: Path, file: Path, words: str = "") -> Verdicts:
    """Return what came of tests of theirs: by name, how each ended, and why.

    Args:
        python: What runs them.
        folder: The checkout.
        file: Of the tests, in that folder.
        words: Which of them, as pytest's ``-k`` takes it; empty for all.
    """
    with tempfile.TemporaryDirectory(prefix="theirs-report-") as place:
        report = Path(place) / "report.json"
        own = {"THEIRS_SUITE": str(folder), "THEIRS_REPORT": str(report), "PYTHONPATH": str(ROOT)}
        command = [str(python), *_PYTEST, *(["-k", words] if words else []), str(file)]
        variables = {name: value for name, value in os.environ.items() if name.startswith("SUREHAND_")}
        environment = make_child_environment() | variables | own
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if not report.exists():
            raise SystemExit(f"the tests did not run: {(done.stdout + done.stderr)[-_LAST_WORDS:]}")
        return {name: (verdict, why) for name, (verdict, why) in json.loads(report.read_text("utf-8")).items()}


def _tell(topic: str, verdicts: Mapping[str, tuple[str, str]]) -> None:
    """Print every test that did not pass, with its reason."""
    print(f"{topic}: {dict(Counter(verdict for verdict, _ in verdicts.values()))}", flush=True)
    for name, (verdict, why) in sorted(verdicts.items(), key=lambda each: each[1]):
        if verdict != "passed":
            print(f"  {verdict:<15} {name.rpartition('::')[2]}: {why[:300]}")
