"""What a process holds at a moment: child processes, descriptors, threads, tasks, temporary files. Everything has a name."""

import asyncio
import ctypes
import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

_SUBREAPER = 36
_ADOPTABLE: set[int] = set()


def adopt_orphans() -> None:
    """Let whatever loses its parent become this process's child, where it can be seen; only Linux can do that."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def kill(process: psutil.Process) -> None:
    """Kill a process, and remember those below it: as orphans they are this process's to bury."""
    with suppress(psutil.NoSuchProcess):
        _ADOPTABLE.update(each.pid for each in process.children(recursive=True))
        process.kill()


def bury_orphans() -> None:
    """Take note of the end of what lost its parent, as init does; what this process started itself stays to be seen."""
    for pid in (*_ADOPTABLE, *_find_dead_browsers()):
        try:
            done, _ = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            done = pid
        if done:
            _ADOPTABLE.discard(pid)


def _find_dead_browsers() -> list[int]:
    """Return the browser's processes that ended after their parent; the driver starts the browser, never this process."""
    found: list[int] = []
    for process in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            if process.status() == psutil.STATUS_ZOMBIE and process.name().startswith(("chrom", "headless")):
                found.append(process.pid)
    return found


def list_holdings(temporary: Path) -> Counter[str]:
    """Return what this process holds, by a name that tells what it is.

    Args:
        temporary: The folder that everything here uses for temporary files.
    """
    named = (*list_processes(), *_list_descriptors(), *_list_threads(), *_list_tasks(), *_list_files(temporary))
    return Counter(named)


def list_processes() -> list[str]:
    """Return all processes below this one, those included that have ended and that nobody took note of."""
    return [f"process {_describe(each)}" for each in psutil.Process().children(recursive=True)]


def find_processes(word: str) -> list[psutil.Process]:
    """Return the processes below this one whose command line has a word."""
    found: list[psutil.Process] = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            if word in process.cmdline():
                found.append(process)
    return found


def _describe(process: psutil.Process) -> str:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return f"{process.name()}, dead and not buried"
        kinds = [each for each in process.cmdline() if each.startswith("--type=")]
        return " ".join([process.name(), *kinds])
    except psutil.NoSuchProcess:
        return "that has just ended"


def _list_descriptors() -> Iterator[str]:
    """Name every open descriptor by what it leads to; of sockets and pipes, whose numbers are always new, only the kind."""
    if not sys.platform.startswith("linux"):
        yield from (f"file {each.path}" for each in psutil.Process().open_files())
        return
    for number in Path("/proc/self/fd").iterdir():
        try:
            target = str(number.readlink())
        except OSError:
            continue  # the one that this very loop reads
        yield f"descriptor of {target.partition(':[')[0]}"


def _list_threads() -> Iterator[str]:
    for thread in threading.enumerate():
        yield f"thread {thread.name.rstrip('0123456789')}"


def _list_tasks() -> Iterator[str]:
    current = asyncio.current_task()
    for task in asyncio.all_tasks():
        if task is not current:
            yield f"task {getattr(task.get_coro(), '__qualname__', task.get_name())}"


def _list_files(temporary: Path) -> Iterator[str]:
    for path in sorted(temporary.iterdir()):
        count = sum(1 for _ in path.rglob("*")) if path.is_dir() else 0
        yield f"temporary {path.name.rstrip('0123456789abcdefghijklmnopqrstuvwxyz_')}…{f' with {count} entries' if count else ''}"
