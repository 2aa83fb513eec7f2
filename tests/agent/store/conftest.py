"""Journals in folders of their own, and processes that write them."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.store.journal.sqlite_journal import SqliteJournal

ROOT = Path(__file__).resolve().parents[3]
CHILD = Path(__file__).with_name("journal_child.py")


class Child:
    """Another process that writes a journal."""

    def __init__(self, folder: Path, wait_s: float) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(CHILD), str(folder), str(wait_s)],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.answer() == "ready"

    def send(self, **order: Any) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())

    def ask(self, **order: Any) -> Any:
        self.send(**order)
        return self.answer()

    def end(self) -> None:
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()
        self.process.wait()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a journal will be."""
    return tmp_path / ".surehand"


@pytest.fixture
async def journal(folder: Path) -> AsyncIterator[SqliteJournal]:
    """A journal that waits for nobody."""
    opened = SqliteJournal(folder, wait_s=0.2)
    yield opened
    await opened.close()


@pytest.fixture
def start_child(folder: Path) -> Iterator[Callable[..., Child]]:
    """Starts processes that write the same journal."""
    started: list[Child] = []

    def start(wait_s: float = 0.2, where: Path = folder) -> Child:
        started.append(Child(where, wait_s))
        return started[-1]

    yield start
    for child in started:
        child.end()
