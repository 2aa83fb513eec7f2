"""Reports: what a service wrote of a run, typed, with the exit code that the command line would end with."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.cli.exits import choose_exit_code
from agent.client.reports import (
    ApprovalNeededError,
    BadOrderError,
    HandError,
    RunFailedError,
    RunReport,
    RunStoppedError,
    UnknownEffectError,
)
from core.base.errors import ErrorInfo
from core.results.records import to_data
from core.results.tool_results import RunResult, StepLog, ToolResult

CODES = st.sampled_from(["outcome_unknown", "approval_missing", "approval_expired", "target_missing", "stopped"])
ERRORS = st.builds(ErrorInfo, CODES, st.just("It failed."))
RESULTS = st.builds(
    ToolResult,
    status=st.sampled_from(["ok", "failed", "refused", "skipped", "cancelled"]),
    effect=st.sampled_from(["confirmed", "unverified", "none"]),
    error=st.none() | ERRORS,
)
STEPS = st.builds(
    StepLog,
    action_id=st.just("g0_click_1"),
    goal_id=st.just("g0"),
    name=st.just("browser.click"),
    description=st.just("Click"),
    result=RESULTS,
)
RUNS = st.builds(
    RunResult,
    run_id=st.just("r1"),
    outcome=st.sampled_from(["success", "partial", "failed", "cancelled"]),
    reply=st.just("Done."),
    step_logs=st.lists(STEPS, max_size=3).map(tuple),
    errors=st.lists(ERRORS, max_size=1).map(tuple),
)
BY_CODE: dict[int, type[HandError]] = {
    1: RunFailedError,
    2: BadOrderError,
    3: ApprovalNeededError,
    4: UnknownEffectError,
    130: RunStoppedError,
}


@given(RUNS)
def test_a_report_ends_like_the_command_line_and_raises_what_that_means(result: RunResult) -> None:
    report = RunReport.read(to_data(result))
    assert report.exit_code == choose_exit_code(result)
    if report.exit_code == 0:
        assert report.check() is report
        return
    with pytest.raises(HandError) as caught:
        report.check()
    assert type(caught.value) is BY_CODE[report.exit_code]
    assert caught.value.report is report
    assert caught.value.message


def write_step(number: int, selector: str, output: dict[str, Any]) -> dict[str, Any]:
    return {
        "action_id": f"g{number}_read_1",
        "goal_id": f"g{number}",
        "name": "browser.read",
        "description": f"Read the text of {selector}",
        "args": {"selector": selector},
        "result": {"status": "ok", "output": output},
    }


STEPS_READ = [
    write_step(0, 'value "basket total"', {"text": "£24"}),
    write_step(1, "testid=price", {"text": "£12"}),
    write_step(2, "totality", {"text": "all"}),
    write_step(3, 'button "total"', {}),
]
REPORT = RunReport.read({"run_id": "r1", "step_logs": STEPS_READ, "names": {"price": "g1", "all": "g2"}})


@pytest.mark.parametrize(
    ("name", "text"),
    [("g0", "£24"), ("g1_read_1", "£12"), ("total", "£24"), ("Basket Total", "£24"), ("price", "£12"), ("all", "all")],
)
def test_a_receipt_is_found_by_id_name_or_words(name: str, text: str) -> None:
    assert REPORT[name].text == text


@pytest.mark.parametrize("name", ["nothing", "Read the text", "", " "])
def test_what_no_step_or_several_fit_is_refused_with_what_there_is(name: str) -> None:
    with pytest.raises(KeyError, match="g0"):
        REPORT[name]


def test_an_output_that_is_missing_is_told_with_those_that_are_there() -> None:
    with pytest.raises(KeyError, match="text"):
        REPORT["total"]["rows"]
    assert REPORT["total"].rows == ()


@given(st.dictionaries(st.text(max_size=5), st.none() | st.booleans() | st.text(max_size=5), max_size=4))
def test_what_a_newer_service_adds_or_leaves_out_breaks_no_report(record: dict[str, Any]) -> None:
    assert RunReport.read(record).record == record
