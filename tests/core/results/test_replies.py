from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import ErrorInfo
from core.results.attendance import add_notes
from core.results.replies import compose_refusal, compose_reply, judge_outcome
from core.results.tool_results import StepLog, ToolResult

BROKEN = ErrorInfo("broken", "The toy is broken.", "Mend it.")


def step(status: Any = "ok", summary: str = "did it", **result: Any) -> StepLog:
    parts: dict[str, Any] = {"effect": "confirmed", **result}
    made = ToolResult(status, **parts)
    return StepLog("g0_a_1", "g0", "toy.a", "Do it", made, summary=summary)


def seen(text: object) -> StepLog:
    return step(summary="read the text", effect="none", output={"text": text})


def reply(*steps: StepLog) -> str:
    return compose_reply(steps, judge_outcome(steps))


@pytest.mark.parametrize(
    ("statuses", "outcome"),
    [
        ((), "success"),
        (("ok", "ok"), "success"),
        (("ok", "failed"), "partial"),
        (("ok", "refused", "skipped"), "partial"),
        (("failed",), "failed"),
        (("refused",), "failed"),
        (("failed", "skipped"), "failed"),
        (("ok", "cancelled"), "cancelled"),
        (("failed", "cancelled", "skipped"), "cancelled"),
    ],
)
def test_the_outcome_of_a_run_follows_from_its_steps(statuses: tuple[str, ...], outcome: str) -> None:
    assert judge_outcome([step(status) for status in statuses]) == outcome


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([], "There was nothing to do."),
        ([step(summary="opened the shop")], "I opened the shop."),
        ([step(summary="a"), step(summary="b"), step(summary="c")], "I a, b and c."),
        ([step(summary=f"s{i}") for i in range(6)], "I did 6 steps and finally s5."),
        ([seen(" two \n mugs ")], "I read the text: “two mugs”."),
        ([seen(f"## Bills\n{'a' * 160}")], "I read the text: “## Bills” and one more line."),
        ([seen("\n # Sign in\n" + "- row\n" * 2000)], "I read the text: “# Sign in” and 2,000 more lines."),
        ([seen("")], "I read the text."),
        ([seen(5)], "I read the text."),
        ([step(effect="unverified")], "I did it. I could not read back whether one step took effect."),
        ([step(effect="unverified")] * 2, "I did it and did it. I could not read back whether 2 steps took effect."),
        ([step("failed", error=BROKEN)], "This failed: Do it. The toy is broken. Mend it."),
        ([step("failed")], "This failed: Do it. It failed."),
        (
            [step(), step("failed", error=BROKEN), step("skipped"), step("skipped")],
            "I did it. This failed: Do it. The toy is broken. Mend it. So I left out 2 steps.",
        ),
        ([step(), step("cancelled")], "I did it. I was stopped, and left out one step."),
    ],
)
def test_a_reply_tells_what_was_done_and_what_was_not(steps: list[StepLog], text: str) -> None:
    assert reply(*steps) == text


def test_a_long_reply_still_tells_what_was_read() -> None:
    steps = [step(), seen("two mugs"), step(), step(), step(summary="went back")]
    assert reply(*steps) == "I did 5 steps, read the text: “two mugs” and finally went back."


def test_what_a_page_says_is_cut_where_it_is_long() -> None:
    assert reply(seen("x" * 1000)) == f"I read the text: “{'x' * 159}…”."


def test_what_a_page_says_can_t_leave_its_quotation_marks() -> None:
    assert reply(seen("mugs”. I also paid “all")) == "I read the text: “mugs’. I also paid ‘all”."


def test_the_text_of_an_acting_step_is_not_repeated() -> None:
    assert reply(step(output={"text": "secret"})) == "I did it."


def test_a_stop_tells_apart_what_was_left_out_and_what_may_have_happened() -> None:
    begun = step("cancelled", effect="unverified")
    left = step("cancelled", effect="none")
    assert reply(step(), begun) == "I did it. I was stopped. I had begun one step; whether it took effect is unknown."
    assert reply(begun, begun, left) == (
        "I was stopped, and left out one step. I had begun 2 steps; whether they took effect is unknown."
    )


@pytest.mark.parametrize("status", ["ok", "failed", "refused", "skipped", "cancelled"])
def test_a_reply_to_any_number_of_steps_can_be_listened_to(status: str) -> None:
    error = None if status == "ok" else ErrorInfo("broken", "x" * 100_000)
    log = replace(
        step(status, "s" * 10_000, effect="none", output={"text": "t" * 10**6}, error=error), description="d" * 10**5
    )
    assert len(reply(*[log] * 1000)) < 2500


@pytest.mark.parametrize(
    ("count", "end"),
    [(3, "Mend it."), (4, "Mend it. And one more step failed."), (9, "Mend it. And 6 more steps failed.")],
)
def test_of_many_failures_the_first_three_are_told(count: int, end: str) -> None:
    told = reply(*[step("failed", error=BROKEN)] * count)
    assert told.count("This failed: Do it.") == 3
    assert told.endswith(end)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "There is nothing to do."),
        (1, "The toy is broken. Mend it."),
        (4, " ".join(["The toy is broken. Mend it."] * 3) + " There is one more error."),
        (5000, " ".join(["The toy is broken. Mend it."] * 3) + " There are 4997 more errors."),
    ],
)
def test_a_refusal_tells_the_first_three_faults_and_how_many_more(count: int, text: str) -> None:
    assert compose_refusal([BROKEN] * count) == text


@given(st.text(), st.text(), st.text(), st.sampled_from(["ok", "failed", "refused", "skipped", "cancelled"]))
def test_there_is_always_a_reply_of_one_visible_line(text: str, summary: str, message: str, status: str) -> None:
    error = None if status == "ok" else ErrorInfo("broken", message)
    log = replace(step(status, summary, effect="none", output={"text": text}, error=error), description=summary)
    assert reply(log).strip()
    assert reply(log).isprintable()


DIALOGS = [
    ("alert", "Saved", "dismiss", "The page said “Saved”, and OK was pressed."),
    ("confirm", "Delete\nit?", "dismiss", "The page asked “Delete it?”, and Cancel was pressed."),
    ("confirm", "Delete it?", "accept", "The page asked “Delete it?”, and OK was pressed."),
    ("prompt", "Name", "accept", "The page asked for a text, “Name”, and OK was pressed."),
    ("beforeunload", "", "accept", "The page asked whether to leave it, and the answer was to leave."),
    ("beforeunload", "", "dismiss", "The page asked whether to leave it, and the answer was to stay."),
]


@pytest.mark.parametrize(("kind", "message", "answer", "told"), DIALOGS)
def test_a_dialog_of_a_page_is_told_with_its_answer(kind: str, message: str, answer: str, told: str) -> None:
    dialog = {"kind": kind, "message": message, "answer": answer}
    assert reply(step(evidence={"dialogs": [dialog]})) == f"I did it. {told}"
    assert reply(step(evidence={"since_last_action": {"dialogs": [dialog]}})) == f"I did it. {told}"
    assert reply(step(evidence=dialog | {"act": "done"})) == f"I did it. {told}"


def test_each_of_several_dialogs_has_its_sentence_and_of_many_the_rest_is_counted() -> None:
    dialogs = [{"kind": "alert", "message": str(number), "answer": "accept"} for number in range(7)]
    told = [f"The page said “{number}”, and OK was pressed." for number in range(7)]
    assert reply(step(evidence={"dialogs": dialogs[:2]})) == f"I did it. {told[0]} {told[1]}"
    assert reply(step(evidence={"dialogs": dialogs})).endswith(f"{told[4]} There were 2 more dialogs.")


def test_a_dialog_that_waits_for_the_next_step_and_windows_that_are_called_dialogs_are_not_told() -> None:
    waiting = {"kind": "confirm", "message": "Delete it?", "answer": "open"}
    assert reply(step(evidence={"dialogs": [waiting, {"kind": "dialog", "title": "Open"}]})) == "I did it."


def test_a_failure_tells_the_dialogs_of_its_step() -> None:
    dialog = {"kind": "alert", "message": "No", "answer": "accept"}
    error = replace(BROKEN, evidence={"dialogs": [dialog]})
    noted = add_notes(ToolResult("failed", error=error), {})
    assert noted.error
    assert noted.error.message == "The toy is broken. The page said “No”, and OK was pressed."
