"""The reports of a suite and of its runs, as files for a browser: ``index.html``, and one named after each run."""

from dataclasses import dataclass, field
from pathlib import Path

from agent.cli.suites.flow_files import ReadFlow
from agent.reports.results import SuiteResult
from agent.reports.run_report import write_run_report
from agent.reports.suite_report import write_suite_report
from agent.settings.folder_checks import locate_state
from agent.store.session_files import KeptRun
from core.base.errors import SurehandError

SUITE_FILE = "index.html"


@dataclass(slots=True)
class HtmlReports:
    """Writes reports into a folder, which is made with the first.

    Attributes:
        faults: What could not be written, and why.
    """

    folder: Path
    faults: list[str] = field(default_factory=list[str])
    _states: dict[str, Path] = field(default_factory=dict[str, Path])

    def keep_run(self, run: KeptRun, workspace: Path, flow: ReadFlow) -> None:
        """Write the report of a run, as long as its pictures are there."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            state = locate_state(workspace)
            write_run_report(run, state, self.folder / f"{run.run_id}.html", flow.list_lines())
            self._states[run.run_id] = state
        except (SurehandError, OSError) as error:
            self.faults.append(f"The report of {flow.file.name} was not written: {error}")

    def end(self, suite: SuiteResult) -> list[Path]:
        """Write the report of the suite, and return where it is; nothing where it could not be written."""
        path = self.folder / SUITE_FILE
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_suite_report(suite, path, self._states)
        except (SurehandError, OSError) as error:
            self.faults.append(f"The report of the tests was not written: {error}")
            return []
        return [path]
