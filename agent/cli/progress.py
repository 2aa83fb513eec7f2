"""Progress of a run as text: a live line per step on a terminal, plain lines elsewhere."""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO, cast

from rich.console import Console as RichConsole
from rich.status import Status
from rich.text import Text

from agent.cli.changes import describe_changes
from agent.cli.output import Outlet
from core.base.errors import ErrorInfo
from core.base.phrases import escape_text
from core.results.events import Accepted, Event, Final, Rejected, Say, Step
from core.results.records import to_data

_MARKS = {
    "ok": ("✓", "green"),
    "failed": ("✗", "red"),
    "refused": ("⊘", "red"),
    "skipped": ("–", "yellow"),
    "cancelled": ("■", "yellow"),
}
_LONGEST = 160


class TerminalProgress:
    """Shows the plan, every step with its receipt, and the reply."""

    def __init__(self, stream: TextIO) -> None:
        """Write to a stream; colour and a live line only if it is a terminal."""
        self._console = RichConsole(file=cast("TextIO", Outlet(stream)), highlight=False, soft_wrap=True)
        self._status: Status | None = None
        self._running: dict[str, str] = {}
        self._held: list[Text] | None = None
        self._refused = False
        self._told: set[str] = set()
        self._reply = ""

    def show(self, event: Event) -> None:
        """Show an event."""
        match event:
            case Accepted():
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
        nodes = plan["nodes"]
        self._print(f"Plan: {len(nodes)} {'step' if len(nodes) == 1 else 'steps'}", "bold")
        before: dict[str, list[str]] = {}
        for parent, child in plan["edges"]:
            before.setdefault(child, []).append(parent)
        for previous, node in zip([None, *nodes], nodes, strict=False):
            parents = before.get(node["action_id"], [])
            usual = [previous["action_id"]] if previous else []
            note = "" if parents == usual else f"  (after {', '.join(parents) or 'nothing, at once'})"
            self._print(f"  {node['action_id']}: {escape_text(node['description'])}{note}", "dim")

    def _show_step(self, step: Step) -> None:
        if step.status == "started":
            self._running[step.action_id] = step.description
            self._refresh()
            return
        self._running.pop(step.action_id, None)
        self._told.add(step.action_id)
        mark, colour = _MARKS[step.status]
        line = Text(f"{mark} ", style=colour)
        effect = f", {step.effect}" if step.effect != "none" else ""
        line.append(f"{step.action_id}: {escape_text(step.description)} ", style="")
        line.append(f"({step.ms:.0f} ms{effect})", style="dim")
        self._write(line)
        if step.error:
            self._print(f"    {escape_text(str(step.error))}", colour)
        shown = step.evidence if step.effect != "none" else step.output
        if shown and not step.error:
            self._print(f"    {_shorten(shown)}", "dim")
        self._refresh()

    def _show_end(self, final: Final) -> None:
        """Show what an earlier process did or left open, the reply, and what a plan would change."""
        for log in final.steps:
            if log["action_id"] not in self._told:
                mark, colour = _MARKS[log["result"]["status"]]
                line = Text(f"{mark} ", style=colour)
                self._write(line.append(f"{log['action_id']}: {escape_text(log['description'])} (before)", style="dim"))
                if error := log["result"].get("error"):
                    self._print(f"    {escape_text(str(ErrorInfo(**error)))}", colour)
        if not self._refused:
            self._print(escape_text(self._reply), "bold")
        for line in () if final.steps else describe_changes(final.diff_preview):
            self._print(line, "dim")

    def _print(self, text: str, style: str) -> None:
        self._write(Text(text, style=style))

    def _write(self, text: Text) -> None:
        if self._held is None:
            self._console.print(text)
        else:
            self._held.append(text)

    def _refresh(self) -> None:
        if not self._console.is_terminal or self._held is not None:
            return
        if not self._running:
            self._stop()
            return
        text = Text(escape_text("; ".join(self._running.values()))[:_LONGEST])
        if self._status is None:
            self._status = self._console.status(text)
            self._status.start()
        else:
            self._status.update(text)

    def _stop(self) -> None:
        if self._status:
            self._status.stop()
            self._status = None


def _shorten(values: Mapping[str, Any]) -> str:
    shown = {key: value for key, value in values.items() if value not in (None, "", [], {})}
    text = escape_text(json.dumps(to_data(shown), ensure_ascii=False)[1:-1])
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
