"""Reports in a browser: for everybody, on every screen, without a script, and deaf to what pages put into them."""

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from agent.reports.results import FlowResult, SuiteResult, list_steps
from agent.reports.run_report import write_run_report
from agent.reports.suite_report import write_suite_report
from agent.store.session_files import KeptRun
from tests.agent.reports.kept_documents import (
    RUN_ID,
    draw_picture,
    keep_picture,
    make_error,
    make_log,
    make_node,
    make_run,
    make_small_run,
)

HOSTILE = (
    "</script></style></title><script>window.caught = 1</script><img src=x onerror='window.caught = 2'>"
    "<svg onload='window.caught = 3'><a href=\"javascript:window.caught = 4\">{{ 7*7 }}</a>\"' onfocus=window.caught=5 autofocus x='"
)
DIFF = "@@ -1,2 +1,2 @@\n same\n-old\n+new\n"


@dataclass
class OpenReport:
    """A report that is open, and what it asked for and complained of."""

    page: Page
    asked: list[str] = field(default_factory=list[str])
    faults: list[str] = field(default_factory=list[str])

    async def list_faults(self) -> list[str]:
        """Return what axe finds."""
        found = (await Axe().run(self.page)).response["violations"]
        return [
            f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
            for each in found
            for node in each["nodes"]
        ]


@asynccontextmanager
async def open_report(browser: Browser, path: Path, **options: Any) -> AsyncGenerator[OpenReport]:
    """Open a report as a file."""
    wanted: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
    context = await browser.new_context(**wanted)
    report = OpenReport(await context.new_page())
    context.on("request", lambda request: report.asked.append(request.url))
    report.page.on("console", lambda told: report.faults.append(told.text))
    report.page.on("pageerror", lambda fault: report.faults.append(str(fault)))
    await report.page.goto(path.as_uri())
    yield report
    await context.close()


def make_telling_run(words: str = "Add to basket") -> KeptRun:
    """Return a run with a step of every kind: done, not read back, read, failed, skipped; groups, diffs, an approval."""
    nodes = [
        make_node(each, description=f"{each} {words}", groups=["Order", words] if each in {1, 2} else [])
        for each in range(6)
    ]
    logs = [
        {**make_log(0), "summary": words},
        {**make_log(1, effect="unverified", note=words), "summary": words},
        make_log(2, effect="none", output={"text": words, words: [words, {words: words}]}),
        make_log(3, "failed", error=make_error(words, words, "target_missing"), evidence={words: words}),
        make_log(4, "skipped", error=make_error(words, code="skipped"), ms=0),
    ]
    return make_run(
        nodes,
        logs,
        outcome="partial",
        reply=words,
        request={"utterance": words},
        diagnostics=[words],
        diff_preview=[{"id": "g0_click_1", "text": words, "diff": f"{DIFF} {words}\n"}],
        required_approvals=[{"action_id": "g0_click_1", "approval": words, "approved": None}],
        manifest={
            "program": words,
            "platform": words,
            "files": [{"path": f"/tmp/{words}", "size_bytes": 5, "sha256": "ab"}],
        },
        errors=[make_error(words)],
    )


def keep_pages(folder: Path, words: str) -> None:
    """Keep pictures of some steps, and what pages said."""
    for name in ("g0_click_1.after.jpg", "g1_click_1.before.jpg", "g1_click_1.after.jpg", "g3_click_1.before.jpg"):
        keep_picture(folder, name, draw_picture("#345" if "before" in name else "#a53"))
    keep_picture(folder, "g3_click_1.png", draw_picture(kind="PNG"))
    said: Mapping[str, Any] = {
        "url": words,
        "console": [{"kind": words, "text": words}],
        "errors": [{"text": words}],
        "requests": [{"method": words, "url": words, "outcome": words, "type": "image"}],
    }
    keep_picture(
        folder, "pages.json", json.dumps({"version": 1, "steps": {"g3_click_1": said, "g0_click_1": said}}).encode()
    )


def write_run(folder: Path, words: str = "Add to basket") -> Path:
    keep_pages(folder, words)
    write_run_report(make_telling_run(words), folder, folder / "report.html")
    return folder / "report.html"


def write_suite(folder: Path, words: str = "Add to basket") -> Path:
    steps = list_steps(make_telling_run(words).document)
    flows: Sequence[FlowResult] = (
        FlowResult(
            f"a {words}", f"flows/a {words}.yaml", "passed", 1, 900.0, steps=list_steps(make_small_run().document)
        ),
        FlowResult("b", "flows/b.yaml", "failed", 2, 1900.0, steps=steps, error=words),
        FlowResult("c", "flows/c.yaml", "flaky", 2, 100.0, steps=steps[:1]),
        FlowResult("d", "flows/d.yaml", "error", 0, error=words),
        FlowResult("e", "flows/e.yaml", "skipped", 0),
    )
    write_suite_report(SuiteResult(words, "2026-11-24T10:20:26+00:00", 3000.0, tuple(flows)), folder / "suite.html")
    return folder / "suite.html"


WRITERS = {"run": write_run, "suite": write_suite}


@pytest.mark.parametrize("kind", list(WRITERS))
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_in_either_colours_with_all_unfolded(
    reader: Browser, tmp_path: Path, kind: str, scheme: str
) -> None:
    path = WRITERS[kind](tmp_path)
    async with open_report(reader, path, color_scheme=scheme, bypass_csp=True) as report:
        assert await report.list_faults() == []
        await report.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert await report.list_faults() == []
        if kind == "run":
            await report.page.locator(".enlarge").nth(1).click()
            assert await report.list_faults() == []
            await report.page.get_by_role("button", name="Slider").click()
            assert await report.list_faults() == []


@pytest.mark.parametrize("kind", list(WRITERS))
async def test_nothing_of_a_page_runs_in_it_and_it_asks_for_nothing(reader: Browser, tmp_path: Path, kind: str) -> None:
    path = WRITERS[kind](tmp_path, HOSTILE)
    async with open_report(reader, path) as report:
        page = report.page
        await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        await page.locator("[data-search]").fill("onerror")
        await expect(page.locator("[data-found]")).to_contain_text("found")
        if kind == "run":
            await page.locator("[data-search]").fill("")
            await page.locator(".enlarge").first.click()
            await expect(page.get_by_role("dialog")).to_be_visible()
        assert await page.evaluate("window.caught") is None
        assert (
            await page.locator(
                "main :is(script, iframe, a[href^='javascript:'], [onerror], [onload], [onfocus])"
            ).count()
            == 0
        )
        assert "7*7" in await page.locator("main").inner_text()
        assert [url for url in report.asked if not url.startswith("data:")] == [path.as_uri()]
        assert report.faults == []


async def test_the_policy_stops_what_escaping_would_have_let_through(reader: Browser, tmp_path: Path) -> None:
    path = write_run(tmp_path)
    text = path.read_text("utf-8")
    smuggled = "<main><script>window.caught = 1</script><img src='http://127.0.0.1:9/x.png' onerror='window.caught = 2'><style>h1 { color: red }</style><form action='http://127.0.0.1:9/'>"
    path.write_text(text.replace("<main>", smuggled), "utf-8")
    async with open_report(reader, path) as report:
        assert await report.page.evaluate("window.caught") is None
        assert await report.page.locator("h1").evaluate("each => getComputedStyle(each).color") != "rgb(255, 0, 0)"
        assert sum("Content Security Policy" in fault for fault in report.faults) >= 3


async def test_it_can_be_read_and_filtered_without_a_script(reader: Browser, tmp_path: Path) -> None:
    async with open_report(reader, write_run(tmp_path), java_script_enabled=False) as report:
        page = report.page
        await expect(page.locator("[data-search]")).to_be_hidden()
        await page.get_by_text("Failed 1", exact=True).click()
        await expect(page.locator(".step:visible")).to_have_count(1)
        await expect(page.locator(".step .error-message")).to_be_visible()
        await page.get_by_text("All 6", exact=True).click()
        await page.locator(".step summary").first.click()
        await expect(page.locator(".step .picture img").first).to_be_visible()


async def test_steps_are_found_by_any_word_in_them(reader: Browser, tmp_path: Path) -> None:
    async with open_report(reader, write_run(tmp_path)) as report:
        page, steps = report.page, report.page.locator(".step:not([hidden])")
        await page.keyboard.press("/")
        await expect(page.locator("[data-search]")).to_be_focused()
        await page.keyboard.type("target_missing")
        await expect(steps).to_have_count(1)
        await expect(page.get_by_role("status")).to_have_text("1 of 6 steps found")
        await page.locator("[data-search]").fill("no such word")
        await expect(page.get_by_text("No step is like this.")).to_be_visible()
        await page.locator("[data-search]").fill("")
        await expect(steps).to_have_count(6)


async def test_a_step_of_the_plan_leads_to_the_step_and_unfolds_it(reader: Browser, tmp_path: Path) -> None:
    async with open_report(reader, write_run(tmp_path)) as report:
        page = report.page
        await page.locator(".plan a").first.click()
        step = page.locator(f"#step-{RUN_ID}-1")
        await expect(step.locator(".step-body")).to_be_in_viewport()
        await expect(step.locator("summary").first).to_be_focused()
        await page.get_by_role("button", name="Unfold all").click()
        assert await page.locator(".step > details:not([open])").count() == 0


async def test_pictures_are_compared_by_keys_alone(reader: Browser, tmp_path: Path) -> None:
    async with open_report(reader, write_run(tmp_path)) as report:
        page, dialog = report.page, report.page.get_by_role("dialog")
        await page.locator(f"#step-{RUN_ID}-2 > details > summary").press("Enter")
        await page.locator(f"#step-{RUN_ID}-2 .enlarge").first.press("Enter")
        await expect(dialog.locator("figure")).to_have_count(2)
        await dialog.get_by_role("button", name="Slider").press("Enter")
        await dialog.get_by_role("slider").press("Home")
        assert await dialog.locator(".pile").evaluate("each => each.style.getPropertyValue('--cut')") == "0%"
        await dialog.get_by_role("button", name="The pictures before these").press("Enter")
        await expect(dialog.locator("figure")).to_have_count(1)  # the first step has one only
        await expect(dialog.locator("figcaption")).to_have_text("After")
        await page.keyboard.press("Escape")
        await expect(dialog).to_be_hidden()
        await expect(page.locator(f"#step-{RUN_ID}-2 .enlarge").first).to_be_focused()


async def test_the_colours_are_turned_and_stay(reader: Browser, tmp_path: Path) -> None:
    async with open_report(reader, write_run(tmp_path), color_scheme="light") as report:
        page = report.page
        ground = "getComputedStyle(document.body).backgroundColor"
        light = await page.evaluate(ground)
        button = page.locator("[data-theme]")
        await button.click()
        await button.click()
        await expect(button).to_have_text("Dark")
        assert await page.evaluate(ground) != light
        await page.reload()
        await expect(button).to_have_text("Dark")


@pytest.mark.parametrize("kind", list(WRITERS))
@pytest.mark.parametrize("width_px", [320, 390, 820, 1280])
async def test_nothing_is_wider_than_the_screen(reader: Browser, tmp_path: Path, kind: str, width_px: int) -> None:
    path = WRITERS[kind](tmp_path, "averyveryverylongwordwithoutanybreaksinitatallwhichgoesonandonandonandon" * 2)
    async with open_report(reader, path, viewport={"width": width_px, "height": 800}) as report:
        await report.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert await report.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


async def test_on_paper_everything_is_unfolded(reader: Browser, tmp_path: Path) -> None:
    async with open_report(reader, write_run(tmp_path)) as report:
        await report.page.emulate_media(media="print")
        heights = await report.page.locator(".step-body").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect().height)"
        )
        assert min(heights) > 0
        await expect(report.page.locator("[data-tools]")).to_be_hidden()


async def test_five_hundred_steps_are_shown_at_once(reader: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_run_report(make_small_run(500), tmp_path, path)
    async with open_report(reader, path) as report:
        await expect(report.page.locator(".step")).to_have_count(500)
        await report.page.locator("[data-search]").fill("“499”")
        await expect(report.page.locator(".step:not([hidden])")).to_have_count(1)
        assert report.faults == []
