"""The report of one run: its head, its plan, its steps, and what else is known of it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from agent.reports.picture_book import MOST_BYTES, PictureBook
from agent.reports.rendering import write_page
from agent.reports.results import list_maps, read_number, take_map, tell_error
from agent.reports.step_views import ARTIFACTS_FOLDER, fold_groups, view_steps
from agent.reports.words import RUN_LOOKS, Shown, count_of, tell_ms, tell_size
from agent.store.session_files import KeptRun, tell_status

TRACES_FOLDER = "traces"

_CHOICES: tuple[tuple[Shown, str], ...] = (
    ("trouble", "Failed"),
    ("unsure", "Not read back"),
    ("done", "Done"),
    ("skipped", "Skipped"),
)
_TRACE_AFTER = timedelta(seconds=30)
_TRACE_NAME = "%Y%m%d-%H%M%S-%f"


def write_run_report(
    run: KeptRun, folder: Path, path: Path, lines: Mapping[str, int] | None = None, most_bytes: int = MOST_BYTES
) -> int:
    """Write the report of a run as one file; return how many bytes it has.

    Args:
        path: Where to; an earlier report is overwritten, and nothing else.

    Raises:
        InputError: If it can't be written there.
    """
    document = run.document
    book = PictureBook([folder / ARTIFACTS_FOLDER / run.run_id], most_bytes)
    status = tell_status(document)
    look, outcome = RUN_LOOKS.get(status, ("planned", status.capitalize()))
    kind, asked = _tell_request(take_map(document, "request"))
    steps = view_steps(run, folder, book, lines)
    counts = Counter(step.shown for step in steps)
    made = take_map(document, "manifest")
    ran_ms = read_number(take_map(document, "metrics").get("run_ms"))
    view = {
        "run_id": run.run_id,
        "kind": kind,
        "asked": asked,
        "look": look,
        "outcome": outcome,
        "began_at": str(document.get("began_at", "")),
        "took": tell_ms(ran_ms) if ran_ms else "",
        "reply": str(document.get("reply", "")),
        "problems": [tell_error(each) for each in list_maps(document.get("errors"))],
        "steps": steps,
        "troubles": [step for step in steps if step.shown == "trouble"],
        "choices": [(shown, name, counts[shown]) for shown, name in _CHOICES if counts[shown]],
        "plan": fold_groups(steps),
        "files": list(_list_files(made, run.run_id)),
        "traces": list(_find_traces(document, folder / TRACES_FOLDER)),
        "notes": [str(each) for each in document.get("diagnostics") or ()],
        "made_by": ", ".join(str(made[name]) for name in ("program", "platform") if name in made),
        "is_foreign": run.is_foreign,
    }
    return write_page("run.html", {"run": view, "left_out": book.left_out}, path)


def _tell_request(request: Mapping[str, Any]) -> tuple[str, str]:
    said = request.get("utterance")
    if said is not None:
        return "Request", str(said.get("begins") if isinstance(said, Mapping) else said)
    if request.get("flow"):
        return "Flow", str(request["flow"])
    verbs = [f"{goal.get('domain', '')}.{goal.get('verb', '')}" for goal in list_maps(request.get("goals"))]
    told = ", ".join(verbs[:3]) + (f" and {count_of(len(verbs) - 3, 'more goal')}" if len(verbs) > 3 else "")
    return "Goals", told or "A run"


def _list_files(made: Mapping[str, Any], run_id: str) -> Iterator[tuple[str, str, str]]:
    for each in list_maps(made.get("files")):
        path = str(each.get("path", ""))
        if Path(path).parent.name != run_id:
            yield path, tell_size(int(read_number(each.get("size_bytes")))), str(each.get("sha256", ""))


def _find_traces(document: Mapping[str, Any], folder: Path) -> Iterator[str]:
    try:
        began = datetime.fromisoformat(str(document.get("began_at")))
        ended = datetime.fromisoformat(str(document.get("ended_at"))) + _TRACE_AFTER
        names = sorted(path.stem for path in folder.glob("*.zip"))
    except (ValueError, OSError):
        return
    yield from (str(folder / f"{name}.zip") for name in names if _is_between(name, began, ended))


def _is_between(name: str, began: datetime, ended: datetime) -> bool:
    try:
        saved = datetime.strptime(f"{name}+0000", f"{_TRACE_NAME}%z")
    except ValueError:
        return False
    return began <= saved <= ended
