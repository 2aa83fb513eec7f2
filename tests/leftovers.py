"""Processes that a test started and left behind, which would be another test's trouble."""

import os
import select
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

ENDING_S = 20.0
"""Seconds that what was told to end has to be gone."""


def list_children() -> frozenset[int]:
    """Return the processes that this one started and that run; nothing where the system doesn't list them."""
    if sys.platform != "linux":
        return frozenset()
    found: set[int] = set()
    for thread in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # that thread has just ended, or the kernel keeps no such list
            found.update(map(int, (thread / "children").read_text().split()))
    return frozenset(found)


def end_leftovers(left: Iterable[int]) -> list[str]:
    """Wait for processes to end, kill those that don't, and return what they were."""
    return [words for pid in left if (words := _end(pid))]


def _end(pid: int) -> str:
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return ""  # it has gone
    try:
        if select.select([handle], [], [], ENDING_S)[0]:  # it has ended, whether or not anybody took note
            return ""
        words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        signal.pidfd_send_signal(handle, signal.SIGKILL)
        return f"{pid} ({words[:200]})"
    except OSError:
        return ""
    finally:
        os.close(handle)
