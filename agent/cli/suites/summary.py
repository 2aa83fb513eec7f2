"""What is printed of tests: a line for each flow, what went wrong below it, and how many ended in which way."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.cli.screen.durations import tell_duration
from agent.cli.suites.endings import EndedFlow, EndedSuite
from agent.reports.results import FlowOutcome, FlowResult
from core.base.phrases import escape_text, join_phrases

_MARKS: Mapping[FlowOutcome, tuple[str, str]] = {
    "passed": ("✓", "green"),
    "flaky": ("✓", "yellow"),
    "failed": ("✗", "red"),
    "error": ("✗", "red"),
    "skipped": ("–", "yellow"),
}
_ORDER: tuple[FlowOutcome, ...] = ("failed", "error", "flaky", "passed", "skipped")
_WORDS = ("failed", "could not be run", "passed only when tried again", "passed", "not run to the end")
_COUNTED: Mapping[str, str] = dict(zip(_ORDER, _WORDS, strict=True))


@dataclass(frozen=True, slots=True)
class StyledLine:
    """A line of text.

    Attributes:
        text: The line.
    """

    text: str
    style: str = ""


def tell_ended(ended: EndedFlow, number: str = "") -> Iterator[StyledLine]:
    """Yield what came of a flow, with what went wrong below it."""
    flow = ended.result
    mark, style = _MARKS[flow.outcome]
    attempts = f", {flow.attempts} attempts" if flow.attempts > 1 else ""
    time = f" ({tell_duration(flow.ms)}{attempts})" if flow.attempts else ""
    name = f": {flow.name}" if flow.name and flow.name not in flow.path else ""
    yield StyledLine(escape_text(f"{number}{mark} {flow.path}{name}{time}"), style)
    yield from (StyledLine(f"    {escape_text(line)}") for line in _list_trouble(flow))
    if ended.update:
        yield from (StyledLine(f"    {escape_text(line)}", _style_diff(line)) for line in ended.update.diff)
        if ended.update.kept_because:
            yield StyledLine(f"    {escape_text(ended.update.kept_because)}")


def list_summary(ended: EndedSuite, written: Sequence[Path] = ()) -> Iterator[StyledLine]:
    """Yield what came of all flows, where runs that failed are kept, and which files were written."""
    if not ended.flows:
        yield StyledLine("This part has no flows.")
    flaky = [each for each in ended.result.flows if each.outcome == "flaky"]
    if flaky:
        yield StyledLine(f"Passed only when tried again: {join_phrases([each.path for each in flaky])}.", "yellow")
    yield from _list_kept(ended)
    for path in written:
        yield StyledLine(f"Written: {path}")
    updated = sum(bool(each.update and each.update.diff) for each in ended.flows)
    if updated:
        yield StyledLine(f"Expectations were updated in {updated} file{'s' if updated > 1 else ''}.", "yellow")
    counts = ended.result.count()
    parts = [f"{counts[each]} {told}" for each, told in _COUNTED.items() if each in counts]
    stopped = "Stopped. " if ended.was_stopped else ""
    if parts:
        style = "green" if set(counts) <= {"passed", "flaky"} else "red"
        yield StyledLine(f"{stopped}{', '.join(parts)} in {tell_duration(ended.result.ms)}.", style)


def _list_trouble(flow: FlowResult) -> Iterator[str]:
    if flow.error:
        yield from flow.error.splitlines()


def _list_kept(ended: EndedSuite) -> Iterator[StyledLine]:
    kept = [each for each in ended.flows if each.workspace and each.result.run_id]
    for each in kept:
        command = f"surehand sessions show {each.result.run_id} --workspace {shlex.quote(str(each.workspace))}"
        yield StyledLine(f"Kept: {each.result.path}: {command}")


def _style_diff(line: str) -> str:
    return {"+": "green", "-": "red"}.get(line[:1], "")
