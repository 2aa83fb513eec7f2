"""The service that is one process's alone: it ends with that process, whatever ends it, and says why where it can't begin."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from itertools import product
from pathlib import Path

import psutil
import pytest

from agent.client.hand_parts import HandOptions, PrivateService
from agent.client.hands import Surehand
from agent.client.reports import BadOrderError, ServiceGoneError
from fixtures.site_server import SiteServer
from tests.architecture.sources import ROOT
from tests.thoroughness import spread

GONE_S = 60
pytestmark = pytest.mark.skipif(os.name == "nt", reason="processes are listed by their parents")

CALLER = """
import sys
from agent.client import Surehand
hand = Surehand(workspace=sys.argv[1])
hand.run(f"open {sys.argv[2]}/shop")
print("ready", flush=True)
"""
WAIT = "sys.stdin.read()"
RUN_ON = """for event in hand.stream('click the button "Nowhere"'):
    print(event.event, flush=True)
"""
FORK = """
import multiprocessing, time
multiprocessing.get_context("fork").Process(target=sys.stdin.read, daemon=True).start()
print("forked", flush=True)
sys.stdin.read()
"""


class Caller:
    """A program that uses the client, with all processes that belong to it."""

    def __init__(self, folder: Path, url: str, then: str) -> None:
        command = [sys.executable, "-c", CALLER + then, str(folder), url]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout
        assert self.process.stdout.readline() == "ready\n"
        self.started = psutil.Process(self.process.pid).children(recursive=True)

    def end_by(self, number: signal.Signals) -> list[psutil.Process]:
        """End the program alone, and return what is left of what it started."""
        self.process.send_signal(number)
        self.process.wait(GONE_S)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()
        return psutil.wait_procs(self.started, GONE_S)[1]


ENDS = list(product([signal.SIGKILL, signal.SIGTERM, signal.SIGINT], [WAIT, RUN_ON]))


def tell(process: psutil.Process) -> str:
    """Return the command of a process; a browser's helpers come and go."""
    with suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""


@pytest.mark.parametrize(("number", "then"), spread(ENDS, 2))
def test_a_caller_that_is_ended_leaves_no_process(
    tmp_path: Path, site: SiteServer, number: signal.Signals, then: str
) -> None:
    caller = Caller(tmp_path, site.url, then)
    told = [tell(each) for each in caller.started]
    assert any(" serve" in each for each in told), told
    assert any("chrom" in each or "headless" in each for each in told), told
    assert caller.end_by(number) == []


def test_a_process_that_the_caller_forked_does_not_keep_its_service(tmp_path: Path, site: SiteServer) -> None:
    caller = Caller(tmp_path, site.url, FORK)
    assert caller.process.stdout
    assert caller.process.stdout.readline() == "forked\n"
    (forked,) = set(psutil.Process(caller.process.pid).children()) - set(caller.started)
    stdin, caller.process.stdin = caller.process.stdin, None
    assert caller.end_by(signal.SIGKILL) == []
    assert stdin
    stdin.close()
    psutil.wait_procs([forked], GONE_S)


def test_leaving_the_with_block_ends_the_service(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("hello", encoding="utf-8")
    with Surehand(workspace=tmp_path) as hand:
        assert hand.run("read the file note.txt")["note.txt"].text == "hello"
        private = hand.parts.private
        assert private
        service = psutil.Process(private.pid)
    assert not service.is_running()


def test_two_private_services_get_in_nobodys_way(tmp_path: Path) -> None:
    parts = [PrivateService({"workspace": tmp_path / name}) for name in ("one", "two")]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    try:
        places = {part.locate().socket_path for part in parts}
    finally:
        for part in parts:
            part.close()
    assert len(places) == 2


def test_nothing_is_started_before_the_first_call(tmp_path: Path) -> None:
    with Surehand(workspace=tmp_path) as hand:
        assert hand.parts.private
        assert hand.parts.private.pid == 0


def test_a_service_that_was_killed_is_told_with_its_end(tmp_path: Path) -> None:
    with Surehand(workspace=tmp_path) as hand:
        hand.list_sessions()
        assert hand.parts.private
        os.kill(hand.parts.private.pid, signal.SIGKILL)
        with pytest.raises(ServiceGoneError) as caught:
            hand.run("read the file note.txt")
    assert caught.value.code == "service_gone"


def test_a_service_that_does_not_start_says_why(tmp_path: Path) -> None:
    with Surehand(workspace=tmp_path / "missing") as hand, pytest.raises(ServiceGoneError) as caught:
        hand.list_sessions()
    assert "is not a folder" in " ".join(caught.value.evidence["log"])


@pytest.mark.parametrize("code", ["", "print('no JSON')", "print('{}')", "import time; time.sleep(60)"])
def test_a_command_that_is_not_a_service_is_told_and_ended(code: str) -> None:
    service = PrivateService({"command": (sys.executable, "-c", f"{code}\n"), "start_s": 1})
    with pytest.raises(ServiceGoneError):
        service.locate()
    service.close()


def test_a_command_that_does_not_exist_is_told() -> None:
    with pytest.raises(ServiceGoneError, match="did not start"):
        PrivateService({"command": ("/nowhere/surehand",)}).locate()


@pytest.mark.parametrize("option", [{"headed": True}, {"command": ["x"]}, {"environment": {"A": "b"}}, {"start_s": 3}])
def test_what_is_for_a_private_service_is_refused_beside_an_address(option: HandOptions) -> None:
    with pytest.raises(BadOrderError):
        Surehand("http://127.0.0.1:1", **option)
