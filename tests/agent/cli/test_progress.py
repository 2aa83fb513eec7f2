"""What a run looks like as text, and exit codes from results that are hard to come by with a browser."""

import io
from typing import Any

import pytest

from agent.cli.exits import choose_exit_code
from agent.cli.progress import TerminalProgress
from core.base.errors import ErrorInfo
from core.results.events import Accepted, Final, Rejected, Say, Step
from core.results.tool_results import RunOutcome, RunResult, Status, StepLog, ToolResult


def show(*events: Accepted | Step | Say | Final | Rejected) -> str:
    stream = io.StringIO()
    progress = TerminalProgress(stream)
    for event in events:
        progress.show(event)
    progress.close()
    return stream.getvalue()


def plan(*names: str, edges: tuple[tuple[str, str], ...] = ()) -> Accepted:
    nodes = [{"action_id": name, "description": f"do {name}"} for name in names]
    return Accepted(plan={"nodes": nodes, "edges": edges}, plan_digest="")


def test_the_plan_says_what_waits_for_something_else_than_the_step_before() -> None:
    assert show(plan("a", "b", "c", "d", edges=(("a", "b"), ("a", "d"), ("b", "d")))).splitlines() == [
        "Plan: 4 steps",
        "  a: do a",
        "  b: do b",
        "  c: do c  (after nothing, at once)",
        "  d: do d  (after a, b)",
    ]


def test_a_step_has_its_mark_time_effect_and_evidence() -> None:
    step = Step(action_id="a", status="ok", description="do a", effect="confirmed", evidence={"value": "2"}, ms=12.4)
    assert show(step) == '✓ a: do a (12 ms, confirmed)\n    "value": "2"\n'


def test_a_failed_step_says_why() -> None:
    error = ErrorInfo("target_covered", "It is covered.", "Close the banner.")
    assert show(Step(action_id="a", status="failed", description="do a", error=error)) == (
        "✗ a: do a (0 ms)\n    It is covered. Close the banner.\n"
    )


def test_long_output_is_cut_and_what_is_invisible_is_shown() -> None:
    shown = show(Step(action_id="a", status="ok", description="x\x1b[2J", output={"text": "y" * 500}))
    assert "\x1b" not in shown
    assert "x\\x1b[2J" in shown
    assert shown.splitlines()[1].endswith("…")
    assert len(shown.splitlines()[1]) < 170


def test_what_occurs_while_a_question_is_open_is_shown_afterwards() -> None:
    stream = io.StringIO()
    progress = TerminalProgress(stream)
    with progress.hold():
        progress.show(Step(action_id="a", status="ok", description="do a"))
        assert stream.getvalue() == ""
    assert stream.getvalue().startswith("✓ a: do a")


def test_markup_of_a_page_is_only_text() -> None:
    end = Final(outcome="success", reply="")
    assert show(Say(text="I read: “[bold red]x[/] :smile:”"), end) == "I read: “[bold red]x[/] :smile:”\n"


def test_what_was_done_before_the_run_was_taken_up_is_told_as_such() -> None:
    logs: list[Any] = [
        {"action_id": name, "description": f"do {name}", "result": {"status": "ok"}} for name in ("a", "b")
    ]
    open_error = {"code": "outcome_unknown", "message": "Not known.", "hint": "Look.", "evidence": {}}
    logs.append({"action_id": "c", "description": "do c", "result": {"status": "failed", "error": open_error}})
    now = Step(action_id="b", status="ok", description="do b")
    end = Final(outcome="success", reply="I did a and b.", steps=tuple(logs))
    assert show(now, Say(text=end.reply), end) == (
        "✓ b: do b (0 ms)\n✓ a: do a (before)\n✗ c: do c (before)\n    Not known. Look.\nI did a and b.\n"
    )


def test_the_reply_of_a_refused_request_is_left_to_stderr() -> None:
    assert show(Rejected(errors=()), Say(text="No."), Final(outcome="failed", reply="No.")) == ""


def result_of(*steps: tuple[Status, str], outcome: RunOutcome, errors: tuple[ErrorInfo, ...] = ()) -> RunResult:
    logs = tuple(
        StepLog("a", "g0", "lamp.look", "look", ToolResult(status, error=ErrorInfo(code, "x") if code else None))
        for status, code in steps
    )
    return RunResult(run_id="r", outcome=outcome, reply="x", step_logs=logs, errors=errors)


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (result_of(("ok", ""), outcome="success"), 0),
        (result_of(outcome="success"), 0),
        (result_of(("ok", ""), ("failed", "timed_out"), outcome="partial"), 1),
        (result_of(("refused", "refused_by_policy"), outcome="failed"), 1),
        (result_of(outcome="failed", errors=(ErrorInfo("bad_goal", "x"),)), 2),
        (result_of(("ok", ""), ("refused", "approval_missing"), outcome="partial"), 3),
        (result_of(("failed", "outcome_unknown"), ("refused", "approval_missing"), outcome="failed"), 4),
        (result_of(("cancelled", "outcome_unknown"), outcome="cancelled"), 4),
        (result_of(("ok", ""), ("cancelled", "stopped"), outcome="cancelled"), 130),
    ],
)
def test_the_exit_code_tells_the_worst_that_happened(result: RunResult, code: int) -> None:
    assert choose_exit_code(result) == code
