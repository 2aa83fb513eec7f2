"""A plug-in of pytest for one process of several: it asks for a file of tests, reads it, runs it, and asks for the next one.

So each file is read once in all, by the process that runs it, and whoever is idle takes what is left. What a test made for all tests (a
browser, a desktop) stays for the files that follow. A test that fails is tried again in place, once, where that is asked for.

It talks to whoever started it by lines of JSON on the socket whose number is in `SUREHAND_WORKER`; `crew.py` is the other side.
"""

from __future__ import annotations

import gc
import json
import os
import socket
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from _pytest.subtests import failed_subtests_key

from tests.conformance_table import read_report

if TYPE_CHECKING:
    from collections.abc import Iterator

SOCKET = "SUREHAND_WORKER"
TRIES = "SUREHAND_TRIES"
_NOTHING = ("", None)


class Worker:
    """Takes files from the other side until there are none.

    Attributes:
        tries: How often a test that fails is run, at most.
    """

    def __init__(self, line: socket.socket, tries: int) -> None:
        """Talk on the line."""
        self.tries = tries
        self._line = line.makefile("rw", encoding="utf-8", newline="\n")
        self._modules: dict[str, pytest.Collector] = {}
        self._held: list[pytest.TestReport] = []

    def tell(self, **message: Any) -> None:
        """Send one message."""
        self._line.write(json.dumps(message) + "\n")
        self._line.flush()

    def ask(self) -> dict[str, Any] | None:
        """Ask for the next file; None when all are taken."""
        self.tell(kind="next")
        return json.loads(self._line.readline() or "null")

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> bool:
        """Learn which files there are; none is opened yet."""
        found = session.perform_collect(genitems=False)
        self._modules = {node.nodeid: node for node in found if isinstance(node, pytest.Collector)}
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run file after file. The last test of one waits for the first of the next, so that what both need stays."""
        session.testscollected = 1  # what is found is told file by file
        upcoming = self._read_files(session)
        took = Meter()
        file, item = next(upcoming, _NOTHING)
        while item is not None:
            next_file, following = next(upcoming, _NOTHING)
            self._run(item, following)
            if next_file != file:
                self.tell(kind="done", file=file, seconds=took.read())
                took = Meter()
            file, item = next_file, following
        return True

    def _read_files(self, session: pytest.Session) -> Iterator[tuple[str, pytest.Item]]:
        """Yield the tests of file after file, each with its file."""
        while order := self.ask():
            items = self._read_file(session, order)
            self.tell(kind="found", file=order["file"], tests=[item.nodeid for item in items])
            if not items:
                self.tell(kind="done", file=order["file"], seconds=0.0)
            yield from ((order["file"], item) for item in items)

    def _read_file(self, session: pytest.Session, order: dict[str, Any]) -> list[pytest.Item]:
        module = self._modules.get(order["file"])
        # What tests left as garbage would be finalised while a syntax tree is made, which CPython 3.11 takes badly, and it takes time.
        gc.disable()
        try:
            items = list(session.genitems(module)) if module else []
        finally:
            gc.enable()
        if order["only"]:
            items = [item for item in items if is_chosen(item.nodeid, order["only"])]
        session.config.hook.pytest_collection_modifyitems(session=session, config=session.config, items=items)
        return items

    def _run(self, item: pytest.Item, following: pytest.Item | None) -> None:
        """Run a test, again where it failed and may; only what came of the last try is told."""
        for attempt in range(1, self.tries + 1):
            self._held.clear()
            self.tell(kind="began", test=item.nodeid)
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if attempt == self.tries or not any(report.failed for report in self._held):
                break
            words = "\n".join(report.longreprtext for report in self._held if report.failed)
            self.tell(kind="retried", test=item.nodeid, words=words)
            item.config.stash[failed_subtests_key].clear()  # pytest adds up what fails within a test, over all tries
        for report in self._held:
            self.tell(kind="report", **describe(report))
        self.tell(kind="ended", test=item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what came of a part of a test until it is known which try counts."""
        self._held.append(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Tell that a file could not be read, or that all of it is skipped."""
        if report.failed:
            self.tell(kind="unreadable", file=report.nodeid, words=report.longreprtext)
        elif report.skipped:
            said = report.longrepr
            words = said[2].removeprefix("Skipped: ") if isinstance(said, tuple) else str(said)
            self.tell(kind="left out", file=report.nodeid, words=f"{report.nodeid}: {words}")


def describe(report: pytest.TestReport) -> dict[str, Any]:
    """Return what is told of a part of a test."""
    told = read_report(report)
    words = told.why
    if report.failed:
        words = "\n".join([report.longreprtext, *(f"--- {title}\n{text}" for title, text in report.sections)])
    is_part = isinstance(report, pytest.SubtestReport)
    return {
        "test": report.nodeid,
        "when": told.when,
        "outcome": told.outcome,
        "seconds": 0.0 if is_part else report.duration,
        "is_part": is_part,
        "role": told.role,
        "words": words,
    }


class Meter:
    """CPU seconds of this process and of all that it started, browsers and servers that live on included."""

    def __init__(self) -> None:
        """Begin to count."""
        self._from = _count()

    def read(self) -> float:
        """Return the seconds since."""
        return round(max(0.0, _count() - self._from), 3)


def _count() -> float:
    """Return CPU seconds spent so far. Of a process that ended in between, its parent has them."""
    total = sum(os.times()[:4])
    for process in psutil.Process().children(recursive=True):
        try:
            total += sum(process.cpu_times()[:4])
        except psutil.Error:
            continue
    return total


def is_chosen(nodeid: str, only: list[str]) -> bool:
    """Tell whether a test is one that is named, or a case or a member of one."""
    return any(nodeid == name or nodeid.startswith((f"{name}[", f"{name}::")) for name in only)


def pytest_configure(config: pytest.Config) -> None:
    """Work for whoever gave this process its line."""
    line = socket.socket(fileno=int(os.environ.pop(SOCKET)))
    line.set_inheritable(False)
    config.pluginmanager.register(Worker(line, int(os.environ.pop(TRIES, "1"))), "surehand-worker")
