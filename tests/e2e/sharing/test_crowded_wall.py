"""A session whose wall is crowded by a program of this machine that has no business there."""

import os
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from fixtures.site_server import SiteServer

ROOT = Path(__file__).resolve().parents[3]
STRANGERS = 1000
# As many files as most systems let a program open by themselves.
TWO_RUNS = """
import asyncio, resource, sys
from pathlib import Path
from agent.assembly import make_session
from agent.requests.requests import Request
from agent.settings.settings import Settings

resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))

async def main(address):
    async with make_session(Settings(), Path.cwd()) as session:
        for _ in range(2):
            result = await session.run(Request(utterance=f"open {address} and read the title"))
            print(result.outcome, [str(error) for error in result.errors], flush=True)
            await asyncio.to_thread(sys.stdin.readline)

asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_thousand_connections_of_a_stranger_end_no_run(site: SiteServer, tmp_path: Path) -> None:
    with ExitStack() as stack:
        runner = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-c", TWO_RUNS, f"{site.url}/shop/catalogue"],
                cwd=tmp_path,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        assert runner.stdin
        assert runner.stdout
        stack.callback(runner.kill)
        assert runner.stdout.readline() == "success []\n"
        doors = [each.laddr for each in psutil.Process(runner.pid).net_connections("tcp") if each.status == "LISTEN"]
        assert len(doors) == 1
        for _ in range(STRANGERS):
            stack.enter_context(socket.create_connection(doors[0]))
        runner.stdin.write("go on\n")
        runner.stdin.flush()
        assert runner.stdout.readline() == "success []\n"
