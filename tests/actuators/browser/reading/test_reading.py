"""Reading, extracting, outlining, picturing and asserting, against what the fixture pages hold."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.saved.picture_files import measure_picture
from core.base.errors import ActionError, ExpectationError, TargetError
from core.rules.browser_choices import ReadTarget
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands


@pytest.fixture
async def reading(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Hands:
    page = await session.open_page(context)
    await page.goto(f"{site.url}/table/small")
    return Hands(session)


@pytest.fixture
def short(context: ActionContext) -> ActionContext:
    return replace(context, timeout_s=1.0)


async def test_title_address_and_text_are_read(reading: Hands, context: ActionContext, site: SiteServer) -> None:
    assert (await reading.read(context, "title")).output["value"] == "A small table"
    assert (await reading.read(context, "url")).output["text"] == f"{site.url}/table/small"
    heading = await reading.read(context, "text", 'heading "Cards"')
    assert heading.output == {"text": "Cards", "value": "Cards", "truncated": False}
    assert heading.effect == "none"
    assert "Blue mug" in (await reading.read(context, "text")).output["text"]


async def test_text_is_cut_at_the_limit_and_that_is_said(reading: Hands, context: ActionContext) -> None:
    places: tuple[tuple[ReadTarget, str | None], ...] = (("text", None), ("html", "#small"), ("title", None))
    for target, selector in places:
        cut = await reading.read(context, target, selector, max_chars=5)
        assert len(cut.output["text"]) == 5
        assert cut.output["truncated"] is True


async def test_a_table_is_read_as_records_with_spans(reading: Hands, context: ActionContext) -> None:
    output = (await reading.read(context, "table", 'table "Trains"')).output
    assert output["headers"] == ["Train", "Leaves / From", "Leaves / At", "Details"]
    assert output["count"] == 5
    assert output["value"][0] == {
        "Train": "IC 1",
        "Leaves / From": "Kraków",
        "Leaves / At": "06:15",
        "Details": "Details of IC 1",
    }
    assert [record["Leaves / From"] for record in output["value"]] == [
        "Kraków",
        "Łódź",
        "Cancelled",
        "Berlin Ostbahnhof",
        "",
    ]
    assert output["value"][2]["Leaves / At"] == "Cancelled"
    assert output["text"].splitlines()[0] == "Train\tLeaves / From\tLeaves / At\tDetails"


async def test_a_table_without_a_head_and_aria_tables_are_read(
    reading: Hands, context: ActionContext, session: PlaywrightSession
) -> None:
    headless = (await reading.read(context, "table", "#headless")).output
    assert headless["value"] == [
        {"column 1": "Height", "column 2": "9 cm"},
        {"column 1": "Weight", "column 2": "320 g"},
    ]
    await session.current_page(context).set_content(
        """<div role="table"><div role="row"><span role="columnheader">A</span><span role="columnheader">A</span></div>
        <div role="row"><span role="cell">1</span><span role="cell">2</span></div></div>"""
    )
    assert (await reading.read(context, "table", "[role=table]")).output["value"] == [{"A": "1", "A (2)": "2"}]


async def test_a_long_table_is_read_whole(
    reading: Hands, context: ActionContext, session: PlaywrightSession, site: SiteServer
) -> None:
    await session.current_page(context).goto(f"{site.url}/table/")
    output = (await reading.read(context, "table", max_chars=1_000_000)).output
    assert len(output["value"]) == output["count"] == 2000
    assert output["truncated"] is False


async def test_two_tables_or_none_are_errors(reading: Hands, short: ActionContext) -> None:
    with pytest.raises(TargetError) as ambiguous:
        await reading.read(short, "table")
    assert ambiguous.value.code == "target_ambiguous"
    with pytest.raises(TargetError) as none:
        await reading.read(short, "table", 'heading "Cards"')
    assert none.value.code == "target_unsuitable"


async def test_links_are_absolute_and_counted(reading: Hands, context: ActionContext, site: SiteServer) -> None:
    links = (await reading.read(context, "links", "main")).output
    assert links["value"][0] == {"text": "Details of IC 1", "url": f"{site.url}/echo?train=1"}
    assert links["count"] == len(links["value"]) == 7
    assert (await reading.read(context, "count", "testid=card")).output["value"] == 3
    assert (await reading.read(context, "count", ".nothing")).output["value"] == 0


async def test_attributes_and_cells_are_read(reading: Hands, context: ActionContext) -> None:
    link = await reading.read(context, "attribute", 'link "Details of IC 1"', "href")
    assert link.output["value"] == "/echo?train=1"
    assert (await reading.read(context, "attribute", "#small", "data-none")).output["value"] is None
    assert (await reading.read(context, "text", 'cell "Łódź" in "IC 2"')).output["value"] == "Łódź"
    assert (await reading.read(context, "text", 'link "Details" in "EC 4"')).output["value"] == "Details of EC 4"


async def test_values_of_fields_are_typed(
    reading: Hands, context: ActionContext, session: PlaywrightSession, site: SiteServer
) -> None:
    page = session.current_page(context)
    await page.goto(f"{site.url}/elements/fields")
    assert (await reading.read(context, "value", 'field "Filled"')).output["value"] == "before"
    assert (await reading.read(context, "value", 'field "Range"')).output["value"] == 50
    assert (await reading.read(context, "value", 'field "Number"')).output["value"] is None
    assert (await reading.read(context, "text", 'field "Filled"')).output["text"] == "before"
    await page.goto(f"{site.url}/elements/choices")
    assert (await reading.read(context, "value", 'field "Car"')).output == {
        "text": "Volvo",
        "value": "volvo",
        "truncated": False,
    }
    assert (await reading.read(context, "value", 'field "Toppings"')).output["value"] == []
    assert (await reading.read(context, "value", 'checkbox "Terms"')).output["value"] is False
    assert (await reading.read(context, "value", 'switch "Wi-Fi"')).output["value"] is False


async def test_what_a_password_field_holds_is_never_read(
    reading: Hands, context: ActionContext, session: PlaywrightSession, site: SiteServer
) -> None:
    secret = 's3cret: "ok?"'
    await session.current_page(context).goto(f"{site.url}/elements/fields")
    await Hands(session).type(context, selector='field "Password"', text=secret)
    await session.current_page(context).evaluate(
        "(s) => document.getElementById('password').setAttribute('value', s)", secret
    )
    outcomes = [
        await reading.read(context, "value", 'field "Password"'),
        await reading.read(context, "text", 'field "Password"'),
        await reading.read(context, "attribute", 'field "Password"', "value"),
        await reading.read(context, "html"),
        await reading.read(context, "html", "#password"),
        await reading.snapshot(context),
        await reading.snapshot(context, "#fields-form"),
        await reading.extract(context, {"it": "#password"}),
        await reading.expect(context, 'field "Password"', value=secret),
    ]
    told = repr([(outcome.output, outcome.evidence) for outcome in outcomes])
    assert "s3cret" not in told
    assert 'field "Password" # ' in told
    with pytest.raises(ExpectationError) as caught:
        await reading.expect(context, 'field "Password"', value="other", timeout=0.1)
    assert "s3cret" not in f"{caught.value} {caught.value.evidence}"


async def test_pictures_are_written_to_new_files_and_read_back(
    reading: Hands, context: ActionContext, tmp_path: Path
) -> None:
    path = tmp_path / "deep" / "page.png"
    outcome = await reading.screenshot(context, str(path))
    content = path.read_bytes()
    assert outcome.effect == "confirmed"
    assert outcome.output == {"path": str(path), "width_px": 1280, "height_px": 720}
    assert outcome.evidence["sha256"] == hashlib.sha256(content).hexdigest()
    assert outcome.evidence["size"] == len(content)
    with pytest.raises(ActionError) as caught:
        await reading.screenshot(context, str(path))
    assert caught.value.code == "file_exists"
    assert path.read_bytes() == content


async def test_pictures_of_elements_whole_pages_and_jpegs(
    reading: Hands, context: ActionContext, tmp_path: Path
) -> None:
    part = await reading.screenshot(context, selector="testid=card nth 1")
    assert part.output["width_px"] < 1280
    assert part.artifacts == (part.output["path"],)
    assert Path(part.output["path"]).parent == tmp_path / "artifacts"
    another = await reading.screenshot(context, selector="testid=card nth 1")
    assert another.output["path"] != part.output["path"]
    whole = await reading.screenshot(context, str(tmp_path / "whole.jpg"), full_page=True)
    assert whole.output["height_px"] > 720
    assert (tmp_path / "whole.jpg").read_bytes().startswith(b"\xff\xd8")
    assert measure_picture(b"neither") == (0, 0)


async def test_a_page_is_printed(reading: Hands, context: ActionContext, tmp_path: Path) -> None:
    outcome = await reading.pdf(context, str(tmp_path / "page.pdf"))
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")
    assert outcome.evidence["size"] == (tmp_path / "page.pdf").stat().st_size
