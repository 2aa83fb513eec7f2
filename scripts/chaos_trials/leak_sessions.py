"""Sessions of several kinds, good and bad, for counting what they leave behind."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from agent.assembly import make_session
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.approvals.approvals import ClassGate
from core.base.budgets import Budget
from core.goals.meta_goals import Goal
from core.results.events import Emit, Event, Step
from core.results.tool_results import RunResult
from scripts.chaos_trials.holdings import find_processes, kill

BUDGET = Budget(seconds=60)
_ROOT = Path(__file__).resolve().parents[2]
_CHILD_S = 60.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a session happens.

    Attributes:
        site: Address of the fixture sites.
        workspace: Its folder, empty.
        has_sound: Whether there is a sound server.
        has_desktop: Whether there is a desktop.
        forget: Makes the sites forget what they received, which this process holds too.
    """

    site: str
    workspace: Path
    has_sound: bool
    has_desktop: bool
    forget: Callable[[], None]


Scene = Callable[[Surroundings], Awaitable[None]]
Plan = list[tuple[str, dict[str, Any]]]


async def do_everything(where: Surroundings) -> None:
    """Use a page, files, the sound and the desktop, all at once as far as they don't depend on each other."""
    async with _open(where) as session:
        result = await _run(session, _plan_page(where), _plan_files(), _plan_machine(where))
        _check(result, "success")
        again = await _run(session, [("browser.reload", {}), ("browser.list_tabs", {})])
        _check(again, "success")


async def do_files(where: Surroundings) -> None:
    """Use files alone."""
    async with _open(where) as session:
        _check(await _run(session, _plan_files()), "success")


async def do_machine(where: Surroundings) -> None:
    """Use what the machine has of sound and desktop."""
    async with _open(where) as session:
        _check(await _run(session, _plan_machine(where), [("system.get", {"target": "memory"})]), "success")


async def fail_steps(where: Surroundings) -> None:
    """Let steps of a page, of files and of the machine fail."""
    missing = {"selector": 'button "No such thing"', "state": "visible", "timeout": 0.2}
    async with _open(where) as session:
        for step in (("browser.expect", missing), ("browser.navigate", {"url": f"{where.site}/status/500"})):
            failed = await _run(session, [("browser.navigate", {"url": f"{where.site}/shop/"}), step])
            _check(failed, "partial")
        _check(await _run(session, [("file.read", {"path": "workspace:/missing.txt"})]), "failed")
        _check(await _run(session, [("audio.play_sound", {"path": "workspace:/missing.wav"})]), "failed")


async def stop_midway(where: Surroundings) -> None:
    """Stop a run while a step waits."""
    async with _open(where) as session:
        result = await _run(session, _plan_wait(where), emit=_when_waiting(session.stop))
        _check(result, "cancelled")


async def abandon(where: Surroundings) -> None:
    """Cancel the caller's own task in the middle, as a server does whose client has gone."""
    async with _open(where) as session:
        waiting = asyncio.Event()
        task = asyncio.create_task(_run(session, _plan_wait(where), emit=_when_waiting(waiting.set)))
        ended = asyncio.create_task(waiting.wait())
        await asyncio.wait({task, ended}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            _check(task.result(), "cancelled")
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def kill_browser(where: Surroundings) -> None:
    """Kill the browser in the middle of a step, and go on with a new one."""
    async with _open(where) as session:
        failed = await _run(session, _plan_wait(where), emit=_when_waiting(lambda: _kill("--remote-debugging-pipe")))
        _check(failed, "partial")
        _check(await _run(session, _plan_page(where)), "success")


async def kill_driver(where: Surroundings) -> None:
    """Kill the program between this process and the browser."""
    async with _open(where) as session:
        _check(await _run(session, _plan_wait(where), emit=_when_waiting(lambda: _kill("run-driver"))), "partial")


async def kill_worker(where: Surroundings) -> None:
    """Kill a whole Surehand in the middle of a step."""
    flow = where.workspace / "flow.yaml"
    flow.write_text(
        f"goals:\n  - browser.navigate: {{url: '{where.site}/shop/'}}\n  - browser.wait: {{text: never, timeout: 60}}\n",
        encoding="utf-8",
    )
    command = [
        str(Path(sys.executable).parent / "surehand"),
        "run",
        str(flow),
        "--json",
        "--workspace",
        str(where.workspace),
    ]
    child = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=_ROOT)
    assert child.stdout
    try:
        async with asyncio.timeout(_CHILD_S):
            async for line in child.stdout:
                if b"g1_wait_1" in line and b'"started"' in line:
                    break
    finally:
        kill(psutil.Process(child.pid))
        await child.communicate()


SCENES: Mapping[str, Scene] = {
    "everything": do_everything,
    "files": do_files,
    "stopped": stop_midway,
    "failing": fail_steps,
    "machine": do_machine,
    "browser killed": kill_browser,
    "files again": do_files,
    "abandoned": abandon,
    "driver killed": kill_driver,
    "worker killed": kill_worker,
}
"""The kinds of session, in the order in which they take turns."""


def _plan_page(where: Surroundings) -> Plan:
    return [
        ("browser.navigate", {"url": f"{where.site}/shop/"}),
        ("browser.click", {"selector": 'link "Catalogue"'}),
        ("browser.read", {"target": "title"}),
        ("browser.screenshot", {"path": "workspace:/page.png"}),
    ]


def _plan_files() -> Plan:
    return [
        ("file.write", {"path": "workspace:/a.txt", "content": "one"}),
        ("file.append", {"path": "workspace:/a.txt", "content": " two"}),
        ("file.copy", {"source": "workspace:/a.txt", "destination": "workspace:/b.txt"}),
        ("file.zip", {"source": ["workspace:/a.txt", "workspace:/b.txt"], "destination": "workspace:/c.zip"}),
        ("file.find", {"path": "workspace:/", "pattern": "*.txt"}),
    ]


def _plan_machine(where: Surroundings) -> Plan:
    sound: Plan = [("audio.set_volume", {"level": 40}), ("audio.list_devices", {}), ("audio.mute", {})]
    desktop: Plan = [("desktop.list_windows", {}), ("desktop.screenshot", {"path": "workspace:/screen.png"})]
    return [*(sound if where.has_sound else []), *(desktop if where.has_desktop else [])]


def _plan_wait(where: Surroundings) -> Plan:
    return [("browser.navigate", {"url": f"{where.site}/shop/"}), ("browser.wait", {"text": "never", "timeout": 60})]


def _open(where: Surroundings) -> AgentSession:
    return make_session(Settings(), where.workspace)


async def _run(session: AgentSession, *plans: Plan, emit: Emit | None = None) -> RunResult:
    """Carry out plans side by side, the steps of each one after another."""
    goals: list[Goal] = []
    for plan in plans:
        for number, (name, params) in enumerate(plan):
            scope = f"after:g{len(goals) - 1}" if number else "root"
            domain, _, verb = name.partition(".")
            goals.append(Goal(domain, verb, params, scope=scope))
    request = Request(goals=tuple(goals), budget=BUDGET, gate=ClassGate(["apply_diff", "run_job"]))
    return await session.run(request, emit)


def _when_waiting(act: Callable[[], object]) -> Emit:
    """Return a listener that acts as soon as a step waits for what never comes."""

    def listen(event: Event) -> None:
        if isinstance(event, Step) and event.status == "started" and "never" in event.description:
            act()

    return listen


def _kill(word: str) -> None:
    """Kill the processes of this one whose command line has a word."""
    for process in find_processes(word):
        kill(process)


def _check(result: RunResult, outcome: str) -> None:
    if result.outcome != outcome:
        raise RuntimeError(
            f"A session ended with {result.outcome} instead of {outcome}: {result.reply} {result.errors}"
        )
