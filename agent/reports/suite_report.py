"""The report of many flows: those in trouble first, each with its steps; pictures only where something went wrong."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agent.reports.groups import Group, fold_groups
from agent.reports.picture_book import MOST_BYTES, PictureBook
from agent.reports.rendering import write_page
from agent.reports.results import FlowOutcome, FlowResult, StepLine, SuiteResult
from agent.reports.run_views import ARTIFACTS_FOLDER, view_run
from agent.reports.step_views import Bar, StepError, StepView
from agent.reports.words import FLOW_LOOKS, Shown, clean_text, find_look, tell_ms
from agent.store.session_files import KeptRun, SessionFiles
from core.base.errors import SurehandError
from core.base.phrases import cut_text

_ORDER: Mapping[FlowOutcome, int] = {"error": 0, "failed": 0, "flaky": 1, "passed": 2, "skipped": 3}
_SHOWN: Mapping[FlowOutcome, Shown] = {
    "error": "trouble",
    "failed": "trouble",
    "flaky": "unsure",
    "passed": "done",
    "skipped": "skipped",
}
_CHOICES: tuple[tuple[Shown, str], ...] = (
    ("trouble", "Failed"),
    ("unsure", "Flaky"),
    ("done", "Passed"),
    ("skipped", "Skipped"),
)
_LONGEST_QUOTE = 140


@dataclass(frozen=True, slots=True, kw_only=True)
class FlowView:
    """A flow as a report shows it.

    Attributes:
        error: What went wrong; empty where nothing did.
        page: The report of its run, beside this one; empty for none.
    """

    key: str
    name: str
    path: str
    look: str
    outcome: str
    shown: Shown
    took: str
    bar: Bar
    attempts: int
    error: str
    page: str
    steps: tuple[StepView, ...]
    plan: Group

    @property
    def culprit(self) -> StepView | None:
        """The first step that went wrong; None where none did."""
        return next((step for step in self.steps if step.shown == "trouble"), None)

    @property
    def is_open(self) -> bool:
        """Whether it is unfolded at first: what went wrong is."""
        return self.shown == "trouble"


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
    flows = sorted(enumerate(suite.flows, start=1), key=lambda each: _ORDER[each[1].outcome])
    folders = folders or {}
    shown = [
        flow.run_id for _, flow in flows if flow.run_id in folders and _SHOWN[flow.outcome] in {"trouble", "unsure"}
    ]
    book = PictureBook([folders[run_id] / ARTIFACTS_FOLDER / run_id for run_id in shown], most_bytes)
    longest = max((flow.ms for flow in suite.flows), default=0.0)
    views = [_view_flow(number, flow, folders.get(flow.run_id), book, longest) for number, flow in flows]
    counts = Counter(view.shown for view in views)
    failed = counts["trouble"]
    values = {
        "name": clean_text(suite.name),
        "began_at": suite.began_at,
        "took": tell_ms(suite.ms),
        "look": "failed" if failed else "confirmed" if views else "planned",
        "outcome": _tell_outcome(failed, len(views)),
        "flows": views,
        "choices": [(each, title, counts[each]) for each, title in _CHOICES if counts[each]],
        "step_count": sum(len(view.steps) for view in views),
        "left_out": book.left_out,
    }
    return write_page("suite.html", values, path)


def _tell_outcome(failed: int, count: int) -> str:
    if not count:
        return "No flows"
    return f"{failed} of {count} failed" if failed else "All passed" if count > 1 else "Passed"


def _view_flow(number: int, flow: FlowResult, folder: Path | None, book: PictureBook, longest_ms: float) -> FlowView:
    look, outcome = FLOW_LOOKS[flow.outcome]
    steps = _find_steps(flow, folder, book) or tuple(_view_line(number, line) for line in flow.steps)
    return FlowView(
        key=f"flow-{number}",
        name=clean_text(flow.name or flow.path),
        path=clean_text(flow.path),
        look=look,
        outcome=outcome,
        shown=_SHOWN[flow.outcome],
        took=tell_ms(flow.ms) if flow.ms else "",
        bar=Bar(0.0, round(flow.ms / longest_ms * 1000, 1) if longest_ms else 0.0),
        attempts=flow.attempts,
        error=clean_text(flow.error),
        page=f"{flow.run_id}.html" if folder else "",
        steps=steps,
        plan=fold_groups(steps),
    )


def _find_steps(flow: FlowResult, folder: Path | None, book: PictureBook) -> tuple[StepView, ...] | None:
    """Return a flow's steps with their receipts; None where nothing is kept of its run, or that can't be read."""
    run = _find_run(flow.run_id, folder) if folder else None
    if folder is None or run is None:
        return None
    places = {line.action_id: line.line for line in flow.steps}
    nodes = run.document.get("plan", {}).get("nodes", ()) if isinstance(run.document.get("plan"), Mapping) else ()
    lines = {str(node["goal_id"]): places.get(str(node["action_id"]), 0) for node in nodes if isinstance(node, Mapping)}
    return view_run(run, folder, book, lines).steps


def _find_run(run_id: str, folder: Path) -> KeptRun | None:
    try:
        return SessionFiles(folder).find(run_id)
    except (SurehandError, OSError):
        return None


def _view_line(number: int, line: StepLine) -> StepView:
    told = clean_text(line.text)
    is_error = line.is_trouble or line.status == "skipped"
    return StepView(
        key=f"{number}-{line.number}",
        line=line,
        title=clean_text(line.title),
        look=find_look(line),
        value="" if is_error else cut_text(" ".join(told.split()), _LONGEST_QUOTE),
        error=StepError(told, "", line.code) if is_error and told else None,
    )
