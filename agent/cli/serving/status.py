"""`surehand service`: what runs for a folder, what it asks, its end, and what lets somebody in."""

import asyncio
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from agent.access.token_files import TOKENS_FOLDER, make_token, read_token
from agent.cli.asking import check_workspace
from agent.cli.declaring import command, make_group
from agent.cli.exits import STEP_FAILED, SUCCEEDED
from agent.cli.options import HERE, AsJson, Option, Workspace
from agent.cli.screen.output import is_at_terminal, show, write_lines, write_notes
from agent.cli.screen.prompts import TerminalGate, TerminalSettler
from agent.cli.serving.questions import CALLER, PersonsAnswers, tell_asker
from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.remote.service_file import RunningService, find_running
from agent.remote.workspace_lock import WorkspaceLock
from agent.reports.words import tell_duration
from agent.service.callers import Caller
from agent.service.orders import SessionRecord
from agent.settings.folder_checks import locate_state
from agent.settings.settings import load_settings, locate_config_folder
from core.base.errors import ActionError, InputError, RefusedError
from core.results.records import to_data

_NONE = "No service runs for this folder."
_ENDING_S = 12.0

app = make_group("See or end the service of a folder.", "surehand service status")


@command(app, "status", "surehand service status --json")
def show_status(as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """Show whether a service runs for this folder, and what it does."""
    check_workspace(workspace, "Name another.")
    service = find_running(workspace)
    if service is None:
        show({"serving": False}, [_NONE], as_json=as_json)
        return STEP_FAILED
    measured, sessions = asyncio.run(_ask(service))
    found = {"serving": True, "pid": service.pid, "started": service.started, "address": service.address}
    data = {**found, "socket": service.socket, **measured, "open": to_data(sessions)}
    show(data, _describe(service, measured, sessions), as_json=as_json)
    return SUCCEEDED


@command(app, "questions", "surehand service questions")
def answer_questions(as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """Answer what runs of the service ask you, whoever began them; without a terminal it is listed."""
    if running := find_running(workspace):
        asyncio.run(_answer(RemoteService(ServiceClient(running)), as_json=as_json))
        return SUCCEEDED
    write_lines([_NONE])
    return STEP_FAILED


async def _answer(service: RemoteService, *, as_json: bool) -> None:
    nothing = "Nothing is asked."
    if not as_json and is_at_terminal():
        if not await PersonsAnswers(service, CALLER, TerminalGate(()), TerminalSettler()).give_open():
            write_lines([nothing])
        return
    waiting = await service.list_questions(CALLER)
    told = [f"{tell_asker(asked)} {asked.prompt}" for asked in waiting] or [nothing]
    show(to_data(list(waiting)), told, as_json=as_json)


@command(app, "stop", "surehand service stop")
def stop_service(workspace: Workspace = HERE) -> int:
    """End the service of this folder, once what runs has ended; after 6 seconds that is stopped."""
    check_workspace(workspace, "Name another.")
    service = find_running(workspace)
    if service is None:
        write_lines([_NONE])
        return SUCCEEDED
    try:
        os.kill(service.pid, signal.SIGTERM)
    except OSError as error:
        raise ActionError(str(error), code="not_stopped") from error
    _await_end(workspace, service)
    write_lines(["The service has ended."])
    return SUCCEEDED


@command(app, "token", "surehand service token home")
def print_token(
    name: Annotated[str, Option("NAME", "Of the principal in your settings.")],
    new: Annotated[bool, Option("--new", "Make another; the old one counts no longer.")] = False,
) -> int:
    """Print the token of somebody whom your settings let in; it is made where there is none."""
    token, is_new = _find_token(name, wants_new=new)
    write_lines([token])
    if is_new:
        write_notes(["A service that runs knows the new token when it starts again."])
    return SUCCEEDED


def _find_token(name: str, *, wants_new: bool) -> tuple[str, bool]:
    folder = locate_config_folder()
    if name not in load_settings(folder).service.principals:
        text = f"Your settings name no principal “{name}”."
        raise InputError(text, code="unknown_principal", hint=f"Add [service.principals.{name}] to them.")
    known = "" if wants_new else read_token(folder, name)
    if known:
        return known, False
    try:
        return make_token(folder, name), True
    except OSError as error:
        text = f"The token can't be written to {folder / TOKENS_FOLDER}: {error.strerror or error}."
        raise ActionError(text, code="file_not_written", hint="Check the folder and the disk.") from None


async def _ask(service: RunningService) -> tuple[dict[str, Any], Sequence[SessionRecord]]:
    remote, caller = RemoteService(ServiceClient(service)), Caller()
    return dict(await remote.measure(caller)), await remote.list_sessions(caller)


def _describe(service: RunningService, measured: dict[str, Any], sessions: Sequence[SessionRecord]) -> Iterator[str]:
    yield f"A service runs for {service.workspace}"
    yield f"  process   {service.pid}, for {tell_duration(float(measured.get('uptime_s', 0)) * 1000)}"
    yield f"  address   {service.address}"
    yield f"  sessions  {len(sessions)}, {measured.get('running', 0)} running"
    for each in sessions:
        pages = ", ".join(each.pages) or "no page"
        yield f"    {each.name}  {'running' if each.running else f'idle for {tell_duration(each.idle_s * 1000)}'}  {pages}"


def _await_end(workspace: Path, service: RunningService) -> None:
    """Return when the process has let go of the workspace, which is the last thing that it does."""
    lock = WorkspaceLock(locate_state(workspace))
    try:
        lock.take(_ENDING_S)
    except RefusedError:
        text = f"The service (process {service.pid}) has not ended after {_ENDING_S:g} s."
        raise ActionError(text, code="not_stopped", hint="End its process.") from None
    lock.release()
