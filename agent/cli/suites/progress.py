"""How tests show while they run: a line for each flow that ended, and on a terminal below them what goes on."""

from collections.abc import Iterable, Sequence
from typing import TextIO, cast

from rich.console import Console as RichConsole
from rich.console import Group
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from agent.cli.screen.marks import fit_encoding
from agent.cli.screen.output import Outlet
from agent.cli.suites.endings import EndedFlow
from agent.cli.suites.reading import ReadFlow
from agent.cli.suites.summary import StyledLine, tell_ended
from core.base.phrases import cut_text, escape_text
from core.results.events import Accepted, Event, Step

_LONGEST = 100
_A_SECOND = 8


class SilentSuite:
    """Shows nothing while tests run."""

    def begin(self, flow: ReadFlow, attempt: int) -> None:
        """Hear that a flow begins."""

    def show(self, flow: ReadFlow, event: Event) -> None:
        """Hear an event of its run."""

    def end(self, ended: EndedFlow) -> None:
        """Hear what came of it."""

    def tell(self, lines: Iterable[StyledLine]) -> None:
        """Hear what is said of all."""

    def close(self) -> None:
        """Show nothing any more."""


class SuiteScreen(SilentSuite):
    """Shows a line for each flow, and what is under way if the stream is a terminal."""

    def __init__(self, stream: TextIO, flows: Sequence[ReadFlow]) -> None:
        """Show nothing yet."""
        self._console = RichConsole(file=cast("TextIO", Outlet(stream)), highlight=False, soft_wrap=True)
        is_live = stream.isatty() and not self._console.is_dumb_terminal
        self._draws = fit_encoding("✓", self._console.encoding) == "✓"
        self._width = len(str(len(flows)))
        self._count = len(flows)
        self._ended = 0
        self._running: dict[str, tuple[int, int, str]] = {}
        self._live = Live(console=self._console, transient=True, refresh_per_second=_A_SECOND) if is_live else None

    def begin(self, flow: ReadFlow, attempt: int) -> None:
        """Show that a flow begins."""
        again = f" (attempt {attempt})" if attempt > 1 else ""
        self._running[flow.file.name] = (0, 0, again)
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
        number = f"[{self._ended:>{self._width}}/{self._count}] "
        self.tell(tell_ended(ended, number))

    def tell(self, lines: Iterable[StyledLine]) -> None:
        """Write lines that stay."""
        for line in lines:
            text = line.text if self._draws else fit_encoding(line.text, self._console.encoding)
            self._console.print(Text(text, style=line.style), soft_wrap=True)

    def close(self) -> None:
        """Take away what shows what is under way."""
        if self._live is not None and self._live.is_started:
            self._live.stop()

    def _refresh(self) -> None:
        if self._live is None:
            return
        rows = [self._tell_running(name) for name in self._running]
        self._live.update(Group(*rows))
        if not self._live.is_started:
            self._live.start()

    def _tell_running(self, name: str) -> Spinner:
        done, count, told = self._running[name]
        steps = f" {done}/{count}" if count else ""
        line = cut_text(f"{name}{steps} {escape_text(told)}", min(_LONGEST, max(20, self._console.width - 4)))
        return Spinner("dots" if self._draws else "line", Text(line, no_wrap=True, overflow="ellipsis"))
