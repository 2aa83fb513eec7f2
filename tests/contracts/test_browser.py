"""The tools do the same by both back ends of the browser on the same site, as far as the fake one goes."""

import inspect
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from actuators.browser.playwright.direct import world
from actuators.browser.playwright.session.launching import BrowserSettings
from actuators.clipboard.fake import FakeClipboard
from actuators.verb_table import load_toolsets
from core.tools.registry import list_verbs
from fixtures.site_server import SiteServer
from tests.actuators.browser.kept_sessions import SessionKeeper
from tests.contracts.browser import sessions, tabs
from tests.contracts.browser.bench import Bench, make_fake_bench, make_real_bench
from tests.contracts.browser.conformance import BrowserConformance, SharedConformance

ABOUT_SESSIONS = {sessions.__name__, tabs.__name__}
"""Suites whose cases have a session of their own each: they are about what it keeps, opens and ends."""


@pytest.fixture(scope="module")
async def keeper(browser: Browser) -> AsyncIterator[SessionKeeper]:
    """Lends one session to case after case."""
    keeper = SessionKeeper(browser)
    yield keeper
    await keeper.close()


@pytest.fixture(scope="module")
async def other_keeper(browser: Browser) -> AsyncIterator[SessionKeeper]:
    """Lends another one, whose pages have no wire."""
    keeper = SessionKeeper(browser)
    yield keeper
    await keeper.close()


class TestPlaywright(BrowserConformance):
    """The real browser, on pages served by the site server."""

    @pytest.fixture
    async def bench(
        self, keeper: SessionKeeper, request: pytest.FixtureRequest, site: SiteServer, tmp_path: Path
    ) -> AsyncIterator[Bench]:
        settings = BrowserSettings(artifacts_dir=tmp_path / "artifacts", clipboard=FakeClipboard())
        open_session = keeper.open_new if request.function.__module__ in ABOUT_SESSIONS else keeper.lend
        async with open_session(settings) as session:
            yield make_real_bench(session, site, tmp_path)


async def _open_no_wire(page: Page) -> None:
    del page


class TestPlaywrightAlone(SharedConformance):
    """The real browser without the direct way, as those are that speak another protocol."""

    @pytest.fixture
    async def bench(
        self,
        other_keeper: SessionKeeper,
        request: pytest.FixtureRequest,
        site: SiteServer,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> AsyncIterator[Bench]:
        monkeypatch.setattr(world, "open_wire", _open_no_wire)
        asked = world.TALLY.copy()
        settings = BrowserSettings(artifacts_dir=tmp_path / "artifacts", clipboard=FakeClipboard())
        open_session = other_keeper.open_new if request.function.__module__ in ABOUT_SESSIONS else other_keeper.lend
        async with open_session(settings) as session:
            yield make_real_bench(session, site, tmp_path)
        assert asked == world.TALLY


class TestFake(SharedConformance):
    """The fake browser, on the same pages as far as they are declared; what it does not know it must refuse."""

    is_simulated = True

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Bench:
        return make_fake_bench(tmp_path)


def test_the_suite_calls_every_verb():
    sources = "".join(inspect.getsource(inspect.getmodule(part) or part) for part in BrowserConformance.__mro__[1:-1])
    called = set(re.findall(r'bench\.call\(\s*"(\w+)"', sources))
    assert called >= {verb for toolset in load_toolsets("browser") for verb in list_verbs(toolset)}
