"""`surehand run`: plan, ask, execute with live progress, print the reply and the receipts."""

import asyncio
import json
import signal
import sys
from dataclasses import dataclass
from typing import get_args

from agent.assembly import make_session
from agent.cli.asking import Asked
from agent.cli.exits import BAD_INPUT, choose_exit_code, write_error
from agent.cli.progress import TerminalProgress
from agent.cli.prompts import TerminalGate
from agent.requests import Request
from agent.session import AgentSession
from agent.settings import load_settings
from core.approvals import ApprovalGate, ClassGate
from core.errors import InputError, SurehandError
from core.events import Emit, Event, to_record
from core.records import to_data
from core.results import RunResult
from core.rule_types import ApprovalClass


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to run and what to print.

    Attributes:
        as_json: Whether to write events as JSON lines.
        dry_run: Whether only to plan.
        approved: Classes of approval given beforehand, separated by commas.
        headed: Whether to show the browser's window.
    """

    as_json: bool = False
    dry_run: bool = False
    approved: str = ""
    headed: bool = False


def run_request(asked: Asked, options: RunOptions) -> int:
    """Carry out what was asked and return the exit code."""
    try:
        gate = make_gate(options.approved, interactive=sys.stdin.isatty() and not options.as_json)
        request = asked.make_request("plan" if options.dry_run else "execute", gate)
        settings = load_settings(asked.workspace)
        session = make_session(
            settings.model_copy(update={"headed": options.headed or settings.headed}), asked.workspace
        )
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    progress = None if options.as_json else TerminalProgress(sys.stdout)
    result = asyncio.run(_carry_out(session, request, progress.show if progress else _write_line))
    for error in result.errors:
        write_error(error)
    if progress:
        progress.close()
    return choose_exit_code(result)


def make_gate(approved: str, *, interactive: bool) -> ApprovalGate:
    """Return who answers approval requests: what was approved beforehand, then the person at the terminal.

    Raises:
        InputError: If a class can't be approved beforehand.
    """
    classes: list[ApprovalClass] = []
    for name in filter(None, (part.strip() for part in approved.split(","))):
        found = next(
            (each for each in get_args(ApprovalClass) if each == name and each not in {"none", "confirm"}), None
        )
        if found is None:
            hint = "confirm is only ever given by a person, for one action." if name == "confirm" else ""
            raise InputError(f'--yes takes apply_diff and run_job, not "{name}".', hint=hint)
        classes.append(found)
    return TerminalGate(classes) if interactive else ClassGate(classes)


async def _carry_out(session: AgentSession, request: Request, emit: Emit) -> RunResult:
    loop = asyncio.get_running_loop()
    previous = signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(session.stop))
    try:
        async with session:
            return await session.run(request, emit)
    finally:
        signal.signal(signal.SIGINT, previous)


def _write_line(event: Event) -> None:
    sys.stdout.write(json.dumps(to_data(to_record(event)), ensure_ascii=False) + "\n")
    sys.stdout.flush()
