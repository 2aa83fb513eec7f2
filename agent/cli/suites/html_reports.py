"""The reports of a suite and of its runs, as files for a browser: ``index.html``, and one named after each run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from agent.cli.suites.reading import ReadFlow
from agent.reports.results import SuiteResult
from agent.settings.folder_checks import locate_state
from agent.store.session_files import KeptRun
from core.base.errors import SurehandError

SUITE_FILE = "index.html"


class WriteRun(Protocol):
    """Writes the report of a run."""

    def __call__(self, run: KeptRun, folder: Path, path: Path, lines: Mapping[str, int] | None = None) -> object:
        """Write it, from the folder where what is kept of runs lies."""
        ...


class WriteSuite(Protocol):
    """Writes the report of a suite."""

    def __call__(self, suite: SuiteResult, path: Path, folders: Mapping[str, Path]) -> object:
        """Write it, from the folders where what is kept of its runs lies."""
        ...


@dataclass(slots=True)
class HtmlReports:
    """Writes reports into a folder.

    Attributes:
        folder: The folder; it is made with the first report.
        faults: What could not be written, and why.
    """

    folder: Path
    write_run: WriteRun
    write_suite: WriteSuite
    faults: list[str] = field(default_factory=list[str])
    _states: dict[str, Path] = field(default_factory=dict[str, Path])

    def keep_run(self, run: KeptRun, workspace: Path, flow: ReadFlow) -> None:
        """Write the report of a run, as long as its pictures are there."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            state = locate_state(workspace)
            self.write_run(run, state, self.folder / f"{run.run_id}.html", flow.list_lines())
            self._states[run.run_id] = state
        except (SurehandError, OSError) as error:
            self.faults.append(f"The report of {flow.file.name} was not written: {error}")

    def end(self, suite: SuiteResult) -> Path | None:
        """Write the report of the suite, and return where it is; None where it could not be written."""
        path = self.folder / SUITE_FILE
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.write_suite(suite, path, self._states)
        except (SurehandError, OSError) as error:
            self.faults.append(f"The report of the tests was not written: {error}")
            return None
        return path
