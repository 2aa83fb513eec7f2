"""The tools do the same by both back ends of the browser on the same site, as far as the fake one goes."""

import inspect
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from actuators.browser.tools.toolsets import BROWSER_TOOLSETS
from actuators.clipboard.fake import FakeClipboard
from core.tools.registry import list_verbs
from fixtures.machine.network import DeclaredNetwork
from fixtures.site_server import SiteServer
from tests.contracts.browser.bench import Bench, make_fake_bench, make_real_bench
from tests.contracts.browser.conformance import BrowserConformance, SharedConformance


class TestPlaywright(BrowserConformance):
    """The real browser, on pages served by the site server."""

    @pytest.fixture
    async def bench(self, browser: Browser, site: SiteServer, tmp_path: Path) -> AsyncIterator[Bench]:
        settings = BrowserSettings(
            artifacts_dir=tmp_path / "artifacts", network=DeclaredNetwork(), clipboard=FakeClipboard()
        )
        session = PlaywrightSession.over(browser, settings)
        yield make_real_bench(session, site, tmp_path)
        await session.close()


class TestFake(SharedConformance):
    """The fake browser, on the same pages as far as they are declared; what it does not know it must refuse."""

    is_simulated = True

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Bench:
        return make_fake_bench(tmp_path)


def test_the_suite_calls_every_verb():
    sources = "".join(inspect.getsource(inspect.getmodule(part) or part) for part in BrowserConformance.__mro__[1:-1])
    called = set(re.findall(r'bench\.call\(\s*"(\w+)"', sources))
    assert called >= {verb for toolset in BROWSER_TOOLSETS for verb in list_verbs(toolset)}
