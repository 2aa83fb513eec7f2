"""`surehand resume` and `surehand undo`: runs that are over or were cut short."""

import asyncio
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, get_args

from agent.assembly import make_session
from agent.cli.asking import check_workspace
from agent.cli.commands.run import make_gate, write_line
from agent.cli.declaring import command, make_group
from agent.cli.exits import APPROVAL_MISSING, BAD_INPUT, STEP_FAILED, STOPPED, SUCCEEDED, choose_exit_code
from agent.cli.limits import Limits
from agent.cli.options import (
    ASKING,
    DOING,
    HERE,
    TRYING,
    AsJson,
    NoService,
    Option,
    Quiet,
    Run,
    Verbose,
    Workspace,
    Yes,
)
from agent.cli.screen.output import Detail, choose_detail, is_at_terminal, report, write_error, write_json, write_lines
from agent.cli.screen.outputs import list_undone
from agent.cli.screen.progress import TerminalProgress
from agent.cli.screen.prompts import TerminalSettler
from agent.cli.screen.stopping import carry_out
from agent.cli.serving.choosing import ServiceChoice
from agent.cli.telemetry import open_telemetry
from agent.sessions.resume import ResumeRequest, SilentSettler
from agent.sessions.runs import RunRecorder, scope_unplanned
from agent.sessions.session import AgentSession
from agent.sessions.undo import UndoRequest, UndoResult
from agent.settings.settings import load_settings
from core.base.errors import InputError, SurehandError
from core.base.late_dataclasses import dataclass, field
from core.journal.resume import Settlement
from core.results.events import Emit
from core.results.records import to_data
from core.results.tool_results import RunResult

if TYPE_CHECKING:
    from agent.cli.serving.passages import ServicePassage


app = make_group()


@dataclass(frozen=True, slots=True)
class TakenUp:
    """A run that is gone on with or taken back, and what may be touched now."""

    run: Run
    workspace: Workspace = HERE
    as_json: AsJson = False
    approved: Yes = ""
    limits: Limits = field(default_factory=Limits)
    quiet: Quiet = False
    verbose: Verbose = False
    alone: NoService = False


@command(app, "resume", "surehand resume last", "surehand resume r3f --settle STEP=not_done", panel=DOING)
def resume_run(
    asked: TakenUp,
    settle: Annotated[
        tuple[str, ...],
        Option(
            "--settle ACTION=done", "Say whether a step whose end nobody saw was done or not_done. Repeatable.", ASKING
        ),
    ] = (),
) -> int:
    """Continue a run that was cut short; nothing is done twice.

    Give the same limits again: what --allow, --host or --root permitted then is not permitted by itself now.
    """
    detail = choose_detail(quiet=asked.quiet, verbose=asked.verbose, as_json=asked.as_json)
    progress = None if asked.as_json else TerminalProgress(sys.stdout, detail)
    emit: Emit = progress.show if progress else write_line
    screen = progress if is_at_terminal() else None
    try:
        gate, policy = make_gate(asked.approved, screen), asked.limits.read_policy()
        settlements = _read_settlements(settle)
        session = _open_session(asked)
        service = None if settlements else _find_service(asked)
    except SurehandError as error:
        RunRecorder(scope_unplanned(""), emit).refuse([error.info()], "")
        raise

    async def resume() -> RunResult:
        try:
            run_id = await session.find_run(asked.run)
            if service:
                return await service.resume(run_id, gate, emit, TerminalSettler(screen.hold) if screen else None)
        except SurehandError as error:
            return RunRecorder(scope_unplanned(asked.run), emit).refuse([error.info()], "")
        settler = TerminalSettler(screen.hold) if screen else SilentSettler()
        request = ResumeRequest(run_id=run_id, settlements=settlements, settler=settler, gate=gate, policy=policy)
        return await session.resume(request, emit)

    try:
        result = asyncio.run(carry_out(session, resume()))
    finally:
        if progress:
            progress.close()
    report(result, detail)
    return choose_exit_code(result)


def _find_service(asked: TakenUp) -> "ServicePassage | None":
    """Return the way through a service; None for none, also where limits are given, which only this process can obey."""
    service = None if asked.limits else ServiceChoice(alone=asked.alone).find_running(asked.workspace)
    if service is None:
        return None
    from agent.cli.serving.passages import ServicePassage

    return ServicePassage(service)


def _open_session(asked: TakenUp) -> AgentSession:
    check_workspace(asked.workspace, "Name the folder of the run.")
    settings = load_settings(asked.workspace)
    session = make_session(settings, asked.workspace)
    session.observe(open_telemetry(settings, asked.workspace))
    return session


def _read_settlements(pairs: Sequence[str]) -> dict[str, Settlement]:
    """Return what a person said of acts whose end nobody saw, by action id."""
    found: dict[str, Settlement] = {}
    for pair in pairs:
        action_id, _, said = pair.partition("=")
        settlement = next((each for each in get_args(Settlement) if each == said and each != "unknown"), None)
        if not action_id or settlement is None:
            raise InputError(f'--settle "{pair}" is not ACTION=done or ACTION=not_done.')
        found[action_id] = settlement
    return found


@command(app, "undo", "surehand undo last --dry-run", panel=DOING)
def undo_run(
    asked: TakenUp, dry_run: Annotated[bool, Option("--dry-run", "Only show what can be undone.", TRYING)] = False
) -> int:
    """Undo what a run did, where that is possible.

    You are asked before files change.
    """
    screen = None if asked.as_json or not is_at_terminal() else TerminalProgress(sys.stdout)
    detail = choose_detail(quiet=asked.quiet, verbose=asked.verbose, as_json=asked.as_json)
    gate, policy = make_gate(asked.approved, screen), asked.limits.read_policy()
    session = _open_session(asked)
    service = _find_service(asked)

    async def undo() -> UndoResult:
        try:
            run_id = await session.find_run(asked.run)
            if service:
                return await service.undo(run_id, gate, dry=dry_run)
        except SurehandError as error:
            return UndoResult(asked.run, errors=(error.info(),), dry=dry_run)
        return await session.undo(UndoRequest(run_id=run_id, dry=dry_run, gate=gate, policy=policy))

    try:
        result = asyncio.run(carry_out(session, undo()))
    finally:
        if screen:
            screen.close()
    _tell_undone(result, None if asked.as_json else detail)
    return _choose_code(result)


def _tell_undone(result: UndoResult, detail: Detail | None) -> None:
    """Print what became of taking a run back: as text, or as JSON where no detail is named."""
    told, is_verbose = to_data(result), detail == "verbose"
    if detail is None:
        write_json(told | {"reply": result.reply})
    elif not result.errors:
        steps = (line for step in told["steps"] for line in list_undone(step, with_id=is_verbose))
        title = f"{result.run_id}: {result.asked}" if is_verbose else result.asked
        write_lines([*(() if detail == "quiet" else (title, *steps)), result.reply])
    for error in result.errors:
        write_error(error)


def _choose_code(result: UndoResult) -> int:
    errors = (*result.errors, *(step.error for step in result.steps))
    if any(error and error.code == "stopped" for error in errors):
        return STOPPED
    if result.errors:
        return BAD_INPUT
    if any(error and error.code in {"approval_missing", "approval_void"} for error in errors):
        return APPROVAL_MISSING
    return STEP_FAILED if any(step.status == "failed" for step in result.steps) else SUCCEEDED
