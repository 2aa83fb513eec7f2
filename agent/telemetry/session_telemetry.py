"""SessionTelemetry: log lines and spans of a session's runs, by one trace id each."""

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from agent.telemetry.logs import LogBook
from agent.telemetry.observing import RunObserver, Telemetry
from core.base.scope_paths import ScopePath
from core.goals.secret_values import Vault
from core.journal.journal import JournalEntry
from core.results.events import Emit, Event

if TYPE_CHECKING:
    from agent.telemetry.spans import PlannerSpans, RunSpans

_PARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?", re.DOTALL)


def find_trace_id(context: Mapping[str, str]) -> str:
    """Return the trace that a run belongs to, as 32 hexadecimal digits: that of its caller, or a new one.

    Args:
        context: ``traceparent`` as the caller gave it, where it did; one that can't be understood counts as none.
    """
    found = _PARENT.fullmatch(context.get("traceparent", ""))
    return found[1] if found else secrets.token_hex(16)


class SessionTelemetry(Telemetry):
    """Tells of runs in log lines, in spans, or in both."""

    def __init__(
        self,
        *,
        book: LogBook,
        carrier: dict[str, str],
        begin_spans: "Callable[[ScopePath], RunSpans] | None" = None,
        begin_planner_spans: "Callable[[], PlannerSpans] | None" = None,
        closers: Sequence[Callable[[], Awaitable[object]]] = (),
    ) -> None:
        """Tell of the runs of a session.

        Args:
            carrier: ``traceparent`` of the caller, where there is one.
            begin_spans: Begins the spans of a run by its scope; None where there are no spans.
        """
        self._book = book
        self._carrier = carrier
        self._begin_spans = begin_spans
        self._begin_planner_spans = begin_planner_spans
        self._closers = closers
        self._open: dict[str, RunSpans] = {}

    def watch(self, run_id: str, vault: Vault, scope: ScopePath) -> RunObserver:
        """Return who observes a run that begins now."""
        if self._begin_spans is None:
            trace_id = find_trace_id(self._carrier)
            return RunObserver(trace_id, (self._book.watch(scope, trace_id, vault),))
        spans = self._open[run_id] = self._begin_spans(scope)
        log = self._book.watch(scope, spans.trace_id, vault)
        return RunObserver(spans.trace_id, (log, spans), lambda: self._open.pop(run_id, None))

    def watch_planner(self, vault: Vault) -> Emit:
        """Return who is told the events of a planner's run that begins now."""
        if self._begin_planner_spans is None:
            return self._book.watch_planner(find_trace_id(self._carrier), vault)
        spans = self._begin_planner_spans()
        write = self._book.watch_planner(spans.trace_id, vault)

        def tell_both(event: Event) -> None:
            write(event)
            spans(event)

        return tell_both

    def note_rows(self, entries: Sequence[JournalEntry], fault: str) -> None:
        """Tell that rows were written to the journal, or why they could not be."""
        self._book.note_rows(entries, fault)

    async def close(self) -> None:
        """Hand over what waits, in a second at most."""
        for spans in self._open.values():
            spans.close()
        self._open.clear()
        closers, self._closers = self._closers, ()
        await asyncio.gather(*(close() for close in closers))
