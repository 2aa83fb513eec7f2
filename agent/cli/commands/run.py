"""`surehand run`: plan, ask, execute with live progress, print the reply and the receipts."""

import asyncio
import sys
from functools import partial
from pathlib import Path

from agent.assembly import make_session
from agent.cli.answers import complete_request
from agent.cli.asking import Asked, RunOptions, Simulated, choose_settings, read_approved
from agent.cli.exits import choose_exit_code
from agent.cli.screen.output import choose_detail, is_at_terminal, report, write_json, write_notes
from agent.cli.screen.progress import TerminalProgress
from agent.cli.screen.prompts import TerminalGate
from agent.cli.screen.stopping import carry_out
from agent.cli.serving.models import give_model
from agent.cli.telemetry import open_telemetry
from agent.requests.requests import Request
from agent.sessions.runs import RunRecorder, scope_unplanned
from agent.sessions.session import AgentSession
from agent.settings.folder_checks import locate_state
from agent.settings.settings import Settings
from core.approvals.approvals import ApprovalGate, ClassGate
from core.base.errors import InputError, SurehandError
from core.execution.run_context import make_run_id
from core.results.events import Emit, Event, to_record
from core.results.records import to_data
from core.results.tool_results import RunResult

NOTICE = "Simulated: nothing real is read, changed or reached."


def run_request(asked: Asked, options: RunOptions) -> int:
    """Carry out what was asked and return the exit code."""
    notice = NOTICE if options.simulated.wanted else ""
    if options.full and options.quiet:
        raise InputError("Choose one of --full and --quiet.", code="bad_usage")
    detail = choose_detail(quiet=options.quiet, verbose=options.verbose, as_json=options.as_json)
    if options.report:
        _check_report(options.report, simulated=options.simulated.wanted)
    progress = None if options.as_json else TerminalProgress(sys.stdout, detail, notice, full=options.full)
    emit: Emit = progress.show if progress else write_simulated_line if notice else write_line
    try:
        request, session = _prepare(asked, options, progress)
    except SurehandError as error:
        result = RunRecorder(scope_unplanned(make_run_id()), emit).refuse([error.info()], "")
    else:
        try:
            result = _carry_out_completed(request, session, emit, progress)
        finally:
            if progress:
                progress.close()
    report(result, detail)
    if options.report:
        _write_report(asked.workspace, result, options.report)
    return choose_exit_code(result)


def _carry_out_completed(
    request: Request, session: AgentSession, emit: Emit, progress: TerminalProgress | None
) -> RunResult:
    if progress and is_at_terminal():
        request = asyncio.run(complete_request(request, session.interpreter, progress.hold))
    return asyncio.run(carry_out(session, session.run(request, emit)))


def _prepare(asked: Asked, options: RunOptions, progress: TerminalProgress | None) -> tuple[Request, AgentSession]:
    gate = make_gate(options.approved, progress if is_at_terminal() else None)
    settings = choose_settings(
        asked.workspace,
        headed=options.headed,
        keep_pictures=options.keep_pictures or options.report is not None,
        trace=options.trace,
        log_level=options.log_level,
        language=options.language,
    )
    request = asked.make_request("plan" if options.dry_run else "execute", gate)
    if options.simulated.wanted:
        session = _simulate(options.simulated, settings)
        give_model(session, options.model, settings)
        return request, session
    if options.simulated.machine or options.simulated.faults:
        raise InputError("--machine and --fault need --simulate.", code="bad_usage")
    session = make_session(settings, asked.workspace)
    give_model(session, options.model, settings)
    session.observe(open_telemetry(settings, asked.workspace))
    return request, session


def _simulate(simulated: Simulated, settings: Settings) -> AgentSession:
    """Return a session on a machine in memory; the fakes are imported only for that."""
    from agent.simulation.machines import build_simulation
    from agent.simulation.sessions import open_simulation

    return open_simulation(partial(build_simulation, simulated.machine), simulated.faults, settings)


def _check_report(path: Path, *, simulated: bool) -> None:
    """Check before a run that its report can be written."""
    from agent.reports.rendering import check_report_place

    if simulated:
        raise InputError("--report tells of a saved run, and a simulated one is not saved.", code="bad_usage")
    check_report_place(path)


def _write_report(workspace: Path, result: RunResult, path: Path) -> None:
    """Write the report of a run that has just ended, and say where; what goes wrong with it is told and changes nothing else."""
    from agent.reports.run_report import write_run_report
    from agent.reports.words import tell_size
    from agent.store.session_files import SessionFiles

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


def make_gate(approved: str, screen: TerminalProgress | None) -> ApprovalGate:
    """Return who answers approval requests: what was approved beforehand, then the person at the terminal.

    Args:
        screen: What else writes to the person's terminal; None where nobody can be asked.
    """
    classes = read_approved(approved)
    return TerminalGate(classes, screen.hold) if screen else ClassGate(classes)


def write_line(event: Event) -> None:
    """Write an event as a line of JSON."""
    write_json(to_data(to_record(event)), indent=None)


def write_simulated_line(event: Event) -> None:
    """Write an event of a simulated run as a line of JSON that says so."""
    write_json({**to_data(to_record(event)), "simulated": True}, indent=None)
