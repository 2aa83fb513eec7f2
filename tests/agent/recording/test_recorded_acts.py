"""Each kind of act on a page becomes the step that does the same, by the selector that a look prints."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Page, Position

from fixtures.site_server import SiteServer
from tests.recorded_person import RecordedPerson

STATUS = 'status "Told"'


@pytest.fixture
async def page(person: RecordedPerson, site: SiteServer) -> Page:
    return await person.open(f"{site.url}/recording/")


async def test_typing_is_one_step_with_what_the_field_holds_in_the_end(person: RecordedPerson, page: Page) -> None:
    await page.get_by_label("Name").click()
    await page.keyboard.type("Adda")
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Backspace")
    await page.keyboard.type("a Lovelace")
    assert await person.list_steps() == [("type", {"selector": 'field "Name"', "text": "Ada Lovelace"})]


async def test_text_goes_into_notes_editors_and_shadow_roots_too(person: RecordedPerson, page: Page) -> None:
    await page.get_by_label("Notes").click()
    await page.keyboard.type("one")
    await page.keyboard.press("Enter")
    await page.keyboard.type("two")
    await page.get_by_label("Letter").click()
    await page.keyboard.type("Dear all")
    await page.get_by_label("Inside").click()
    await page.keyboard.type("deep")
    assert await person.list_steps() == [
        ("type", {"selector": 'field "Notes"', "text": "one\ntwo"}),
        ("type", {"selector": 'field "Letter"', "text": "Dear all"}),
        ("type", {"selector": 'field "Inside"', "text": "deep"}),
    ]
    assert (await person.replay()).outcome == "success"


async def test_what_is_clicked_with_ctrl_and_alt_held_is_expected_and_the_page_hears_nothing_of_it(
    person: RecordedPerson, page: Page
) -> None:
    await page.get_by_role("button", name="Say hello").click()
    heard = await page.evaluate(
        "heard = []; for (const type of ['pointerdown', 'mousedown', 'click']) addEventListener(type, () => heard.push(type), true); heard"
    )
    for place in (
        page.locator("#told"),
        page.get_by_text("Only words stand here."),
        page.get_by_label("City"),
        page.get_by_label("Word", exact=True),
        page.get_by_label("Tea"),
        page.get_by_text("Hot"),
        page.get_by_role("link", name="Second page"),
    ):
        await place.click(modifiers=["Control", "Alt"])
    told = await page.locator("#told").inner_text()
    assert (heard, await page.evaluate("heard"), page.url.endswith("/recording/")) == ([], [], True)
    (_, *expected) = await person.list_steps()
    assert expected == [
        ("expect", {"selector": STATUS, "text": told}),
        ("expect", {"selector": 'paragraph "Only words stand here."'}),
        ("expect", {"selector": 'field "City"', "value": "Lima"}),
        ("expect", {"selector": 'field "Word"'}),
        ("expect", {"selector": 'field "Tea"', "value": "Green"}),
        ("expect", {"selector": 'checkbox "Hot"', "state": "unchecked"}),
        ("expect", {"selector": 'link "Second page"'}),
    ]
    assert (await person.replay()).outcome == "success"


async def test_a_password_is_a_secret_by_name_and_its_value_is_told_nowhere(person: RecordedPerson, page: Page) -> None:
    for label in ("Word", "Word again"):
        await page.get_by_label(label, exact=True).click()
        await page.keyboard.type("s3cret: ok?")
    steps = await person.list_steps()
    assert [(verb, str(params["text"])) for verb, params in steps] == [("type", "secret:WORD")] * 2
    flow = person.log.write("test")
    assert "s3cret" not in f"{person.log.events}{flow}"
    assert "secrets:\n- WORD\n" in flow
    assert (await person.replay(WORD="s3cret: ok?")).outcome == "success"


async def test_a_password_that_the_page_shows_stays_a_secret(person: RecordedPerson, page: Page) -> None:
    word = page.get_by_label("Word", exact=True)
    await word.click()
    await page.keyboard.type("s3cr")
    await word.evaluate("field => { field.type = 'text' }")
    await page.keyboard.type("et")
    assert [str(params["text"]) for _, params in await person.list_steps()] == ["secret:WORD"]
    assert "s3cr" not in str(person.log.events)


async def test_choices_ticks_and_values_are_steps_of_their_own(person: RecordedPerson, page: Page) -> None:
    await page.get_by_label("Tea").focus()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await page.get_by_role("option", name="Milk").click()
    await page.get_by_role("option", name="Lemon").click(modifiers=["Control"])
    await page.get_by_text("Large").click()
    await page.get_by_text("Hot").click()
    await page.get_by_label("Loud").click()
    await page.get_by_label("Day").focus()
    await page.keyboard.type("11242026")
    await page.get_by_label("Size").focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    assert await person.list_steps() == [
        ("select", {"selector": 'field "Tea"', "value": "White"}),
        ("select", {"selector": 'field "Extras"', "value": ["Milk", "Lemon"]}),
        ("check", {"selector": 'radio "Large"'}),
        ("check", {"selector": 'checkbox "Hot"'}),
        ("check", {"selector": 'checkbox "Loud"'}),
        ("set", {"selector": 'field "Day"', "value": "2026-11-24"}),
        ("set", {"selector": 'field "Size"', "value": "5"}),
    ]
    assert (await person.replay()).outcome == "success"


async def test_clicks_say_their_button_their_number_and_what_was_held(person: RecordedPerson, page: Page) -> None:
    button = page.get_by_role("button", name="Say hello")
    await button.dblclick()
    await button.click(button="right")
    await button.click(modifiers=["Shift"])
    await page.get_by_text("Press this card").click()
    await page.get_by_role("button", name="Inner button").click()
    named = {"selector": 'button "Say hello"'}
    assert await person.list_steps() == [
        ("click", {**named, "count": 2}),
        ("click", {**named, "button": "right"}),
        ("click", {**named, "modifiers": ["Shift"]}),
        ("click", {"selector": 'control "Press this card"'}),
        ("click", {"selector": 'button "Inner button"'}),
    ]
    assert (await person.replay()).outcome == "success"


async def test_enter_and_shortcuts_are_kept_and_the_button_that_enter_presses_is_not(
    person: RecordedPerson, page: Page
) -> None:
    await page.get_by_label("Name").click()
    await page.keyboard.type("Ada")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Control+s")
    steps = await person.list_steps()
    assert steps[:2] == [
        ("type", {"selector": 'field "Name"', "text": "Ada"}),
        ("press", {"selector": 'field "Name"', "key": "Enter"}),
    ]
    assert steps[2][1]["key"] == "Control+s"
    assert len(steps) == 3


async def test_a_button_pressed_by_its_key_is_a_click(person: RecordedPerson, page: Page) -> None:
    await page.get_by_role("button", name="Say hello").focus()
    await page.keyboard.press("Enter")
    assert await person.list_steps() == [("click", {"selector": 'button "Say hello"'})]


async def test_dragging_among_others_says_on_which_side_and_elsewhere_where_to(
    person: RecordedPerson, page: Page
) -> None:
    items = page.get_by_label("Order").get_by_role("listitem")
    box = await items.nth(2).bounding_box()
    assert box
    place = Position(x=box["width"] / 2, y=box["height"] - 4)
    await items.nth(0).drag_to(items.nth(2), target_position=place)
    await page.get_by_text("Pear", exact=True).drag_to(page.get_by_text("Bin", exact=True))
    assert await person.list_steps() == [
        ("drag", {"selector": 'listitem "Apple"', "target": 'listitem "Plum"', "side": "after"}),
        ("drag", {"selector": 'listitem "Pear"', "target": 'region "Bin"'}),
    ]
    assert (await person.replay()).outcome == "success"


async def test_a_picked_file_is_an_upload_from_where_it_lies(
    person: RecordedPerson, page: Page, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "cat.png").write_bytes(b"x")
    async with page.expect_file_chooser() as chooser:
        await page.get_by_label("Picture").click()
    await (await chooser.value).set_files(tmp_path / "in" / "cat.png")
    assert await person.list_steps() == [("upload", {"selector": 'field "Picture"', "path": "in/cat.png"})]
    assert (await person.replay()).outcome == "success"


async def test_a_click_that_downloads_is_a_download_under_the_name_that_was_offered(
    person: RecordedPerson, page: Page
) -> None:
    async with page.expect_download():
        await page.get_by_role("link", name="Report").click()
    ((verb, params),) = await person.list_steps()
    assert (verb, params["selector"]) == ("download", 'link "Report"')
    assert params["path"]
    assert (await person.replay()).outcome == "success"


async def test_dialogs_are_answered_as_the_person_answered_them(person: RecordedPerson, page: Page) -> None:
    pressing = asyncio.ensure_future(page.get_by_role("button", name="Ask me").click())
    for text in (None, "Ada"):
        await person.hear("dialog_opened")
        await person.recorder.answer_dialog(accept=True, text=text)
    await pressing
    await person.hear("dialog")
    assert await person.list_steps() == [
        ("click", {"selector": 'button "Ask me"'}),
        ("dialog", {"action": "accept"}),
        ("dialog", {"action": "accept", "text": "Ada"}),
    ]
    assert (await person.replay()).outcome == "success"


async def test_a_new_tab_is_followed_and_closed_as_the_person_did(person: RecordedPerson, page: Page) -> None:
    async with page.context.expect_page() as opened:
        await page.get_by_role("link", name="New tab").click()
    tab = await opened.value
    await tab.wait_for_load_state()
    await person.hear("arrived", tab=1)
    await tab.get_by_role("button").first.click()
    await page.get_by_role("button", name="Say hello").click()
    steps = await person.list_steps()
    assert [verb for verb, _ in steps] == ["click", "switch_tab", "click", "switch_tab", "click"]
    assert [params["tab"] for verb, params in steps if verb == "switch_tab"] == [1, 0]


async def test_what_the_pointer_opened_is_pointed_at_first(person: RecordedPerson, page: Page) -> None:
    await page.get_by_role("link", name="Shelves").hover()
    await page.get_by_role("link", name="Spoons").click()
    assert await person.list_steps() == [
        ("hover", {"selector": 'link "Shelves"'}),
        ("click", {"selector": 'link "Spoons"'}),
    ]
    assert (await person.replay()).outcome == "success"


async def test_addresses_that_the_person_types_are_steps_and_those_that_a_click_led_to_are_not(
    person: RecordedPerson, page: Page, site: SiteServer
) -> None:
    await person.hear("navigated")
    for name in ("Second page", "Workshop"):
        await page.get_by_role("link", name=name).click()
        await person.hear("navigated")  # a person sees where they are before they type where to go
    await page.goto(f"{site.url}/table/")
    assert await person.list_steps() == [
        ("click", {"selector": 'link "Second page"'}),
        ("click", {"selector": 'link "Workshop"'}),
        ("navigate", {"url": f"{site.url}/table/"}),
    ]
    assert (await person.replay()).outcome == "success"


async def test_acts_in_frames_are_named_through_them(person: RecordedPerson, site: SiteServer) -> None:
    page = await person.open(f"{site.url}/frames/")
    frame = next(each for each in page.frames if each.url.startswith("http://localhost"))
    await frame.get_by_role("button").first.click()
    inner = page.frame_locator("[title=Outer]").frame_locator("iframe").frame_locator("iframe")
    await inner.get_by_role("button").first.click()
    assert await person.list_steps() == [
        ("click", {"selector": 'frame "Elsewhere" >> button "Button in the frame"'}),
        ("click", {"selector": 'frame "Outer" >> frame "Middle" >> frame "Inner" >> button "Button in the frame"'}),
    ]
    assert (await person.replay()).outcome == "success"


async def test_what_a_page_does_by_itself_is_no_act(person: RecordedPerson, page: Page) -> None:
    await page.evaluate("""() => {
        document.querySelector('#say').click();
        document.querySelector('[name=hot]').click();
        const field = document.querySelector('[name=name]');
        field.value = 'x';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    }""")
    assert await person.list_steps() == []
    assert await page.evaluate("typeof surehandTell") == "undefined"
