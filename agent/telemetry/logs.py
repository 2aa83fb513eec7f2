"""LogBook and RunLog: log lines about runs, as JSON.

Every line has ``timestamp``, ``level``, ``event`` (in the past tense) and the ids that it is about. Arguments and outputs of tools
are never written, only digests; the texts of errors are, without secrets.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from functools import partialmethod
from typing import Any, Final
from weakref import WeakValueDictionary

from agent.telemetry.correlation import CORRELATION_ID
from agent.telemetry.log_levels import LogLevel
from core.approvals.approvals import ApprovalRequest
from core.base.errors import ErrorInfo
from core.base.scope_paths import ScopePath
from core.goals.secret_values import NO_VAULT, Vault
from core.journal.journal import JournalEntry
from core.journal.run_rows import UNDOING
from core.planning.graph import PlanGraph
from core.planning.planners.alerts import Severity
from core.planning.plans import PlannedAction
from core.results.events import Emit, Event
from core.results.tool_results import RunResult, StepLog

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40, "off": 50}
_FIRST = ("timestamp", "level", "event", "run_id", "trace_id", "scope", "goal_id", "action_id")
_LONGEST = 2000
_MOST_ADDRESSES = 20


class Outlets:
    """Takes finished lines, and hands each to those who want its level."""

    def __init__(self, outlets: Sequence[tuple[LogLevel, Callable[[str], None]]]) -> None:
        self._outlets = [(LEVELS[level], write) for level, write in outlets]
        self.least = min((level for level, _ in self._outlets), default=LEVELS["off"])

    def take(self, level: LogLevel, line: str) -> None:
        """Hand a line to those who want it."""
        for least, write in self._outlets:
            if LEVELS[level] >= least:
                write(line)


class LineWriter:
    """Writes lines that have some facts in common."""

    def __init__(self, book: "LogBook", common: Mapping[str, object]) -> None:
        self._book = book
        self._common = common

    def bind(self, **facts: object) -> "LineWriter":
        """Return what writes lines with these facts too."""
        return LineWriter(self._book, {**self._common, **facts})

    def _write(self, level: LogLevel, event: str, **facts: object) -> None:
        self._book.write(level, {**self._common, **facts, "event": event, "level": level})

    debug = partialmethod(_write, "debug")
    info = partialmethod(_write, "info")
    warning = partialmethod(_write, "warning")
    error = partialmethod(_write, "error")


class LogBook:
    """Writes the log lines of a session."""

    def __init__(self, outlets: Outlets) -> None:
        self._vault: Vault = NO_VAULT
        self._runs: WeakValueDictionary[str, RunLog] = WeakValueDictionary()
        self._outlets = outlets
        self._logger = LineWriter(self, {})

    def write(self, level: LogLevel, facts: Mapping[str, object]) -> None:
        """Write a line, where anybody wants its level: with the time, and whose request it belongs to, and without secrets."""
        if LEVELS[level] < self._outlets.least:
            return
        correlation_id = CORRELATION_ID.get()
        whose = {"correlation_id": correlation_id} if correlation_id else {}
        moment = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        self._outlets.take(level, _to_line(self._vault.redact({**facts, **whose, "timestamp": moment})))

    def watch(self, scope: ScopePath, trace_id: str, vault: Vault) -> "RunLog":
        """Return what writes the lines of a run.

        Args:
            trace_id: What the lines have in common with its spans.
            vault: Keeps secrets out of all lines from now on.
        """
        self._vault = vault
        run_id = scope.read_level("run")
        logger = self._logger.bind(scope=str(scope), run_id=run_id, trace_id=trace_id)
        run = self._runs[run_id] = RunLog(logger, scope)
        return run

    def watch_planner(self, trace_id: str, vault: Vault) -> Emit:
        """Return what writes the events of a planner's run as lines."""
        self._vault = vault
        return PlannerLog(self._logger.bind(trace_id=trace_id))

    def note_rows(self, entries: Sequence[JournalEntry], fault: str) -> None:
        """Write that rows were written to the journal, or could not be."""
        for each in entries:
            run = self._runs.get(each.run_id) or RunLog(self._logger.bind(run_id=each.run_id))
            run.note_row(each, fault)

    def note_request(self, facts: Mapping[str, object]) -> None:
        """Write that a service answered a request.

        Args:
            facts: Its route, status, duration and who asked; never its address, in which names stand.
        """
        self._logger.info("request.answered", **facts)

    def note_fault(self, event: str, text: str) -> None:
        """Write that something beside the runs went wrong."""
        self._logger.warning(event, message=text[:_LONGEST])

    def note_alert(self, event: str, severity: Severity, facts: Mapping[str, str]) -> None:
        """Write that an alert began or ended."""
        write = {"info": self._logger.info, "warning": self._logger.warning, "critical": self._logger.error}[severity]
        write(event, severity=severity, **{name: value[:_LONGEST] for name, value in facts.items()})


class RunLog:
    """Writes what happens in one run."""

    def __init__(self, logger: LineWriter, scope: ScopePath | None = None) -> None:
        self._scope = scope
        self._logger = logger
        self._goals: dict[str, str] = {}

    def accept(self, graph: PlanGraph, plan_digest: str) -> None:
        """Write that the request was planned, and goal by goal into what."""
        verbs: dict[str, list[str]] = {}
        self._goals = {action_id: action.goal_id for action_id, action in graph.nodes.items()}
        for action in graph.nodes.values():
            verbs.setdefault(action.goal_id, []).append(action.name)
        self._logger.info("run.accepted", goals=len(verbs), actions=len(graph.nodes), plan_digest=plan_digest)
        for goal_id, names in verbs.items():
            self._logger.debug("goal.planned", **self._name_goal(goal_id), verbs=names)

    def start(self, action: PlannedAction) -> None:
        """Write that an action started."""
        ids = self._name_goal(action.goal_id)
        self._logger.debug("step.started", **ids, action_id=action.action_id, verb=action.name)

    def end(self, log: StepLog) -> None:
        """Write that an action ended; more loudly if it failed, and what the wall refused meanwhile."""
        result = log.result
        ids = {**self._name_goal(log.goal_id), "action_id": log.action_id, "verb": log.name}
        facts = {"status": result.status, "effect": result.effect, "ms": result.ms, "args_digest": result.args_digest}
        write = self._logger.info if result.status in {"ok", "skipped"} else self._logger.warning
        write("step.ended", **ids, **facts, **_describe_error(result.error))
        if refused := result.evidence.get("blocked_requests"):
            self._logger.warning("egress.refused", **ids, addresses=[str(each) for each in refused][:_MOST_ADDRESSES])
        for path in result.artifacts:
            self._logger.debug("artifact.made", **ids, path=path)

    def ask(self, request: ApprovalRequest, *, answer: bool | None) -> None:
        """Write that an approval was asked for, or what was answered."""
        facts = {**self._name(request.action_id), "approval": request.kind, "digest": request.digest}
        if answer is None:
            self._logger.info("approval.asked", **facts)
        else:
            self._logger.info("approval.answered", **facts, approved=answer)

    def note_row(self, entry: JournalEntry, fault: str) -> None:
        """Write that a row was written to the journal, or could not be."""
        ids = self._name(entry.action_id)
        if fault:
            self._logger.error("journal.failed", error=fault, **ids, state=entry.state)
        else:
            self._logger.debug("journal.written", **ids, state=entry.state)

    def _name(self, action_id: str) -> dict[str, str]:
        if not action_id:
            return {}
        goal_id = self._goals.get(action_id.removeprefix(UNDOING))
        return (self._name_goal(goal_id) if goal_id else {}) | {"action_id": action_id}

    def _name_goal(self, goal_id: str) -> dict[str, str]:
        return ({"scope": str(self._scope.child(goal_id))} if self._scope else {}) | {"goal_id": goal_id}

    def finish(self, result: RunResult) -> None:
        """Write how the run ended, or that it was refused."""
        codes = {"errors": [each.code for each in result.errors]} if result.errors else {}
        write = self._logger.info if result.outcome == "success" else self._logger.warning
        write("run.refused" if result.errors else "run.ended", outcome=result.outcome, **codes, **result.metrics)


def _describe_error(error: ErrorInfo | None) -> dict[str, str]:
    return {"error": error.code, **_tell(error)} if error else {}


def _tell(error: ErrorInfo | None) -> dict[str, str]:
    return {"message": error.message[:_LONGEST]} if error else {}


def _to_line(entry: Any) -> str:
    """Return one line of ASCII, what every line has first: nothing in it is obeyed by a terminal, or hidden from a reader."""
    ordered = {name: entry[name] for name in _FIRST if name in entry} | entry
    return json.dumps(ordered, default=str).replace("\x7f", "\\u007f")


_QUIET = frozenset(("planner.step.started",))
_LOUD: Final = frozenset(("failed", "partial", "cancelled"))
_LEFT_OUT = frozenset(("seq", "at_ms", "description", "question"))


class PlannerLog:
    """Writes each event of a run as a line."""

    def __init__(self, logger: LineWriter) -> None:
        self._logger = logger

    def __call__(self, event: Event) -> None:
        """Write an event; more loudly if something did not go as planned."""
        is_loud = getattr(event, "outcome", "") in _LOUD or event.event_name in {
            "planner.throttled",
            "planner.rejected",
        }
        if is_loud:
            write = self._logger.warning
        else:
            write = self._logger.debug if event.event_name in _QUIET else self._logger.info
        write(event.event_name, **_describe(event))


def _describe(event: Event) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for each in fields(event):
        value = getattr(event, each.name)
        if each.name == "errors":
            facts |= {"errors": [error.code for error in value], **_tell(value[0] if value else None)}
        elif each.name == "error":
            facts |= _describe_error(value)
        elif each.name == "metrics":
            facts |= value
        elif each.name not in _LEFT_OUT and value not in ("", ()):
            facts[each.name] = value
    return facts
