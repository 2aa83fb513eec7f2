"""The live view: a person sees a session's page, takes it over, and hands it back."""

import re

import httpx
from playwright.async_api import Page, expect

from tests.agent.console.conftest import OWNER, READER, Console


async def open_shop(console: Console) -> str:
    goals = [{"domain": "browser", "verb": "navigate", "params": {"url": f"{console.site}/shop/catalogue"}}]
    return await console.begin(goals=goals, session="shop", wait=True)


async def test_the_page_of_a_session_is_seen_live(console: Console, page: Page) -> None:
    run_id = await open_shop(console)
    await console.open(page, f"/runs/{run_id}")
    frame = page.locator(".screen-frame")
    await expect(frame).to_have_attribute("src", re.compile("^data:image/jpeg"), timeout=30_000)
    await expect(page.locator(".screen-address")).to_have_attribute("title", f"{console.site}/shop/catalogue")
    await expect(page.locator(".screen-address")).to_contain_text(f"{console.site.removeprefix('http://')}/shop")
    assert await frame.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
    assert console.faults == []


async def test_a_person_clicks_in_a_page_that_they_took_over_and_hands_it_back(console: Console, page: Page) -> None:
    await open_shop(console)
    await console.open(page, "/watch/shop")
    await page.get_by_role("button", name="Take over").click()
    await expect(page.locator(".screen-note")).to_be_visible(timeout=30_000)
    frame = page.locator(".screen-frame")
    box = await frame.bounding_box()
    assert box
    # The link to the shop's front page stands in the upper left corner.
    await frame.click(position={"x": box["width"] * 0.06, "y": box["height"] * 0.03})
    await expect(page.locator(".screen-address")).not_to_have_attribute(
        "title", f"{console.site}/shop/catalogue", timeout=30_000
    )
    await page.keyboard.press("Shift+Escape")
    await expect(page.get_by_role("button", name="Take over")).to_be_visible()
    await expect(page.locator(".notice")).to_contain_text("you clicked")


async def test_nobody_acts_on_a_page_that_they_did_not_take_over(console: Console) -> None:
    await open_shop(console)
    headers = {"Authorization": f"Bearer {OWNER}"}
    async with httpx.AsyncClient(base_url=console.address, headers=headers, trust_env=False) as client:
        body = {"events": [{"kind": "text", "text": "x"}]}
        answer = await client.post("/v1/sessions/shop/screen/input", json=body)
        assert answer.json()["error"]["code"] == "screen_not_held"
        model = await client.post(
            "/v1/sessions/shop/screen/hold", json={"held": True}, headers={"X-Surehand-Door": "mcp"}
        )
        assert model.json()["error"]["code"] == "approval_needs_a_person"
        nobody = await client.get("/v1/sessions/other/screen")
        assert nobody.status_code == 404
        other = await client.get("/v1/sessions/shop/screen", headers={"Authorization": f"Bearer {READER}"})
        assert other.status_code == 404
