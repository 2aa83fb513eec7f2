"""Warming: what sentences need is there before somebody says the first of its kind, and nobody waits for that."""

import subprocess
import sys
from pathlib import Path

from agent.hosting.local_service import LocalService
from agent.hosting.warming import warm_up
from tests.agent.hosting.conftest import LampHouse

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import asyncio, sys
from contextlib import suppress
from pathlib import Path
from agent.hosting.warming import warm_up
from agent.service.callers import Caller
from agent.service.orders import RunOrder
from agent.serving.opening import make_local_service
from agent.hosting.workspace_sessions import WorkspaceSessions
from agent.settings.settings import Settings
from core.base.errors import SurehandError

async def main():
    settings, folder = Settings(), Path(sys.argv[1])
    await warm_up(WorkspaceSessions(settings, folder).open, lambda: 9.0)
    service = make_local_service(settings, folder)
    await service.plan(Caller(), RunOrder(text="go to example.com"))
    known = set(sys.modules)
    for text in ("mute the sound", "play music", "delete report.pdf", "click Save and open the calculator"):
        with suppress(SurehandError):  # not everything can be done everywhere
            await service.plan(Caller(), RunOrder(text=text))
    print(sorted(each for each in set(sys.modules) - known if each.startswith("core.language")))
    await service.close(drain_s=0)

asyncio.run(main())
"""


def test_a_warm_service_reads_no_part_of_the_language_for_the_first_sentence_of_a_kind(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


async def test_nothing_is_warmed_while_something_goes_on(house: LampHouse) -> None:
    seen: list[bool] = []

    def measure_idle() -> float:
        seen.append(bool(house.families))
        return 9.0 if len(seen) > 3 else 0.0

    await warm_up(house.open, measure_idle, quiet_s=0.001)
    assert seen[:4] == [False] * 4
    assert house.families["", "warming"].closed == 1


async def test_a_service_that_ends_warms_nothing_any_more(service: LocalService, house: LampHouse) -> None:
    service.warm_up()
    await service.close(drain_s=0)
    assert not house.families
