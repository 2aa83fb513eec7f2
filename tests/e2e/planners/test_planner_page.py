"""The console's page about planners, of a real service in a real Chromium."""

import asyncio

from playwright.async_api import Page, expect

from tests.agent.console.conftest import page, person_browser
from tests.agent.serving.conftest import Place
from tests.e2e.planners.conftest import add, change_settings, list_states

__all__ = ["page", "person_browser"]


async def test_the_page_lists_all_planners_and_works_their_backlog_off(errands: Place, page: Page) -> None:
    change_settings("[service.backlog]\nis_on = false\n")
    errands.serve()
    await asyncio.to_thread(add, errands, "n", "note", key="n")
    await page.goto((await asyncio.to_thread(errands.run, "console")).out.strip())
    await page.get_by_text("Connected").wait_for()
    await page.evaluate("location.hash = '/health'")
    await page.get_by_text("All planners").click()
    await expect(page.get_by_role("listitem").filter(has_text="note (note)")).to_be_visible()
    await page.get_by_role("button", name="Work off now").click()
    await expect(page.get_by_role("status")).to_have_text("1 worked off.", timeout=30_000)
    await expect(page.get_by_role("button", name="Work off now")).to_have_count(0)
    assert await asyncio.to_thread(list_states, errands) == {"note": ["done"]}
