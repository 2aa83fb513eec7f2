"""What is told of a test: its steps as lines, and expectations that do not hold: what was expected, what was seen, what to do."""

import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..reports import RunReport, StepReceipt

_SIGN_OF: Mapping[str, str] = {"ok": "✓", "failed": "✗", "refused": "✗", "skipped": "–", "cancelled": "✗"}

SIGNS = frozenset({*_SIGN_OF.values(), "·"})
"""What the line of a step begins with."""

_QUIET = frozenset({"pictures", "picture", "snapshot", "attached"})
_ENTRY = re.compile(r"^(\s*)-\s")
_GOALS = re.compile(r"^[\"']?goals[\"']?\s*:\s*(?:#.*)?$", re.MULTILINE)
_EXPECT = re.compile(r"^\s+(?:-\s+)?[\"']?expect[\"']?\s*:|[{,]\s*[\"']?expect[\"']?\s*:", re.MULTILINE)


def write_lines(runs: Sequence[RunReport], flow: Path | None = None) -> list[str]:
    """Return the lines of a test's runs."""
    return [line for done in runs for line in _write_run(done, flow if done is runs[-1] else None)]


def _write_run(done: RunReport, flow: Path | None) -> Iterator[str]:
    places = find_lines(flow, done) if flow else {}
    for number, step in enumerate(done.steps, 1):
        place = f"  ({flow.name}:{places[step.goal_id]})" if flow and step.goal_id in places else ""
        yield f"{_SIGN_OF.get(step.status, '·')} {number}. {step.description}{place} — {step.status}{_tell_effect(step)}"
        if step.problem and step.status != "skipped":
            yield f"     {step.problem.message}"
            yield from (f"     {line.strip()}" for line in describe_facts(step.problem.evidence))
            yield from ([f"     {step.problem.hint}"] if step.problem.hint else [])
    for problem in done.problems:
        yield f"✗ {problem}"


def _tell_effect(step: StepReceipt) -> str:
    facts = {
        name: value for name, value in step.evidence.items() if isinstance(value, str | int) and name not in _QUIET
    }
    told = [step.effect] if step.effect not in {"", "none"} else []
    told += [f"{name}: {shorten(value)[:80]}" for name, value in facts.items()][:3] if step.status == "ok" else []
    return f" ({'; '.join(told)})" if told else ""


def find_lines(flow: Path, done: RunReport) -> Mapping[str, int]:
    """Return the lines that goals stand in, by their ids; empty where that can't be told for sure."""
    known = {step.goal_id for step in done.steps}
    goals = [line for start, text in _split_goals(flow) for line in [start] * (2 if _EXPECT.search(text) else 1)]
    ids = [f"g{index}" for index in range(len(goals))]
    return dict(zip(ids, goals, strict=True)) if known and known == set(ids) else {}


def _split_goals(flow: Path) -> Iterator[tuple[int, str]]:
    """Yield the entries under ``goals`` with their lines, as far as they are written one below the other."""
    text = flow.read_text(encoding="utf-8", errors="replace")
    if flow.suffix == ".json" or not (head := _GOALS.search(text)):
        return
    first = text.count("\n", 0, head.end()) + 1
    lines = text.splitlines()
    depth, begun, entry = None, 0, list[str]()
    for number, line in enumerate(lines[first:], first + 1):
        found = _ENTRY.match(line)
        if line.strip() and not line[0].isspace() and not found:
            break
        depth = len(found[1]) if found and depth is None else depth
        if found and len(found[1]) == depth:
            if entry:
                yield begun, "\n".join(entry)
            begun, entry = number, []
        entry.append(line)
    if entry and depth is not None:
        yield begun, "\n".join(entry)


def read_name(path: Path) -> str:
    """Return what a flow file is called: its ``name``, else its file name without the ending."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".json":
        try:
            told = json.loads(text)
        except ValueError:
            told = None
        name = told.get("name") if isinstance(told, dict) else None
    else:
        found = re.search(r"^name\s*:\s*(.+?)\s*(?:\s#.*)?$", text, re.MULTILINE)
        name = found[1].strip("\"'") if found else None
    return " ".join(str(name).split()) if name else path.name.rpartition(".flow.")[0]


_LONGEST = 400
_MOST_LINES = 20


class ExpectationNotMetError(AssertionError):
    """Something that a test expects is not so."""


def describe_expectation(done: RunReport, expected: str, look: Callable[[], str]) -> str:
    """Return what is said of a check that failed."""
    problem = next((each.problem for each in done.steps if each.problem), None)
    lines = [f"Expected: {expected}"]
    if problem:
        lines += [problem.message, *describe_facts(problem.evidence), *([problem.hint] if problem.hint else [])]
    else:
        lines.append(done.reply)
    if seen := look():
        shown = seen.splitlines()
        left = len(shown) - _MOST_LINES
        lines += ["The page shows:", *(f"  {line}" for line in shown[:_MOST_LINES])]
        lines += [f"  … and {left} lines more"] if left > 0 else []
    return "\n".join(lines)


def describe_facts(facts: Mapping[str, Any]) -> list[str]:
    """Return evidence in lines, without what is only of use to programs."""
    return [
        f"  {name}: {shorten(value)}"
        for name, value in facts.items()
        if value not in ({}, [], "", None) and name not in {"pictures", "picture", "snapshot", "diff", "differences"}
    ]


def shorten(value: object) -> str:
    """Return a value as text of one line that is not long."""
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


@contextmanager
def telling_unmet(unmet: Sequence[ExpectationNotMetError]) -> Generator[None]:
    """Raise, at the end, the expectations that did not hold, beside what else made the test fail."""
    __tracebackhide__ = True
    try:
        yield
    except Exception as error:
        if not unmet:
            raise
        raise ExceptionGroup("The test failed, and these expectations do not hold", [error, *unmet]) from None
    if len(unmet) == 1:
        raise unmet[0]
    if unmet:
        raise ExceptionGroup("These expectations do not hold", list(unmet))
