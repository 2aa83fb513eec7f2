"""`surehand serve` as a process of its own, and other commands beside it, in a folder with a short name."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from agent.remote.service_file import read_service_file
from fixtures.machine.signals import heed_signals
from tests.agent.conftest import PROGRAM, Command, Said

ENDING_S = 20.0


@dataclass(slots=True)
class Place:
    """A workspace with commands in it.

    Attributes:
        folder: The workspace, in which this process is.
        command: Runs a command in this process.
        started: What was started here.
    """

    folder: Path
    command: Command
    started: list[subprocess.Popen[bytes]] = field(default_factory=list[subprocess.Popen[bytes]])

    def start(self, *arguments: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        """Start a command."""
        with heed_signals():
            process = subprocess.Popen(
                [str(PROGRAM), *arguments],
                cwd=self.folder,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        self.started.append(process)
        return process

    def serve(self, *options: str, stdin: int = subprocess.DEVNULL) -> tuple[subprocess.Popen[bytes], dict[str, str]]:
        """Start a service and return it with what it says of itself, once it answers."""
        process = self.start("serve", "--port", "0", "--json", *options, stdin=stdin)
        assert process.stdout
        line = process.stdout.readline()
        assert line, process.communicate()
        return process, json.loads(line)

    def run(self, *arguments: str) -> Said:
        """Run a command to its end, in this process: what is proved here is the service's."""
        return self.command(*arguments)

    def end(self) -> None:
        """End what was started, and a service that started by itself."""
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.communicate()
        if found := read_service_file(self.folder / ".surehand"):
            with suppress(OSError, psutil.NoSuchProcess):
                left = psutil.Process(found.pid)
                os.kill(left.pid, signal.SIGTERM)
                psutil.wait_procs([left], timeout=ENDING_S)


@pytest.fixture
def place(surehand: Command, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """An empty folder; its path is short enough for a socket."""
    folder = Path(tempfile.mkdtemp(prefix="sh-"))
    monkeypatch.chdir(folder)
    found = Place(folder, surehand)
    yield found
    found.end()
    shutil.rmtree(folder, ignore_errors=True)


def list_below(pid: int) -> list[psutil.Process]:
    """Return what a process started, and what that started."""
    return psutil.Process(pid).children(recursive=True)
