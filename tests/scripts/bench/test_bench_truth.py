"""The truth benchmark itself: its cases can be written as flows, both halves are there, and what is told is judged by the far end alone."""

from typing import Literal

import pytest

from agent.requests.flows import parse_flow
from core.base.errors import ErrorInfo
from core.results.tool_results import RunResult, StepLog, ToolResult
from scripts.benchmarks.told.cases import Case, list_cases
from scripts.benchmarks.told.truth import run_cases, write_flow
from scripts.benchmarks.told.verdicts import Verdict, add_up, judge, write_table

CASE = Case(family="timers", name="a", address="page?", goals=(), want="true")
FORM = Case(family="answers", name="b", address="page?", goals=(), want="sent", tells="500")


def _end(effect: Literal["confirmed", "unverified", "none"], said: str = "", *, fails: bool = False) -> RunResult:
    error = ErrorInfo(code="value_differs", message="It holds another one.") if fails else None
    result = ToolResult(
        status="failed" if fails else "ok", effect=effect, evidence={"said": said}, error=error, ms=20.0
    )
    log = StepLog(action_id="g0", goal_id="g0", name="browser.check", description="Tick it", result=result)
    return RunResult(run_id="r1", outcome="failed" if fails else "success", reply="", step_logs=(log,))


def test_each_case_is_a_flow_that_can_be_read() -> None:
    for case in list_cases():
        assert parse_flow(write_flow(case, f"http://127.0.0.1/truth/{case.address}")).goals


def test_each_page_that_takes_back_has_one_that_does_the_same_and_keeps_it() -> None:
    pages = [case for case in list_cases() if case.address.startswith("page?")]
    honest = {case.name.removesuffix(", kept") for case in pages if case.honest}
    assert honest == {case.name.removesuffix(", taken back") for case in pages if not case.honest}


def test_about_a_fifth_is_closed_and_names_are_not_given_twice() -> None:
    cases = list_cases()
    assert 0.15 < sum(case.closed for case in cases) / len(cases) < 0.25
    assert len({(case.family, case.name) for case in cases}) == len(cases)


@pytest.mark.parametrize(
    ("case", "result", "known", "verdict"),
    [
        (CASE, _end("confirmed"), "true", "so"),
        (CASE, _end("confirmed"), "false", "not so"),
        (CASE, _end("confirmed"), None, "not so"),
        (CASE, _end("unverified"), "false", "unverified"),
        (CASE, _end("none", fails=True), "false", "failed rightly"),
        (CASE, _end("none", fails=True), "true", "false failure"),
        (FORM, _end("confirmed", "answered 500"), "not sent", "told"),
        (FORM, _end("unverified", "port 15004"), "not sent", "not so"),
        (FORM, _end("confirmed"), "sent", "so"),
    ],
)
def test_what_is_told_is_judged_by_the_far_end(
    case: Case, result: RunResult, known: str | None, verdict: Verdict
) -> None:
    assert judge(case, result, known).verdict == verdict


def test_a_closed_case_is_told_in_numbers_only() -> None:
    closed = Case(family="closed", name="by a hidden way", address="page?", goals=(), want="true", closed=True)
    ended = [judge(closed, _end("confirmed"), "false"), judge(CASE, _end("confirmed"), "true")]
    assert "hidden" not in write_table(ended) + str([each.as_json() for each in ended])
    figures = add_up(ended)["figures"]
    assert (figures["so"], figures["not_so"], figures["closed_not_so"]) == (1, 0, 1)


async def test_the_far_end_hears_what_becomes_of_a_box_after_the_run() -> None:
    wanted = ("timer-box-250, taken back", "timer-box-250, kept", "socket-box-200, kept", "link-404")
    cases = [case for case in list_cases() if case.name in wanted and not case.closed]
    known = {each.case.name: each.known for each in await run_cases(cases, at_once=1)}
    assert known == dict(zip(wanted, ("false", "true", "true", "not sent"), strict=True))
