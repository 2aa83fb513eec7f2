"""Trials: a defect in a copy of the tree, and what the tests that must notice it say."""

import itertools
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scripts.mutants.planting import Defect, Planted, PlantingError, plant
from tests.thoroughness import THOROUGH

Verdict = Literal["caught", "survived", "not planted", "broken"]
Judge = Callable[[Path, Defect, Planted], tuple[Verdict, str]]

LIMIT_S = 240.0
_LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv*", ".wine", "build", "__pycache__", "node_modules", ".*_cache", ".hypothesis", ".surehand"
)
_NO_CATCH = frozenset({"ImportError", "ModuleNotFoundError", "NameError", "SyntaxError", "UnboundLocalError"})
"""What only says that the code of a defect doesn't run."""

_CHANGES = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of a defect.

    Attributes:
        defect: The defect.
        verdict: ``caught`` if every one of its tests failed, as a test does.
        where: File and line.
        told: Which test caught it, or why none did.
        seconds: How long that took.
    """

    defect: Defect
    verdict: Verdict
    where: str = ""
    told: str = ""
    seconds: float = 0.0


@contextmanager
def copy_trees(root: Path, count: int) -> Generator["queue.SimpleQueue[Path]"]:
    """Yield copies of the tree, to be taken and given back; the tree itself is never changed."""
    with tempfile.TemporaryDirectory(prefix="surehand-mutants-") as parent:
        copies: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for number in range(count):
            copy = Path(parent) / str(number)
            shutil.copytree(root, copy, ignore=_LEFT_OUT, symlinks=True)
            _bind_program(copy)
            copies.put(copy)
        yield copies


def _bind_program(copy: Path) -> None:
    """Let the installed program, which tests start as well, run the copy and not the tree that it was installed from."""
    packages = _find_packages(copy)
    packages.mkdir()
    (packages / "surehand").symlink_to(copy / "agent" / "client", target_is_directory=True)


def bind_environment(copy: Path) -> dict[str, str]:
    """Return the variables with which tests, and the programs that they start, are of a copy."""
    return {"PYTHONPATH": os.pathsep.join(map(str, (copy, _find_packages(copy)))), "SUREHAND_MUTANT": "1"}


def _find_packages(copy: Path) -> Path:
    return copy.with_name(f"{copy.name}-packages")


def run_trials(root: Path, defects: Sequence[Defect], count: int, judge_copy: Judge | None = None) -> Generator[Trial]:
    """Try defects, some at a time, and yield what came of each in their order.

    Args:
        root: The tree.
        defects: What to plant, one after another in each copy.
        count: How many at a time.
        judge_copy: What looks at a copy with a defect in it; else the tests that the defect names.
    """
    with copy_trees(root, count) as copies, ThreadPoolExecutor(count) as pool:

        def run(defect: Defect) -> Trial:
            copy = copies.get()
            try:
                return _try_defect(copy, defect, judge_copy or _judge_by_named)
            finally:
                copies.put(copy)

        yield from pool.map(run, defects)


def find_unfit(root: Path, defects: Iterable[Defect]) -> list[str]:
    """Return the tests of these defects that fail although nothing is planted, or that aren't there."""
    tests = sorted({test for defect in defects for test in defect.tests})
    if not tests:
        return []
    with copy_trees(root, 1) as copies:
        reports, said = _run_tests(copies.get(), tests)
    failed = {test for test in tests if _find_failures(reports, test)}
    missing = {test for test in tests if not _list_calls(reports, test)}
    return sorted(failed | missing) or ([said] if not reports else [])


def _try_defect(copy: Path, defect: Defect, judge_copy: Judge) -> Trial:
    began = time.monotonic()
    try:
        planted = plant(copy, defect)
    except PlantingError as error:
        return Trial(defect, "not planted", told=str(error))
    where = f"{planted.file}:{planted.line}"
    file = copy / planted.file
    before = file.read_text(encoding="utf-8")
    try:
        write_file(file, planted.text)
        verdict, told = judge_copy(copy, defect, planted)
    finally:
        write_file(file, before)
    return Trial(defect, verdict, where, told, time.monotonic() - began)


def _judge_by_named(copy: Path, defect: Defect, _: Planted) -> tuple[Verdict, str]:
    if not defect.tests:
        return "survived", "no test is named"
    return judge(defect, *_run_tests(copy, defect.tests))


def judge(defect: Defect, reports: list[dict[str, str]], said: str) -> tuple[Verdict, str]:
    """Return what came of a defect, by the reports of its tests, and which of them says so.

    Args:
        defect: The defect.
        reports: How each part of each test ended.
        said: What to tell of tests that did not run.
    """
    caught: list[str] = []
    for test in defect.tests:
        if not _list_calls(reports, test):
            return "broken", f"{test} did not run: {said}"
        failures = _find_failures(reports, test)
        if not failures:
            return "survived", f"{test} passes"
        broken = [each for each in failures if each["when"] != "call" or each["error"] in _NO_CATCH]
        if len(broken) == len(failures):
            return "broken", f"{test} did not fail as a test does, but with {broken[0]['error']}"
        caught += [each["test"] for each in failures if each not in broken]
    return "caught", caught[0] + (f" and {len(caught) - 1} more" if len(caught) > 1 else "")


def _find_failures(reports: Iterable[dict[str, str]], test: str) -> list[dict[str, str]]:
    return [each for each in reports if each["outcome"] == "failed" and is_within(each["test"], test)]


def _list_calls(reports: Iterable[dict[str, str]], test: str) -> list[dict[str, str]]:
    """Return the reports of a test itself, without what is around it; none where it was skipped."""
    ran = (each for each in reports if each["when"] == "call" and each["outcome"] != "skipped")
    return [each for each in ran if is_within(each["test"], test)]


def is_within(test: str, named: str) -> bool:
    """Tell whether a test is the one that is named, one of its cases, or in the file or class that is named."""
    return test == named or test.startswith((f"{named}[", f"{named}::", f"{named}/"))


def write_file(file: Path, text: str) -> None:
    """Write a file so that bytecode of another text is never taken for its own, however soon it comes after that."""
    file.write_text(text, encoding="utf-8")
    moment = time.time() + 10 * next(_CHANGES)
    os.utime(file, (moment, moment))


def _run_tests(copy: Path, tests: Sequence[str]) -> tuple[list[dict[str, str]], str]:
    """Run tests in a copy; return a report for each part of each, and the end of what was said."""
    reports = copy.with_name(f"{copy.name}.json")
    reports.unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "scripts.mutants.reports",
        "-p",
        "no:cacheprovider",
        "--tb=line",
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {**bind_environment(copy), "MUTANT_REPORTS": str(reports), THOROUGH: "1"}  # as in the full lane
    try:
        done = subprocess.run(
            [*command, *tests],
            cwd=copy,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=LIMIT_S,
        )
    except subprocess.TimeoutExpired:
        return [], f"the tests did not end within {LIMIT_S:g} s"
    said = " ".join(done.stdout.split())[-300:]
    return (json.loads(reports.read_text(encoding="utf-8")) if reports.exists() else []), said
