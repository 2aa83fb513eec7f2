"""`surehand resume` and `surehand undo`: runs that are over or were cut short."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, get_args

from agent.assembly import make_session
from agent.cli.asking import TakenUp, check_workspace
from agent.cli.commands.run import carry_out, make_gate, write_line
from agent.cli.exits import APPROVAL_MISSING, BAD_INPUT, STEP_FAILED, STOPPED, SUCCEEDED, choose_exit_code
from agent.cli.screen.output import write_error, write_json, write_result
from agent.cli.screen.progress import TerminalProgress
from agent.cli.screen.prompts import TerminalSettler
from agent.cli.screen.reports import Detail, choose_detail, is_at_terminal, report
from agent.cli.serving.choosing import ServiceChoice
from agent.cli.telemetry import open_telemetry
from agent.sessions.resume import ResumeRequest, SilentSettler
from agent.sessions.runs import RunRecorder, scope_unplanned
from agent.sessions.session import AgentSession
from agent.sessions.undo import UndoRequest, UndoResult, UndoStep
from agent.settings.settings import load_settings
from core.base.errors import InputError, SurehandError
from core.base.phrases import escape_text, split_lines
from core.journal.resume import Settlement
from core.results.events import Emit
from core.results.records import to_data
from core.results.tool_results import RunResult
from core.tools.previews import list_items

if TYPE_CHECKING:
    from agent.cli.serving.passages import ServicePassage

_MARKS = {"taken_back": "✓", "already": "–", "not_undoable": "⊘", "failed": "✗"}


def resume_run(asked: TakenUp, settled: Sequence[str]) -> int:
    """Go on with a run that was cut short, and return the exit code.

    Args:
        settled: ``ACTION=done`` or ``ACTION=not_done``, as the person knows it.
    """
    detail = choose_detail(quiet=asked.quiet, verbose=asked.verbose, as_json=asked.as_json)
    progress = None if asked.as_json else TerminalProgress(sys.stdout, detail)
    emit: Emit = progress.show if progress else write_line
    screen = progress if is_at_terminal() else None
    try:
        gate, policy = make_gate(asked.approved, screen), asked.limits.read_policy()
        settlements = read_settlements(settled)
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


def read_settlements(pairs: Sequence[str]) -> dict[str, Settlement]:
    """Return what a person said of acts whose end nobody saw, by action id.

    Raises:
        InputError: If it isn't ``ACTION=done`` or ``ACTION=not_done``.
    """
    found: dict[str, Settlement] = {}
    for pair in pairs:
        action_id, _, said = pair.partition("=")
        settlement = next((each for each in get_args(Settlement) if each == said and each != "unknown"), None)
        if not action_id or settlement is None:
            raise InputError(f'--settle "{pair}" is not ACTION=done or ACTION=not_done.')
        found[action_id] = settlement
    return found


def undo_run(asked: TakenUp, *, dry: bool) -> int:
    """Take back what a run did, print what became of it, and return the exit code."""
    screen = None if asked.as_json or not is_at_terminal() else TerminalProgress(sys.stdout)
    detail = choose_detail(quiet=asked.quiet, verbose=asked.verbose, as_json=asked.as_json)
    gate, policy = make_gate(asked.approved, screen), asked.limits.read_policy()
    session = _open_session(asked)
    service = _find_service(asked)

    async def undo() -> UndoResult:
        try:
            run_id = await session.find_run(asked.run)
            if service:
                return await service.undo(run_id, gate, dry=dry)
        except SurehandError as error:
            return UndoResult(asked.run, errors=(error.info(),), dry=dry)
        return await session.undo(UndoRequest(run_id=run_id, dry=dry, gate=gate, policy=policy))

    try:
        result = asyncio.run(carry_out(session, undo()))
    finally:
        if screen:
            screen.close()
    _tell_undone(result, None if asked.as_json else detail)
    return _choose_code(result)


def _tell_undone(result: UndoResult, detail: Detail | None) -> None:
    """Print what became of taking a run back: as text, or as JSON where no detail is named."""
    if detail is None:
        write_json(to_data(result) | {"reply": result.reply})
    elif not result.errors:
        write_result("".join(f"{line}\n" for line in (*_list_steps(result, detail), result.reply)))
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


def _list_steps(result: UndoResult, detail: Detail) -> Iterator[str]:
    """Yield what became of each step, the last act first."""
    if detail == "quiet":
        return
    yield f"{f'{result.run_id}: ' if detail == 'verbose' else ''}{escape_text(result.asked)}"
    for step in result.steps:
        yield from _tell_step(step, with_id=detail == "verbose")


def _tell_step(step: UndoStep, *, with_id: bool) -> Iterator[str]:
    name = f"{step.action_id}: " if with_id else ""
    yield f"{_MARKS[step.status]} {name}{escape_text(step.description)}"
    if step.status in {"taken_back", "already"} and step.how:
        yield f"    {'Already undone: ' if step.status == 'already' else ''}{escape_text(step.how)}"
    if step.preview:
        told = (*list_items(step.preview.operation), *split_lines(step.preview.diff))
        yield from (f"    {line}" for line in told)
    if step.error:
        yield f"    {escape_text(str(step.error))}"
