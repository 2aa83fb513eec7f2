"""RunObserver and Telemetry: who is told what happens in runs, beside the person."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.approvals.approvals import ApprovalRequest
from core.base.scope_paths import ScopePath
from core.goals.secret_values import Vault
from core.journal.journal import JournalEntry
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction
from core.results.events import Emit
from core.results.tool_results import RunResult, StepLog


class RunWitness(Protocol):
    """Is told what happens in one run, in order; never blocks and never fails."""

    def accept(self, graph: PlanGraph, plan_digest: str) -> None:
        """Learn that the request was planned."""
        ...

    def start(self, action: PlannedAction) -> None:
        """Learn that an action started."""
        ...

    def end(self, log: StepLog) -> None:
        """Learn that an action ended, or was left out."""
        ...

    def ask(self, request: ApprovalRequest, *, answer: bool | None) -> None:
        """Learn that an approval was asked for (answer None), or what was answered."""
        ...

    def finish(self, result: RunResult) -> None:
        """Learn that the run ended."""
        ...


@dataclass(frozen=True, slots=True)
class RunObserver:
    """Tells all who observe a run; nobody, where nobody asked to hear of it.

    Attributes:
        trace_id: What the run's lines, spans and artifacts have in common: 32 hexadecimal digits; empty where nobody observes.
    """

    trace_id: str = ""
    witnesses: tuple[RunWitness, ...] = ()
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


class Telemetry(Protocol):
    """Observes the runs of a session."""

    def watch(self, run_id: str, vault: Vault, scope: ScopePath) -> RunObserver:
        """Return who observes a run that begins now."""
        ...

    def watch_planner(self, vault: Vault) -> Emit:
        """Return who is told the events of a planner's run that begins now."""
        ...

    def note_rows(self, entries: Sequence[JournalEntry], fault: str) -> None:
        """Learn that rows were written to the journal, or why they could not be.

        Args:
            fault: Code of the error; empty where there was none.
        """
        ...

    async def close(self) -> None:
        """Hand over what waits, in a second at most; calling it again does nothing."""
        ...


class NoTelemetry:
    """Observes no run."""

    def watch(self, run_id: str, vault: Vault, scope: ScopePath) -> RunObserver:
        """Return who does nothing."""
        del run_id, vault, scope
        return UNOBSERVED

    def watch_planner(self, vault: Vault) -> Emit:
        """Return who does nothing."""
        del vault
        return lambda _: None

    def note_rows(self, entries: Sequence[JournalEntry], fault: str) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""


UNOBSERVED = RunObserver()
NO_TELEMETRY = NoTelemetry()
