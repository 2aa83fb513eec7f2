"""`surehand service`: what runs for a folder, and its end."""

import asyncio
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from agent.cli.asking import check_workspace
from agent.cli.exits import STEP_FAILED, SUCCEEDED
from agent.cli.screen.durations import tell_duration
from agent.cli.screen.output import show, write_lines
from agent.remote.finding import find_running
from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.remote.service_file import RunningService
from agent.remote.workspace_lock import WorkspaceLock
from agent.service.callers import Caller
from agent.service.orders import SessionRecord
from agent.settings.folder_checks import locate_state
from core.base.errors import ActionError, RefusedError
from core.results.records import to_data

_NONE = "No service runs for this folder."
_ENDING_S = 12.0


def show_status(workspace: Path, *, as_json: bool) -> int:
    """Print what runs for a folder; return the exit code: 0 where a service runs, else 1."""
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


def stop_service(workspace: Path) -> int:
    """End the service of a folder and wait for its end; return the exit code."""
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
