"""What is said of an expectation that does not hold: what was expected, what was seen, and what to do."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..reports import RunReport

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
