"""`surehand sessions report`, and `surehand run --report`: what is kept of a run, as one file for a browser."""

from pathlib import Path

from agent.cli.asking import locate_kept
from agent.cli.exits import SUCCEEDED
from agent.cli.screen.output import write_lines, write_notes
from agent.reports.rendering import check_report_place
from agent.reports.run_report import write_run_report
from agent.reports.words import tell_size
from agent.settings.folder_checks import locate_state
from agent.store.session_files import SessionFiles
from core.base.errors import InputError, SurehandError
from core.results.tool_results import RunResult


def report_session(workspace: Path, named: str, path: Path | None) -> int:
    """Write the report of a run that is kept, print where, and return the exit code.

    Args:
        named: Its id, the beginning of it, or ``last``.
        path: Where to; into the folder that this is called in where absent.
    """
    folder = locate_kept(workspace)
    run = SessionFiles(folder).find(named)
    path = path or Path(f"report-{run.run_id}.html")
    write_lines([f"{path}  {tell_size(write_run_report(run, folder, path))}"])
    return SUCCEEDED


def check_wish(path: Path, *, simulated: bool) -> None:
    """Check before a run that its report can be written.

    Args:
        simulated: Whether the run is: then nothing is kept that could be told of.

    Raises:
        InputError: If it can't.
    """
    if simulated:
        raise InputError("--report tells of a saved run, and a simulated one is not saved.", code="bad_usage")
    check_report_place(path)


def report_run(workspace: Path, result: RunResult, path: Path) -> None:
    """Write the report of a run that has just ended, and say where; what goes wrong with it is told and changes nothing else."""
    if not result.step_logs:
        write_notes([f"Nothing was done, so {path} was not written."])
        return
    try:
        folder = locate_state(workspace)
        size_bytes = write_run_report(SessionFiles(folder).find(result.run_id), folder, path)
    except (SurehandError, OSError) as error:
        write_notes([f"The report could not be written: {error}"])
        return
    write_notes([f"The report is in {path} ({tell_size(size_bytes)})."])
