"""What a run looks like as text, and exit codes from results that are hard to come by with a browser."""

import io
import itertools
from typing import Any

import pytest

from actuators.verb_table import PLANNER_RULES
from agent.cli.exits import choose_exit_code
from agent.cli.screen.output import fit_encoding
from agent.cli.screen.progress import Detail, TerminalProgress
from agent.reports.words import tell_duration
from core.base.errors import ErrorInfo
from core.results.events import Accepted, Event, Final, Rejected, Say, Step
from core.results.tool_results import RunOutcome, RunResult, Status, StepLog, ToolResult


def show(*events: Event, detail: Detail = "normal") -> str:
    stream = io.StringIO()
    progress = TerminalProgress(stream, detail)
    for event in events:
        progress.show(event)
    progress.close()
    return stream.getvalue()


def plan(*names: str, edges: tuple[tuple[str, str], ...] = ()) -> Accepted:
    nodes = [{"action_id": name, "description": f"do {name}"} for name in names]
    return Accepted(plan={"nodes": nodes, "edges": edges}, plan_digest="")


def browse(*verbs: tuple[str, dict[str, Any]]) -> Accepted:
    """Return the plan of browser verbs, one after the other, as a session tells it."""
    nodes = [
        {
            "action_id": f"g{index}_{verb}_1",
            "goal_id": f"g{index}",
            "name": f"browser.{verb}",
            "description": verb,
            "summary": PLANNER_RULES["browser", verb].summary,
            "args": args,
            "digest": "0123456789abcdef",
        }
        for index, (verb, args) in enumerate(verbs)
    ]
    edges = [[one["action_id"], other["action_id"]] for one, other in itertools.pairwise(nodes)]
    return Accepted(plan={"nodes": nodes, "edges": edges}, plan_digest="")


def test_a_plan_that_is_only_shown_says_what_waits_for_something_else_than_the_step_before() -> None:
    shown = plan("a", "b", "c", "d", edges=(("a", "b"), ("a", "d"), ("b", "d")))
    assert show(shown, Say(text="4 steps planned."), Final(outcome="success", reply="")).splitlines() == [
        "1 do a",
        "2 do b",
        "3 do c (at once)",
        "4 do d (after steps 1 and 2)",
        "4 steps planned.",
    ]


def test_what_was_done_is_told_in_the_past_with_what_came_of_it() -> None:
    url = "http://shop.test/"
    shown = show(
        browse(("navigate", {"url": url}), ("click", {"selector": 'link "Mugs"'}), ("read", {"target": "title"})),
        Step(
            action_id="g0_navigate_1", status="ok", description="", effect="confirmed", evidence={"url": url}, ms=1849
        ),
        Step(
            action_id="g1_click_1",
            status="ok",
            description="",
            effect="confirmed",
            evidence={"navigated_to": f"{url}item/blue-mug"},
            ms=99.6,
        ),
        Step(action_id="g2_read_1", status="ok", description="", output={"text": "Blue mug"}, ms=2),
    )
    assert shown.splitlines() == [
        "1 ✓ Opened http://shop.test/ (1.8 s)",
        '2 ✓ Clicked link "Mugs" → /item/blue-mug (100 ms)',
        "3 ✓ Read the title: “Blue mug” (2 ms)",
    ]


OUTLINE = {"text": "\n".join(f'button "Delete" in "Row {number}"' for number in range(1, 31))}


def take_snapshot(output: dict[str, Any], **options: Any) -> list[str]:
    stream = io.StringIO()
    progress = TerminalProgress(stream, **options)
    progress.show(browse(("snapshot", {})))
    progress.show(Step(action_id="g0_snapshot_1", status="ok", description="", output=output, ms=9))
    return stream.getvalue().splitlines()


def test_a_text_of_several_lines_is_shown_as_lines_and_how_to_see_the_rest() -> None:
    head, *lines, rest = take_snapshot(OUTLINE)
    assert head == "1 ✓ Outlined the page → 30 lines (9 ms)"
    assert lines == [f'    button "Delete" in "Row {number}"' for number in range(1, 21)]
    assert rest == "    … 10 more lines: surehand sessions show last --full"


def test_the_rest_of_a_run_that_is_not_kept_is_not_looked_for_among_those_that_are() -> None:
    assert take_snapshot(OUTLINE, notice="Simulated.")[-1] == "    … 10 more lines: --full shows all"


def test_all_of_a_text_is_shown_where_it_is_asked_for() -> None:
    assert len(take_snapshot(OUTLINE, full=True)) == 31
    long = "word " * 400
    assert take_snapshot({"text": long}, full=True)[1:] == [f"    {long.strip()}"]
    assert take_snapshot({"text": long})[1:] == []


def test_all_rows_are_shown_where_they_are_asked_for() -> None:
    rows = [{"name": "Ada", "age": 36}, {"name": "Bob\n", "age": 5}]
    assert take_snapshot({"rows": rows})[1:] == []
    shown = take_snapshot({"rows": rows}, full=True)
    assert shown[1:] == ['    {"name": "Ada", "age": 36}', '    {"name": "Bob\\n", "age": 5}']


def test_a_line_that_a_page_gave_can_not_obey_the_terminal_or_pass_for_two() -> None:
    assert take_snapshot({"text": "a\x1b[2J\r\nb\rc"})[1:] == ["    a\\x1b[2J", "    b\\rc"]


def test_evidence_and_output_are_whole_where_that_is_asked_for() -> None:
    assert max(map(len, take_snapshot(OUTLINE, detail="verbose"))) < 200
    assert any(line.endswith('Row 30\\""') for line in take_snapshot(OUTLINE, detail="verbose", full=True))


def test_a_reference_stands_as_what_was_read() -> None:
    shown = show(
        browse(("read", {"target": "text"}), ("expect", {"text": {"$ref": "g0.text"}})),
        Step(action_id="g0_read_1", status="ok", description="", output={"text": "£20"}),
        Step(action_id="g1_expect_1", status="ok", description=""),
    )
    assert shown.splitlines()[1] == "2 ✓ Checked for the text “£20” (0 ms)"


def test_an_act_that_could_not_be_read_back_is_not_confirmed() -> None:
    step = Step(action_id="a", status="ok", description="do a", effect="unverified", ms=12.4)
    assert show(plan("a"), step) == "1 ✓ do a (12 ms, not confirmed)\n"


def test_a_failed_step_says_why_and_what_to_do() -> None:
    error = ErrorInfo("target_covered", "It is covered.", "Close the banner.")
    assert show(plan("a"), Step(action_id="a", status="failed", description="do a", error=error)) == (
        "1 ✗ do a (0 ms)\n    It is covered.\n    Close the banner.\n"
    )


def test_a_skipped_step_names_the_step_that_kept_it_from_being_done() -> None:
    first = Step(action_id="a", status="failed", description="do a", error=ErrorInfo("dns_failed", "No."))
    skipped = ErrorInfo("skipped", "Skipped: step 1 failed (host not found).", evidence={"cause": "a"})
    shown = show(plan("a", "b"), first, Step(action_id="b", status="skipped", description="do b", error=skipped))
    assert shown.splitlines()[-2:] == ["2 – do b", "    Skipped: step 1 failed (host not found)."]


def test_ids_digests_codes_and_data_are_for_verbose() -> None:
    error = ErrorInfo("target_missing", "Nothing matches.", evidence={"selector": "x"})
    events = (
        browse(("click", {"selector": "x"})),
        Step(action_id="g0_click_1", status="failed", description="Click x", error=error, evidence={"url": "/"}),
    )
    assert not any(word in show(*events) for word in ("g0_click_1", "target_missing", "01234", '"url"'))
    shown = show(*events, detail="verbose")
    assert "g0_click_1 · failed · none · target_missing · 0123456789ab" in shown
    assert 'evidence "url": "/"' in shown
    assert shown.startswith("Plan: 1 step\n  1 click\n")


def test_quiet_prints_the_reply_alone() -> None:
    end = Final(outcome="success", reply="I did a.")
    step = Step(action_id="a", status="ok", description="do a")
    assert show(plan("a"), step, Say(text="I did a."), end, detail="quiet") == "I did a.\n"


def test_long_output_is_cut_and_what_is_invisible_is_shown() -> None:
    shown = show(Step(action_id="a", status="ok", description="x\x1b[2J", output={"text": "y" * 500}))
    assert "\x1b" not in shown
    assert "x\\x1b[2J" in shown
    assert "…” (0 ms)" in shown
    assert len(shown) < 170


def test_what_occurs_while_a_question_is_open_is_shown_afterwards() -> None:
    stream = io.StringIO()
    progress = TerminalProgress(stream)
    with progress.hold():
        progress.show(Step(action_id="a", status="ok", description="do a"))
        assert stream.getvalue() == ""
    assert stream.getvalue().startswith("a ✓ do a")


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
    assert show(plan("a", "b", "c"), now, Say(text=end.reply), end).splitlines() == [
        "2 ✓ do b (0 ms)",
        "1 ✓ do a (before)",
        "3 ✗ do c (before)",
        "    Not known.",
        "    Look.",
        "I did a and b.",
    ]


def test_a_simulated_run_says_so_first() -> None:
    stream = io.StringIO()
    progress = TerminalProgress(stream, notice="Simulated.")
    progress.show(plan("a"))
    progress.show(Step(action_id="a", status="ok", description="do a"))
    assert stream.getvalue() == "Simulated.\n1 ✓ do a (0 ms)\n"


@pytest.mark.parametrize(
    ("ms", "told"),
    [(0, "0 ms"), (999, "999 ms"), (999.6, "1.0 s"), (59_940, "59.9 s"), (59_960, "1 min"), (125_000, "2 min 5 s")],
)
def test_durations_are_told_as_people_say_them(ms: float, told: str) -> None:
    assert tell_duration(ms) == told


def test_marks_are_ascii_where_the_encoding_has_no_others() -> None:
    assert fit_encoding("1 ✓ Read → “é” …", "ascii") == '1 + Read -> "é" ...'
    assert fit_encoding("1 ✓ Read “a” –", "cp1252") == "1 + Read “a” –"
    assert fit_encoding("1 ✓ Read", "utf-8") == "1 ✓ Read"


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
