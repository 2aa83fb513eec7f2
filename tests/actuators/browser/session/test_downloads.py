"""Downloads: whole and under the right name, or not at all."""

import asyncio
import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.saved.files import escape_name, judge_suggested_name, publish_file, write_private_file
from core.base.errors import ActionError, DeadlineError, NavigationError, PolicyError, TargetError
from core.policy.policy import Policy
from core.tools.ports import ActionContext
from fixtures.site_handlers.dialogs_site import BIG_BYTES, HARMLESS, NASTY_NAMES
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.cases import each_case


@pytest.fixture
async def hands(session: PlaywrightSession, context: ActionContext, site: SiteServer) -> Hands:
    """Hands on the page of downloads."""
    await Hands(session).navigate(context, f"{site.url}/dialogs/downloads")
    return Hands(session)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for downloads."""
    made = tmp_path / "down loads"
    made.mkdir()
    return made


def list_names(folder: Path) -> list[str]:
    """The names of all that a folder holds."""
    return sorted(entry.name for entry in folder.iterdir())


def find_strays(folder: Path) -> list[str]:
    """The names of all harmful files beside a folder or anywhere above it in the test's own place."""
    return [entry.name for entry in folder.parent.glob("**/*evil*") if entry.parent != folder]


@pytest.mark.parametrize("selector", ["#attachment", "#blob", 'link "Download the report"'])
async def test_a_click_downloads_to_the_path(hands: Hands, context: ActionContext, folder: Path, selector: str):
    path = folder / "report.txt"
    outcome = await hands.download(context, str(path), selector=selector)
    assert path.read_text() == HARMLESS
    assert outcome.effect == "confirmed"
    assert outcome.output["path"] == str(path)
    assert outcome.evidence["size"] == len(HARMLESS)
    assert outcome.evidence["sha256"] == hashlib.sha256(HARMLESS.encode()).hexdigest()
    assert outcome.artifacts == (str(path),)
    assert list_names(folder) == ["report.txt"]


async def test_a_folder_takes_the_suggested_name(hands: Hands, context: ActionContext, folder: Path):
    outcome = await hands.download(context, str(folder), selector="#attachment")
    assert outcome.output == {"path": str(folder / "report.txt"), "suggested_name": "report.txt"}
    assert (folder / "report.txt").read_text() == HARMLESS


@pytest.mark.parametrize("path", ["/dialogs/report", "/redirect?to=/dialogs/report"])
async def test_an_address_downloads_what_the_server_offers_as_a_file(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    folder: Path,
    site: SiteServer,
    path: str,
):
    outcome = await hands.download(context, str(folder), url=site.url + path)
    assert outcome.output["path"] == str(folder / "report.txt")
    assert (folder / "report.txt").read_text() == HARMLESS
    assert session.current_page(context).url == f"{site.url}/dialogs/downloads"
    assert len(session.tabs) == 1


async def test_an_address_downloads_a_page_without_running_it(
    hands: Hands, context: ActionContext, folder: Path, site: SiteServer
):
    await hands.download(context, str(folder / "page.html"), url=f"{site.url}/dialogs/popup")
    assert "<h1>Pop-up</h1>" in (folder / "page.html").read_text()
    assert site.events("popup-loaded") == []
    assert len(site.received.requests("/dialogs/popup")) == 1


async def test_a_big_file_arrives_whole(hands: Hands, context: ActionContext, folder: Path, site: SiteServer):
    outcome = await hands.download(
        replace(context, timeout_s=20), str(folder / "big.bin"), url=f"{site.url}/dialogs/big"
    )
    content = bytes(range(256)) * (BIG_BYTES // 256)
    assert outcome.evidence["size"] == BIG_BYTES
    assert outcome.evidence["sha256"] == hashlib.sha256(content).hexdigest()


async def test_half_a_file_is_thrown_away(hands: Hands, context: ActionContext, folder: Path):
    with pytest.raises(ActionError, match="stopped") as caught:
        await hands.download(context, str(folder / "half.bin"), selector="#half")
    assert caught.value.code == "download_failed"
    assert list_names(folder) == []


async def test_a_file_that_takes_too_long_is_given_up(hands: Hands, context: ActionContext, folder: Path):
    with pytest.raises(DeadlineError) as caught:
        await hands.download(replace(context, timeout_s=1.0), str(folder / "slow.bin"), selector="#dripping")
    assert caught.value.code == "download_timeout"
    assert list_names(folder) == []


async def test_an_existing_file_is_left_alone_and_nothing_is_asked_of_the_server(
    hands: Hands, context: ActionContext, folder: Path, site: SiteServer
):
    path = folder / "report.txt"
    path.write_text("mine")
    site.received.clear()
    with pytest.raises(ActionError) as caught:
        await hands.download(context, str(path), selector="#attachment")
    assert caught.value.code == "file_exists"
    with pytest.raises(ActionError):
        await hands.download(context, str(folder), url=f"{site.url}/dialogs/report")
    assert path.read_text() == "mine"
    assert [request.path for request in site.received] == ["/dialogs/report"]


async def test_a_missing_folder_is_named(hands: Hands, context: ActionContext, folder: Path):
    with pytest.raises(ActionError, match="nowhere does not exist") as caught:
        await hands.download(context, str(folder / "nowhere" / "x.txt"), selector="#attachment")
    assert caught.value.code == "no_folder"


async def test_a_click_that_downloads_nothing_is_refused(
    hands: Hands, session: PlaywrightSession, context: ActionContext, folder: Path
):
    await session.current_page(context).evaluate("document.querySelector('h1').id = 'title'")
    with pytest.raises(TargetError, match="did not start a download"):
        await hands.download(replace(context, timeout_s=1.0), str(folder / "x"), selector="#title")


async def test_a_missing_file_on_the_server_is_said_so(
    hands: Hands, context: ActionContext, folder: Path, site: SiteServer
):
    with pytest.raises(NavigationError, match="status 404") as caught:
        await hands.download(context, str(folder / "x"), url=f"{site.url}/status/404")
    assert caught.value.code == "http_status"
    assert list_names(folder) == []


async def test_a_foreign_address_is_not_downloaded(
    hands: Hands, context: ActionContext, folder: Path, site: SiteServer
):
    site.received.clear()
    narrow = replace(context, policy=Policy(hosts=("example.com",)))
    with pytest.raises(PolicyError):
        await hands.download(narrow, str(folder / "x"), url=f"{site.url}/dialogs/report")
    assert len(site.received) == 0


@pytest.mark.parametrize("case", sorted(NASTY_NAMES))
async def test_a_name_that_is_meant_to_do_harm_stays_in_the_folder_or_is_refused(
    hands: Hands, context: ActionContext, folder: Path, case: str
):
    error = None
    try:
        await hands.download(context, str(folder), selector=f"#nasty-{case}")
    except ActionError as caught:
        error = caught
    names = list_names(folder)
    assert find_strays(folder) == []
    if error is None:
        assert [judge_suggested_name(name) for name in names] == names
        assert len(names) == 1
    else:
        assert (error.code, names) == ("unsafe_file_name", [])
        assert str(error).isprintable()


async def test_what_nobody_asked_for_is_thrown_away_and_reported(
    hands: Hands, session: PlaywrightSession, context: ActionContext
):
    page = session.current_page(context)
    async with session.watch(context) as watch:
        async with page.expect_event("download") as begun:
            await page.click("#dripping")
        download = await begun.value
        assert await asyncio.wait_for(download.failure(), 5) == "canceled"
        (detail,) = watch.evidence()["downloads"]
    assert (detail["suggested_name"], detail["state"]) == (download.suggested_filename, "thrown away")


async def test_a_click_takes_what_it_started_and_not_what_came_before(
    hands: Hands, session: PlaywrightSession, context: ActionContext, folder: Path
):
    page = session.current_page(context)
    async with page.expect_event("download"):
        await page.click("#dripping")
    outcome = await hands.download(context, str(folder), selector="#attachment")
    assert outcome.output["suggested_name"] == "report.txt"
    assert list_names(folder) == ["report.txt"]


async def test_of_two_downloads_the_first_is_kept_and_the_other_reported(
    hands: Hands, session: PlaywrightSession, context: ActionContext, folder: Path, site: SiteServer
):
    outcome = await hands.download(context, str(folder), selector="#both")
    assert list_names(folder) == ["report.txt"]
    reported = outcome.evidence.get("downloads", [])
    if not reported:  # it may come a moment later, and is then the next action's to report
        async with session.watch(context) as watch:
            assert await watch.wait_for("download", 5)
            reported = watch.evidence()["downloads"]
    assert [detail["state"] for detail in reported] == ["thrown away"]
    assert len(site.received.requests("/dialogs/report")) == 2


@each_case(
    "name",
    [
        "", ".", "..", " ", "../x", "a/b", "a\\b", "C:evil", "a:b", "CON", "con.txt", "COM1", "lpt9.log", "x.", "x ", " x",
        ".bashrc", "a\nb", "a\x00b", "invoice\u202efdp.exe", "zero\u200bwidth", "a" * 256, "ż" * 128, "what?", "a*b", "<x>", 'q"',
    ],
)  # fmt: skip
def test_an_unsafe_suggested_name_is_refused_and_shown_escaped(name: str):
    with pytest.raises(ActionError) as caught:
        judge_suggested_name(name)
    assert caught.value.code == "unsafe_file_name"
    assert caught.value.message.isprintable()


@pytest.mark.parametrize(
    "name", ["report.txt", "żółć 日本 😀.txt", "console.log", "COMMON.txt", "a" * 255, "x (1).tar.gz"]
)
def test_a_safe_suggested_name_is_taken_as_it_is(name: str):
    assert judge_suggested_name(name) == name


def test_escapes_show_what_is_hidden():
    assert escape_name("invoice\u202efdp.exe\n") == "invoice\\u202efdp.exe\\n"


def test_publishing_never_replaces_a_file(tmp_path: Path):
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_text("new")
    target.write_text("old")
    with pytest.raises(ActionError, match="already exists"):
        publish_file(source, target)
    assert (source.read_text(), target.read_text()) == ("new", "old")


def test_of_many_that_publish_at_once_one_wins_and_none_is_replaced(tmp_path: Path):
    def publish(number: int, start: Barrier, target: Path) -> int | None:
        source = tmp_path / f"source-{number}"
        source.write_text(str(number))
        start.wait()
        try:
            publish_file(source, target)
        except ActionError as error:
            return None if error.code == "file_exists" else -1
        return number

    with ThreadPoolExecutor(8) as pool:
        for attempt in range(40):
            target, start = tmp_path / f"target-{attempt}", Barrier(8)
            ends = [end.result() for end in [pool.submit(publish, number, start, target) for number in range(8)]]
            winners = [end for end in ends if end is not None]
            assert [str(end) for end in winners] == [target.read_text()]


def test_publishing_never_follows_a_dangling_link(tmp_path: Path):
    source = tmp_path / "source"
    source.write_text("new")
    (tmp_path / "target").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ActionError, match="already exists"):
        publish_file(source, tmp_path / "target")
    assert not (tmp_path / "elsewhere").exists()


def test_a_private_file_is_for_its_owner_only(tmp_path: Path):
    facts = write_private_file(tmp_path / "secret", b"abc")
    assert facts.size == 3
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["secret"]
