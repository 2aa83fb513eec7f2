"""The page on which a person without a screen records: it shows the browser, takes clicks and keys, and asks."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Page, expect

from actuators.recording_browsers import RecordingBrowser, RecordingWish
from agent.console.recording_view import RecordingView
from agent.recording.desk import RecordingDesk
from agent.recording.recording_log import RecordingLog
from fixtures.site_server import SiteServer


@dataclass(frozen=True, slots=True)
class Shown:
    """A recording, and the page that shows it."""

    page: Page
    desk: RecordingDesk
    recorder: RecordingBrowser
    address: str
    measure: Page

    async def press(self, name: str) -> None:
        """Click on something in the picture, where it is on a page of the same size."""
        box = await self.measure.get_by_role("button", name=name).bounding_box()
        picture = await self.page.locator("#frame").bounding_box()
        assert box
        assert picture
        share_x, share_y = (box["x"] + box["width"] / 2) / 1280, (box["y"] + box["height"] / 2) / 720
        await self.page.mouse.click(
            picture["x"] + share_x * picture["width"], picture["y"] + share_y * picture["height"]
        )


@pytest.fixture
async def shown(page: Page, tmp_path: Path) -> AsyncIterator[Shown]:
    desk = RecordingDesk(RecordingLog(tmp_path), lambda: None)
    with SiteServer() as site:
        wish = RecordingWish(tmp_path / "artifacts", hosts=("127.0.0.1",))
        async with RecordingBrowser(wish, desk.take, desk.pick_files) as browser:
            desk.attach(browser.recorder, browser.screen)
            await browser.recorder.open(f"{site.url}/dialogs/")
            view = RecordingView(desk)
            view.start()
            measure = await page.context.new_page()
            await measure.set_viewport_size({"width": 1280, "height": 720})
            await measure.goto(f"{site.url}/dialogs/")
            await page.bring_to_front()
            await page.goto(view.address)
            await expect(page.locator("#frame")).to_have_attribute("src", re.compile("^data:image/jpeg"))
            yield Shown(page, desk, browser, view.address, measure)
            await page.goto("about:blank")
            await view.stop()


async def test_what_is_done_on_the_picture_is_done_on_the_page_and_listed(shown: Shown) -> None:
    await shown.press("Open a page dialog")
    await expect(shown.page.locator("#steps li")).to_have_text(
        ["Open " + shown.measure.url, 'Click button "Open a page dialog"']
    )


async def test_a_dialog_of_the_page_is_answered_on_the_page_that_shows_it(shown: Shown) -> None:
    await shown.press("Ask my name")
    await expect(shown.page.locator("#question-text")).to_have_text("prompt: What is your name?")
    await shown.page.locator("#question-field").fill("Ada")
    await shown.page.get_by_role("button", name="Yes").click()
    await expect(shown.page.locator("#steps li").last).to_have_text("Answer the dialog: accept, typing “Ada”")


async def test_the_recording_ends_by_its_button_and_the_token_stays_out_of_the_address(shown: Shown) -> None:
    assert "token" not in shown.page.url
    await shown.page.get_by_role("button", name="Done").click()
    await expect(shown.page).to_have_title("Surehand · recorded")
    assert shown.desk.ended.is_set()


async def test_nobody_comes_without_the_token(shown: Shown) -> None:
    async with httpx.AsyncClient(base_url=shown.address.partition("/console")[0], trust_env=False) as client:
        for method, path in (("GET", ""), ("GET", "/screen"), ("POST", "/input"), ("POST", "/answer")):
            answer = await client.request(method, f"/v1/recording{path}")
            assert answer.status_code == 401, path
