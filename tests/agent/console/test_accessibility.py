"""The console for everybody: axe, the keyboard, a phone, dark colours."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from scripts.console_pictures import list_faults
from tests.agent.console.conftest import Console
from tests.thoroughness import spread

GOALS: list[dict[str, Any]] = [
    {"domain": "file", "verb": "write", "params": {"path": "workspace:/a.txt", "content": "a\n"}},
    {"domain": "file", "verb": "write", "params": {"path": "workspace:/b.txt", "content": "b\n"}, "scope": "root"},
    {"domain": "file", "verb": "read", "params": {"path": "workspace:/none.txt"}, "scope": "root"},
]
SEEN: dict[str, ViewportSize] = {
    "light": {"width": 1280, "height": 900},
    "dark": {"width": 1280, "height": 900},
    "phone": {"width": 390, "height": 844},
}


@pytest.fixture(params=spread(SEEN, 1))
async def seen(person_browser: Browser, request: pytest.FixtureRequest) -> Any:
    scheme = "dark" if request.param == "dark" else "light"
    context = await person_browser.new_context(
        viewport=SEEN[request.param], color_scheme=scheme, reduced_motion="reduce", bypass_csp=True
    )
    yield await context.new_page()
    await context.close()


async def test_axe_finds_nothing_on_any_place_and_none_is_wider_than_its_screen(console: Console, seen: Page) -> None:
    run_id = await console.begin(goals=GOALS, session="files")
    await console.open(seen)
    for place, sign in (
        ("/", "2 changes wait for you."),
        (f"/runs/{run_id}", "Receipts"),
        ("/sessions", "Search runs"),
        ("/rules", "browser"),
        ("/health", "Service"),
        ("/watch/files", "Its latest runs"),
    ):
        await seen.evaluate("place => { location.hash = place }", place)
        await seen.get_by_text(sign).or_(seen.get_by_placeholder(sign)).first.wait_for()
        assert await list_faults(seen) == [], place


async def test_axe_finds_nothing_on_pictures_and_steps_of_a_page(console: Console, seen: Page) -> None:
    goals = [{"domain": "browser", "verb": "navigate", "params": {"url": f"{console.site}/shop/signin"}}]
    run_id = await console.begin(goals=goals, session="shop", wait=True)
    await console.open(seen, f"/runs/{run_id}")
    await seen.locator(".plan-step").wait_for()
    assert await list_faults(seen) == []
    await seen.get_by_role("button", name="After: show it large").click()
    await seen.locator("dialog img[src^=blob]").first.wait_for()
    assert await list_faults(seen) == []


async def test_everything_is_reached_by_keys(console: Console, page: Page) -> None:
    await console.begin(goals=GOALS[:1], session="files")
    await console.open(page)
    await page.get_by_role("article").wait_for()
    await page.keyboard.press("/")
    await expect(page.get_by_label("What shall be done?", exact=True)).to_be_focused()
    await page.keyboard.press("Tab")
    for _ in range(20):
        await page.keyboard.press("Tab")
        if "Approve" in (await page.evaluate("document.activeElement.ariaLabel ?? ''")):
            break
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("article")).to_have_count(0)
    await page.get_by_role("link", name="Sessions").focus()
    await page.keyboard.press("3")
    await expect(page.get_by_role("heading", name="Rules")).to_be_focused()
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_the_colours_that_a_person_chose_stay(console: Console, page: Page) -> None:
    await console.open(page)
    ground = "getComputedStyle(document.body).backgroundColor"
    light = await page.evaluate(ground)
    for _ in range(2):
        await page.get_by_role("button", name="Colours").click()
    dark = await page.evaluate(ground)
    await page.reload()
    assert dark != light
    assert await page.evaluate(ground) == dark
