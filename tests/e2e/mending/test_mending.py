"""A flow on a page that has changed: what it misses, what is proposed, and that nothing changes but where a person accepts."""

import asyncio
import json
import shutil
import stat
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from actuators.catalog import BrowserShare
from agent.assembly import make_session
from agent.requests.flow_mending import change_selector
from agent.requests.flows import load_flow
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from agent.store.flow_files import RememberedFlows
from core.outlines.recognising import MENDING, Miss, read_miss
from core.outlines.sightings import LastRun
from core.results.tool_results import RunResult
from fixtures.site_server import SiteServer
from tests.agent.conftest import Command, Said
from tests.agent.terminals import open_terminal, read_screen

ROOT = Path(__file__).parents[3]
PURCHASE = ROOT / "fixtures" / "flows" / "purchase.yaml"
SHORT = """\
name: one mug
vars: {site: ""}
goals:
  - browser.navigate: {url: "${site}/shop/item/blue-mug"}
  - browser.click: {selector: 'button "Add to basket"'}   # buys
    expect: {text: "1 mug"}
"""
COMMAND = (sys.executable, "-c", "import sys; from agent.cli.main import main; sys.exit(main())")


@pytest.fixture
def flow(tmp_path: Path) -> Path:
    """A flow that buys two mugs, in a workspace of its own."""
    return Path(shutil.copy(PURCHASE, tmp_path / "purchase.yaml"))


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """A flow that puts one mug into the basket."""
    path = tmp_path / "short.yaml"
    path.write_text(SHORT, encoding="utf-8")
    return path


@pytest.fixture
def changed() -> Iterator[SiteServer]:
    """The shop with other markup and two other labels."""
    with SiteServer(changed_shop=True) as server:
        yield server


Run = Callable[[Path, str], Awaitable[RunResult]]


@pytest.fixture
def carry_out(share: BrowserShare) -> Run:
    """Runs a flow in the workspace that it lies in, by a session of its own."""

    async def run(flow: Path, url: str) -> RunResult:
        async with make_session(Settings(), flow.parent, share) as session:
            return await session.run(Request(flow=load_flow(flow, {"site": url})))

    return run


def read(path: Path) -> str:
    """Return what a file holds."""
    return path.read_bytes().decode()


def take(flow: Path, miss: Miss) -> None:
    """Write what is proposed into a flow."""
    flow.write_bytes(change_selector(flow.read_bytes(), miss.place, miss.selector, miss.proposal))


def read_mode(path: Path) -> int:
    """Return the rights of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def remember(flow: Path) -> LastRun:
    """Return what is remembered of a flow."""
    return RememberedFlows(flow.parent / ".surehand").read(str(flow.resolve()))


def list_files(flow: Path, pattern: str) -> list[Path]:
    """Return files that are kept beside a flow."""
    return sorted((flow.parent / ".surehand").glob(pattern))


def find_miss(result: RunResult) -> Miss | None:
    """Return what a run missed."""
    for log in result.step_logs:
        if log.result.status == "failed":
            error = log.result.error
            assert error is not None
            return read_miss(log.result.evidence.get(MENDING) or error.evidence.get(MENDING) or {})
    return None


async def call(surehand: Command, flow: Path, *arguments: str) -> Said:
    """Run the command without a terminal."""
    command = ("flows", "mend", str(flow), "--workspace", str(flow.parent), *arguments)
    return await asyncio.to_thread(surehand, *command)


@pytest.mark.timeout(300)
async def test_the_changed_shop_misses_exactly_the_two_and_each_proposal_is_right(
    carry_out: Run, flow: Path, site: SiteServer, changed: SiteServer
) -> None:
    assert (await carry_out(flow, site.url)).outcome == "success"
    mended: list[tuple[str, str]] = []
    while (result := await carry_out(flow, changed.url)).outcome != "success":
        miss = find_miss(result)
        assert miss is not None, result.reply
        assert [each.aspect for each in miss.differences] == ["renamed"]
        mended.append((miss.selector, miss.proposal))
        take(flow, miss)
    assert mended == [
        ('button "Add to basket"', 'button "Add to cart"'),
        ('link "Checkout"', 'link "Proceed to payment"'),
    ]
    was, now = read(PURCHASE), read(flow)
    for old, new in mended:
        was = was.replace(old, new)
    assert now == was


async def test_a_miss_tells_then_and_now_and_changes_nothing(
    carry_out: Run, short: Path, site: SiteServer, changed: SiteServer
) -> None:
    await carry_out(short, site.url)
    result = await carry_out(short, changed.url)
    error = next(log.result.error for log in result.step_logs if log.result.error)
    assert "When this flow last went well, it was button “Add to basket”" in error.message
    assert 'Now it is button "Add to cart", in the same place' in error.message
    assert error.hint.startswith("surehand flows mend ")
    assert read(short) == SHORT
    assert not changed.received.requests("/shop/basket/add", "POST")


async def test_what_was_seen_is_kept_for_its_owner_only_and_holds_nothing_that_was_typed(
    carry_out: Run, flow: Path, site: SiteServer
) -> None:
    result = await carry_out(flow, site.url)
    state = flow.parent / ".surehand"
    kept = [*(state / "flows").glob("*.json"), state / "artifacts" / result.run_id / "seen.json"]
    assert len(kept) == 2
    for path in kept:
        assert sys.platform == "win32" or read_mode(path) == 0o600
        text = path.read_text(encoding="utf-8")
        assert "s3cret: ok?" not in text
        assert "4242 4242" not in text
    seen: dict[str, Any] = json.loads(kept[1].read_text(encoding="utf-8"))
    button = seen["g9_click_1"]
    assert (button["line"], button["role"], button["name"]) == ('button "Add to basket"', "button", "Add to basket")
    assert (button["region"], button["place"]) == (['heading "Blue mug"'], "goals.8.browser.click")
    last = remember(flow)
    assert (last.run_id, len(last.seen)) == (result.run_id, 22)


async def test_a_run_that_failed_leaves_what_is_remembered_as_it_was(
    carry_out: Run, short: Path, site: SiteServer, changed: SiteServer
) -> None:
    good = await carry_out(short, site.url)
    await carry_out(short, changed.url)
    assert remember(short).run_id == good.run_id


async def test_what_somebody_else_wrote_in_the_folder_is_not_remembered(
    carry_out: Run, short: Path, site: SiteServer, changed: SiteServer
) -> None:
    await carry_out(short, site.url)
    (path,) = (short.parent / ".surehand" / "flows").glob("*.json")
    path.write_text(path.read_text(encoding="utf-8").replace("Add to basket", "Add to bag"), encoding="utf-8")
    assert find_miss(await carry_out(short, changed.url)) is None


async def test_goals_that_are_no_flow_file_note_nothing(session: AgentSession, site: SiteServer, flow: Path) -> None:
    goals = load_flow(flow, {"site": site.url}).goals[:3]
    assert (await session.run(Request(goals=goals))).outcome == "success"
    assert list_files(flow, "flows/*") == []
    assert list_files(flow, "artifacts/*/seen.json") == []


async def test_without_a_terminal_nothing_is_accepted(
    carry_out: Run, surehand: Command, short: Path, site: SiteServer, changed: SiteServer
) -> None:
    await carry_out(short, site.url)
    await carry_out(short, changed.url)
    for arguments in ((), ("--yes", "all"), ("--json",)):
        answered = await call(surehand, short, *arguments)
        assert answered.code == 1, answered.err
        assert 'button "Add to cart"' in answered.out.replace('\\"', '"')
        assert read(short) == SHORT
    told = json.loads((await call(surehand, short, "--json")).out)
    assert [each["proposal"] for each in told["misses"]] == ['button "Add to cart"']
    page = read(Path(told["page"]))
    assert page.count("data:image/jpeg;base64,") == 2
    assert "<script" not in page


async def test_a_flow_that_went_well_has_nothing_to_mend(
    carry_out: Run, surehand: Command, short: Path, site: SiteServer
) -> None:
    await carry_out(short, site.url)
    answered = await call(surehand, short)
    assert (answered.code, answered.out) == (0, "Nothing to mend: the last run of this flow went well.\n")


async def test_a_flow_that_never_ran_says_what_to_do(surehand: Command, short: Path) -> None:
    answered = await call(surehand, short)
    assert answered.code == 2
    assert "No saved run of short.yaml in this workspace." in answered.err


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such terminals")
async def test_a_person_declines_and_accepts_at_the_terminal(
    carry_out: Run, short: Path, site: SiteServer, changed: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await carry_out(short, site.url)
    await carry_out(short, changed.url)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    await asyncio.to_thread(short.chmod, 0o640)
    for answer in (b"n\n", b"y\n"):
        command = (*COMMAND, "flows", "mend", str(short), "--workspace", str(short.parent))
        with open_terminal(short.parent, *command, columns=160) as (terminal, process):
            read_screen(terminal, b"[y/N]")
            terminal.write(answer)
            read_screen(terminal)
            assert process.wait() == (0 if answer == b"y\n" else 1)
        is_changed = read(short) != SHORT
        assert is_changed == (answer == b"y\n")
    assert read_mode(short) == 0o640
    assert "selector: 'button \"Add to cart\"'}   # buys" in read(short)


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such terminals")
@pytest.mark.timeout(300)
async def test_going_on_past_each_accepted_miss_does_nothing_twice(
    carry_out: Run, flow: Path, site: SiteServer, changed: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await carry_out(flow, site.url)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    limits = ("--workspace", str(flow.parent), "--var", f"site={changed.url}")
    with open_terminal(flow.parent, *COMMAND, "flows", "mend", str(flow), "--run", *limits, columns=160) as (
        terminal,
        process,
    ):
        for _ in range(2):
            read_screen(terminal, b"[y/N]")
            terminal.write(b"y\n")
        read_screen(terminal)
        assert process.wait() == 0
    posted = [each.path for each in changed.received if each.method == "POST"]
    assert posted == ["/shop/signin", "/shop/basket/add", "/shop/order"]
    remembered = {each.thing.selector for each in remember(flow).seen}
    assert {'field "Email"', 'button "Add to cart"', 'link "Proceed to payment"', 'button "Place order"'} <= remembered
    assert (await carry_out(flow, changed.url)).outcome == "success"
