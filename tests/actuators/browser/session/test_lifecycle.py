"""Nothing is left behind: after a close, after a kill, after a hundred sessions."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import psutil
import pytest

from actuators.browser.playwright.session.browser_session import BrowserSettings, PlaywrightSession
from actuators.browser.playwright.session.processes import make_runtime_folder, remove_dead_folders
from actuators.deadlines import Deadline
from core.base.errors import ActionError, UnsupportedError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.thoroughness import is_thorough

OWNER = Path(__file__).parents[1] / "owner.py"
ROOT = Path(__file__).resolve().parents[4]
GONE_S = 15.0
FLAT_BYTES = 6 * 1024 * 1024

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL and /proc are POSIX")


@pytest.fixture
def temp() -> Generator[Path]:
    """A folder for temporary files of one owner and all that it starts, short enough for the browser's sockets."""
    with tempfile.TemporaryDirectory(prefix="t") as made:
        yield Path(made)


def start_owner(temp: Path, *arguments: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "TMPDIR": str(temp), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(OWNER), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)


@pytest.fixture
def hanging_owner(temp: Path, site: SiteServer) -> Generator["subprocess.Popen[str]"]:
    """A program in the middle of a navigation that never ends."""
    owner = start_owner(temp, "hang", f"{site.url}/slow/never")
    assert owner.stdout
    assert "started" in owner.stdout.readline()
    assert "under_way" in owner.stdout.readline()
    yield owner
    for process in list_family(owner.pid, temp):
        process.kill()
    owner.kill()
    owner.wait()
    owner.stdout.close()


def list_family(pid: int, temp: Path) -> list[psutil.Process]:
    """All that a process started, also what was handed on to another parent."""
    family = {process.pid: process for process in psutil.process_iter() if uses_folder(process, temp)}
    if psutil.pid_exists(pid):
        family |= {process.pid: process for process in psutil.Process(pid).children(recursive=True)}
    family.pop(pid, None)
    return list(family.values())


def uses_folder(process: psutil.Process, temp: Path) -> bool:
    try:
        return str(temp) in " ".join(process.cmdline()) or process.environ().get("TMPDIR", "").startswith(str(temp))
    except psutil.Error:
        return False


def wait_until_gone(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Wait until processes have ended; return those that haven't."""
    return psutil.wait_procs(processes, timeout=GONE_S)[1]


@posix_only
def test_a_killed_owner_leaves_no_browser_and_no_driver(hanging_owner: "subprocess.Popen[str]", temp: Path):
    family = list_family(hanging_owner.pid, temp)
    assert any("node" in process.name() for process in family)
    assert any("chrom" in process.name() for process in family)
    hanging_owner.send_signal(signal.SIGKILL)
    hanging_owner.wait()
    assert wait_until_gone(family) == []
    assert list_family(hanging_owner.pid, temp) == []
    (folder,) = temp.iterdir()
    assert remove_dead_folders(temp) == (folder,)
    assert list(temp.iterdir()) == []


@posix_only
def test_even_when_the_driver_is_killed_with_it_the_browser_goes_and_its_profile_is_removed_at_the_next_start(
    hanging_owner: "subprocess.Popen[str]", temp: Path
):
    family = list_family(hanging_owner.pid, temp)
    drivers = [process for process in family if "node" in process.name()]
    for process in (*drivers, psutil.Process(hanging_owner.pid)):
        process.kill()
    hanging_owner.wait()
    assert wait_until_gone(family) == []
    assert list(temp.glob("surehand-*/playwright_chromiumdev_profile-*"))
    fresh = make_runtime_folder(temp)
    assert list(temp.iterdir()) == [fresh]
    fresh.rmdir()


@posix_only
def test_an_owner_killed_while_starting_leaves_nothing_running(temp: Path):
    owner = start_owner(temp, "hang", "about:blank")
    assert owner.stdout
    deadline = Deadline(20)
    while not list_family(owner.pid, temp):
        assert deadline.remaining_s > 0.1
    owner.kill()
    owner.wait()
    owner.stdout.close()
    assert wait_until_gone(list_family(owner.pid, temp)) == []
    assert list_family(owner.pid, temp) == []


def repeat_sessions(temp: Path, count: int) -> list[dict[str, object]]:
    owner = start_owner(temp, "repeat", str(count))
    output, _ = owner.communicate(timeout=count * 10)
    assert owner.returncode == 0
    return [json.loads(line) for line in output.splitlines()]


def check_flat(reports: list[dict[str, object]], count: int) -> None:
    assert len(reports) == count
    assert {report["children"] for report in reports} == {0}
    assert all(report["children_while_open"] for report in reports)
    assert all(report["files"] == [] for report in reports)
    assert {report["tasks"] for report in reports} == {1}
    assert len({report["descriptors"] for report in reports[1:]}) == 1
    memory = [int(str(report["memory"])) for report in reports]
    assert memory[-1] - memory[4] < FLAT_BYTES


def test_many_sessions_in_a_row_leave_no_process_file_or_descriptor_and_flat_memory(temp: Path):
    count = 15 if is_thorough() else 8
    check_flat(repeat_sessions(temp, count), count)


@posix_only
def test_a_long_path_of_the_folder_for_temporary_files_keeps_no_browser_from_starting(tmp_path: Path):
    long = tmp_path / ("long" * 20)
    long.mkdir()
    with start_owner(long, "repeat", "1") as owner:
        assert (owner.wait(), list(long.glob("surehand-*"))) == (0, [])


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_a_hundred_sessions_in_a_row_leave_no_process_file_or_descriptor_and_flat_memory(temp: Path):
    check_flat(repeat_sessions(temp, 100), 100)


@pytest.fixture
async def own_session() -> AsyncGenerator[PlaywrightSession]:
    """A session with a browser process of its own."""
    session = PlaywrightSession(BrowserSettings())
    yield session
    await session.close()


async def test_a_session_starts_nothing_until_it_is_needed_and_closes_as_often_as_one_likes(context: ActionContext):
    session = PlaywrightSession(BrowserSettings())
    before = psutil.Process().children(recursive=True)
    await session.close()
    assert psutil.Process().children(recursive=True) == before
    page = await session.open_page(context)
    await asyncio.gather(session.close(), session.close())
    await session.close()
    assert page.is_closed()


async def test_a_closed_session_can_be_used_again(own_session: PlaywrightSession, context: ActionContext):
    await own_session.open_page(context)
    await own_session.close()
    assert own_session.open_sessions() == frozenset()
    outcome = await Hands(own_session).navigate(context, "about:blank")
    assert outcome.effect == "confirmed"


async def test_a_browser_of_its_own_goes_on_when_a_session_renews_its_context(
    own_session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await Hands(own_session).navigate(context, f"{site.url}/table/small")
    browser = own_session.current_page(context).context.browser
    outcome = await Hands(own_session).emulate(context, locale="de-DE")
    assert outcome.evidence["reopened"] == [{"url": f"{site.url}/table/small"}]
    assert own_session.current_page(context).url == f"{site.url}/table/small"
    assert own_session.current_page(context).context.browser is browser


async def test_a_browser_that_dies_is_reported_and_started_anew(
    own_session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    hands = Hands(own_session)
    others = set(psutil.Process().children(recursive=True))
    page = await own_session.open_page(context)
    mine = [process for process in psutil.Process().children(recursive=True) if process not in others]
    browser = next(
        process for process in mine if "chrom" in process.name() and "--type=" not in " ".join(process.cmdline())
    )
    closed = asyncio.Event()
    page.context.on("close", lambda _: closed.set())
    browser.kill()
    await asyncio.wait_for(closed.wait(), 5)
    with pytest.raises(ActionError) as caught:
        await hands.reload(context)
    assert caught.value.code == "browser_gone"
    outcome = await hands.navigate(context, f"{site.url}/table/small")
    assert outcome.output["status"] == 200


async def test_a_browser_that_dies_in_the_middle_of_an_action_is_an_error_that_says_so(
    own_session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    others = set(psutil.Process().children(recursive=True))
    page = await own_session.open_page(context)
    mine = [process for process in psutil.Process().children(recursive=True) if process not in others]
    committed = asyncio.Event()
    page.on("framenavigated", lambda _: committed.set())
    act = asyncio.create_task(Hands(own_session).navigate(context, f"{site.url}/slow/never"))
    await asyncio.wait_for(committed.wait(), 5)
    next(process for process in mine if "chrom" in process.name()).kill()
    with pytest.raises(ActionError, match=r"closed|crashed"):
        await act


async def test_a_browser_that_does_not_start_is_an_error_with_its_reason_and_leaves_nothing(
    tmp_path: Path, context: ActionContext
):
    broken = tmp_path / "chromium"
    broken.write_bytes(b"\x7fELF is not enough")
    broken.chmod(0o755)
    session = PlaywrightSession(BrowserSettings(executable=str(broken)))
    others = set(psutil.Process().children(recursive=True))
    with pytest.raises(UnsupportedError, match="did not start") as caught:
        await session.open_page(context)
    assert caught.value.code == "browser_start_failed"
    await session.close()
    assert set(psutil.Process().children(recursive=True)) <= others


async def test_a_start_that_is_cancelled_leaves_no_process(context: ActionContext):
    others = set(psutil.Process().children(recursive=True))
    session = PlaywrightSession(BrowserSettings())
    start = asyncio.create_task(session.open_page(context))
    while set(psutil.Process().children(recursive=True)) <= others:
        await asyncio.sleep(0)
        assert not start.done()
    start.cancel()
    with pytest.raises(asyncio.CancelledError):
        await start
    await session.close()
    left = [process for process in psutil.Process().children(recursive=True) if process not in others]
    assert await asyncio.to_thread(wait_until_gone, left) == []


async def test_closing_a_borrowed_browser_s_session_leaves_the_browser_running(
    session: PlaywrightSession, context: ActionContext
):
    page = await session.open_page(context)
    browser = page.context.browser
    await session.close()
    assert browser
    assert browser.is_connected()
    assert page.context not in browser.contexts


async def test_an_action_that_is_cancelled_leaves_a_session_that_works(
    session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    hands = Hands(session)
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await hands.navigate(context, f"{site.url}/slow/?ms=9000")
    assert time.monotonic() - started < 2
    assert (await hands.navigate(context, f"{site.url}/table/small")).output["status"] == 200
    assert (await Hands(session).list_tabs(context)).output["count"] == 1
