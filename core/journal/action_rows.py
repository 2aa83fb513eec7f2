"""Action rows: what the journal says of single actions, and how it is read back."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from core.base.errors import ErrorInfo, SurehandError
from core.journal.journal import Journal, JournalEntry, RowState
from core.journal.serialization import pack_value, unpack_value
from core.planning.plans import PlannedAction
from core.results.provenance import Origin
from core.results.records import to_data
from core.results.tool_results import StepLog, ToolCall, ToolResult, UndoRecord

_LARGEST_OUTPUT = 262_144
"""Characters of output that are kept; a step with more is done again where its output is needed, or stays without."""

_WRITING_S = 0.1
"""Seconds that a stopped run waits for the row of a step that has ended; the row is written after that, too."""


def note_approved(run_id: str, action_id: str, facts: Mapping[str, Any]) -> JournalEntry:
    """Return the row of an approval."""
    return JournalEntry(run_id, action_id, "approved", to_data(facts))


def note_intent(
    run_id: str,
    action: PlannedAction,
    call: ToolCall,
    facts: Mapping[str, Any],
    origins: tuple[Origin, ...] = (),
) -> JournalEntry:
    """Return the row without which an action doesn't begin; its facts will tell, after a crash, whether it was done."""
    body = {
        "digest": action.digest,
        "tool": call.tool,
        "params": pack_value(call.params),
        "scope": call.scope,
        "facts": to_data(facts),
        "description": action.description,
        "origins": to_data(origins),
    }
    return JournalEntry(run_id, action.action_id, "intent", body)


def note_outcome(run_id: str, log: StepLog) -> JournalEntry:
    """Return the row of what came of an action."""
    return JournalEntry(run_id, log.action_id, name_state(log.result), pack_log(log))


async def write_outcome(journal: Journal, run_id: str, log: StepLog, *, rides: bool, acted: bool) -> StepLog:
    """Write down what came of an action, and return its receipt, which says it if that could not be written.

    Neither that, nor that the run is stopped meanwhile, changes what was done. What rides is on the disk when this returns, and
    outlives the process long before: others may act meanwhile, and nobody is told.

    Args:
        rides: Whether it gets to the disk with the next row that must be there; else with any row, later.
    """
    row = note_outcome(run_id, log)
    writing = asyncio.ensure_future(_ride(journal, row) if rides else journal.append([row], durable=False))
    try:
        await asyncio.shield(writing)
    except asyncio.CancelledError:  # shielded: the row is written all the same
        await asyncio.wait({writing}, timeout=_WRITING_S)
        writing.add_done_callback(_read_fault)
    except SurehandError:
        pass
    error = _read_fault(writing)
    if error is None or not acted:
        return log
    note = f"The outcome could not be written to the journal: {error.message}"
    return replace(log, result=replace(log.result, note=note))


async def _ride(journal: Journal, row: JournalEntry) -> None:
    await (await journal.ride([row]))


def _read_fault(writing: asyncio.Future[None]) -> SurehandError | None:
    error = writing.exception() if writing.done() and not writing.cancelled() else None
    return error if isinstance(error, SurehandError) else None


def name_state(result: ToolResult) -> RowState:
    """Return ``done``, ``failed`` (nothing was changed) or ``unknown``."""
    if result.status == "ok":
        return "done"
    return "failed" if result.effect == "none" else "unknown"


def pack_log(log: StepLog) -> dict[str, Any]:
    """Return a receipt as data that ``unpack_log`` reads back; an output that is too long is left out, and that is said."""
    data: dict[str, Any] = to_data(log)
    data["args"] = pack_value(log.args)
    text_length = len(str(data["result"]["output"]))
    if text_length > _LARGEST_OUTPUT:
        data["result"]["output"] = {}
        data["left_out"] = text_length
    return data


def unpack_log(data: Mapping[str, Any]) -> StepLog:
    """Return the receipt that ``pack_log`` packed; a ValueError if it is none."""
    try:
        found = dict(data["result"])
        error, undo = found.pop("error"), found.pop("undo_record")
        found["artifacts"] = tuple(found["artifacts"])
        found["tainted"] = {name: tuple(steps) for name, steps in found["tainted"].items()}
        result = ToolResult(
            **found,
            error=ErrorInfo(**error) if error else None,
            undo_record=UndoRecord(**undo) if undo else None,
        )
        # ``advised`` is in receipts of before: resolvers could then add params.
        known = {name: value for name, value in data.items() if name not in {"result", "args", "left_out", "advised"}}
        known["dropped"] = tuple(known.get("dropped", ()))
        known["origins"] = read_origin_rows(known["origins"])
        return StepLog(**known, args=unpack_value(data["args"]), result=result)
    except (KeyError, TypeError, AttributeError) as fault:
        raise ValueError(f"This is not a receipt: {fault}") from fault


def read_origin_rows(rows: Iterable[Mapping[str, str]]) -> tuple[Origin, ...]:
    """Return the origins that a row names."""
    return tuple(Origin(**each) for each in rows)
