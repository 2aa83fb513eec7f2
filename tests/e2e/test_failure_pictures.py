"""What a step that fails leaves behind for whoever looks into it."""

import asyncio
import stat
import sys
import zipfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from actuators.browser.saved.picture_files import measure_picture
from actuators.catalog import BrowserShare
from agent.assembly import make_session
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.goals.meta_goals import Goal
from core.results.events import Event, Step
from core.results.tool_results import RunResult
from fixtures.machine.desktop import PrivateDesktop
from fixtures.site_server import SiteServer

MISSING: Mapping[str, Any] = {"selector": 'button "No such thing"', "timeout": 0.2}


@pytest.fixture
async def session(tmp_path: Path) -> AsyncIterator[AgentSession]:
    """A session that makes the usual pictures, with a browser of its own: where it is shared, every act leaves some."""
    async with make_session(Settings(), tmp_path) as session:
        yield session


async def fail_on(session: AgentSession, url: str) -> RunResult:
    """Open a page and look for something that isn't on it."""
    goals = (Goal("browser", "navigate", {"url": url}), Goal("browser", "expect", MISSING, scope="after:g0"))
    return await session.run(Request(goals=goals))


def read_mode(path: str) -> int:
    """Return the rights of a file or folder."""
    return stat.S_IMODE(Path(path).stat().st_mode)


def count_traces(workspace: Path) -> int:
    """Return how many whole traces there are."""
    traces = list(workspace.glob(".surehand/traces/*.zip"))
    assert all("trace.trace" in zipfile.ZipFile(each).namelist() for each in traces)
    return len(traces)


async def test_a_failed_step_on_a_page_leaves_a_picture_with_address_title_and_requests(
    session: AgentSession, site: SiteServer, tmp_path: Path
) -> None:
    result = await fail_on(session, f"{site.url}/shop/")
    log = result.step_logs[1]
    path = tmp_path / ".surehand" / "artifacts" / result.run_id / "g1_expect_1.png"
    scene = log.result.evidence["scene"]
    assert (log.result.status, log.result.artifacts, result.artifacts) == ("failed", (str(path),), (str(path),))
    assert (scene["url"], scene["title"], scene["screenshot"]) == (f"{site.url}/shop/", "Fixture Shop", str(path))
    assert f"GET {site.url}/shop/: 200" in scene["requests"]
    width_px, height_px = measure_picture(path.read_bytes())
    assert width_px > 300
    assert height_px > 300


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights elsewhere")
async def test_the_picture_is_for_its_owner_only(session: AgentSession, site: SiteServer) -> None:
    (path,) = (await fail_on(session, f"{site.url}/shop/")).artifacts
    assert [read_mode(each) for each in (path, str(Path(path).parent))] == [0o600, 0o700]


async def test_what_the_page_complained_of_is_told(session: AgentSession, site: SiteServer) -> None:
    result = await fail_on(session, f"{site.url}/shop/no-such-page")
    failed = next(log.result for log in result.step_logs if log.result.status == "failed")
    complaints = failed.evidence["scene"]["console"]
    assert any("404" in each for each in complaints), complaints


async def test_no_picture_is_made_where_none_is_wanted(site: SiteServer, tmp_path: Path, share: BrowserShare) -> None:
    async with make_session(Settings(failure_pictures=False), tmp_path, share) as session:
        result = await fail_on(session, f"{site.url}/shop/")
    assert result.artifacts == ()
    assert result.step_logs[1].result.evidence["scene"]["title"] == "Fixture Shop"
    assert not (tmp_path / ".surehand" / "artifacts").exists()


async def test_a_stop_while_the_scene_is_looked_at_ends_the_run_at_once(
    session: AgentSession, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The site is asked for a picture that never comes, so that looking takes its whole time."""
    monkeypatch.setattr("core.results.failure_snapshots.SNAPSHOT_S", 60.0)
    loop = asyncio.get_running_loop()
    times: list[float] = []

    def stop_later(event: Event) -> None:
        if isinstance(event, Step) and event.action_id == "g1_expect_1" and event.status == "started":
            loop.call_later(0.25, lambda: (times.append(loop.time()), session.stop()))

    goals = (
        Goal("browser", "navigate", {"url": f"{site.url}/shop/"}),
        Goal("browser", "expect", MISSING, scope="after:g0"),
    )
    result = await session.run(Request(goals=goals), stop_later)
    assert loop.time() - times[0] < 10
    assert result.step_logs[1].result.status in {"failed", "cancelled"}


@pytest.mark.parametrize(
    ("wish", "fails", "kept"), [("on", False, 1), ("on-failure", False, 0), ("on-failure", True, 1)]
)
async def test_traces_are_kept_as_wished(
    wish: str, fails: bool, kept: int, site: SiteServer, tmp_path: Path, share: BrowserShare
) -> None:
    settings = Settings.model_validate({"trace": wish, "failure_pictures": False})
    async with make_session(settings, tmp_path, share) as session:
        if fails:
            await fail_on(session, f"{site.url}/shop/")
        else:
            await session.run(Request(goals=(Goal("browser", "navigate", {"url": f"{site.url}/shop/"}),)))
    assert count_traces(tmp_path) == kept


@pytest.mark.parametrize(
    ("verb", "params"),
    [
        ("focus_window", {"window": "No such window"}),
        ("press", {"keys": "Enter", "window": "No such window"}),
        ("invoke", {"target": 'button "No such thing"'}),
        ("wait", {"text": "No such words", "timeout": 0.2}),
    ],
)
async def test_a_failed_step_on_the_desktop_leaves_a_picture_of_the_screen(
    verb: str, params: Mapping[str, Any], desk: PrivateDesktop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, desk.environ[name])
    async with make_session(Settings(), tmp_path) as session:
        result = await session.run(Request(goals=(Goal("desktop", verb, params),)))
    if result.errors:
        pytest.skip(f"this machine can't: {result.errors[0].message}")
    (log,) = result.step_logs
    path = tmp_path / ".surehand" / "artifacts" / result.run_id / f"{log.action_id}.png"
    assert (log.result.status, log.result.artifacts) == ("failed", (str(path),)), log.result
    assert measure_picture(path.read_bytes()) == (1280, 800)
