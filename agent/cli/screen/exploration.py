"""An exploration on the terminal: a line for each step that was done or failed; looks are left out."""

from agent.cli.screen.marks import MARKS
from agent.cli.screen.output import write_result
from agent.cli.screen.reports import Detail
from agent.reports.words import tell_duration
from core.base.phrases import escape_text
from core.results.events import Event, Step


class ExplorationProgress:
    """Writes what is done as it is done."""

    def __init__(self, detail: Detail) -> None:
        """Tell so much.

        Args:
            detail: With ``quiet`` nothing, with ``verbose`` looks as well.
        """
        self._detail = detail
        self._number = 0

    def show(self, event: Event) -> None:
        """Show an event, if it is the end of a step that a person wants to know of."""
        if not isinstance(event, Step) or event.status == "started" or self._detail == "quiet":
            return
        is_look = event.status == "ok" and event.effect == "none"
        if is_look and self._detail != "verbose":
            return
        self._number += 1
        mark = MARKS[event.status][0]
        write_result(f"{self._number} {mark} {escape_text(event.description)} ({tell_duration(event.ms)})\n")
        if event.error:
            write_result(f"    {escape_text(event.error.message)}\n")
