"""RunObserver, Telemetry and WatchedJournal: who is told what happens in runs and is written of them, beside the person."""

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from core.approvals.approvals import ApprovalRequest
from core.base.errors import JournalError
from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late
from core.base.scope_paths import ScopePath
from core.goals.secret_values import Vault
from core.journal.journal import Journal, JournalEntry, RunRecord
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction
from core.results.events import Emit, Event
from core.results.tool_results import RunResult, StepLog

if TYPE_CHECKING:
    from agent.telemetry.logs import LogBook, RunLog
    from agent.telemetry.spans import PlannerSpans, RunSpans


@dataclass(frozen=True, slots=True)
class RunObserver:
    """Tells all who observe a run; nobody, where nobody asked to hear of it.

    Attributes:
        trace_id: What the run's lines, spans and artifacts have in common: 32 hexadecimal digits; empty where nobody observes.
    """

    trace_id: str = ""
    witnesses: "tuple[RunLog | RunSpans, ...]" = ()
    finished: Callable[[], object] = lambda: None

    def accept(self, graph: PlanGraph, plan_digest: str) -> None:
        """Tell that the request was planned."""
        for each in self.witnesses:
            each.accept(graph, plan_digest)

    def start(self, action: PlannedAction) -> None:
        """Tell that an action started."""
        for each in self.witnesses:
            each.start(action)

    def end(self, log: StepLog) -> None:
        """Tell that an action ended, or was left out."""
        for each in self.witnesses:
            each.end(log)

    def ask(self, request: ApprovalRequest, *, answer: bool | None) -> None:
        """Tell that an approval was asked for (answer None), or what was answered."""
        for each in self.witnesses:
            each.ask(request, answer=answer)

    def finish(self, result: RunResult) -> None:
        """Tell that the run ended."""
        for each in self.witnesses:
            each.finish(result)
        self.finished()


UNOBSERVED = RunObserver()


class Telemetry:
    """Observes the runs of a session; this one observes none."""

    def watch(self, run_id: str, vault: Vault, scope: ScopePath) -> RunObserver:
        """Return who observes a run that begins now."""
        del run_id, vault, scope
        return UNOBSERVED

    def watch_planner(self, vault: Vault) -> Emit:
        """Return who is told the events of a planner's run that begins now."""
        del vault
        return lambda _: None

    def note_rows(self, entries: Sequence[JournalEntry], fault: str) -> None:
        """Learn that rows were written to the journal, or why they could not be.

        Args:
            fault: Code of the error; empty where there was none.
        """

    async def close(self) -> None:
        """Hand over what waits, in a second at most; calling it again does nothing."""


NO_TELEMETRY = Telemetry()


_PARENT = compile_late(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?", re.DOTALL)


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
        book: "LogBook",
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


class WatchedJournal:
    """Passes everything on to another journal."""

    def __init__(self, journal: Journal, telemetry: Telemetry) -> None:
        self._journal = journal
        self._telemetry = telemetry

    async def append(self, entries: Sequence[JournalEntry], *, durable: bool = True) -> None:
        """Write rows in order, all or none; as ``Journal.append``."""
        with self._noting(entries):
            await self._journal.append(entries, durable=durable)

    async def ride(self, entries: Sequence[JournalEntry]) -> asyncio.Future[None]:
        """Write rows that reach the disk with the next that must be there; as ``Journal.ride``."""
        with self._noting(entries):
            return await self._journal.ride(entries)

    @contextmanager
    def _noting(self, entries: Sequence[JournalEntry]) -> Generator[None]:
        try:
            yield
        except JournalError as error:
            self._telemetry.note_rows(entries, error.info().code)
            raise
        self._telemetry.note_rows(entries, "")

    async def read(self, run_id: str) -> RunRecord:
        """Return the rows of a run."""
        return await self._journal.read(run_id)

    async def list_runs(self) -> tuple[str, ...]:
        """Return the ids of all runs, the latest first."""
        return await self._journal.list_runs()

    def take_notes(self) -> tuple[str, ...]:
        """Return what the person should know of what was found, once."""
        return self._journal.take_notes()

    def lend(self, run_id: str) -> AbstractContextManager[None]:
        """Let another process write for as long as a run waits for a person."""
        return self._journal.lend(run_id)

    async def release(self) -> None:
        """Let another process write."""
        await self._journal.release()

    async def close(self) -> None:
        """Write what waits and let go of the file."""
        await self._journal.close()
