"""What takes its time to start is begun as soon as a plan needs it, and leaves nothing where it was never used."""

import asyncio
import contextlib
from pathlib import Path

import psutil

from actuators.catalog import PlaywrightFamily
from agent.assembly import make_session
from agent.requests.requests import Request
from agent.settings.settings import Settings
from core.goals.meta_goals import Goal
from fixtures.site_server import SiteServer


def list_drivers() -> set[psutil.Process]:
    """Return the drivers that this process has started; other tests may have one as well."""
    found = set[psutil.Process]()
    for each in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            found |= {each} if "run-driver" in each.cmdline() else set()
    return found


async def test_a_driver_that_was_begun_and_not_needed_ends_with_its_family(tmp_path: Path) -> None:
    before = list_drivers()
    family = PlaywrightFamily(artifacts_dir=tmp_path)
    family.prepare()
    family.prepare()
    await family.close()
    assert list_drivers() <= before


async def test_a_family_that_is_used_takes_the_driver_that_was_begun(tmp_path: Path) -> None:
    before, family = list_drivers(), PlaywrightFamily(artifacts_dir=tmp_path)
    family.prepare()
    for toolset in family.toolsets:
        assert isinstance(await family.provide(toolset), toolset)
    await family.close()
    assert list_drivers() <= before


async def test_a_run_that_is_stopped_before_its_first_page_leaves_no_driver(tmp_path: Path) -> None:
    before = list_drivers()
    async with make_session(Settings(), tmp_path) as session:
        request = Request(goals=(Goal("browser", "navigate", {"url": "http://127.0.0.1:9/"}),))

        def stop(_: object) -> None:
            session.stop()

        result = await asyncio.wait_for(session.run(request, stop), 60)
        assert [log.result.status for log in result.step_logs] == ["cancelled"]
    assert list_drivers() <= before


async def test_what_only_plans_starts_no_driver(tmp_path: Path, site: SiteServer) -> None:
    before = list_drivers()
    async with make_session(Settings(), tmp_path) as session:
        request = Request(goals=(Goal("browser", "navigate", {"url": site.url}),), mode="plan")
        assert not (await session.run(request)).errors
        assert list_drivers() <= before
