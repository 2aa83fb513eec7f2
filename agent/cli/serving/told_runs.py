"""Events and results of a run of another process, as this one has its own."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from core.base.errors import ErrorInfo
from core.results.events import Accepted, Event, Question, Rejected, Say, Step
from core.results.events import Final as Ended
from core.results.tool_results import RunResult, StepLog, ToolResult

_KINDS: Final[Mapping[str, type[Event]]] = {
    each.event_name: each for each in (Accepted, Rejected, Question, Step, Say, Ended)
}


def read_event(record: Mapping[str, Any]) -> Event | None:
    """Return an event; None for one of a planner, which no list of steps shows.

    Args:
        record: As ``to_record`` and ``to_data`` wrote it.
    """
    kind = _KINDS.get(str(record.get("event")))
    if kind is None:
        return None
    known = {each.name for each in fields(kind)}
    values = {name: _freeze(value) for name, value in record.items() if name in known}
    if "errors" in values:
        values["errors"] = tuple(map(read_info, record["errors"]))
    if "error" in values:
        values["error"] = read_info(record["error"]) if record["error"] else None
    return kind(**values)


def read_result(record: Mapping[str, Any]) -> RunResult:
    """Return what came of a run, as far as commands tell of it."""
    return RunResult(
        run_id=record["run_id"],
        outcome=record["outcome"],
        reply=record["reply"],
        step_logs=tuple(map(_read_log, record.get("step_logs", ()))),
        diff_preview=tuple(record.get("diff_preview", ())),
        artifacts=tuple(record.get("artifacts", ())),
        diagnostics=tuple(record.get("diagnostics", ())),
        errors=tuple(map(read_info, record.get("errors", ()))),
        question=record.get("question", ""),
    )


def _read_log(told: Mapping[str, Any]) -> StepLog:
    result = told["result"]
    receipt = ToolResult(
        status=result["status"],
        effect=result["effect"],
        output=result["output"],
        evidence=result["evidence"],
        error=read_info(result["error"]) if result.get("error") else None,
        artifacts=tuple(result.get("artifacts", ())),
    )
    return StepLog(told["action_id"], told["goal_id"], told["name"], told["description"], receipt)


def read_info(told: Mapping[str, Any]) -> ErrorInfo:
    """Return an error that another process told."""
    return ErrorInfo(told["code"], told["message"], told.get("hint", ""), told.get("evidence") or {})


def _freeze(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
