"""`surehand serve`: owns a workspace, keeps browsers warm, and answers on HTTP and on a socket."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from actuators.own_folders import locate_config_folder, locate_state_folder
from agent.cli.asking import check_workspace, choose_settings
from agent.cli.declaring import command, make_group
from agent.cli.exits import SUCCEEDED
from agent.cli.options import DOING, HERE, LASTING, SEEING, AsJson, Headed, Option, Workspace
from agent.cli.screen.output import write_json, write_lines, write_notes, write_result
from agent.remote.http_exchange import ServiceCall, ServiceClient
from agent.remote.service_file import (
    RunningService,
    find_running,
    remove_service_file,
    require_running,
    write_service_file,
)
from agent.remote.workspace_lock import WorkspaceLock
from agent.service.ports import Service
from agent.serving.doors import DoorWish, OpenDoors, open_doors
from agent.serving.endings import Ending, limit_end
from agent.settings.folder_checks import locate_state
from core.base.errors import RefusedError, SurehandError
from core.base.late_dataclasses import dataclass

if TYPE_CHECKING:
    from agent.access.token_gate import TokenGate
    from agent.facts.workspace_facts import WorkspaceFacts
    from agent.hosting.local_service import LocalService
    from agent.mcp.mounting import HttpDoor
    from agent.sessions.session import AgentSession
    from agent.settings.settings import Settings
    from agent.web.server import Activity

_LOCK_S = 12.0
"""Seconds to wait for a service that is ending, or for one that begins in this moment to answer."""

_MISSING = {
    "error": {
        "code": "mcp_not_installed",
        "message": "MCP is not installed here.",
        "hint": "Install it: pip install 'surehand[mcp]'.",
        "evidence": {},
    }
}

_LOOK_S = 0.25
_DRAIN_S = 6.0
_END_S = 9.5
"""Seconds from the order to end until the process is gone, whatever hangs; runs have the larger part of them to end of themselves."""


app = make_group()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeWish:
    """How to serve.

    Attributes:
        port: On which it answers HTTP; 0 for one that the system chooses.
        idle_s: Seconds without anything to do after which it ends; None for never.
        private: Whether it is for the process alone that started it, and ends with that.
        attend: What this process does with the service itself, in the foreground; the service ends with it. Stdout is its alone then.
    """

    workspace: Workspace = HERE
    port: Annotated[
        int, Option("--port PORT", "Answer HTTP on this port of 127.0.0.1; 0 takes a free one.", least=0, most=65535)
    ] = 8137
    headed: Headed = False
    idle_s: Annotated[
        float | None,
        Option("--idle-end SECONDS", "End when there was nothing to do for so long.", LASTING, least=0.1),
    ] = None
    private: Annotated[
        bool,
        Option("--private", "Serve the program that starts it and nobody else; end when its input is closed.", LASTING),
    ] = False
    as_json: AsJson = False
    attend: Callable[[Service], Awaitable[None]] | None = None


@command(app, "serve", "surehand serve --port 8137", panel=DOING)
def serve(wish: ServeWish) -> int:
    """Serve this folder to programs, assistants and other commands, until you end it.

    Browsers stay open between runs. Other commands here use the service by themselves.
    """
    check_workspace(wish.workspace)
    state = locate_state(wish.workspace)
    with _own_workspace(state, wish), asyncio.Runner(loop_factory=_choose_loop()) as runner:
        runner.run(_serve(choose_settings(wish.workspace, headed=wish.headed), state, wish))
    return SUCCEEDED


def _choose_loop() -> "Callable[[], asyncio.AbstractEventLoop] | None":
    """Return what makes the loop: None for the usual one, which on Windows serves no pipe that is closed to others."""
    if sys.platform != "win32":
        return None
    from agent.web.pipe_loop import PipeLoop

    return PipeLoop


@contextmanager
def _own_workspace(state: Path, wish: ServeWish) -> Generator[None]:
    """Hold the right to serve the workspace; a private service leaves it to others."""
    if wish.private:
        yield
        return
    lock = WorkspaceLock(state)
    _take(lock, wish.workspace)
    try:
        yield
    finally:
        lock.release()


def _take(lock: WorkspaceLock, workspace: Path) -> None:
    """Take the lock; one that is held by a service which answers is refused at once, one that begins or ends is waited for."""
    tries = round(_LOCK_S / _LOOK_S)
    for left in reversed(range(tries)):
        try:
            lock.take(_LOOK_S if left else 0)
            return
        except RefusedError as error:
            if error.code != "service_running" or not left or find_running(workspace):
                raise


async def _serve(settings: "Settings", state: Path, wish: ServeWish) -> None:
    """Serve until it is told to end, then let runs end, and leave nothing behind."""
    from agent.cli.telemetry import open_book, open_telemetry
    from agent.http.app import AppParts, MountedApp, make_app
    from agent.serving.opening import make_local_service
    from agent.web.server import Activity, DoorServer

    def observe(session: "AgentSession", principal: str) -> None:
        session.observe(open_telemetry(settings, wish.workspace, principal))

    local = make_local_service(settings, wish.workspace, observe)
    doors_wished = DoorWish(
        workspace=wish.workspace,
        state=state,
        port=0 if wish.private else wish.port,
        headed=settings.headed,
        private=wish.private,
    )
    with open_doors(doors_wished) as doors:
        door = _LateDoor(local)
        book, close_book = open_book(settings, wish.workspace)
        parts = AppParts(
            mounts=(MountedApp(path="/mcp", app=door, open_up=door.open_up),),
            find_facts=_keep_facts(wish.workspace),
            note=book.note_request,
            show_code=partial(_show_code, wish.workspace),
        )
        gate = _make_gate(settings, doors, state)
        activity = Activity(make_app(local, gate, parts))
        server = DoorServer(activity, doors.sockets, pipe=doors.pipe)
        server.start()
        local.warm_up()
        if not wish.private and settings.service.backlog.is_on:
            local.watch_backlogs()
        async with _watch_health(settings, wish, book.note_fault):
            await _await_end(local, activity, wish, lambda: _announce(doors.service, state, wish, gate))
        with limit_end(_END_S):
            if not wish.private:
                remove_service_file(state)
            await local.close(_DRAIN_S)
            await server.stop()
            await close_book()


def _keep_facts(workspace: Path) -> "Callable[[], Awaitable[WorkspaceFacts]]":
    """Return what finds the facts about a workspace; their libraries are imported when somebody asks for the first time."""
    found: list[asyncio.Future[WorkspaceFacts]] = []

    def make() -> "WorkspaceFacts":
        from agent.facts.workspace_facts import WorkspaceFacts

        return WorkspaceFacts(workspace)

    async def find() -> "WorkspaceFacts":
        if not found:
            found.append(asyncio.ensure_future(asyncio.to_thread(make)))
        return await asyncio.shield(found[0])

    return find


def _watch_health(
    settings: "Settings", wish: ServeWish, note: Callable[[str, str], None]
) -> AbstractAsyncContextManager[None]:
    """Have planners looked at as long as the service runs, where there is somebody to tell; a private one is nobody's watch."""
    if wish.private or not settings.health.channels:
        return nullcontext()
    from agent.facts.health_parts import watch_health
    from agent.facts.planner_health import locate_health

    return watch_health(locate_health(wish.workspace), note)


def _make_gate(settings: "Settings", doors: OpenDoors, state: Path) -> "TokenGate":
    """Return who is let in: the person at this machine, those whom their settings name, and the browsers in which they typed a code."""
    from agent.access.console_keys import ConsoleKeys
    from agent.access.token_gate import Principal, TokenGate, list_principals

    others = list_principals(settings.service, locate_config_folder())
    return TokenGate(
        [Principal(name="", token=doors.service.token), *others], ConsoleKeys(locate_state_folder(), str(state))
    )


async def _await_end(
    local: "LocalService", activity: "Activity", wish: ServeWish, announce: Callable[[], None]
) -> None:
    """Say that the service is there, and return when it shall end; whoever read that can end it by a signal."""
    ending = Ending()
    with ending.listen():
        announce()
        if wish.private:
            ending.end_with_input()
        if wish.attend:
            ending.end_after(wish.attend(local))
        if wish.idle_s is not None:
            ending.end_after(activity.wait_idle(wish.idle_s, lambda: local.idle_s == 0))
        await ending.wait()


def _announce(service: RunningService, state: Path, wish: ServeWish, gate: "TokenGate") -> None:
    """Say where the service is found: to other commands in the workspace, and to whoever started it."""
    if not wish.private:
        write_service_file(state, service)
    if wish.attend:
        return
    if wish.private or wish.as_json:
        write_json(asdict(service), indent=None)
        return
    write_result(
        f"Surehand serves {service.workspace}\n"
        f"  HTTP     {service.address}/v1\n"
        f"  console  {service.address}/console/#code={gate.consoles.make_code('')}\n"
        "The code lets one browser in, once, within 10 minutes; surehand console prints another.\n"
        "Press Ctrl+C to end it.\n"
    )


async def _show_code(workspace: Path, code: str) -> str:
    """Show a code where only the person at this machine looks, and return where: nothing where it can't be."""
    text = f"A browser wants to sign in to the console. If it is yours, its code is {code}."
    if sys.stderr.isatty():
        write_notes([text])
        return "terminal"
    from agent.assembly import locate_environment
    from agent.facts.health_parts import show_notification

    try:
        await show_notification(locate_environment(workspace), "Surehand", text, "normal")
    except SurehandError:
        return ""
    return "notification"


class _LateDoor:
    """Opens MCP at the first request, in a task of its own, so that it is closed where it was opened."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._door: asyncio.Future[HttpDoor | None] | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if self._door is None:
            self._door = asyncio.get_running_loop().create_future()
            self._keeper = asyncio.ensure_future(self._keep(self._door))
        door = await asyncio.shield(self._door)
        await (door or JSONResponse(_MISSING, 501))(scope, receive, send)

    @asynccontextmanager
    async def open_up(self) -> AsyncGenerator[None]:
        """Be there while the service runs."""
        try:
            yield
        finally:
            self._ended.set()
            if self._keeper:
                await self._keeper

    async def _keep(self, opened: "asyncio.Future[HttpDoor | None]") -> None:
        door = await asyncio.to_thread(_import_door, self._service)
        if door is None:
            opened.set_result(None)
            return
        async with door.open_up():
            opened.set_result(door)
            await self._ended.wait()


def _import_door(service: Service) -> "HttpDoor | None":
    """Return MCP; None where it is not installed."""
    with suppress(ModuleNotFoundError):
        from agent.mcp.mounting import HttpDoor
        from agent.web.asking import CALLER

        return HttpDoor(service, lambda scope: scope[CALLER])
    return None


@command(app, "console", "surehand console", panel=SEEING)
def print_console(workspace: Workspace = HERE) -> int:
    """Print where the console of this folder's service is, with a code that lets your browser in once.

    No goal, no assistant and no page gets such a code, so what you confirm there is confirmed by you.
    """
    service = require_running(workspace)
    told = asyncio.run(ServiceClient(service).fetch(ServiceCall(method="POST", path="/v1/console/code", body={})))
    write_lines([f"{service.address}/console/#code={told['code']}"])
    write_notes(["It lets one browser in, once, within 10 minutes."])
    return SUCCEEDED
