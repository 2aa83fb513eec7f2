"""The processes of this machine, by psutil, and waiting for their end, without asking again and again where the kernel tells."""

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import psutil

from actuators.base import Availability
from actuators.deadlines import finish_within, pause
from actuators.system.ports.programs import AppWindow, Process, ProgramWindows
from core.base.errors import ActionError

_STEP_S = 0.05


async def wait_for_exit(pid: int, timeout_s: float) -> bool:
    """Return whether a process has ended by then, collected by the one that started it or not, or there is none."""
    descriptor = _open_pid(pid)
    if descriptor is None:
        return await _ask_again_and_again(pid, timeout_s)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    try:
        loop.add_reader(descriptor, ended.set)
        await finish_within(ended.wait(), max(timeout_s, 0.001))
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
    return True


def is_alive(pid: int) -> bool:
    """Tell whether a process lives; one that has ended and isn't collected yet doesn't."""
    try:
        return psutil.Process(pid).status() not in {psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD}
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True


def _open_pid(pid: int) -> int | None:
    """Return a descriptor that becomes readable when the process ends; None where the system has none."""
    opener = getattr(os, "pidfd_open", None)
    if opener is None:
        return None
    with contextlib.suppress(OSError):
        return opener(pid)
    return None


async def _ask_again_and_again(pid: int, timeout_s: float) -> bool:
    loop = asyncio.get_running_loop()
    end_s = loop.time() + timeout_s
    while is_alive(pid):
        left_s = end_s - loop.time()
        if left_s <= 0:
            return False
        await pause(min(_STEP_S, left_s))
    return True


_ASKED = ("name", "exe", "cmdline", "username", "ppid", "create_time", "memory_info", "cpu_times", "status")
_KERNEL_PARENT = 2
_DEAD = frozenset([psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD])
_SAME_START_S = 0.02
_WINDOWS_SYSTEM = frozenset([0, 4])


NameProgram = Callable[[int], str]


def leave_unnamed(pid: int) -> str:
    """Name no program."""
    del pid
    return ""


class PsutilProcesses:
    """Sees all processes, and ends those that the system lets it."""

    def __init__(self, windows: ProgramWindows | None = None, name_program: NameProgram = leave_unnamed) -> None:
        """Look at nothing yet; without windows to close, processes are only sent signals."""
        self._windows = windows
        self._name_program = name_program

    def assess(self) -> Availability:
        """Say that processes can be seen."""
        return Availability("processes", available=True, reason=f"psutil {psutil.__version__}")

    async def list(self) -> tuple[Process, ...]:
        """Return the processes, sorted by number."""
        return await asyncio.to_thread(read_processes, self._name_program)

    def protected(self) -> dict[int, str]:
        """Return the processes that may not be ended."""
        protected = dict.fromkeys(_WINDOWS_SYSTEM, "it is the system itself") if sys.platform == "win32" else {}
        protected |= {1: "everything else depends on it"}
        if sys.platform == "linux":
            protected |= dict.fromkeys(_list_kernel_threads(), "it is part of the kernel")
        own = psutil.Process()
        protected |= dict.fromkeys((each.pid for each in own.parents()), "Surehand runs in it")
        return protected | {own.pid: "it is Surehand itself"}

    async def close_windows(self, processes: Sequence[Process]) -> tuple[int, ...]:
        """Close the windows of processes; return the pids of those that had any."""
        windows = await self.windows_of(processes)
        if self._windows and windows:
            await self._windows.close_windows(windows)
        return tuple(sorted({each.pid for each in windows}))

    async def terminate(self, processes: Sequence[Process]) -> None:
        """Ask processes to end by SIGTERM."""
        if processes and sys.platform == "win32":
            raise ActionError(
                f"{processes[0].name} has no window, and Windows can ask a program to end only through its window.",
                code="not_possible",
                hint="End it by force.",
                evidence={"pids": [each.pid for each in processes]},
            )
        await asyncio.to_thread(_send, processes, "terminate")

    async def end_by_force(self, processes: Sequence[Process]) -> None:
        """End processes by force."""
        await asyncio.to_thread(_send, processes, "kill")

    async def wait_until_gone(self, processes: Sequence[Process], timeout_s: float) -> tuple[Process, ...]:
        """Return those that still live when all have ended or the time is up."""
        living = [each for each in processes if _is_same(each)]
        gone = await asyncio.gather(*(wait_for_exit(each.pid, timeout_s) for each in living))
        return tuple(each for each, ended in zip(living, gone, strict=True) if not ended)

    async def windows_of(self, processes: Sequence[Process]) -> tuple[AppWindow, ...]:
        """Return the windows of processes."""
        pids = {each.pid for each in processes}
        windows = await self._windows.list() if self._windows else ()
        return tuple(each for each in windows if each.pid in pids)


def read_processes(name_program: NameProgram = leave_unnamed) -> tuple[Process, ...]:
    """Return all processes that live."""
    now_s = time.time()
    found = (_read(each, now_s, name_program) for each in psutil.process_iter())
    return tuple(sorted((each for each in found if each), key=lambda each: each.pid))


def _read(process: psutil.Process, now_s: float, name_program: NameProgram) -> Process | None:
    """Return what may be known of a process; None if it has ended."""
    try:
        with process.oneshot():
            facts = {name: _ask(process, name) for name in _ASKED}
    except psutil.NoSuchProcess:
        return None
    if facts["status"] in _DEAD:
        return None
    started_s = facts["create_time"] or 0.0
    times = facts["cpu_times"]
    passed_s = max(now_s - started_s, 0.001)
    return Process(
        pid=process.pid,
        name=facts["name"] or name_program(process.pid),
        executable=facts["exe"] or "",
        argv=tuple(facts["cmdline"] or ()),
        user=facts["username"] or "",
        parent=facts["ppid"] or 0,
        started_s=started_s,
        memory_bytes=facts["memory_info"].rss if facts["memory_info"] else 0,
        cpu_percent=round((times.user + times.system) / passed_s * 100, 1) if times else 0.0,
    )


def _ask(process: psutil.Process, fact: str) -> Any:
    """Return a fact; None where the system doesn't tell it."""
    try:
        return getattr(process, fact)()
    except psutil.NoSuchProcess:
        raise
    except (psutil.Error, OSError):
        return None


def _send(processes: Sequence[Process], method: str) -> None:
    for each in processes:
        if not _is_same(each):
            continue
        try:
            getattr(psutil.Process(each.pid), method)()
        except psutil.NoSuchProcess:
            continue
        except psutil.AccessDenied:
            raise ActionError(
                f"The system does not let this user end {each.name} ({each.pid}), which {each.user or 'another'} runs.",
                code="no_permission",
                hint="End it as the user who runs it, or as administrator.",
                evidence={"pid": each.pid, "user": each.user},
            ) from None


def _is_same(process: Process) -> bool:
    try:
        started_s = psutil.Process(process.pid).create_time()
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True
    return abs(started_s - process.started_s) < _SAME_START_S and is_alive(process.pid)


def _list_kernel_threads() -> list[int]:
    """Return the kernel's own threads; in a container there are none, and their parent's number is anybody's."""
    try:
        if psutil.Process(_KERNEL_PARENT).name() != "kthreadd":
            return []
    except psutil.NoSuchProcess:
        return []
    parents = ((each.pid, each.info["ppid"]) for each in psutil.process_iter(["ppid"]))
    return [_KERNEL_PARENT, *(pid for pid, parent in parents if parent == _KERNEL_PARENT)]
