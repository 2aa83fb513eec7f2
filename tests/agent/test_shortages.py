"""Runs to which the system refuses what they need: each ends in a result with a code."""

import asyncio
import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.base.shortages import explain_system_error, find_shortage

ROOT = Path(__file__).resolve().parents[2]
RUN_SHORT = """
import asyncio, json, os, resource, sys
from pathlib import Path
from agent.assembly import make_session
from agent.requests.requests import Request
from agent.settings.settings import Settings
from agent.sessions.undo import UndoRequest

async def main(free):
    session = make_session(Settings(), Path.cwd())
    await session.run(Request(utterance="create a folder called Warm"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    held = []
    try:
        while True:
            held.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        pass
    for _ in range(free):
        os.close(held.pop())
    request = Request(utterance="create a folder called Mugs")
    planned = session.plan(request)
    result = await session.run(request)
    undone = await session.undo(UndoRequest(run_id="nothing"))
    codes = [error.code for error in (*planned.errors, *result.errors, *undone.errors)]
    codes += [log.result.error.code for log in result.step_logs if log.result.error]
    for each in held:
        os.close(each)
    await session.close()
    print(json.dumps([result.outcome, codes]))

asyncio.run(main(int(sys.argv[1])))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize("free", [0, 1, 3, 5])
def test_out_of_files_every_door_of_a_session_gives_a_result_that_names_no_fault_of_ours(free: int, tmp_path: Path):
    asked = subprocess.run(
        [sys.executable, "-c", RUN_SHORT, str(free)],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert asked.returncode == 0, asked.stderr.decode()[-2000:]
    outcome, codes = json.loads(asked.stdout.splitlines()[-1])
    assert outcome == "failed"
    assert "internal_error" not in codes
    assert codes


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.EMFILE, "too_many_files"),
        (errno.ENFILE, "too_many_files"),
        (errno.ENOSPC, "no_space"),
        (errno.EACCES, "no_permission"),
        (errno.EROFS, "read_only"),
        (errno.ENOMEM, "no_memory"),
        (errno.EPIPE, "system_error"),
    ],
)
def test_an_error_of_the_system_is_told_by_a_code_with_what_it_said_and_what_to_do(number: int, code: str):
    told = explain_system_error(OSError(number, os.strerror(number)))
    assert told.code == code
    assert os.strerror(number) in told.message
    assert told.hint


def test_what_only_says_that_time_is_up_or_a_connection_broke_is_no_shortage():
    assert find_shortage(TimeoutError()) is None
    assert find_shortage(ConnectionResetError(errno.ECONNRESET, "reset")) is None
    assert find_shortage(asyncio.CancelledError()) is None
