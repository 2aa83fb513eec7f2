"""Pictures of a page before and after an act: compared large, by the mouse, by keys, on a phone."""

from playwright.async_api import FloatRect, Locator, Page, expect

from tests.agent.console.conftest import Console


async def open_run(console: Console, page: Page) -> Locator:
    """Type into a page, and return the receipt of that."""
    goals = [
        {"domain": "browser", "verb": "navigate", "params": {"url": f"{console.site}/shop/signin"}},
        {"domain": "browser", "verb": "type", "params": {"selector": 'field "Email"', "text": "ada@example.com"}},
    ]
    run_id = await console.begin(goals=goals, session="shop", wait=True)
    await console.open(page, f"/runs/{run_id}")
    receipt = page.locator(".receipt").nth(1)
    await expect(receipt.locator("img[src^=blob]")).to_have_count(2, timeout=30_000)
    return receipt


async def measure(place: Locator) -> FloatRect:
    box = await place.bounding_box()
    assert box
    return box


async def test_pictures_are_compared_side_by_side_by_keys_and_focus_returns(console: Console, page: Page) -> None:
    receipt = await open_run(console, page)
    after = receipt.get_by_role("button", name="After")
    await after.focus()
    await page.keyboard.press("Enter")
    shown = page.get_by_role("dialog", name="Step 2").locator("img[src^=blob]")
    await expect(shown).to_have_count(2)
    left, right = await measure(shown.first), await measure(shown.last)
    assert (left["y"], left["width"]) == (right["y"], right["width"])
    assert left["x"] + left["width"] < right["x"]
    assert left["width"] > 2 * (await measure(receipt.locator("img").first))["width"]
    await page.keyboard.press("ArrowRight")
    await expect(shown).to_have_count(1)
    await expect(shown).to_have_attribute("alt", "After")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(after).to_be_focused()


async def test_the_word_for_a_picture_covers_nothing_of_it(console: Console, page: Page) -> None:
    receipt = await open_run(console, page)
    for words in ("Before", "After"):
        picture = await measure(receipt.get_by_role("button", name=words).locator("img"))
        assert (await measure(receipt.get_by_text(words, exact=True)))["y"] >= picture["y"] + picture["height"]


async def test_pictures_are_compared_on_a_phone(console: Console, page: Page) -> None:
    await page.set_viewport_size({"width": 390, "height": 844})
    receipt = await open_run(console, page)
    await receipt.get_by_role("button", name="Before").click()
    shown = page.get_by_role("dialog").locator("img[src^=blob]")
    await expect(shown).to_have_count(2)
    first, second = await measure(shown.first), await measure(shown.last)
    assert first["y"] + first["height"] < second["y"]
    assert first["width"] > 300
    await shown.last.click()  # alone it has its own size
    await expect(shown).to_have_count(1)
    assert (await measure(shown))["width"] > 600
    await page.get_by_role("button", name="Close").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
