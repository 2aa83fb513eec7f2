"""The report of one run."""

from collections.abc import Mapping
from pathlib import Path

from agent.reports.picture_book import MOST_BYTES, PictureBook
from agent.reports.rendering import write_page
from agent.reports.run_views import ARTIFACTS_FOLDER, view_run
from agent.store.session_files import KeptRun


def write_run_report(
    run: KeptRun, folder: Path, path: Path, lines: Mapping[str, int] | None = None, most_bytes: int = MOST_BYTES
) -> int:
    """Write the report of a run as one file; return how many bytes it has.

    Args:
        folder: What is kept of the workspace's runs: ``.surehand``.
        path: Where to; an earlier report is overwritten, and nothing else.
        lines: Lines in the flow file, by goal id.

    Raises:
        InputError: If it can't be written there.
    """
    book = PictureBook([folder / ARTIFACTS_FOLDER / run.run_id], most_bytes)
    view = view_run(run, folder, book, lines)
    return write_page("run.html", {"run": view, "left_out": book.left_out}, path)
