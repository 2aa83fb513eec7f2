"""How runs end before their time: stopped, or killed."""

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from agent.assembly import make_session
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from fixtures.site_server import SiteServer
from tests.e2e.receipts import chain, codes, goal, statuses

PROGRAM = Path(sys.executable).parent / "surehand"
STOP_S = 5.0  # 0.2 s are promised; a busy machine takes longer, and the page takes 9
GONE_S = 60.0


async def test_a_stop_in_the_middle_of_a_slow_page_ends_the_run_and_the_next_one_works(
    session: AgentSession, site: SiteServer
):
    await session.run(chain(goal(0, "navigate", url=f"{site.url}/conformance/second")))
    running = asyncio.create_task(
        session.run(chain(goal(0, "navigate", url=f"{site.url}/slow/?ms=9000"), goal(1, "read", target="title")))
    )
    await asyncio.to_thread(site.received.wait_for_requests, "/slow/")
    began = time.monotonic()
    session.stop()
    result = await running
    assert time.monotonic() - began < STOP_S
    assert (result.outcome, statuses(result)) == ("cancelled", ["cancelled", "cancelled"])
    assert codes(result) == ["stopped", "stopped"]
    after = await session.run(Request(utterance=f"go to {site.url}/table/small and read the title"))
    assert after.outcome == "success", after.reply
    assert after.step_logs[-1].result.output["text"] == "A small table"


async def test_a_session_that_is_closed_leaves_no_process(site: SiteServer, tmp_path: Path):
    others = set(psutil.Process().children(recursive=True))
    async with make_session(Settings(), tmp_path) as session:
        await session.run(chain(goal(0, "navigate", url=f"{site.url}/conformance/second")))
        mine = set(psutil.Process().children(recursive=True)) - others
        assert any("chrom" in process.name() for process in mine)
    _, alive = await asyncio.to_thread(psutil.wait_procs, list(mine), GONE_S)
    assert alive == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_a_run_that_is_killed_leaves_no_browser(site: SiteServer, tmp_path: Path):
    command = [str(PROGRAM), "run", f"go to {site.url}/slow/?ms=9000"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            site.received.wait_for_requests("/slow/", timeout_s=30)
            family = psutil.Process(process.pid).children(recursive=True)
            assert any("chrom" in each.name() for each in family)
        finally:
            process.send_signal(signal.SIGKILL)
    _, alive = psutil.wait_procs(family, timeout=GONE_S)
    assert alive == []
