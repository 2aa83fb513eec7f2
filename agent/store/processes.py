"""Which process wrote something, and whether that one still lives: numbers of processes are given again."""

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import psutil


def describe_process() -> dict[str, Any]:
    """Return what tells this process from a later one of the same number."""
    return {"pid": os.getpid(), "started": _find_start(os.getpid())}


def lives(process: Mapping[str, Any]) -> bool:
    """Tell whether a process still lives; one that nothing is told of doesn't."""
    try:
        return bool(psutil.Process(process["pid"]).create_time() == process["started"])
    except (psutil.Error, KeyError, TypeError, ValueError):
        return False


@lru_cache(maxsize=1)
def _find_start(pid: int) -> float:
    """Return when a process began; of this one it is asked once, and again in a process that was forked from it."""
    return psutil.Process(pid).create_time()
