"""Pictures of pages on a real clipboard, and where there is none."""

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser

from actuators.base import Environment
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from actuators.clipboard.linux import make_clipboard
from core.base.errors import UnsupportedError
from core.tools.ports import ActionContext
from fixtures.machine.desktop import PrivateDesktop
from fixtures.machine.network import DeclaredNetwork
from tests.actuators.browser.hands import Hands


@pytest.mark.skipif(sys.platform != "linux", reason="xclip is for X11")
@pytest.mark.skipif(shutil.which("xclip") is None, reason="xclip is not installed")
async def test_other_programs_read_the_picture_that_the_page_gave(
    browser: Browser, desk: PrivateDesktop, context: ActionContext, tmp_path: Path
) -> None:
    clipboard = make_clipboard(Environment(platform="linux", variables=desk.environ))
    settings = BrowserSettings(artifacts_dir=tmp_path, network=DeclaredNetwork(), clipboard=clipboard)
    session = PlaywrightSession.over(browser, settings)
    page = await session.open_page(context)
    await page.set_content("<body style='background: #ff0000'><h1>Red</h1>")
    outcome = await Hands(session).screenshot(context, to="clipboard")
    await session.close()
    picture = await clipboard.read_picture()
    assert picture is not None
    assert (outcome.effect, outcome.evidence["size"]) == ("confirmed", len(picture))
    kept = "xclip -selection clipboard -target image/png -out | head -c 8 | od -An -tx1"
    assert desk.ask("sh", "-c", kept).split() == ["89", "50", "4e", "47", "0d", "0a", "1a", "0a"]
    assert outcome.artifacts == ()


async def test_where_no_clipboard_takes_pictures_that_is_said(
    session: PlaywrightSession, context: ActionContext
) -> None:
    await session.open_page(context)
    with pytest.raises(UnsupportedError, match="This system's clipboard"):
        await Hands(session).screenshot(context, to="clipboard")


async def test_a_clipboard_that_can_not_be_used_says_why(
    browser: Browser, context: ActionContext, tmp_path: Path
) -> None:
    clipboard = make_clipboard(Environment(platform="linux", variables={"PATH": "/usr/bin"}))
    settings = BrowserSettings(artifacts_dir=tmp_path, network=DeclaredNetwork(), clipboard=clipboard)
    session = PlaywrightSession.over(browser, settings)
    await session.open_page(context)
    with pytest.raises(UnsupportedError, match="DISPLAY"):
        await Hands(session).screenshot(replace(context, timeout_s=3), to="clipboard")
    await session.close()
