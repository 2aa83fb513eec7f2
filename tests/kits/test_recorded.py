"""What a person does on pages of others is recorded, and done again it comes to the same at the far end."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from agent.cli.recording.recordings import ReplayWish, replay_flow
from fixtures.kits.kit_site import KitSite
from fixtures.kits.places import KitPlace, Visit
from tests.recorded_person import SETTINGS, open_person
from tests.thoroughness import spread

Deed = Callable[[Page], Awaitable[None]]


async def furnish_with_material(page: Page) -> None:
    await page.get_by_role("combobox", name="Age group").click()
    await page.get_by_role("option", name="18 to 64").click()
    await page.get_by_role("radio", name="Large").click()


async def book_with_shoelace(page: Page) -> None:
    await page.get_by_label("Name", exact=True).click()
    await page.keyboard.type("Ada")
    await page.get_by_role("combobox", name="View").click()
    await page.get_by_role("option", name="Hills").click()
    await expect(page.get_by_role("option", name="Hills")).to_be_hidden()
    await page.get_by_text("Breakfast").click()
    await page.get_by_text("Quiet side").click()
    await page.evaluate(
        "void (window.shown = new Promise((done) => document.addEventListener('sl-after-show', () => done(true), { once: true })))"
    )
    await page.get_by_role("button", name="Actions").click()
    assert await page.evaluate("window.shown")  # a person waits until a menu stands still
    await page.get_by_role("menuitem", name="Move").click()


async def fill_in_with_tom_select(page: Page) -> None:
    await page.locator("#city-ts-control").click()
    await page.keyboard.type("os")
    await page.locator("[data-value=osl].option").click()


async def choose_with_ant_design(page: Page) -> None:
    await page.get_by_role("combobox", name="Country").click()
    await page.get_by_title("Japan", exact=True).click()


async def plan_with_jquery_ui(page: Page) -> None:
    await page.get_by_label("To", exact=True).click()
    await page.keyboard.type("an")
    await page.get_by_text("Japan", exact=True).click()
    await page.locator("#class-button").click()
    await page.get_by_role("option", name="First").click()
    await page.get_by_label("Day").click()
    await page.get_by_title("Next").click()
    await page.get_by_role("link", name="15", exact=True).click()


SESSIONS: dict[str, tuple[str, str, Deed, dict[str, Any]]] = {
    "mui": ("mui", "choose", furnish_with_material, {"age": "18 to 64", "size": "large"}),
    "shoelace": (
        "shoelace",
        "room",
        book_with_shoelace,
        {"name": "Ada", "view": "hill", "breakfast": "true", "quiet": "true", "action": "move"},
    ),
    "tom-select": ("tom-select", "profile", fill_in_with_tom_select, {"city": "osl"}),
    "jquery-ui": ("jquery-ui", "trip", plan_with_jquery_ui, {"to": "Japan", "class": "First", "day": "2027-04-15"}),
    "antd": ("antd", "choose", choose_with_ant_design, {"country": "japan"}),
}


@pytest.mark.parametrize("kit", spread(SESSIONS, 2))
async def test_what_is_recorded_on_pages_of_others_is_done_again(
    kit: str, kit_site: KitSite, browser: Browser, tmp_path: Path
) -> None:
    folder, name, act, want = SESSIONS[kit]
    place = KitPlace(kit_site, folder)

    async def hear(visit: Visit) -> dict[str, Any]:
        return await asyncio.to_thread(kit_site.far_end.hear, visit.address.partition("visit=")[2], want)

    first, second = place.visit(name), place.visit(name)
    async with open_person(browser, tmp_path) as person:
        page = await person.open(first.address)
        await act(page)
        assert await hear(first) == want
        await person.recorder.settle()
        text = person.log.write("test")
        assert list(person.log.list_remarks()) == []
    text = text.replace(first.address, second.address)
    replay = await replay_flow(text, ReplayWish(SETTINGS, tmp_path))
    assert replay.outcome == "success", (replay, text)
    assert await hear(second) == want
