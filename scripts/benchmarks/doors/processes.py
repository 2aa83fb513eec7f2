"""Programs that a benchmark of the doors starts, and what all of them take of the memory."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

END_S = 15.0
PROGRAM = Path(sys.executable).parent / "surehand"


@contextmanager
def run_program(workspace: Path, *arguments: str) -> Generator["subprocess.Popen[str]"]:
    """Run a `surehand` command until the block is left, and end it in order."""
    command = [str(PROGRAM), *arguments, "--workspace", str(workspace)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ}, cwd=workspace)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(END_S)
        process.kill()
        process.communicate()


@contextmanager
def serve(workspace: Path) -> Generator[dict[str, Any]]:
    """Serve a workspace until the block is left; gives where it answers."""
    with run_program(workspace, "serve", "--port", "0", "--json") as process:
        assert process.stdout
        yield json.loads(process.stdout.readline())


def find_free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def measure_memory_mib() -> float:
    """Return what this process and all that it started take; what several share counts once."""
    me = psutil.Process()
    found = 0
    for process in (me, *me.children(recursive=True)):
        with suppress(psutil.Error):
            memory = process.memory_full_info()
            found += getattr(memory, "pss", memory.uss)
    return found / 2**20


def find_quantile(samples: Sequence[float], part: float) -> float:
    """Return the sample below which that part of all lies."""
    return sorted(samples)[min(len(samples) - 1, int(len(samples) * part))]
