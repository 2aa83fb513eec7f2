"""A service that is killed: ``python -m tests.agent.hosting.dying_service FOLDER EVENT``.

It carries the order of ``test_killed_services.py`` out on real files, and is killed by the system once so many events were told.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

from agent.service.callers import Caller
from agent.service.orders import RunOrder
from agent.serving.opening import make_local_service
from agent.settings.settings import load_settings

FLOW = """
name: three lines
goals:
  - file.write: {path: "workspace:/one.txt", content: "one"}
  - file.append: {path: "workspace:/all.txt", content: "a"}
  - file.append: {path: "workspace:/all.txt", content: "b"}
  - file.copy: {source: "workspace:/one.txt", destination: "workspace:/two.txt"}
  - file.append: {path: "workspace:/all.txt", content: "c"}
"""
ORDER = RunOrder(flow=FLOW, request_id="three lines", session="main", approvals=("apply_diff",))


async def serve(folder: Path, event: int) -> None:
    """Carry the order out, until so many events were told."""
    service = make_local_service(load_settings(folder), folder)
    ticket = await service.begin(Caller(), ORDER)
    async for record in service.follow(Caller(), ticket.run_id):
        if record["seq"] == event:
            os.kill(os.getpid(), signal.SIGKILL)
    await service.close()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), int(sys.argv[2])))
