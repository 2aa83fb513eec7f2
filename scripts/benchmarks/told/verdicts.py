"""Whether what was told of a case is so, and what all of them come to."""

import json
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.results.tool_results import RunResult, StepLog
from scripts.benchmarks.told.cases import Case

Verdict = Literal["so", "not so", "unverified", "told", "failed rightly", "not done", "false failure"]
VERDICTS: tuple[Verdict, ...] = ("so", "not so", "unverified", "told", "failed rightly", "not done", "false failure")
"""Confirmed and so; confirmed but not so; not confirmed; success with a word of what is not so; failed, and not so; the same where the page would have kept it; failed though it is so."""

WRONG: tuple[Verdict, ...] = ("not so", "false failure")
_MOST_REASON = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What came of a case.

    Attributes:
        case: The case.
        verdict: Whether what was told is so.
        known: What the far end knows; None where it heard nothing.
        reason: Why it isn't confirmed or failed, as it was told.
        ms: Of the steps, without opening the page.
    """

    case: Case
    verdict: Verdict
    known: str | None
    reason: str
    ms: tuple[float, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values; of a closed one only the numbers."""
        told = {"family": self.case.family, "verdict": self.verdict, "ms": [round(each, 1) for each in self.ms]}
        return told if self.case.closed else told | {"name": self.case.name, "known": self.known, "reason": self.reason}


def judge(case: Case, result: RunResult, known: str | None) -> Ended:
    """Return what came of a case.

    Args:
        case: The case.
        result: What was told.
        known: What the far end knows.
    """
    steps = [log for log in result.step_logs if log.name != "browser.navigate"]
    return Ended(
        case=case,
        verdict=_judge(case, result, steps, is_so=known == case.want),
        known=known,
        reason=_find_reason(result, steps),
        ms=tuple(log.result.ms for log in steps),
    )


def _judge(case: Case, result: RunResult, steps: Sequence[StepLog], *, is_so: bool) -> Verdict:
    if result.outcome != "success":
        return "false failure" if is_so else "not done" if case.honest else "failed rightly"
    if case.tells and not is_so:
        return "told" if re.search(rf"(?<!\w)(?:{case.tells})", _say(result, steps)) else "not so"
    if any(log.result.effect == "unverified" for log in steps):
        return "unverified"
    return "so" if is_so else "not so"


def _say(result: RunResult, steps: Sequence[StepLog]) -> str:
    """Return all that a run says of its steps."""
    receipts = [[log.result.output, log.result.evidence, log.result.note] for log in steps]
    return json.dumps([result.reply, receipts], default=_open, ensure_ascii=False)


def _open(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else str(value)


def _find_reason(result: RunResult, steps: Sequence[StepLog]) -> str:
    """Return what the first step tells that isn't confirmed."""
    for log in steps:
        if log.result.error:
            return f"{log.result.error.code}: {log.result.error.message}"[:_MOST_REASON]
        if log.result.effect == "unverified":
            evidence = {name: value for name, value in log.result.evidence.items() if value}
            said = json.dumps(evidence, default=_open, ensure_ascii=False)
            return f"{log.name}: {log.result.note or ''} {said}".replace(":  ", ": ")[:_MOST_REASON]
    return "" if result.outcome == "success" else result.reply[:_MOST_REASON]


def write_table(ended: Sequence[Ended]) -> str:
    """Return how many of each family came to which verdict, all open and all closed ones last, and below what is wrong or unverified.

    Args:
        ended: What came of the cases.
    """
    families = dict.fromkeys(each.case.family for each in ended if not each.case.closed)
    rows = [
        _write_row(name, [each for each in ended if _is_open(each) and each.case.family == name]) for name in families
    ]
    rows += [
        _write_row("all open", [each for each in ended if _is_open(each)]),
        _write_row("all closed", [each for each in ended if each.case.closed]),
    ]
    head = f"{'family':<12}{'cases':>6}" + "".join(f"{each:>15}" for each in VERDICTS) + f"{'ms a step':>12}"
    return "\n".join([head, *rows, "", *_write_open(ended)])


def _write_row(name: str, ended: Sequence[Ended]) -> str:
    counts = Counter(each.verdict for each in ended)
    figures = "".join(f"{counts[each]:>15}" for each in VERDICTS)
    return f"{name:<12}{len(ended):>6}{figures}{_take_median(ended):>12.0f}"


def _write_open(ended: Iterable[Ended]) -> list[str]:
    wanted: tuple[Verdict, ...] = (*WRONG, "not done", "unverified")
    return [
        f"{each.verdict}: {each.case.family}: {each.case.name}: far end: {each.known!r}; {each.reason or 'confirmed'}"
        for verdict in wanted
        for each in ended
        if _is_open(each) and each.verdict == verdict
    ]


def add_up(ended: Sequence[Ended]) -> dict[str, Any]:
    """Return figures and notes, those of the closed cases apart.

    Args:
        ended: What came of the cases.
    """
    figures: dict[str, float] = {}
    halves: dict[str, Callable[[Ended], bool]] = {"": _is_open, "closed_": lambda each: each.case.closed}
    for half, belongs in halves.items():
        own = [each for each in ended if belongs(each)]
        counts = Counter(each.verdict for each in own)
        figures |= {f"{half}{verdict.replace(' ', '_')}": counts[verdict] for verdict in VERDICTS}
        figures[f"{half}ms_a_step"] = _take_median(own)
    return {"figures": figures, "notes": {"so": f"of {sum(map(_is_open, ended))} open cases"}}


def _take_median(ended: Iterable[Ended]) -> float:
    return statistics.median([ms for each in ended for ms in each.ms] or [0])


def _is_open(ended: Ended) -> bool:
    return not ended.case.closed
