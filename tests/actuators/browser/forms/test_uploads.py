"""Uploading where pages draw their file fields by themselves: labels, drop zones, folders."""

from pathlib import Path

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, TargetError
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

TELLS = """<p id="told"></p><script>
let tell = (files) => { told.textContent = [...files].map((each) => each.name).join(' and '); };
</script>"""
ZONE = """<div id="zone" style="height:80px;border:1px dashed">Drop files here</div><script>
zone.addEventListener('dragover', (event) => event.preventDefault());
zone.addEventListener('drop', (event) => { event.preventDefault(); tell(event.isTrusted ? event.dataTransfer.files : []); });
</script>"""


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    (file := tmp_path / "letter.txt").write_text("Dear Ada", encoding="utf-8")
    return file


async def put(session: PlaywrightSession, context: ActionContext, body: str, selector: str, path: Path) -> ToolOutcome:
    page = await session.open_page(context)
    await page.set_content(TELLS + body)
    return await Hands(session).upload(context, selector, str(path))


async def test_files_dropped_on_a_zone_are_there_when_the_page_shows_them(
    session: PlaywrightSession, context: ActionContext, letter: Path
) -> None:
    outcome = await put(session, context, ZONE, 'text "Drop files here"', letter)
    assert (outcome.effect, outcome.evidence["dropped"]) == ("confirmed", True)
    assert outcome.output["files"] == [{"name": "letter.txt", "size": 8}]
    assert await session.current_page(context).inner_text("#told") == "letter.txt"


async def test_what_takes_no_drop_is_refused_and_the_page_stays(
    session: PlaywrightSession, context: ActionContext, letter: Path
) -> None:
    with pytest.raises(TargetError, match="takes no dropped files"):
        await put(session, context, "<p>Nothing here</p>", 'text "Nothing here"', letter)
    assert await session.current_page(context).inner_text("body") == "Nothing here"


@pytest.mark.parametrize(
    "body",
    [
        '<label role="button" tabindex="0">Choose<input type="file" hidden onchange="tell(files)"></label>',
        '<button><span>Choose</span><input type="file" hidden onchange="tell(files)"></button>',
        '<input type="file" id="f" hidden onchange="tell(files)"><button onclick="f.click()">Choose</button>',
    ],
)
async def test_the_field_in_or_behind_a_button_gets_the_file(
    session: PlaywrightSession, context: ActionContext, letter: Path, body: str
) -> None:
    assert (await put(session, context, body, 'button "Choose"', letter)).effect == "confirmed"
    assert await session.current_page(context).inner_text("#told") == "letter.txt"


async def test_a_field_that_the_page_empties_is_confirmed_by_what_it_shows(
    session: PlaywrightSession, context: ActionContext, letter: Path
) -> None:
    body = '<label>Choose<input type="file" hidden onchange="tell(files); value = null"></label>'
    outcome = await put(session, context, body, 'text "Choose"', letter)
    assert (outcome.effect, outcome.evidence["shown"]) == ("confirmed", ["letter.txt"])


@pytest.mark.parametrize(
    "said",
    ["${name}: this type is not allowed", "${name}<br>Upload failed", "${name} is too large", "${name} ist ungültig"],
)
@pytest.mark.parametrize("is_dropped", [False, True])
async def test_a_file_that_the_page_names_only_to_refuse_it_is_not_confirmed(
    session: PlaywrightSession, context: ActionContext, letter: Path, said: str, *, is_dropped: bool
) -> None:
    field = '<label>Choose<input type="file" hidden onchange="tell(files); value = null"></label>'
    tells = f"<script>tell = ([{{ name }}]) => {{ told.innerHTML = `{said}`; }};</script>"
    body = (ZONE if is_dropped else field) + tells
    selector = 'text "Drop files here"' if is_dropped else 'text "Choose"'
    outcome = await put(session, context, body, selector, letter)
    assert outcome.effect == "unverified"


async def test_a_folder_goes_into_a_field_of_folders_with_all_its_files(
    session: PlaywrightSession, context: ActionContext, tmp_path: Path, letter: Path
) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "more.txt").write_text("x", encoding="utf-8")
    outcome = await put(
        session, context, '<input type="file" aria-label="All" webkitdirectory>', 'field "All"', tmp_path
    )
    assert outcome.effect == "confirmed"
    assert sorted(each["name"] for each in outcome.output["files"]) == [letter.name, "more.txt"]


@pytest.mark.parametrize(("attributes", "is_folder"), [("webkitdirectory", False), ("", True)])
async def test_a_folder_for_files_and_files_for_a_folder_are_refused(
    session: PlaywrightSession, context: ActionContext, letter: Path, attributes: str, *, is_folder: bool
) -> None:
    body = f'<input type="file" aria-label="All" {attributes}>'
    with pytest.raises(TargetError, match=r"folder") as refused:
        await put(session, context, body, 'field "All"', letter.parent if is_folder else letter)
    assert refused.value.code == "target_unsuitable"


@pytest.mark.parametrize(
    "body",
    [
        '<input type="file" aria-label="Scan" disabled>',
        '<fieldset disabled><label>Scan<input type="file"></label></fieldset>',
        '<label aria-disabled="true">Scan<input type="file" hidden></label>',
        '<div inert><label>Scan<input type="file"></label></div>',
    ],
)
async def test_a_field_that_takes_nothing_now_is_refused_and_stays_empty(
    session: PlaywrightSession, context: ActionContext, letter: Path, body: str
) -> None:
    with pytest.raises(TargetError) as refused:
        await put(session, context, body, 'field "Scan"', letter)
    assert refused.value.code == "target_disabled"
    assert await session.current_page(context).evaluate("document.querySelector('input').files.length") == 0


async def test_what_does_not_exist_is_missing(session: PlaywrightSession, context: ActionContext, letter: Path) -> None:
    with pytest.raises(ActionError) as missing:
        await put(session, context, ZONE, 'text "Drop files here"', letter.with_name("none.txt"))
    assert missing.value.code == "file_missing"
