"""`surehand run`: plan, ask, execute with live progress, print the reply and the receipts."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar, get_args

from agent.assembly import make_session
from agent.cli.answers import complete_request
from agent.cli.asking import Asked, RunOptions, Simulated, check_language, read_approved
from agent.cli.commands.models import give_model
from agent.cli.exits import BAD_INPUT, choose_exit_code
from agent.cli.screen.output import write_error, write_json
from agent.cli.screen.progress import TerminalProgress
from agent.cli.screen.prompts import TerminalGate
from agent.cli.screen.reports import choose_detail, is_at_terminal, report
from agent.cli.screen.stopping import stop_by_signals
from agent.cli.telemetry import open_telemetry
from agent.requests.requests import Request
from agent.sessions.runs import RunRecorder, scope_unplanned
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings, TraceWish, load_settings
from agent.telemetry.log_levels import LogLevel
from core.approvals.approvals import ApprovalGate, ClassGate
from core.base.errors import InputError, SurehandError
from core.execution.run_context import make_run_id
from core.results.events import Emit, Event, to_record
from core.results.records import to_data
from core.results.tool_results import RunResult

Result = TypeVar("Result")
NOTICE = "Simulated: nothing real is read, changed or reached."


def run_request(asked: Asked, options: RunOptions) -> int:
    """Carry out what was asked and return the exit code."""
    notice = NOTICE if options.simulated.wanted else ""
    try:
        if options.full and options.quiet:
            raise InputError("Choose one of --full and --quiet.", code="bad_usage")
        detail = choose_detail(quiet=options.quiet, verbose=options.verbose, as_json=options.as_json)
        if options.report:
            from agent.cli.commands.reports import check_wish

            check_wish(options.report, simulated=options.simulated.wanted)
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
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
        from agent.cli.commands.reports import report_run

        report_run(asked.workspace, result, options.report)
    return choose_exit_code(result)


def _carry_out_completed(
    request: Request, session: AgentSession, emit: Emit, progress: TerminalProgress | None
) -> RunResult:
    if progress and is_at_terminal():
        request = asyncio.run(complete_request(request, session.interpreter, progress.hold))
    return asyncio.run(carry_out(session, session.run(request, emit)))


def _prepare(asked: Asked, options: RunOptions, progress: TerminalProgress | None) -> tuple[Request, AgentSession]:
    gate = make_gate(options.approved, progress if is_at_terminal() else None)
    settings = load_settings(asked.workspace)
    request = asked.make_request("plan" if options.dry_run else "execute", gate)
    settings = _override(settings, options)
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


def _override(settings: Settings, options: RunOptions) -> Settings:
    """Return the settings, but for what the command line says."""
    chosen: dict[str, Any] = {
        "headed": options.headed or settings.headed,
        "keep_pictures": bool(options.keep_pictures or options.report or settings.keep_pictures),
    }
    for name, given, known in (("trace", options.trace, TraceWish), ("log_level", options.log_level, LogLevel)):
        if given is None:
            continue
        if given not in get_args(known):
            text = f'--{name.replace("_", "-")} takes {", ".join(get_args(known))}, not "{given}".'
            raise InputError(text, code="bad_usage")
        chosen[name] = given
    if options.language:
        chosen["language"] = check_language(options.language)
    return settings.model_copy(update=chosen)


def make_gate(approved: str, screen: TerminalProgress | None) -> ApprovalGate:
    """Return who answers approval requests: what was approved beforehand, then the person at the terminal.

    Args:
        screen: What else writes to the person's terminal; None where nobody can be asked.

    Raises:
        InputError: If a class can't be approved beforehand.
    """
    classes = read_approved(approved)
    return TerminalGate(classes, screen.hold) if screen else ClassGate(classes)


async def carry_out(
    session: AgentSession, work: Coroutine[Any, Any, Result], halt: Callable[[], None] | None = None
) -> Result:
    """Do what a session is asked, and close it; the first signal stops it in order, the second at once.

    Args:
        halt: Stops the work in order; where None, the session's runs are stopped.
    """
    with stop_by_signals(halt or session.stop):
        async with session:
            return await work


def write_line(event: Event) -> None:
    """Write an event as a line of JSON."""
    write_json(to_data(to_record(event)), indent=None)


def write_simulated_line(event: Event) -> None:
    """Write an event of a simulated run as a line of JSON that says so."""
    write_json({**to_data(to_record(event)), "simulated": True}, indent=None)
