"""The benchmark of another suite: its acts go through our hands, and every test is counted as what it was."""

import sys
from pathlib import Path

import pytest

from scripts.benchmarks.suite import find_topic, make_report, measure_suite, run_tests

SETUP = """
import pytest
from playwright.async_api import async_playwright

def pytest_addoption(parser):
    parser.addoption("--browser")

@pytest.fixture
async def page():
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch()
        context = await browser.new_context()
        yield await context.new_page()
        await context.close()
        await browser.close()
"""

TESTS = """
import pytest
from playwright.async_api import Error, Page

async def test_acts(page: Page):
    await page.set_content("<label>Tea <input type=checkbox></label><input id=a><button>Go</button>")
    await page.check("input[type=checkbox]")
    await page.fill("#a", "green")
    await page.click("button", timeout=5000)
    assert await page.evaluate("document.querySelector('#a').value") == "green"
    assert "surehand" not in await page.content()

async def test_answers(page: Page):
    async def answer(dialog):
        assert (dialog.type, dialog.message) == ("prompt", "Name?")
        await dialog.accept("Ada")
    page.on("dialog", answer)
    assert await page.evaluate("prompt('Name?')") == "Ada"

async def test_opens(page: Page):
    async with page.expect_popup() as opened:
        await page.evaluate("url => { window.popup = window.open(url); }", "about:blank")
    assert await (await opened.value).evaluate("Boolean(window.opener)")

async def test_wrong(page: Page):
    await page.set_content("<button>Go</button>")
    await page.click("button")
    assert await page.title() == "Done"

async def test_words(page: Page):
    await page.set_content("<button disabled>Go</button>")
    with pytest.raises(Error) as exc_info:
        await page.click("button", timeout=1000)
    assert "Timeout 1000ms exceeded" in exc_info.value.message

async def test_position(page: Page):
    await page.set_content("<button>Go</button>")
    await page.click("button", position={"x": 1, "y": 1})

async def test_looks_only(page: Page):
    assert await page.title() == ""
"""


def test_each_test_is_counted_as_what_it_was(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(SETUP, encoding="utf-8")
    (tmp_path / "test_hands.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\n", encoding="utf-8")
    found = run_tests(Path(sys.executable), tmp_path, Path("test_hands.py"))
    verdicts = {name.rpartition("::")[2]: each for name, each in found.items()}
    assert {name: verdict for name, (verdict, _) in verdicts.items()} == {
        "test_acts": "passed",
        "test_answers": "passed",
        "test_opens": "passed",
        "test_wrong": "failed",
        "test_words": "not applicable",
        "test_position": "not applicable",
        "test_looks_only": "not applicable",
    }
    assert "Done" in verdicts["test_wrong"][1]
    assert "target_disabled" in verdicts["test_words"][1]
    assert "position" in verdicts["test_position"][1]


def test_without_a_checkout_it_is_skipped_with_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, why in ((None, "no --suite DIR"), (tmp_path, "has no")):
        assert measure_suite(folder)["figures"] == {}
        told = capsys.readouterr().out
        assert "skipped: " in told
        assert why in told


def test_a_test_belongs_to_the_topic_of_its_file_or_of_its_name() -> None:
    found = {
        "tests/async/test_click.py::test_drag[chromium]": ("passed", ""),
        "tests/async/test_page.py::test_drag_to[chromium]": ("failed", "why"),
        "tests/async/test_locators.py::test_frame_click[chromium]": ("not applicable", "so"),
    }
    assert [find_topic(name) for name in found] == ["click", "drag", "frames"]
    figures = make_report(found)["figures"]
    assert (figures["suite_click_passed"], figures["suite_drag_failed"]) == (1, 1)
    assert (figures["suite_frames_not_applicable"], figures["suite_passed"]) == (1, 1)
