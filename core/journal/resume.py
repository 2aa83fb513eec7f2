"""Resumption: what of an interrupted run is done, what is not, and what nobody knows yet."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from core.base.errors import ErrorInfo, JournalError
from core.base.late_dataclasses import dataclass, field
from core.base.phrases import quote_text, render_phrase
from core.journal.action_rows import pack_log, read_origin_rows, unpack_log
from core.journal.journal import JournalEntry, Row
from core.journal.run_rows import RecordedRun
from core.journal.serialization import unpack_value
from core.planning.plans import PlannedAction
from core.results.provenance import Origin, join_origins, read_origins
from core.results.tool_results import Finding, StepLog, ToolCall, ToolResult

_WHOLE = frozenset({"begun", "resumed", "ended"})
_BEGINNING = frozenset({"begun", "resumed", "intent"})
_ENDING = frozenset({"ended", "done", "failed", "unknown", "resolved", "undone"})


class OpenWork:
    """Runs and acts that go on, and open questions."""

    def __init__(self) -> None:
        self.questions: dict[object, str] = {}
        self._open: set[tuple[str, str]] = set()

    @property
    def only_asks(self) -> bool:
        """Whether all that goes on is waiting for persons: no other run, and no act."""
        asking = set(self.questions.values())
        return bool(asking) and all(not action_id and run_id in asking for run_id, action_id in self._open)

    def note(self, entries: Iterable[JournalEntry]) -> None:
        """Take note of what rows begin and end."""
        for entry in entries:
            what = entry.run_id, "" if entry.state in _WHOLE else entry.action_id
            if entry.state in _BEGINNING:
                self._open.add(what)
            elif entry.state in _ENDING:
                self._open.discard(what)

    def forget_ended(self) -> None:
        """Take note that nothing goes on but what asks."""
        self._open &= {(run_id, "") for run_id in self.questions.values()}


Settlement = Literal["done", "not_done", "unknown"]

_SESSION = "session:"


@dataclass(frozen=True, slots=True)
class OpenAct:
    """An act that was begun at a time in UTC by the wall clock, and whose end nobody saw."""

    action: PlannedAction
    call: ToolCall
    facts: Mapping[str, Any]
    began_at: str
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])
    origins: tuple[Origin, ...] = ()


@dataclass(frozen=True, slots=True)
class RunStanding:
    """How a run stands: what has no known end, in plan order, and what somebody began to take back, which has no end either."""

    done: Mapping[str, StepLog]
    open_acts: tuple[OpenAct, ...]
    undone: Mapping[str, StepLog] = field(default_factory=dict[str, StepLog])
    undoing: tuple[str, ...] = ()


def judge_standing(run: RecordedRun) -> RunStanding:
    """Return how a run stands, by its rows alone; what is in no part did not happen.

    Raises:
        JournalError: ``journal_damaged`` if a row says nothing.
    """
    try:
        return _judge(run)
    except ValueError as fault:
        text = f"The journal of run {run.run_id} can't be understood: {fault}."
        raise JournalError(text, code="journal_damaged") from fault


def _judge(run: RecordedRun) -> RunStanding:
    done: dict[str, StepLog] = {}
    undone: dict[str, StepLog] = {}
    undoing: list[str] = []
    open_acts: list[OpenAct] = []
    for action_id, action in run.graph.nodes.items():
        last = run.find_last(action_id, "intent", "done", "failed", "unknown", "resolved")
        if last is None:
            continue
        body = last.entry.body
        if last.entry.state == "done" or (last.entry.state == "resolved" and body["state"] == "done"):
            log = unpack_log(body["log"] if last.entry.state == "resolved" else body)
            back = run.find_back(action_id, last)
            if "left_out" not in body or action.action_class == "actuate":
                (undone if back == "undone" else done)[action_id] = log
            undoing += [action_id] if back == "intent" else []
        elif last.entry.state == "intent" or (last.entry.state == "unknown" and action.action_class == "actuate"):
            open_acts.append(_describe_open(run, action, last))
    return RunStanding(done, tuple(open_acts), undone, tuple(undoing))


def _describe_open(run: RecordedRun, action: PlannedAction, last: Row) -> OpenAct:
    intent = run.find_last(action.action_id, "intent")
    if intent is None:
        raise ValueError(f"{action.action_id} has an outcome and was never intended")
    body = intent.entry.body
    call = ToolCall(body["tool"], dict(unpack_value(body["params"])), body.get("scope", ""))
    evidence = last.entry.body.get("result", {}).get("evidence", {}) if last is not intent else {}
    return OpenAct(action, call, body["facts"], intent.at, evidence, read_origin_rows(body.get("origins", ())))


def note_settled(run_id: str, act: OpenAct, finding: Finding, by: str) -> tuple[JournalEntry, StepLog | None]:
    """Return the row that settles an open act, and its receipt if it turned out done."""
    log = _make_log(act, finding, by) if finding.state == "done" else None
    body = {"state": finding.state, "by": by, "evidence": dict(finding.evidence), "log": pack_log(log) if log else None}
    return JournalEntry(run_id, act.action.action_id, "resolved", body), log


def _make_log(act: OpenAct, finding: Finding, by: str) -> StepLog:
    outcome = finding.outcome
    evidence = {**finding.evidence, **(outcome.evidence if outcome else {}), "settled_by": by}
    result = ToolResult(
        "ok",
        outcome.effect if outcome else "unverified",
        outcome.output if outcome else {},
        evidence,
        undo=outcome.undo if outcome else "",
        undo_record=outcome.undo_record if outcome else None,
        args_digest=act.action.digest,
        artifacts=outcome.artifacts if outcome else (),
    )
    action = act.action
    read = read_origins(action.reads, (evidence, result.output, act.call.params))
    return StepLog(
        action.action_id,
        action.goal_id,
        action.name,
        action.description,
        result,
        act.call.tool,
        act.call.params,
        summary=render_phrase(action.summary, {**act.call.params, **_quote_read(act)}),
        origins=join_origins((read, act.origins)),
        scope=act.call.scope,
    )


def _quote_read(act: OpenAct) -> dict[str, str]:
    planned = act.action.args
    called = {name: value for name, value in act.call.params.items() if isinstance(value, str)}
    return {name: quote_text(value) for name, value in called.items() if name in planned and planned[name] != value}


def log_open(act: OpenAct, evidence: Mapping[str, Any]) -> StepLog:
    """Return the receipt of an act that stays open: nobody knows whether it happened, and it is not done again."""
    action = act.action
    text = f"It began at {act.began_at}; whether it took effect is unknown."
    hint = f"Check, then say so: surehand resume RUN --settle {action.action_id}=done (or =not_done)."
    found = {**act.evidence, **evidence}
    result = ToolResult(
        "failed", "unverified", evidence=found, error=ErrorInfo("outcome_unknown", text, hint, evidence=found)
    )
    return StepLog(
        action.action_id,
        action.goal_id,
        action.name,
        action.description,
        result,
        act.call.tool,
        scope=act.call.scope,
    )


def list_repeats(run: RecordedRun, pending: Iterable[str]) -> dict[str, tuple[PlannedAction, ...]]:
    """Return, by lane, what would have to be done again because the session that it led to went with its process.

    A session that is open now is another's: acting there could be acting on the wrong page. Nothing is named where the run
    had not opened its session itself.
    """
    waiting = set(pending)
    found: dict[str, tuple[PlannedAction, ...]] = {}
    for action_id, action in run.graph.nodes.items():
        kinds = {need.removeprefix(_SESSION) for need in action.rule.needs if need.startswith(_SESSION)}
        if action_id not in waiting or not kinds or action.lane in found:
            continue
        before = [each for each in _list_lane(run, action) if _uses(each, kinds)]
        opening = [each for each in before if each.rule.session_bootstraps]
        if any(each.action_id in waiting for each in opening):
            continue
        done = (each for each in before if each.action_id not in waiting and each.action_class == "actuate")
        found[action.lane] = tuple(done) if opening else ()
    return found


def _list_lane(run: RecordedRun, action: PlannedAction) -> list[PlannedAction]:
    before: list[PlannedAction] = []
    for each in run.graph.nodes.values():
        if each is action:
            break
        if each.lane == action.lane:
            before.append(each)
    return before


def _uses(action: PlannedAction, kinds: set[str]) -> bool:
    rule = action.rule
    return bool(kinds & {*rule.session_bootstraps, *(need.removeprefix(_SESSION) for need in rule.needs)})


def log_session_lost(action: PlannedAction) -> StepLog:
    """Return the receipt of an action whose page or the like went with the process that had it open."""
    text = "The page or window that it needs closed with the interrupted process."
    hint = "To go on, earlier steps must be repeated, and that was not approved."
    result = ToolResult("skipped", error=ErrorInfo("session_lost", text, hint))
    return StepLog(action.action_id, action.goal_id, action.name, action.description, result)
