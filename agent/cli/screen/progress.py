"""Progress of a run as text: a numbered list, with the step under way below it on a terminal."""

import json
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TextIO

from agent.cli.screen.output import MARKS, Detail, Outlet, fit_encoding
from agent.cli.screen.outputs import describe_changes, list_output
from agent.cli.screen.plain_lines import PlainConsole, PlainText, is_plain
from agent.cli.screen.step_list import StepList
from agent.reports.words import tell_duration
from core.base.errors import ErrorInfo
from core.base.phrases import cut_text, escape_text
from core.results.events import Accepted, Event, Final, Rejected, Say, Step
from core.results.records import to_data

_NARROWEST = 20
_LONGEST = 160
_KEPT = "surehand sessions show last --full"
_AGAIN = "--full shows all"
"""How to see what is left out of a run that is kept, and of one that isn't."""


class TerminalProgress:
    """Shows every step with what came of it, and the reply."""

    def __init__(self, stream: TextIO, detail: Detail = "normal", notice: str = "", *, full: bool = False) -> None:
        """Write to a stream; colour, and the step under way, only if it is a terminal.

        Args:
            detail: ``quiet`` for the reply alone, ``verbose`` for ids, digests and data besides.
            notice: What has to be said of the whole run, as its first line; it isn't kept then.
        """
        outlet: Any = Outlet(stream)
        self._text: Any = PlainText
        self._console: Any = PlainConsole(outlet)
        if not is_plain(stream):  # what draws is imported once there is something to draw on
            self._text = import_module("rich.text").Text
            self._console = import_module("rich.console").Console(file=outlet, highlight=False, soft_wrap=True)
        self._is_live = stream.isatty() and not self._console.is_dumb_terminal
        self._draws = fit_encoding("✓", self._console.encoding) == "✓"
        self._detail = detail
        self._notice = notice
        self._full = full
        self._rest = _AGAIN if notice else _KEPT
        self._steps = StepList()
        self._status: Any = None
        self._running: dict[str, str] = {}
        self._held: list[Any] | None = None
        self._refused = False
        self._told: set[str] = set()
        self._groups: tuple[str, ...] = ()
        self._reply = ""

    def show(self, event: Event) -> None:
        """Show an event."""
        match event:
            case Accepted():
                self._steps.read_plan(event.plan)
                if not self._told:  # told again once the rows of a loop were read
                    self._show_plan(event.plan)
            case Step():
                self._show_step(event)
            case Rejected():
                self._refused = True
            case Say():
                self._reply = event.text
            case Final():
                self._stop()
                self._show_end(event)
            case _:
                pass

    @contextmanager
    def hold(self) -> Generator[None]:
        """Leave the terminal to a question; what occurs meanwhile is shown when it is answered."""
        self._stop()
        self._held = []
        try:
            yield
        finally:
            held, self._held = self._held, None
            for text in held:
                self._write(text)
            self._refresh()

    def close(self) -> None:
        """End the live line."""
        self._stop()

    def _show_plan(self, plan: Mapping[str, Any]) -> None:
        if self._notice:
            self._print(self._notice, "bold")
        if self._detail == "verbose":
            self._print(f"Plan: {len(plan['nodes'])} {'step' if len(plan['nodes']) == 1 else 'steps'}", "bold")
            for line in self._steps.list_plan():
                self._print(f"  {line}", "dim")

    def _show_step(self, step: Step) -> None:
        if step.status == "started":
            number = self._steps.number(step.action_id).strip()
            self._running[step.action_id] = f"{number} {escape_text(step.description)}"
            self._refresh()
            return
        self._running.pop(step.action_id, None)
        self._told.add(step.action_id)
        self._steps.note(step)
        if self._detail != "quiet":
            self._list_step(step)
        self._refresh()

    def _list_step(self, step: Step) -> None:
        self._show_groups(step.action_id)
        told = self._steps.tell(step)
        rest = [told]
        if step.status == "ok" and (finding := self._steps.tell_finding(step, told)):
            rest = [f"{told}:" if finding.startswith("“") else told, finding]
        took = [] if step.status == "skipped" else [tell_duration(step.ms)]
        if step.status == "ok" and step.effect == "unverified":
            took.append("not confirmed")
        self._write_item(step.action_id, step.status, (*rest, f"({', '.join(took)})" if took else ""))
        for line in list_output(step.output, full=self._full, rest=self._rest) if step.status == "ok" else ():
            self._print_below(step.action_id, line, "")
        for line in self._steps.tell_dialogs(step):
            self._print_below(step.action_id, line, "")
        for line in self._steps.tell_trouble(step):
            self._print_below(step.action_id, line, MARKS[step.status][1])
        if self._detail == "verbose":
            self._show_details(step)

    def _show_groups(self, action_id: str) -> None:
        """Write the titles of the groups that begin with a step."""
        before, self._groups = self._groups, self._steps.list_groups(action_id)
        for depth, title in enumerate(self._groups):
            if self._groups[: depth + 1] != before[: depth + 1]:
                self._print(f"{'  ' * depth}{title}", "bold")

    def _write_item(self, action_id: str, status: str, parts: Iterable[str]) -> None:
        """Write a line of the list: number, mark, what was done, and the rest of it less loudly."""
        mark, colour = MARKS[status]
        head = self._text(f"{self._steps.number(action_id)} ", style="dim").append(
            f"{mark} ", style=f"not dim {colour}"
        )
        told, *rest = (part for part in parts if part)
        body = self._text(told)
        for part in rest:
            body.append(f" {part}", style="dim")
        self._write_indented(head, body)

    def _show_details(self, step: Step) -> None:
        """Show what programs read, too: ids, the effect, the code of an error, and the data."""
        self._print_below(step.action_id, self._steps.tell_ids(step), "dim")
        for name, data in (
            ("evidence", step.evidence),
            ("output", step.output),
            ("error", step.error.evidence if step.error else {}),
        ):
            if data:
                shown = _tell_data(data)
                self._print_below(step.action_id, f"{name} {shown if self._full else cut_text(shown, _LONGEST)}", "dim")

    def _show_end(self, final: Final) -> None:
        """Show what an earlier process did or left open, the reply, and what a plan would change."""
        if self._detail != "quiet":
            for log in final.steps:
                if log["action_id"] not in self._told:
                    self._list_earlier(log)
        is_plan = self._detail != "quiet" and not final.steps and not self._refused
        for line in self._steps.list_plan() if is_plan and self._detail == "normal" else ():
            self._print(line, "")
        if not self._refused:
            self._print(escape_text(self._reply), "bold")
        for line in describe_changes(final.diff_preview, self._steps.name) if is_plan else ():
            self._print(line, "dim")

    def _list_earlier(self, log: Mapping[str, Any]) -> None:
        """Show a step that an earlier process did or left open."""
        result = log["result"]
        self._write_item(log["action_id"], result["status"], (escape_text(log["description"]), "(before)"))
        if error := result.get("error"):
            info = ErrorInfo(**error)
            step = Step(action_id=log["action_id"], status=result["status"], description="", error=info)
            for line in self._steps.tell_trouble(step):
                self._print_below(log["action_id"], line, MARKS[result["status"]][1])

    def _print_below(self, action_id: str, text: str, style: str) -> None:
        """Write something below a line of the list, indented as far as what is told in it."""
        blank = " " * (len(self._steps.number(action_id)) + 3)
        self._write_indented(self._text(blank), self._text(text, style=style))

    def _print(self, text: str, style: str) -> None:
        self._write_indented(self._text(), self._text(text, style=style))

    def _write_indented(self, head: Any, body: Any) -> None:
        """Write a text behind its head; on a terminal in rows as wide as that, each below the one before."""
        if not self._is_live:
            self._write(head + body)
            return
        width = self._console.width - head.cell_len
        if width < _NARROWEST or body.cell_len <= width:
            self._write(head + body)
            return
        for index, row in enumerate(body.wrap(self._console, width)):
            row.rstrip()
            self._write((head if index == 0 else self._text(" " * head.cell_len)) + row)

    def _write(self, text: Any) -> None:
        if self._held is None:
            self._console.print(text)
        else:
            self._held.append(text)

    def _refresh(self) -> None:
        if not self._is_live or self._detail == "quiet" or self._held is not None:
            return
        if not self._running:
            self._stop()
            return
        room = max(self._console.width - 4, _NARROWEST)
        text = self._text(cut_text("; ".join(self._running.values()), min(room, _LONGEST)))
        if self._status is None:
            self._status = self._console.status(text, spinner="dots" if self._draws else "line")
            self._status.start()
        else:
            self._status.update(text)

    def _stop(self) -> None:
        if self._status:
            self._status.stop()
            self._status = None


def _tell_data(values: Mapping[str, Any]) -> str:
    shown = {key: value for key, value in values.items() if value not in (None, "", [], {})}
    return escape_text(json.dumps(to_data(shown), ensure_ascii=False)[1:-1])
