"""Flows are run as tests: each in a session and a folder of its own, several at once, again where that is wished, and stopped in order."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agent.settings.settings import Settings
from agent.store.session_files import SessionFiles
from agent.suites.flow_files import ReadFlow, gather_flows, read_flows
from agent.suites.running import (
    EndedFlow,
    EndedSuite,
    SuiteRunner,
    SuiteTerms,
    SuiteWatcher,
    Workspaces,
    name_folder,
)
from core.base.errors import InputError
from core.results.events import Accepted, Event
from core.rules.approval_classes import ApprovalClass
from fixtures.site_server import SiteServer

NOTES = """\
goals:
  - file.create: {object_type: file, name: "workspace:/notes.txt", content: "hello"}
"""
READING = """\
goals:
  - file.read: {path: "workspace:/notes.txt"}
"""
PAGE = """\
name: look at a mug
vars: {site: "http://127.0.0.1:1"}
goals:
  - browser.navigate: {url: "${site}/shop/item/blue-mug"}
    expect: {title: "Blue mug*"}
"""
WAITING = """\
goals:
  - browser.navigate: {url: "about:blank"}
  - browser.wait: {seconds: 3000}
"""


@dataclass
class Log(SuiteWatcher):
    """Who was told what; calls back when so many runs are accepted."""

    begun: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    ended: list[str] = field(default_factory=list[str])
    waits: dict[int, asyncio.Event] = field(default_factory=dict[int, asyncio.Event])
    accepted: int = 0

    def begin(self, flow: ReadFlow, attempt: int) -> None:
        self.begun.append((flow.file.path.name, attempt))

    def show(self, flow: ReadFlow, event: Event) -> None:
        self.accepted += isinstance(event, Accepted)
        if self.accepted in self.waits:
            self.waits[self.accepted].set()

    def end(self, ended: EndedFlow) -> None:
        self.ended.append(Path(ended.result.path).name)


@dataclass
class Suite:
    """A folder of flows, and how they are run."""

    folder: Path
    log: Log = field(default_factory=Log)
    spaces: Workspaces = field(default_factory=Workspaces)

    def write(self, **flows: str) -> None:
        for name, text in flows.items():
            (self.folder / f"{name}.flow.yaml").write_text(text, encoding="utf-8")

    def read(self, **variables: str) -> tuple[ReadFlow, ...]:
        return read_flows(gather_flows([str(self.folder)]), variables)

    def make(self, approved: tuple[ApprovalClass, ...] = (), **wish: Any) -> SuiteRunner:
        terms = SuiteTerms(settings=Settings(failure_pictures=False, log_file="off"), approved=approved, **wish)
        return SuiteRunner(terms, self.spaces, self.log)

    async def run(
        self,
        flows: tuple[ReadFlow, ...] | None = None,
        approved: tuple[ApprovalClass, ...] = ("apply_diff",),
        **wish: object,
    ) -> EndedSuite:
        return await self.make(approved, **wish).run(self.read() if flows is None else flows)


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """A suite whose new folders lie where the test can see them."""
    (tmp_path / "flows").mkdir()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    return Suite(tmp_path / "flows")


def list_left(suite: Suite) -> list[str]:
    return sorted(each.name for each in (suite.folder.parent / "temporary").glob("surehand-test-*/*"))


async def test_each_flow_has_a_folder_of_its_own_and_leaves_nothing_where_it_passes(suite: Suite) -> None:
    suite.write(a=NOTES, b=NOTES, c=READING)
    ended = await suite.run()
    assert [each.outcome for each in ended.result.flows] == ["passed", "passed", "failed"]
    assert list_left(suite) == ["003-c"]
    assert [each.workspace is not None for each in ended.flows] == [False, False, True]


async def test_a_run_that_failed_is_kept_and_can_be_shown(suite: Suite) -> None:
    suite.write(c=READING)
    (flow,) = (await suite.run()).flows
    assert flow.workspace is not None
    kept = SessionFiles(flow.workspace / ".surehand").find("last")
    assert kept.run_id == flow.result.run_id
    assert flow.result.error.startswith("Step 1 (line 2): Read")


async def test_in_a_folder_that_is_given_all_flows_work_and_all_runs_are_kept(suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    suite.spaces = Workspaces(tmp_path / "shared")
    suite.write(a=NOTES, b=READING)
    ended = await suite.run()
    assert ended.result.count() == {"passed": 2}
    assert len(SessionFiles(tmp_path / "shared" / ".surehand").list_ids()) == 2
    assert list_left(suite) == []


async def test_a_faulty_file_is_an_error_with_its_place_and_stops_no_other(suite: Suite) -> None:
    suite.write(a="goals: [", b=READING.replace("file.read", "file.reed"), c=NOTES, d="goals:\n  - browser.clik: {}\n")
    ended = await suite.run()
    assert [each.outcome for each in ended.result.flows] == ["error", "error", "passed", "error"]
    errors = [each.error for each in ended.result.flows]
    assert "a.flow.yaml:2:1:" in errors[0] or "a.flow.yaml:1:" in errors[0]
    assert "b.flow.yaml:2:5: There is no verb file.reed" in errors[1]
    assert [each.attempts for each in ended.result.flows] == [0, 0, 1, 0]


async def test_what_is_not_approved_beforehand_fails_and_the_failure_names_the_option(suite: Suite) -> None:
    suite.write(a=NOTES)
    ended = await suite.run(approved=(), retries=3)
    (flow,) = ended.result.flows
    assert (flow.outcome, flow.attempts) == ("failed", 1)  # it would be asked again every time
    assert "--yes apply_diff" in flow.error


async def test_what_only_a_person_may_approve_says_that_tests_ask_nobody(suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "notes.txt").write_text("other.txt", encoding="utf-8")
    suite.spaces = Workspaces(tmp_path / "shared")
    named = '  - file.create: {object_type: file, name: "workspace:/${read.text}", content: "x"}\n'
    suite.write(a=READING.replace("- file", "- id: read\n    file") + named)
    (flow,) = (await suite.run()).result.flows
    assert flow.outcome == "failed"
    assert "Tests ask nobody" in flow.error


async def test_a_flow_that_passes_when_it_is_tried_again_is_flaky(suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    suite.spaces = Workspaces(tmp_path / "shared")
    late = 'goals:\n  - file.copy: {source: "workspace:/late.txt", destination: "workspace:/copy.txt"}\n'
    suite.write(a=late)

    class Writing(Log):
        def begin(self, flow: ReadFlow, attempt: int) -> None:
            super().begin(flow, attempt)
            if attempt == 3:
                (tmp_path / "shared" / "late.txt").write_text("late", encoding="utf-8")

    suite.log = Writing()
    (flow,) = (await suite.run(retries=4)).result.flows
    assert (flow.outcome, flow.attempts) == ("flaky", 3)
    assert flow.error.startswith("Passed at attempt 3. Before: Step 1 (line 2)")
    assert [attempt for _, attempt in suite.log.begun] == [1, 2, 3]


async def test_a_flow_that_fails_every_time_is_tried_as_often_as_wished(suite: Suite) -> None:
    suite.write(a=READING)
    (flow,) = (await suite.run(retries=2)).result.flows
    assert (flow.outcome, flow.attempts) == ("failed", 3)
    assert list_left(suite) == ["001-a", "002-a", "003-a"]


async def test_as_many_flows_run_at_once_as_wished_and_no_more(suite: Suite) -> None:
    suite.write(a=WAITING, b=WAITING, c=WAITING)
    suite.log.waits[2] = asyncio.Event()
    runner = suite.make(workers=2)
    running = asyncio.create_task(runner.run(suite.read()))
    await suite.log.waits[2].wait()
    assert [name for name, _ in suite.log.begun] == ["a.flow.yaml", "b.flow.yaml"]
    runner.stop()
    ended = await running
    assert ended.was_stopped
    assert [each.outcome for each in ended.result.flows] == ["skipped"] * 3
    told = [each.error for each in ended.result.flows]
    assert [each.partition(":")[0] for each in told] == ["Stopped", "Stopped", "Not run"]
    assert [each.attempts for each in ended.result.flows] == [1, 1, 0]


async def test_sessions_share_a_browser_and_nothing_else(suite: Suite, site: SiteServer) -> None:
    filled = """\
vars: {site: "http://127.0.0.1:1"}
goals:
  - browser.navigate: {url: "${site}/shop/item/blue-mug"}
  - browser.click: {selector: 'button "Add to basket"'}
    expect: {text: "1 mug"}
"""
    empty = """\
vars: {site: "http://127.0.0.1:1"}
goals:
  - browser.navigate: {url: "${site}/shop/basket"}
    expect: {text: "Your basket is empty"}
"""
    suite.write(a=filled, b=empty)
    ended = await suite.run(suite.read(site=site.url))
    assert [each.outcome for each in ended.result.flows] == ["passed", "passed"], ended


def test_a_variable_that_no_flow_declares_is_refused(suite: Suite) -> None:
    suite.write(a=PAGE, b=NOTES)
    assert [each.variables for each in suite.read(site="http://127.0.0.1:2")] == [{"site": "http://127.0.0.1:2"}, {}]
    others = gather_flows([str(suite.folder)])
    assert (
        len(read_flows(others[1:], {"site": "http://127.0.0.1:2"}, others)) == 1
    )  # a part of a suite takes what all take
    with pytest.raises(InputError, match=r'No flow has a variable "sit" \(did you mean "site"\?\)'):
        suite.read(sit="x")


@pytest.mark.parametrize(
    ("name", "folder"), [("Ödön: buy/2", "d-n-buy-2"), ("../..", "flow"), ("注文", "flow"), ("a" * 90, "a" * 40)]
)
def test_folders_are_named_so_that_every_system_takes_them(name: str, folder: str) -> None:
    assert name_folder(name) == folder
