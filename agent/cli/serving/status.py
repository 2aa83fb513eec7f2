"""`surehand service`: what runs for a folder, and its end."""

import asyncio
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from agent.cli.exits import BAD_INPUT, STEP_FAILED, SUCCEEDED
from agent.cli.screen.durations import tell_duration
from agent.cli.screen.output import write_error, write_json, write_result
from agent.remote.finding import find_running
from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.remote.service_file import RunningService
from agent.remote.workspace_lock import WorkspaceLock
from agent.service.callers import Caller
from agent.service.orders import SessionRecord
from agent.settings.folder_checks import locate_state
from core.base.errors import InputError, RefusedError, SurehandError
from core.results.records import to_data

_NONE = "No service runs for this folder.\n"
_ENDING_S = 12.0


def show_status(workspace: Path, *, as_json: bool) -> int:
    """Print what runs for a folder; return the exit code: 0 where a service runs, else 1."""
    try:
        service = _find(workspace)
        known = asyncio.run(_ask(service)) if service else None
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    if service is None or known is None:
        write_json({"serving": False}) if as_json else write_result(_NONE)
        return STEP_FAILED
    measured, sessions = known
    if as_json:
        found = {"serving": True, "pid": service.pid, "started": service.started, "address": service.address}
        write_json({**found, "socket": service.socket, **measured, "open": to_data(list(sessions))})
        return SUCCEEDED
    write_result("".join(f"{line}\n" for line in _describe(service, measured, sessions)))
    return SUCCEEDED


def stop_service(workspace: Path) -> int:
    """End the service of a folder and wait for its end; return the exit code."""
    try:
        service = _find(workspace)
        if service is None:
            write_result(_NONE)
            return SUCCEEDED
        os.kill(service.pid, signal.SIGTERM)
        _await_end(workspace, service)
    except (SurehandError, OSError) as error:
        write_error(error if isinstance(error, SurehandError) else SurehandError(str(error), code="not_stopped"))
        return STEP_FAILED
    write_result("The service has ended.\n")
    return SUCCEEDED


def _find(workspace: Path) -> RunningService | None:
    if not workspace.is_dir():
        raise InputError(f'The workspace "{workspace}" is not a folder.', hint="Name another.")
    return find_running(workspace)


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
        raise RefusedError(text, code="not_stopped", hint="End its process.") from None
    lock.release()
