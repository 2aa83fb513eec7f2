"""The page with all tests: for everybody, in both colours, on a phone, and deaf to what pages put into it."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page

from agent.client.pytest_plugin.suite_pages import draw_page

HOSTILE = "</pre><script>window.caught = 1</script><img src=x onerror='window.caught = 2'>"


def make_case(name: str, outcome: str, **more: Any) -> Mapping[str, Any]:
    lines = [
        "✓ 1. Open /shop — ok (confirmed)",
        "✗ 2. Click it — failed",
        "     Nothing matches it.",
        "– 3. Type — skipped",
    ]
    plain: Mapping[str, Any] = {"lines": lines, "unmet": [], "files": [], "pages": []}
    return {"name": name, "outcome": outcome, "seconds": 1.25, **plain, **more}


CASES = (
    make_case("test_a.py::test_fine", "passed", lines=["✓ 1. Open /shop — ok"]),
    make_case("flows/b.flow.yaml::buy", "failed", pages=["runs/r1.html"], files=[["trace", "../left/trace.zip"]]),
    make_case("test_c.py::test_soft", "failed", unmet=[f"Expected: {HOSTILE}\nThe page shows:\n  {HOSTILE}"]),
    make_case("test_d.py::test_later", "skipped"),
)


@pytest.fixture
async def page(browser: Browser, tmp_path: Path) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": 390, "height": 844})
    page = await context.new_page()
    await page.set_content(draw_page(CASES))
    yield page
    await context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_in_either_colours_and_nothing_runs_off_a_phone(page: Page, scheme: Any) -> None:
    await page.emulate_media(color_scheme=scheme)
    for script in ("null", "for (const each of document.querySelectorAll('details')) each.open = true"):
        await page.evaluate(script)
        found = (await Axe().run(page)).response["violations"]
        assert [(each["id"], node["target"]) for each in found for node in each["nodes"]] == []
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    assert await page.evaluate("window.caught") is None


async def test_what_failed_stands_first_and_open_with_each_step_on_its_line(page: Page) -> None:
    assert await page.locator("h1").inner_text() == "4 tests, 2 failed"
    assert await page.locator("h2").all_inner_texts() == ["buy", "test_soft", "test_later", "test_fine"]
    assert await page.locator("details.case[open] h2").all_inner_texts() == ["buy", "test_soft"]
    steps = page.locator("details.case").first.locator("li")
    assert await steps.count() == 3
    assert "Nothing matches it." in await steps.nth(1).inner_text()
    links = page.locator("details.case").first.locator(".files a")
    assert [await each.get_attribute("href") for each in await links.all()] == ["runs/r1.html", "../left/trace.zip"]


def test_a_run_without_hands_says_so() -> None:
    assert "<h1>No test had a hand</h1>" in draw_page([])
