"""`surehand serve`: owns a workspace, keeps browsers warm, and answers on HTTP and on a socket."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from actuators.own_folders import locate_config_folder, locate_state_folder
from agent.cli.asking import check_workspace, choose_settings
from agent.cli.exits import SUCCEEDED
from agent.cli.screen.output import write_json, write_notes, write_result
from agent.cli.serving.doors import DoorWish, OpenDoors, open_doors
from agent.cli.serving.endings import Ending, limit_end
from agent.cli.wishes import ServeWish
from agent.remote.finding import find_running
from agent.remote.service_file import RunningService, remove_service_file, write_service_file
from agent.remote.workspace_lock import WorkspaceLock
from agent.settings.folder_checks import locate_state
from core.base.errors import RefusedError, SurehandError

if TYPE_CHECKING:
    from agent.access.token_gate import TokenGate
    from agent.facts.workspace_facts import WorkspaceFacts
    from agent.hosting.local_service import LocalService
    from agent.sessions.session import AgentSession
    from agent.settings.settings import Settings
    from agent.web.activity import Activity

_LOCK_S = 12.0
"""Seconds to wait for a service that is ending, or for one that begins in this moment to answer."""

_LOOK_S = 0.25
_DRAIN_S = 6.0
_END_S = 9.5
"""Seconds from the order to end until the process is gone, whatever hangs; runs have the larger part of them to end of themselves."""


def serve(wish: ServeWish) -> int:
    """Serve until it is told to end, and return the exit code.

    Raises:
        RefusedError: ``service_running``.
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
    from agent.cli.serving.late_mcp import mount_mcp
    from agent.cli.serving.opening import make_local_service
    from agent.cli.telemetry import open_book, open_telemetry
    from agent.http.app import AppParts, make_app
    from agent.web.activity import Activity
    from agent.web.server import DoorServer

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
        book, close_book = open_book(settings, wish.workspace)
        parts = AppParts(
            mounts=(mount_mcp(local),),
            find_facts=_keep_facts(wish.workspace),
            note=book.note_request,
            show_code=partial(_show_code, wish.workspace),
        )
        gate = _make_gate(settings, doors, state)
        activity = Activity(make_app(local, gate, parts))
        server = DoorServer(activity, doors.sockets, pipe=doors.pipe)
        server.start()
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
    from agent.facts.health_watch import watch_health
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
