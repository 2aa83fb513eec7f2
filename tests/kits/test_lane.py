"""The lane's own rules: jobs are written as the bench reads them, verdicts follow from what was told and what the far end knows, and no kit is named in what ships."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.base.errors import ErrorInfo
from core.results.tool_results import RunOutcome, RunResult, Status, StepLog, ToolResult
from fixtures.kits.bundles import SHELVES, find_entry
from fixtures.kits.far_end import FarEnd
from fixtures.kits.places import list_applications
from scripts.benchmarks.everyday.jobs import PATTERNS, list_job_files, read_jobs
from scripts.benchmarks.everyday.running import Ended, judge, write_flow
from scripts.benchmarks.pages import add_up
from tests.architecture.sources import ROOT, SHIPPED, list_files

TOOLS = {"react", "react-dom", "dayjs", "esbuild", "todomvc", "@emotion/react", "@emotion/styled", "jquery", "vue"}
"""What kits are built on or with, whose names are words of others as well."""
ENDINGS = re.compile(r"(-style|-ui-dist|-dist|-community|-components)$")
# Programs that run code, by name, which policy asks about; among them one that serves an application of the lane.
INTERPRETERS = "core/policy/command_table.py"


def list_names() -> set[str]:
    """The names of kits and applications, as people and their own class names write them."""
    locks = [json.loads((shelf / "package.json").read_text(encoding="utf-8")) for shelf in SHELVES]
    packages = {name for lock in locks for name in lock["dependencies"]}
    names = {name.lstrip("@").split("/")[0] for name in packages if name not in TOOLS}
    return {ENDINGS.sub("", name) for name in names} | {name.split("_")[0] for name in list_applications()}


def test_no_kit_or_application_is_named_in_what_ships() -> None:
    named = re.compile(rf"(?<![a-z])({'|'.join(sorted(map(re.escape, list_names())))})(?![a-z])", re.IGNORECASE)
    files = [file for file in list_files() if file.split("/")[0] in SHIPPED and "/engine/built/" not in file]
    found = {
        file: hit.group() for file in files if (hit := named.search((ROOT / file).read_text("utf-8", errors="ignore")))
    }
    assert {file: name for file, name in found.items() if file != INTERPRETERS} == {}


def test_each_kit_has_a_page_and_jobs_that_a_flow_can_hold() -> None:
    for file in list_job_files():
        kit, jobs, pages = file.stem, read_jobs(file), file.parents[1] / "pages"
        assert (
            kit in list_applications() or find_entry(kit) or (pages / f"{kit}.html").exists() or (pages / kit).is_dir()
        )
        assert len({job.name for job in jobs}) == len(jobs), kit
        for job in jobs:
            assert job.want or job.answer, job.name
            assert "browser.navigate" in write_flow(job, "http://127.0.0.1:1/page")


def test_a_job_of_no_known_pattern_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "kit.yaml"
    file.write_text("[{name: Fly, pattern: flying, page: sky, steps: []}]", encoding="utf-8")
    with pytest.raises(ValueError, match="Fly"):
        read_jobs(file)


def test_every_pattern_has_a_job() -> None:
    assert {job.pattern for file in list_job_files() for job in read_jobs(file)} == set(PATTERNS)


def make_result(outcome: RunOutcome, *statuses: Status, errors: tuple[ErrorInfo, ...] = ()) -> RunResult:
    logs = tuple(StepLog("a", "g", "browser.click", "", ToolResult(status)) for status in statuses)
    return RunResult(run_id="r", outcome=outcome, reply="", step_logs=logs, errors=errors)


@pytest.mark.parametrize(
    ("result", "is_so", "verdict"),
    [
        (make_result("success", "ok"), True, "done"),
        (make_result("success", "ok"), False, "wrong"),
        (make_result("failed", "failed"), False, "failed"),
        (make_result("partial", "ok", "failed"), True, "wrong"),
        (make_result("failed", "refused"), False, "refused"),
        (make_result("failed", errors=(ErrorInfo("not_understood", "?"),)), False, "refused"),
    ],
)
def test_what_is_told_is_judged_by_the_far_end(result: RunResult, is_so: bool, verdict: str) -> None:
    assert judge(result, is_so=is_so) == verdict


def test_the_far_end_keeps_the_newest_value_of_each_visit() -> None:
    far_end = FarEnd()
    one, other = far_end.begin(), far_end.begin()
    for visit, value, at in [(one, "old", 1.0), (one, "new", 3.0), (one, "late", 2.0), (other, "its own", 1.0)]:
        far_end.take({"visit": visit, "name": "colour", "value": value, "at": at})
    assert (far_end.read(one), far_end.read(other)) == ({"colour": "new"}, {"colour": "its own"})


def test_figures_say_what_is_done_by_way_kit_and_pattern() -> None:
    done = Ended(kit="k", pattern="date", name="n", way="flow", verdict="done", seconds=2.0)
    ended = [done, replace(done, verdict="wrong")]
    figures = add_up(ended)["figures"]
    assert (figures["flow_done"], figures["flow_wrong"], figures["flow_k_done"], figures["flow_seconds"]) == (
        0.5,
        0.5,
        0.5,
        2.0,
    )
