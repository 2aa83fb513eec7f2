"""Waiting for processes to end, without asking again and again where the kernel tells."""

import asyncio
import contextlib
import os

import psutil

from actuators.deadlines import finish_within, pause

_STEP_S = 0.05


async def wait_for_exit(pid: int, timeout_s: float) -> bool:
    """Return True when a process has ended (or there is none), False when the time is up.

    A process that has ended and isn't collected yet by the one that started it counts as ended.
    """
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
