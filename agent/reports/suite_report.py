"""The report of many flows: those in trouble first, each with its steps; pictures only where something went wrong."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.reports.picture_book import MOST_BYTES, PictureBook
from agent.reports.rendering import write_page
from agent.reports.results import FlowOutcome, FlowResult, SuiteResult, list_maps, take_map
from agent.reports.step_views import ARTIFACTS_FOLDER, StepView, fold_groups, view_steps
from agent.reports.words import FLOW_LOOKS, Shown, tell_ms
from agent.store.session_files import SessionFiles
from core.base.errors import SurehandError

_SHOWN: Mapping[FlowOutcome, Shown] = {
    "error": "trouble",
    "failed": "trouble",
    "flaky": "unsure",
    "passed": "done",
    "skipped": "skipped",
}
_CHOICES: Mapping[Shown, str] = {"trouble": "Failed", "unsure": "Flaky", "done": "Passed", "skipped": "Skipped"}
_ORDER = tuple(_CHOICES)


def write_suite_report(
    suite: SuiteResult, path: Path, folders: Mapping[str, Path] | None = None, most_bytes: int = MOST_BYTES
) -> int:
    """Write the report of many flows as one file; return how many bytes it has.

    Args:
        path: Where to; an earlier report is overwritten, and nothing else.
        folders: Where what is kept of a run lies, ``.surehand``, for receipts and pictures; a run that is named here has a
            report of its own beside this one.

    Raises:
        InputError: If it can't be written there.
    """
    flows = sorted(enumerate(suite.flows, start=1), key=lambda each: _ORDER.index(_SHOWN[each[1].outcome]))
    folders = folders or {}
    pictured = [
        flow.run_id for _, flow in flows if flow.run_id in folders and _SHOWN[flow.outcome] in {"trouble", "unsure"}
    ]
    book = PictureBook([folders[run_id] / ARTIFACTS_FOLDER / run_id for run_id in pictured], most_bytes)
    longest = max((flow.ms for flow in suite.flows), default=0.0)
    views = [_view_flow(number, flow, folders.get(flow.run_id), book, longest) for number, flow in flows]
    counts = Counter(_SHOWN[flow.outcome] for flow in suite.flows)
    failed = counts["trouble"]
    values = {
        "name": suite.name,
        "began_at": suite.began_at,
        "took": tell_ms(suite.ms),
        "look": "failed" if failed else "confirmed" if views else "planned",
        "outcome": _tell_outcome(failed, len(views)),
        "flows": views,
        "choices": [(each, title, counts[each]) for each, title in _CHOICES.items() if counts[each]],
        "step_count": sum(len(view["steps"]) for view in views),
        "left_out": book.left_out,
    }
    return write_page("suite.html", values, path)


def _tell_outcome(failed: int, count: int) -> str:
    if not count:
        return "No flows"
    return f"{failed} of {count} failed" if failed else "All passed" if count > 1 else "Passed"


def _view_flow(
    number: int, flow: FlowResult, folder: Path | None, book: PictureBook, longest_ms: float
) -> dict[str, Any]:
    look, outcome = FLOW_LOOKS[flow.outcome]
    steps = _find_steps(flow, folder, book) or [
        StepView(key=f"{number}-{each.number}", line=each) for each in flow.steps
    ]
    return {
        "key": f"flow-{number}",
        "name": flow.name or flow.path,
        "path": flow.path,
        "look": look,
        "outcome": outcome,
        "shown": _SHOWN[flow.outcome],
        "took": tell_ms(flow.ms) if flow.ms else "",
        "width": round(flow.ms / longest_ms * 1000, 1) if longest_ms else 0.0,
        "attempts": flow.attempts,
        "error": flow.error,
        "page": f"{flow.run_id}.html" if folder else "",
        "steps": steps,
        "culprit": next((step for step in steps if step.shown == "trouble"), None),
        "plan": fold_groups(steps),
    }


def _find_steps(flow: FlowResult, folder: Path | None, book: PictureBook) -> Sequence[StepView]:
    if folder is None:
        return ()
    try:
        run = SessionFiles(folder).find(flow.run_id)
    except (SurehandError, OSError):
        return ()
    places = {line.action_id: line.line for line in flow.steps}
    nodes = list_maps(take_map(run.document, "plan").get("nodes"))
    lines = {str(node.get("goal_id")): places.get(str(node.get("action_id")), 0) for node in nodes}
    return view_steps(run, folder, book, lines)
