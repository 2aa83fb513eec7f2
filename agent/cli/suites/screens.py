"""How tests show: a line for each flow that ended, on a terminal below them what goes on, and at the end how many ended in which way."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO, cast

from rich.console import Console as RichConsole
from rich.console import Group
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from agent.cli.screen.output import Outlet, fit_encoding
from agent.reports.results import FlowOutcome
from agent.reports.words import tell_duration
from agent.suites.flow_files import ReadFlow
from agent.suites.running import EndedFlow, EndedSuite, SuiteWatcher
from core.base.phrases import cut_text, escape_text, join_phrases
from core.results.events import Accepted, Event, Step

_MARKS: Mapping[FlowOutcome, tuple[str, str]] = {
    "passed": ("✓", "green"),
    "flaky": ("✓", "yellow"),
    "failed": ("✗", "red"),
    "error": ("✗", "red"),
    "skipped": ("–", "yellow"),
}
_COUNTED: Mapping[FlowOutcome, str] = {
    "failed": "failed",
    "error": "could not be run",
    "flaky": "passed only when tried again",
    "passed": "passed",
    "skipped": "not run to the end",
}
_DIFF_STYLES = {"+": "green", "-": "red"}
_LONGEST = 100
_A_SECOND = 8


class SuiteScreen(SuiteWatcher):
    """Shows a line for each flow, and what is under way if the stream is a terminal."""

    def __init__(self, stream: TextIO, flows: Sequence[ReadFlow]) -> None:
        self._console = RichConsole(file=cast("TextIO", Outlet(stream)), highlight=False, soft_wrap=True)
        is_live = stream.isatty() and not self._console.is_dumb_terminal
        draws = fit_encoding("✓", self._console.encoding) == "✓"
        self._spinner = "dots" if draws else "line"
        self._count = len(flows)
        self._ended = 0
        self._running: dict[str, tuple[int, int, str]] = {}
        self._live = Live(console=self._console, transient=True, refresh_per_second=_A_SECOND) if is_live else None

    def begin(self, flow: ReadFlow, attempt: int) -> None:
        """Show that a flow begins."""
        self._running[flow.file.name] = (0, 0, f" (attempt {attempt})" if attempt > 1 else "")
        self._refresh()

    def show(self, flow: ReadFlow, event: Event) -> None:
        """Show which step is under way."""
        done, count, told = self._running.get(flow.file.name, (0, 0, ""))
        if isinstance(event, Accepted):
            count = len(event.plan.get("nodes", ()))
        elif isinstance(event, Step):
            done += event.status != "started"
            told = event.description
        self._running[flow.file.name] = (done, count, told)
        self._refresh()

    def end(self, ended: EndedFlow) -> None:
        """Show what came of a flow."""
        self._running.pop(ended.result.path, None)
        self._ended += 1
        self._refresh()
        self.tell(tell_ended(ended, f"[{self._ended:>{len(str(self._count))}}/{self._count}] "))

    def tell(self, lines: Iterable[Text]) -> None:
        """Write lines that stay."""
        for line in lines:
            self._console.print(line, soft_wrap=True)

    def close(self) -> None:
        """Take away what shows what is under way."""
        if self._live is not None and self._live.is_started:
            self._live.stop()

    def _refresh(self) -> None:
        if self._live is not None:
            self._live.update(Group(*map(self._tell_running, self._running)))
            if not self._live.is_started:
                self._live.start()

    def _tell_running(self, name: str) -> Spinner:
        done, count, told = self._running[name]
        steps = f" {done}/{count}" if count else ""
        line = cut_text(f"{name}{steps} {escape_text(told)}", min(_LONGEST, max(20, self._console.width - 4)))
        return Spinner(self._spinner, Text(line, no_wrap=True, overflow="ellipsis"))


def tell_ended(ended: EndedFlow, number: str) -> Iterator[Text]:
    """Yield what came of a flow behind a number, with what went wrong below it."""
    flow = ended.result
    mark, style = _MARKS[flow.outcome]
    attempts = f", {flow.attempts} attempts" if flow.attempts > 1 else ""
    time = f" ({tell_duration(flow.ms)}{attempts})" if flow.attempts else ""
    name = f": {flow.name}" if flow.name and flow.name not in flow.path else ""
    yield Text(escape_text(f"{number}{mark} {flow.path}{name}{time}"), style)
    below = [(line, "") for line in flow.error.splitlines()]
    if ended.update:
        below += [(line, _DIFF_STYLES.get(line[:1], "")) for line in ended.update.diff]
        below += [(line, "") for line in filter(None, [ended.update.kept_because])]
    yield from (Text(f"    {escape_text(line)}", style) for line, style in below)


def list_summary(ended: EndedSuite, written: Sequence[Path]) -> Iterator[Text]:
    """Yield what came of all flows, where runs that failed are kept, and which files were written."""
    if not ended.flows:
        yield Text("This part has no flows.")
    if flaky := [each.path for each in ended.result.flows if each.outcome == "flaky"]:
        yield Text(f"Passed only when tried again: {join_phrases(flaky)}.", "yellow")
    for each in ended.flows:
        if each.workspace and each.result.run_id:
            command = f"surehand sessions show {each.result.run_id} --workspace {shlex.quote(str(each.workspace))}"
            yield Text(f"Kept: {each.result.path}: {command}")
    for path in written:
        yield Text(f"Written: {path}")
    if updated := sum(bool(each.update and each.update.diff) for each in ended.flows):
        yield Text(f"Expectations were updated in {updated} file{'s' if updated > 1 else ''}.", "yellow")
    counts = ended.result.count()
    if parts := [f"{counts[each]} {told}" for each, told in _COUNTED.items() if each in counts]:
        stopped = "Stopped. " if ended.was_stopped else ""
        style = "green" if set(counts) <= {"passed", "flaky"} else "red"
        yield Text(f"{stopped}{', '.join(parts)} in {tell_duration(ended.result.ms)}.", style)
