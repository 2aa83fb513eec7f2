"""What the console shows of runs, as they go on and afterwards."""

import re
from typing import Any

import httpx
from playwright.async_api import Page, expect

from tests.agent.console.conftest import GUEST, READER, Console


def list_goals(console: Console) -> list[dict[str, Any]]:
    """Two branches: one reads the catalogue, one a slow page."""
    return [
        {"domain": "browser", "verb": "navigate", "params": {"url": f"{console.site}/shop/catalogue"}},
        {"domain": "browser", "verb": "click", "params": {"selector": 'link "Blue mug"'}, "scope": "after:g0"},
        {"domain": "browser", "verb": "read", "params": {"target": "title"}, "scope": "after:g1"},
        {"domain": "browser", "verb": "open_tab", "params": {"url": f"{console.site}/slow/?ms=300"}, "scope": "root"},
    ]


async def test_a_goal_that_is_typed_is_done_and_told_with_receipts(console: Console, page: Page) -> None:
    await console.open(page)
    await page.get_by_label("What shall be done?", exact=True).fill(
        f"go to {console.site}/shop/catalogue and read the title"
    )
    await page.keyboard.press("Enter")
    await expect(page.locator(".reply")).to_contain_text("Catalogue", timeout=30_000)
    await expect(page.locator(".receipt.look-confirmed")).to_have_count(1)
    await expect(page.locator(".receipt.look-read")).to_have_count(1)
    await expect(page.locator(".run-facts .mark")).to_have_text("Done")
    assert console.faults == []


async def test_the_plan_of_a_run_of_another_program_fills_in_as_a_graph(console: Console, page: Page) -> None:
    await console.open(page)
    run_id = await console.begin(goals=list_goals(console), session="shop")
    await page.locator(f'a[href="#/runs/{run_id}"]').click()
    graph = page.get_by_role("region", name="The plan, 4 steps")
    await expect(graph.locator(".plan-step")).to_have_count(4)
    await expect(graph.locator(".way-done")).to_have_count(2, timeout=30_000)
    await expect(page.get_by_role("img", name="Ended: 4 of 4 steps")).to_be_visible()
    await graph.get_by_role("button", name=re.compile("^Step 3")).click()
    assert await page.evaluate("document.activeElement.id") == "step-g2_read_1"


async def test_a_run_that_failed_says_why_and_what_to_do(console: Console, page: Page) -> None:
    goals = [list_goals(console)[0], {"domain": "browser", "verb": "click", "params": {"selector": 'button "Buy now"'}}]
    goals[1]["scope"] = "after:g0"
    run_id = await console.begin(goals=goals, session="shop", wait=True)
    await console.open(page, f"/runs/{run_id}")
    failed = page.locator(".receipt.look-failed")
    await expect(failed.locator(".error-message")).to_contain_text("Nothing matches", timeout=30_000)
    await expect(failed.locator(".error-hint")).not_to_be_empty()
    await expect(failed.get_by_role("button", name="When it failed").locator("img")).to_have_attribute(
        "src", re.compile("^blob:")
    )


async def test_a_run_is_stopped_from_the_page(console: Console, page: Page) -> None:
    goals = [{"domain": "browser", "verb": "navigate", "params": {"url": f"{console.site}/slow/?ms=20000"}}]
    run_id = await console.begin(goals=goals, session="shop")
    await console.open(page, f"/runs/{run_id}")
    await expect(page.locator(".receipt.look-running")).to_have_count(1, timeout=30_000)
    await page.get_by_role("button", name="Stop", exact=True).click()
    await expect(page.locator(".run-facts .mark")).to_have_text("Stopped")


async def test_runs_are_found_by_their_words(console: Console, page: Page) -> None:
    await console.begin(text="list files", session="one", wait=True)
    await console.begin(text="what is the volume", session="two", wait=True)
    await console.open(page, "/sessions")
    await expect(page.locator(".row")).to_have_count(2)
    await page.get_by_label("Search runs").fill("volume")
    await expect(page.locator(".row")).to_have_count(1)
    await page.get_by_label("Of session").select_option("one")
    await expect(page.get_by_text("No run has these words.")).to_be_visible()


async def test_what_a_page_wrote_stays_text(console: Console, page: Page) -> None:
    await console.begin(text='write "<img src=x onerror=alert(1)>" to <b>x</b>', session="one", wait=True)
    await console.open(page)
    await expect(page.locator(".row-title")).to_contain_text("<b>x</b>")
    assert await page.locator(".row b, .row img").count() == 0
    assert console.faults == []


async def test_the_code_leaves_the_address_and_the_browser_stays_signed_in(console: Console, page: Page) -> None:
    await console.open(page)
    assert "code" not in page.url
    await page.reload()
    await expect(page.get_by_text("Connected")).to_be_visible()
    other = await page.context.new_page()
    await other.goto(f"{console.address}/console/")
    await expect(other.get_by_text("Connected")).to_be_visible()


async def test_a_code_lets_one_browser_in_and_is_kept_out_of_reach_of_scripts(console: Console, page: Page) -> None:
    code = console.make_code()
    await page.goto(f"{console.address}/console/#code={code}")
    await expect(page.get_by_text("Connected")).to_be_visible()
    cookie = (await page.context.cookies())[0]
    assert (cookie.get("httpOnly"), cookie.get("sameSite")) == (True, "Strict")
    assert await page.evaluate("document.cookie") == ""
    browser = page.context.browser
    assert browser
    second = await browser.new_context()
    other = await second.new_page()
    await other.goto(f"{console.address}/console/#code={code}")
    await expect(other.get_by_text("This code is wrong, used or too old.")).to_be_visible()
    await second.close()


async def test_whoever_signs_out_needs_another_code(console: Console, page: Page) -> None:
    await console.open(page)
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_label("Code, or your token")).to_be_visible()
    await page.reload()
    await expect(page.get_by_label("Code, or your token")).to_be_visible()


async def test_neither_half_of_a_key_opens_anything_alone(console: Console, page: Page) -> None:
    await console.open(page)
    word = await page.evaluate("localStorage.getItem('surehand.word')")
    cookie = (await page.context.cookies())[0]
    async with httpx.AsyncClient(base_url=console.address, trust_env=False) as client:
        for headers in ({"X-Surehand-Console": word}, {"Cookie": f"{cookie.get('name')}={cookie.get('value')}"}):
            assert (await client.get("/v1/runs", headers=headers)).status_code == 401


async def test_whoever_is_not_signed_in_is_asked_for_a_code_or_a_token(console: Console, page: Page) -> None:
    await page.goto(f"{console.address}/console/")
    field, enter = page.get_by_label("Code, or your token"), page.get_by_role("button", name="Sign in")
    await field.fill("wrong")
    await enter.click()
    await expect(page.get_by_text("This token is not known here.")).to_be_visible()
    await field.fill("owner")
    await enter.click()
    await expect(page.get_by_text("The person at this machine signs in by a code from the terminal.")).to_be_visible()
    await field.fill("AAAA-BBBB")
    await enter.click()
    await expect(page.get_by_text("This code is wrong, used or too old.")).to_be_visible()
    await field.fill(console.make_code().lower().replace("-", " "))
    await enter.click()
    await expect(page.get_by_text("Connected")).to_be_visible()


async def test_somebody_with_a_token_of_their_own_signs_in_by_it(console: Console, page: Page) -> None:
    await page.goto(f"{console.address}/console/")
    await page.get_by_label("Code, or your token").fill(GUEST)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_text("Connected")).to_be_visible()


async def test_a_token_that_only_reads_is_told_so(console: Console, page: Page) -> None:
    await console.open(page, token=READER)
    await page.get_by_label("What shall be done?", exact=True).fill("go to example.com")
    await page.get_by_role("button", name="Do it").click()
    await expect(page.locator(".notice.bad")).to_contain_text("scope")


async def test_a_service_that_ended_is_told_and_found_again(console: Console, page: Page) -> None:
    await console.open(page)
    await page.context.set_offline(True)
    await expect(page.get_by_role("alert")).to_contain_text("does not answer")
    await page.context.set_offline(False)
    await expect(page.get_by_text("Connected")).to_be_visible()


async def test_the_table_of_verbs_is_shown_and_filtered(console: Console, page: Page) -> None:
    await console.open(page, "/rules")
    await page.get_by_label("Filter").fill("volume")
    await expect(page.locator(".family")).to_have_count(1)
    await expect(page.locator(".family h2")).to_have_text("audio")
