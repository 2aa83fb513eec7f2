"""The misses of a flow's last run, as they were kept, and where the flow has what they are about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.requests.flow_mending import find_selectors
from agent.requests.words.documents import parse_document
from agent.store.session_files import SessionFiles, tell_status
from core.base.errors import GoalError
from core.outlines.mending import MENDING, Miss, read_miss
from core.results.records import to_data
from core.results.tool_results import StepLog


@dataclass(frozen=True, slots=True)
class FlowMiss:
    """A miss of a run of a flow.

    Attributes:
        line: The line of the flow's file that has the selector; 0 where it isn't there as it was used.
    """

    run_id: str
    action_id: str
    name: str
    miss: Miss
    line: int = 0

    @property
    def proposal(self) -> str:
        """The selector that a person may accept; empty where none can be written."""
        return self.miss.proposal if self.line else ""


@dataclass(frozen=True, slots=True)
class LastTry:
    """The last run of a flow.

    Attributes:
        other_faults: What else failed in it.
    """

    run_id: str
    status: str
    misses: tuple[FlowMiss, ...]
    other_faults: tuple[str, ...] = ()


def find_last_try(files: SessionFiles, flow: Path) -> LastTry:
    """Return the last run of a flow that is kept.

    Raises:
        GoalError: ``unknown_run`` if there is none.
        SchemaError: If it can't be used.
    """
    for kept in files.list_runs():
        if kept.is_foreign or dict(kept.document.get("request") or {}).get("path") != str(flow):
            continue
        document = files.read(kept.run_id)
        misses, others = _sort_faults(kept.run_id, document.get("step_logs") or ())
        text = flow.read_bytes().decode("utf-8")
        return LastTry(kept.run_id, tell_status(document), tuple(locate_misses(misses, text)), others)
    text = f"No saved run of {flow.name} in this workspace."
    hint = "Run it, or add --run; --workspace names the folder where it was run."
    raise GoalError(text, code="unknown_run", hint=hint)


def read_misses(run_id: str, logs: Sequence[StepLog]) -> list[FlowMiss]:
    """Return the misses of a run that has just ended."""
    return _sort_faults(run_id, [to_data(log) for log in logs])[0]


def locate_misses(misses: Sequence[FlowMiss], text: str) -> Iterator[FlowMiss]:
    """Yield misses with the line of the flow's text that each is about."""
    marks = parse_document(text.removeprefix("\ufeff"), "flow").marks
    for each in misses:
        found = find_selectors(text, each.miss.place, each.miss.selector)
        line = marks.get(found[0].place, (0, 0))[0] if found else 0
        yield FlowMiss(each.run_id, each.action_id, each.name, each.miss, line)


def _sort_faults(run_id: str, logs: Sequence[Mapping[str, Any]]) -> tuple[list[FlowMiss], tuple[str, ...]]:
    misses: list[FlowMiss] = []
    others: list[str] = []
    for log in logs:
        result: Mapping[str, Any] = log.get("result") or {}
        error: Mapping[str, Any] = result.get("error") or {}
        if result.get("status") not in ("failed", "refused") or not error:
            continue
        miss = read_miss(
            dict(error.get("evidence") or {}).get(MENDING) or dict(result.get("evidence") or {}).get(MENDING) or {}
        )
        if miss is None:
            others.append(str(error.get("message", "")))
        else:
            misses.append(FlowMiss(run_id, str(log.get("action_id", "")), str(log.get("name", "")), miss))
    return misses, tuple(others)
