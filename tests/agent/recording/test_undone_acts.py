"""What a person takes back, and what only scrolled or hit nothing, is not in the flow."""

from typing import Any

import pytest
from playwright.async_api import Page

from fixtures.site_server import SiteServer
from tests.recorded_person import RecordedPerson

GREETING = ("click", {"selector": 'button "Say hello"'})


async def list_with_greeting(person: RecordedPerson, page: Page) -> list[Any]:
    """Return the steps once something was done that is surely one: by then all is known of what was done before."""
    await page.get_by_role("button", name="Say hello").click()
    return await person.list_steps()


@pytest.fixture
async def page(person: RecordedPerson, site: SiteServer) -> Page:
    return await person.open(f"{site.url}/recording/")


async def test_a_field_that_is_left_as_it_was_is_no_step(person: RecordedPerson, page: Page) -> None:
    await page.get_by_label("City").click()
    await page.keyboard.press("End")
    await page.keyboard.type("x")
    await page.keyboard.press("Backspace")
    await page.get_by_label("Name").click()
    await page.keyboard.type("No")
    await page.keyboard.press("Control+A")
    await page.keyboard.press("Delete")
    await page.get_by_label("Word", exact=True).click()
    await page.keyboard.type("no")
    await page.keyboard.press("Control+A")
    await page.keyboard.press("Delete")
    assert await person.list_steps() == []


async def test_a_tick_and_an_untick_are_no_step_and_of_three_one_is_left(person: RecordedPerson, page: Page) -> None:
    await page.get_by_text("Hot").click()
    await page.get_by_text("Hot").click()
    assert await person.list_steps() == []
    for _ in range(3):
        await page.get_by_text("Hot").click()
    assert await person.list_steps() == [("check", {"selector": 'checkbox "Hot"'})]


async def test_of_several_radio_buttons_of_a_group_the_last_one_counts(person: RecordedPerson, page: Page) -> None:
    await page.get_by_text("Small").click()
    await page.get_by_text("Large").click()
    assert await person.list_steps() == [("check", {"selector": 'radio "Large"'})]


async def test_what_is_opened_and_closed_again_by_escape_or_the_same_button_is_no_step(
    person: RecordedPerson, page: Page
) -> None:
    options = page.get_by_role("button", name="Options")
    await options.click()
    await page.keyboard.press("Escape")
    await options.click()
    await options.click()
    assert await list_with_greeting(person, page) == [GREETING]


async def test_a_way_that_is_gone_back_at_once_is_no_step(person: RecordedPerson, page: Page, site: SiteServer) -> None:
    await page.get_by_role("link", name="Second page").click()
    await page.get_by_role("heading", name="The second page").wait_for()
    await person.see_quiet()
    await page.go_back()
    await person.hear("navigated")
    await person.hear("navigated")
    await person.hear("navigated")
    assert await person.list_steps() == []
    await page.goto(f"{site.url}/recording/second")
    await person.hear("navigated")
    await page.go_back()
    await person.hear("navigated")
    assert await person.list_steps() == []


async def test_scrolling_and_clicks_on_nothing_are_no_steps(person: RecordedPerson, page: Page) -> None:
    await page.mouse.wheel(0, 600)
    await page.keyboard.press("PageUp")
    await page.get_by_text("Only words stand here.").click()
    assert await list_with_greeting(person, page) == [GREETING]


async def test_a_tab_that_is_closed_without_a_look_is_no_step(person: RecordedPerson, page: Page) -> None:
    async with page.context.expect_page() as opened:
        await page.get_by_role("link", name="New tab").click()
    await person.hear("tab_opened", tab=1)
    await (await opened.value).close()
    await person.hear("tab_closed", tab=1)
    assert await person.list_steps() == []


async def test_what_was_done_in_between_keeps_both(person: RecordedPerson, page: Page) -> None:
    await page.get_by_text("Hot").click()
    await page.get_by_role("button", name="Say hello").click()
    await page.get_by_text("Hot").click()
    assert [verb for verb, _ in await person.list_steps()] == ["check", "click", "check"]
