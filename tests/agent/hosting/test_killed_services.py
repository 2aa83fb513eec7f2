"""A service is killed by the system at every moment that a client can see; who asks again gets one execution."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from agent.service.callers import Caller
from agent.serving.opening import make_local_service
from agent.settings.settings import load_settings
from tests.agent.hosting.dying_service import ORDER
from tests.thoroughness import spread

ROOT = Path(__file__).resolve().parents[3]
ME = Caller()


async def carry_out_until(folder: Path, event: int) -> int:
    """Let a service carry the order out in a process of its own; return how that ended."""
    command = [sys.executable, "-m", "tests.agent.hosting.dying_service", str(folder), str(event)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
    return await process.wait()


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is a signal of other systems")
@pytest.mark.parametrize("event", spread([0, 1, 3, 5, 8, 11], 2))
async def test_acts_are_done_once_however_early_the_service_was_killed(event: int, tmp_path: Path) -> None:
    assert await carry_out_until(tmp_path, event) == -9
    service = make_local_service(load_settings(tmp_path), tmp_path)
    ticket = await service.begin(ME, ORDER)
    record = await service.result(ME, ticket.run_id)
    assert not ticket.is_new
    assert record["outcome"] == "success", record["reply"]
    assert (tmp_path / "all.txt").read_text(encoding="utf-8") == "abc"
    assert (tmp_path / "two.txt").read_text(encoding="utf-8") == "one"
    again = await service.begin(ME, ORDER)
    assert (again.run_id, await service.result(ME, again.run_id)) == (ticket.run_id, record)
    await service.close()
