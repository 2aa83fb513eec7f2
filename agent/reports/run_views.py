"""A run as a report shows it: its head, its plan, its steps, and what else is known of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from actuators.failure_files import read_page_logs
from agent.reports.diff_lines import Diff, read_diff
from agent.reports.groups import Group, fold_groups
from agent.reports.picture_book import PictureBook
from agent.reports.results import StepLine, list_maps, list_steps, read_number, take_map, tell_error
from agent.reports.step_views import (
    StepView,
    list_parents,
    place_bar,
    quote_value,
    read_console,
    read_error,
    read_receipt,
    read_requests,
    tell_step_title,
)
from agent.reports.words import RUN_LOOKS, Shown, clean_text, count_of, find_look, tell_ms, tell_size
from agent.store.session_files import KeptRun, tell_status

ARTIFACTS_FOLDER = "artifacts"
TRACES_FOLDER = "traces"

_CHOICES: tuple[tuple[Shown, str], ...] = (
    ("trouble", "Failed"),
    ("unsure", "Not read back"),
    ("done", "Done"),
    ("skipped", "Skipped"),
)
_LONGEST_VALUE = 2000
_SHORTEST_VALUE = 200
_ALL_VALUES = 1_000_000
_TRACE_AFTER = timedelta(seconds=30)
_TRACE_NAME = "%Y%m%d-%H%M%S-%f"


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that a run made.

    Attributes:
        digest: SHA-256 of what was in it.
    """

    path: str
    about: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A run as a report shows it.

    Attributes:
        kind: What was asked for is: a sentence, a flow, or goals.
        took: How long it took; empty where it hasn't ended.
        problems: Why nothing was done, where that is so.
        notes: What else has to be known.
    """

    run_id: str
    kind: str
    asked: str
    look: str
    outcome: str
    began_at: str
    took: str
    reply: str
    problems: tuple[str, ...]
    steps: tuple[StepView, ...]
    plan: Group
    files: tuple[KeptFile, ...]
    traces: tuple[str, ...]
    notes: tuple[str, ...]
    made_by: str
    is_foreign: bool

    @property
    def choices(self) -> Sequence[tuple[Shown, str, int]]:
        """The choices of which steps are shown: each with its name and how many there are; one without any is left out."""
        counts = Counter(step.shown for step in self.steps)
        return [(shown, name, counts[shown]) for shown, name in _CHOICES if counts[shown]]

    @property
    def troubles(self) -> Sequence[StepView]:
        """The steps that went wrong themselves, in order."""
        return [step for step in self.steps if step.shown == "trouble"]


def view_run(run: KeptRun, folder: Path, book: PictureBook, lines: Mapping[str, int] | None = None) -> RunView:
    """Return a run as a report shows it.

    Args:
        folder: What is kept of the workspace's runs: ``.surehand``.
        lines: Lines in the flow file, by goal id.
    """
    document = run.document
    status = tell_status(document)
    look, outcome = RUN_LOOKS.get(status, ("planned", clean_text(status).capitalize()))
    kind, asked = _tell_request(take_map(document, "request"))
    steps = _view_steps(run, folder, book, lines)
    made = take_map(document, "manifest")
    ran_ms = read_number(take_map(document, "metrics").get("run_ms"))
    return RunView(
        run_id=run.run_id,
        kind=kind,
        asked=asked,
        look=look,
        outcome=outcome,
        began_at=str(document.get("began_at", "")),
        took=tell_ms(ran_ms) if ran_ms else "",
        reply=clean_text(str(document.get("reply", ""))),
        problems=tuple(clean_text(tell_error(each)) for each in list_maps(document.get("errors"))),
        steps=steps,
        plan=fold_groups(steps),
        files=tuple(
            KeptFile(
                clean_text(str(each.get("path", ""))),
                tell_size(int(read_number(each.get("size_bytes")))),
                clean_text(str(each.get("sha256", ""))),
            )
            for each in list_maps(made.get("files"))
            if Path(str(each.get("path", ""))).parent.name != run.run_id  # pictures of steps stand with these
        ),
        traces=tuple(_find_traces(document, folder / TRACES_FOLDER)),
        notes=tuple(clean_text(str(each)) for each in document.get("diagnostics") or ()),
        made_by=", ".join(clean_text(str(made[name])) for name in ("program", "platform") if name in made),
        is_foreign=run.is_foreign,
    )


def _view_steps(run: KeptRun, folder: Path, book: PictureBook, lines: Mapping[str, int] | None) -> tuple[StepView, ...]:
    told = list_steps(run.document, lines)
    kept = _RunParts(run, folder, told)
    return tuple(kept.view(line, book) for line in told)


class _RunParts:
    """Parts of what is kept of a run, by step."""

    def __init__(self, run: KeptRun, folder: Path, steps: Sequence[StepLine]) -> None:
        document, plan = run.document, take_map(run.document, "plan")
        self._run_id = run.run_id
        self._nodes = {str(each.get("action_id")): each for each in list_maps(plan.get("nodes"))}
        self._logs = {str(each.get("action_id")): each for each in list_maps(document.get("step_logs"))}
        self._said = read_page_logs(folder / ARTIFACTS_FOLDER / run.run_id)
        self._parents = list_parents(plan, {line.action_id: line.number for line in steps})
        self._run_ms = read_number(take_map(document, "metrics").get("run_ms"))
        self._limit = min(_LONGEST_VALUE, max(_SHORTEST_VALUE, _ALL_VALUES // max(1, len(steps))))
        self._asked: dict[str, list[str]] = {}
        for each in list_maps(document.get("required_approvals")):
            self._asked.setdefault(str(each.get("action_id")), []).append(_tell_approval(each))
        self._diffs: dict[str, list[Diff]] = {}
        for each in list_maps(document.get("diff_preview")):
            if text := each.get("diff"):
                self._diffs.setdefault(str(each.get("id")), []).append(read_diff(str(each.get("text", "")), str(text)))

    def view(self, line: StepLine, book: PictureBook) -> StepView:
        """Return a step as a report shows it."""
        log, node = self._logs.get(line.action_id, {}), self._nodes.get(line.action_id, {})
        result = take_map(log, "result")
        scene, said = take_map(take_map(result, "evidence"), "scene"), take_map(self._said, line.action_id)
        return StepView(
            key=f"{self._run_id}-{line.number}",
            line=line,
            title=tell_step_title(line, log),
            look=find_look(line),
            verb=clean_text(str(node.get("name") or log.get("name") or "")),
            value=quote_value(log),
            after=self._parents.get(line.action_id, ()),
            bar=place_bar(result, self._run_ms),
            error=read_error(result),
            note=clean_text(str(result.get("note") or "")),
            address=clean_text(str(said.get("url") or scene.get("url") or "")),
            pictures=book.find(self._run_id, line.action_id),
            console=read_console(said, scene),
            requests=read_requests(said, scene),
            diffs=tuple(self._diffs.get(line.action_id, ())),
            receipt=read_receipt(log, node, self._asked.get(line.action_id, ()), self._limit),
            is_tainted=bool(take_map(result, "tainted")),
        )


def _tell_approval(approval: Mapping[str, Any]) -> str:
    approved = approval.get("approved")
    answer = "not asked" if approved is None else "yes" if approved else "no"
    return f"{approval.get('approval', '')}: {answer}"


def _tell_request(request: Mapping[str, Any]) -> tuple[str, str]:
    """Return what was asked for: what it is, and what it says."""
    said = request.get("utterance")
    if said is not None:
        return "Request", clean_text(str(said.get("begins") if isinstance(said, Mapping) else said))
    if request.get("flow"):
        return "Flow", clean_text(str(request["flow"]))
    verbs = [f"{goal.get('domain', '')}.{goal.get('verb', '')}" for goal in list_maps(request.get("goals"))]
    told = ", ".join(verbs[:3]) + (f" and {count_of(len(verbs) - 3, 'more goal')}" if len(verbs) > 3 else "")
    return "Goals", clean_text(told) or "A run"


def _find_traces(document: Mapping[str, Any], folder: Path) -> list[str]:
    """Return the traces that were saved while a run went on, or right after it."""
    try:
        began = datetime.fromisoformat(str(document.get("began_at")))
        ended = datetime.fromisoformat(str(document.get("ended_at"))) + _TRACE_AFTER
        names = sorted(path.stem for path in folder.glob("*.zip"))
    except (ValueError, OSError):
        return []
    return [str(folder / f"{name}.zip") for name in names if _is_between(name, began, ended)]


def _is_between(name: str, began: datetime, ended: datetime) -> bool:
    try:
        saved = datetime.strptime(f"{name}+0000", f"{_TRACE_NAME}%z")
    except ValueError:
        return False
    return began <= saved <= ended
