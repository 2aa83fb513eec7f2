"""Runs files of tests in several processes of pytest: each file is given to whoever is idle, in the order in which they are listed.

A process that dies fails the test that it was at; another one takes its place and what is left of the file. `worker.py` is what runs there.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.lanes.verdicts import Verdicts
from scripts.lanes.worker import SOCKET, TRIES

LOOK_S = 5.0
LOG_LINES = 80
"""Of what a process said before it died."""
END_S = 20.0
"""Seconds that a process has to end its browsers and servers."""


@dataclass(frozen=True, slots=True)
class Task:
    """A file to run.

    Attributes:
        file: Its path from the root, with `/`.
        only: The tests of it that are meant; none means all.
    """

    file: str
    only: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Member:
    """A process of the crew.

    Attributes:
        process: The process.
        line: What it talks on.
        log: What it prints.
        tasks: The files that it has, the one that it runs first.
        left: The tests of each that have not ended, once they are known.
        test: The test that it is at.
        has_asked: Whether it came so far as to ask for a file.
        rest: What was received of a message so far.
    """

    process: subprocess.Popen[bytes]
    line: socket.socket
    log: Path
    tasks: list[Task] = field(default_factory=list[Task])
    left: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    test: str = ""
    has_asked: bool = False
    rest: bytes = b""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a crew works.

    Attributes:
        size: How many processes.
        tries: How often a test that fails is run, at most.
        stops_early: Whether the first failure ends the run.
        limit_s: After how many seconds no further file is given out; 0 for no limit.
        end_s: When all processes are ended, as `time.monotonic` counts; 0 for never.
        options: What pytest is given beside the files.
        environment: Variables beside those of this process.
    """

    size: int = 2
    tries: int = 1
    stops_early: bool = False
    limit_s: float = 0.0
    end_s: float = 0.0
    options: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict[str, str])


class Crew:
    """Some processes, and the files that they share."""

    def __init__(self, tasks: Iterable[Task], folder: Path, terms: Terms, root: Path) -> None:
        """Begin with nothing done.

        Args:
            tasks: The files, in the order in which they are given out.
            folder: Where the processes' words are kept while they run.
            terms: How they work.
            root: The folder that the files are named from.
        """
        self.verdicts = Verdicts()
        self._waiting = list(tasks)
        self._files = [task.file for task in self._waiting]
        self._folder = folder
        self._terms = terms
        self._root = root
        self._members: list[Member] = []
        self._selector = selectors.DefaultSelector()
        self._started = 0
        self._end_s = time.monotonic() + terms.limit_s if terms.limit_s else float("inf")

    def run(self, tell: Callable[[Verdicts], None] = lambda _: None) -> Verdicts:
        """Run everything and return what came of it.

        Args:
            tell: Hears of each test that ended.
        """
        try:
            for _ in range(min(self._terms.size, len(self._waiting))):
                self._start()
            while self._members:
                for key, _ in self._selector.select(LOOK_S):
                    if key.data in self._members:  # what one says may end all
                        self._hear(key.data)
                if self._terms.end_s and time.monotonic() > self._terms.end_s:
                    self.verdicts.is_stopped = True
                    break
                tell(self.verdicts)
        finally:
            self._end()
            self._selector.close()
        self.verdicts.cut += [task.file for task in self._waiting]
        if self._waiting and not (self._terms.limit_s or self._terms.stops_early):
            self.verdicts.is_stopped = True  # nobody was left to run them
        return self.verdicts

    def _start(self) -> None:
        """Start one more process."""
        self._started += 1
        ours, theirs = socket.socketpair()
        log = self._folder / f"worker-{self._started}.log"
        names = list(dict.fromkeys(self._files))
        command = [sys.executable, "-m", "pytest", "-p", "scripts.lanes.worker", "-p", "no:cacheprovider", "-q"]
        environment = {
            **os.environ, **self._terms.environment, SOCKET: str(theirs.fileno()), TRIES: str(self._terms.tries)
        }  # fmt: skip
        with theirs, log.open("wb") as words:
            process = subprocess.Popen(
                [*command, *self._terms.options, *names],
                cwd=self._root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=subprocess.STDOUT,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        member = Member(process, ours, log)
        self._members.append(member)
        self._selector.register(ours, selectors.EVENT_READ, member)

    def _hear(self, member: Member) -> None:
        """Take what a process has to say; no more from it means that it ended."""
        try:
            data = member.line.recv(1 << 20)
        except ConnectionError:
            data = b""
        if not data:
            self._part(member)
            return
        *lines, member.rest = (member.rest + data).split(b"\n")
        for line in lines:
            self._take(member, json.loads(line))

    def _take(self, member: Member, message: dict[str, Any]) -> None:
        match message.pop("kind"):
            case "next":
                member.has_asked = True
                self._give(member)
            case "found":
                member.left[message["file"]] = message["tests"]
            case "began":
                member.test = message["test"]
            case "ended":
                member.test = ""
                _strike(member, message["test"])
            case "done":
                self.verdicts.spent[message["file"]] += message["seconds"]
                member.tasks = [task for task in member.tasks if task.file != message["file"]]
                member.left.pop(message["file"], None)
            case kind:
                self.verdicts.add(kind, message)
                if self._terms.stops_early and self.verdicts.failures:
                    self._end()

    def _give(self, member: Member) -> None:
        """Give the next file to a process, or let it end."""
        late = time.monotonic() > self._end_s
        task = self._waiting.pop(0) if self._waiting and not late else None
        if task:
            member.tasks.append(task)
        answer = {"file": task.file, "only": task.only} if task else None
        try:
            member.line.sendall(json.dumps(answer).encode() + b"\n")
        except OSError:
            return  # it has died; its end is heard of next

    def _part(self, member: Member) -> None:
        """Take leave of a process that ended; what it leaves undone is for another one."""
        self._selector.unregister(member.line)
        member.line.close()
        self._members.remove(member)
        code = member.process.wait()
        words = "\n".join(member.log.read_text("utf-8", "replace").splitlines()[-LOG_LINES:])
        if not member.has_asked:
            self.verdicts.unreadable["what all tests need"] = words
        if not member.tasks:
            return
        first = member.tasks[0].file
        lost = member.test or first
        self.verdicts.add("lost", {"test": lost, "words": f"its process ended with {code}:\n{words}"})
        _strike(member, member.test)
        # A file that ended its process before a test of it was known would end the next one as well.
        rest = [
            task
            for task in member.tasks
            if member.left.get(task.file) or (task.file not in member.left and task.file != first)
        ]
        self._waiting[:0] = [Task(task.file, tuple(member.left.get(task.file, task.only))) for task in rest]
        if self._waiting and not (self._terms.stops_early and self.verdicts.failures):
            self._start()

    def _end(self) -> None:
        """End all processes that are left, with what they started."""
        for member in self._members:
            _signal(member, signal.SIGINT)
        end_s = time.monotonic() + END_S
        for member in self._members:
            try:
                member.process.wait(max(0.1, end_s - time.monotonic()))
            except subprocess.TimeoutExpired:
                _signal(member, signal.SIGKILL)
                member.process.wait()
            self._selector.unregister(member.line)
            member.line.close()
        self._members.clear()


def _strike(member: Member, test: str) -> None:
    """Note that a test of a process has ended."""
    for tests in member.left.values():
        if test in tests:
            tests.remove(test)


def _signal(member: Member, number: signal.Signals) -> None:
    try:
        os.killpg(member.process.pid, number)
    except ProcessLookupError:
        return
