"""What is kept of a run, as a document: what was asked, planned, approved, done and said, and what it was made with."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from agent.requests.run_archive import BegunRun
from agent.store.manifest import describe_files, describe_program
from agent.store.session_files import describe_process
from core.results.records import to_data
from core.results.tool_results import RunResult

LARGEST_PART = 1024 * 1024
"""Bytes of one output, or of another part of a run, that are kept; of a larger one only the beginning."""

_BEGINNING = 64 * 1024
_HEAD_PARTS = ("outcome", "reply", "question", "metrics", "trace_id", "scope")
"""What can be told of a run without reading all of its file; it comes first there."""

_RESULT_LISTS = ("artifacts", "transcript", "required_approvals", "diff_preview", "tool_calls", "diagnostics", "errors")


def describe_beginning(run: BegunRun) -> dict[str, Any]:
    """Return what is kept of a run before anything of it is done."""
    return {
        "run_id": run.run_id,
        "status": "running",
        "scope": run.scope,
        "began_at": tell_time(),
        "process": describe_process(),
        "request": _cut_each(to_data(run.request)),
        "plan": _cut_plan(to_data(run.plan)),
        "plan_digest": run.plan_digest,
    }


def describe_end(beginning: Mapping[str, Any], result: RunResult) -> dict[str, Any]:
    """Return what is kept of a run that has ended; reads the files that it made.

    Args:
        beginning: What was kept of it at its beginning.
        result: What came of it.
    """
    known = {
        "run_id": result.run_id,
        "status": "ended",
        "began_at": beginning.get("began_at", ""),
        "ended_at": tell_time(),
    }
    told = {name: _cut(to_data(getattr(result, name))) for name in _HEAD_PARTS}
    lists = {name: [_cut(to_data(each)) for each in getattr(result, name)] for name in _RESULT_LISTS}
    left = {name: beginning[name] for name in ("process", "request", "plan", "plan_digest") if name in beginning}
    return {
        **known,
        **told,
        **left,
        "step_logs": [_cut_step(to_data(log)) for log in result.step_logs],
        "intermediate_results": {
            action_id: _cut(to_data(output)) for action_id, output in result.intermediate_results.items()
        },
        **lists,
        "manifest": {**describe_program(), "files": describe_files(result.artifacts)},
    }


def tell_time() -> str:
    """Return the time in UTC (ISO 8601); for people and for order, since clocks jump."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _cut_step(log: dict[str, Any]) -> dict[str, Any]:
    """Return a receipt whose parts each have a bearable size."""
    result: dict[str, Any] = log["result"]
    return {**log, "args": _cut(log["args"]), "result": _cut_each(result)}


def _cut_plan(plan: dict[str, Any]) -> dict[str, Any]:
    return {**plan, "nodes": [_cut_each(node) for node in plan.get("nodes", [])]}


def _cut_each(parts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _cut(value) for name, value in parts.items()}


def _cut(value: Any) -> Any:
    """Return a part of a run, or only its beginning where it is too large, with a note of how large it was."""
    if value is None or isinstance(value, int | float) or (isinstance(value, str) and len(value) < _BEGINNING):
        return value
    text = json.dumps(value, ensure_ascii=False)
    size = len(text.encode("utf-8", "backslashreplace"))
    if size <= LARGEST_PART:
        return value
    return {"cut": f"Only the beginning of {size} bytes was saved.", "size_bytes": size, "begins": text[:_BEGINNING]}
