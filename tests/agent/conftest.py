"""The command line, in this process and in one of its own, and the sites that it drives."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent.cli.main import main
from fixtures.machine.signals import heed_signals
from fixtures.site_server import SiteServer

PROGRAM = Path(sys.executable).parent / "surehand"


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str


Command = Callable[..., Said]
Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def surehand(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Runs a command in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: bytes = b"") -> Said:
        monkeypatch.setattr(sys, "argv", ["surehand", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main()
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return run


@contextmanager
def start_in(folder: Path) -> Generator[Start]:
    """Give what starts the installed command in a process of its own, in a folder; none outlives it."""
    started: list[subprocess.Popen[bytes]] = []

    def run(*arguments: str, stdin: int = subprocess.DEVNULL, **environment: str) -> subprocess.Popen[bytes]:
        with heed_signals():
            process = subprocess.Popen(
                [str(PROGRAM), *arguments],
                cwd=folder,
                env=os.environ | environment,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        started.append(process)
        return process

    try:
        yield run
    finally:
        for process in started:
            if process.poll() is None:
                process.kill()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe:
                    pipe.close()
            process.wait()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts the installed command in an empty folder."""
    with start_in(tmp_path) as start:
        yield start


@pytest.fixture
def site() -> Iterator[SiteServer]:
    """The fixture sites on a free port."""
    with SiteServer() as server:
        yield server
