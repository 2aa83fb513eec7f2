"""`surehand run`: plan, ask, execute with live progress, print the reply and the receipts."""

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, get_args

from agent.assembly import make_session
from agent.cli.answers import complete_request
from agent.cli.asking import Asked
from agent.cli.commands.models import give_model
from agent.cli.exits import BAD_INPUT, choose_exit_code
from agent.cli.screen.output import write_error, write_error_text, write_json, write_notes
from agent.cli.screen.progress import Detail, TerminalProgress
from agent.cli.screen.prompts import TerminalGate
from agent.cli.telemetry import open_telemetry
from agent.models.serving.wishes import NO_MODEL, ModelWish
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
from core.rules.approval_classes import APPROVAL_CLASSES, GIVEN_BEFOREHAND, ApprovalClass

Result = TypeVar("Result")
NOTICE = "Simulated: nothing real is read, changed or reached."


@dataclass(frozen=True, slots=True)
class Simulated:
    """Whether, and on what machine, a run is simulated.

    Attributes:
        wanted: Whether it is.
        machine: Path of the file that declares the machine.
        faults: What goes wrong on purpose.
    """

    wanted: bool = False
    machine: Path | None = None
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to run and what to print.

    Attributes:
        as_json: Whether to write events as JSON lines.
        dry_run: Whether only to plan.
        approved: Classes of approval given beforehand, separated by commas.
        headed: Whether to show the browser's window.
        trace: Whether to record a Playwright trace: ``off``, ``on`` or ``on-failure``; None leaves it to the settings.
        log_level: From which level on log lines go to stderr; None leaves it to the settings.
        quiet: Whether only the reply is printed.
        verbose: Whether ids and data are printed, too.
        simulated: Whether it is simulated.
        full: Whether what steps gave is shown whole.
        model: Which model helps where a sentence is not understood.
    """

    as_json: bool = False
    dry_run: bool = False
    approved: str = ""
    headed: bool = False
    trace: str | None = None
    log_level: str | None = None
    quiet: bool = False
    verbose: bool = False
    simulated: Simulated = field(default_factory=Simulated)
    full: bool = False
    model: ModelWish = NO_MODEL


def run_request(asked: Asked, options: RunOptions) -> int:
    """Carry out what was asked and return the exit code."""
    notice = NOTICE if options.simulated.wanted else ""
    try:
        if options.full and options.quiet:
            raise InputError("Choose one of --full and --quiet.", code="bad_usage")
        detail = choose_detail(quiet=options.quiet, verbose=options.verbose, as_json=options.as_json)
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
    return choose_exit_code(result)


def report(result: RunResult, detail: Detail) -> None:
    """Write to stderr why a run was refused, what it lacks, and what else is to be known of it.

    Args:
        result: What came of it.
        detail: How much is told.
    """
    for error in result.errors:
        write_error(error)
    if result.question:
        write_error_text(f"  question: {result.question}\n")
    if detail != "quiet":
        write_notes(result.diagnostics)


def _carry_out_completed(
    request: Request, session: AgentSession, emit: Emit, progress: TerminalProgress | None
) -> RunResult:
    if progress and is_at_terminal():
        request = asyncio.run(complete_request(request, session.interpreter, progress.hold))
    return asyncio.run(carry_out(session, session.run(request, emit)))


def is_at_terminal() -> bool:
    """Tell whether a person can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


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
    """Return the settings, but for what the command line says.

    Raises:
        InputError: If an option has a value that it doesn't take.
    """
    chosen: dict[str, Any] = {"headed": options.headed or settings.headed}
    for name, given, known in (("trace", options.trace, TraceWish), ("log_level", options.log_level, LogLevel)):
        if given is None:
            continue
        if given not in get_args(known):
            text = f'--{name.replace("_", "-")} takes {", ".join(get_args(known))}, not "{given}".'
            raise InputError(text, code="bad_usage")
        chosen[name] = given
    return settings.model_copy(update=chosen)


def make_gate(approved: str, screen: TerminalProgress | None) -> ApprovalGate:
    """Return who answers approval requests: what was approved beforehand, then the person at the terminal.

    Args:
        approved: Classes approved beforehand, separated by commas.
        screen: What else writes to the person's terminal; None where nobody can be asked.

    Raises:
        InputError: If a class can't be approved beforehand.
    """
    classes: list[ApprovalClass] = []
    known: dict[str, ApprovalClass] = {each: each for each in GIVEN_BEFOREHAND}
    for name in filter(None, (part.strip() for part in approved.split(","))):
        found = known.get(name)
        if found is None:
            is_asked = name in APPROVAL_CLASSES and name != "none"
            hint = "Only a person at the terminal can confirm, one action at a time." if is_asked else ""
            raise InputError(f'--yes takes {" and ".join(GIVEN_BEFOREHAND)}, not "{name}".', hint=hint)
        classes.append(found)
    return TerminalGate(classes, screen.hold) if screen else ClassGate(classes)


def choose_detail(*, quiet: bool, verbose: bool, as_json: bool = False) -> Detail:
    """Return how much is told.

    Args:
        quiet: Whether only the reply is wanted.
        verbose: Whether ids and data are wanted, too.
        as_json: Whether events are written instead.

    Raises:
        InputError: If more than one is wanted.
    """
    if quiet + verbose + as_json > 1:
        raise InputError("Choose one of --json, --quiet and --verbose.", code="bad_usage")
    return "quiet" if quiet else "verbose" if verbose else "normal"


async def carry_out(
    session: AgentSession, work: Coroutine[Any, Any, Result], halt: Callable[[], None] | None = None
) -> Result:
    """Do what a session is asked, and close it; the first signal stops it in order, the second at once.

    Args:
        session: Whose work it is.
        work: What is asked of it.
        halt: Stops the work in order; where None, the session's runs are stopped.
    """
    loop = asyncio.get_running_loop()
    previous = {number: signal.getsignal(number) for number in _list_stopping_signals()}

    def stop(number: int, _: object) -> None:
        signal.signal(number, previous[signal.Signals(number)])
        loop.call_soon_threadsafe(halt or session.stop)

    for number in previous:
        signal.signal(number, stop)
    try:
        async with session:
            return await work
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _list_stopping_signals() -> list[signal.Signals]:
    """Return the signals that stop a run: also that the terminal is gone, unless nohup or the like has it ignored."""
    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    return numbers


def write_line(event: Event) -> None:
    """Write an event as a line of JSON."""
    write_json(to_data(to_record(event)), indent=None)


def write_simulated_line(event: Event) -> None:
    """Write an event of a simulated run as a line of JSON that says so."""
    write_json({**to_data(to_record(event)), "simulated": True}, indent=None)
