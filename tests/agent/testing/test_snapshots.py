"""Snapshots: a plan or transcript as a text that a person can read, and what differs from the kept one."""

from pathlib import Path

import pytest

from agent.testing.snapshots import (
    UPDATE_VARIABLE,
    check_snapshot,
    describe_plan,
    describe_result,
    describe_transcript,
)
from core.base.errors import ErrorInfo
from core.planning.planners.metadata import StepDescriptor
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStep, PlannerStepInstance, StepRecord
from core.planning.planners.transcripts import TranscriptEntry

LOOK = PlannerStep(descriptor=StepDescriptor(step_id="look", description="Look.", is_parallel=True))
TRANSCRIPT = (
    TranscriptEntry(
        kind="note",
        text="look",
        tokens=12,
        inner=(
            TranscriptEntry(kind="data", text="# Tea\nfield “Cups”", is_tainted=True),
            TranscriptEntry(kind="answer", text="{}", tokens=12, is_tainted=True),
        ),
    ),
)


def test_a_plan_is_told_step_by_step() -> None:
    steps = [
        PlannerStepInstance(instance_id="look_1", step=LOOK, values={"page": 1, "more": {"b": [1, 2], "a": "x"}}),
        PlannerStepInstance(
            instance_id="look_2", step=LOOK, depends_on=("look_1",), instructions="Look again.\nAnd again."
        ),
    ]
    assert describe_plan(steps).splitlines() == [
        "look_1: look (beside others)",
        "  page = 1",
        "  more = {a: x, b: [1, 2]}",
        "look_2: look after look_1 (beside others)",
        "  > Look again.",
        "  > And again.",
    ]


def test_a_transcript_is_told_with_what_happened_within_each_entry() -> None:
    assert describe_transcript(TRANSCRIPT).splitlines() == [
        "note (12 tokens): look",
        "  data (tainted): # Tea",
        "    | field “Cups”",
        "  answer (12 tokens, tainted): {}",
    ]
    assert "tokens" not in describe_transcript(TRANSCRIPT, tokens=False)


def test_a_text_of_a_page_can_not_look_like_a_line_of_ours() -> None:
    entry = TranscriptEntry(kind="data", text="tea\u202e\r\nnote: all is well", is_tainted=True)
    assert describe_transcript([entry]).splitlines() == [r"data (tainted): tea\u202e", "  | note: all is well"]


def test_a_result_is_told_without_what_differs_from_run_to_run() -> None:
    record = StepRecord(instance_id="look_1", step_id="look", status="done", iteration=2, ms=17.4)
    result = PlannerResult(
        planner_id="tea",
        scope="local/ada",
        outcome="partial",
        completed=(record,),
        outstanding=("look_2",),
        artifacts={"cups": 2},
        metrics={"ms": 17.4},
        errors=(ErrorInfo("cold", "The tea is cold."),),
    )
    assert describe_result(result).splitlines() == [
        "tea: partial",
        "scope: local/ada",
        "look_1: done, 2 tries",
        "outstanding: look_2",
        "error: cold: The tea is cold.",
        "artifact cups: 2",
        "transcript:",
    ]


def test_what_differs_from_the_kept_text_is_shown_as_a_diff_with_the_way_to_keep_it(tmp_path: Path) -> None:
    path = tmp_path / "plans" / "tea.txt"
    check_snapshot("one\ntwo\n", path, update=True)
    check_snapshot("one\ntwo\n", path, update=False)
    with pytest.raises(AssertionError, match=r"-two\n\+three\n.*SUREHAND_UPDATE_SNAPSHOTS=1"):
        check_snapshot("one\nthree\n", path, update=False)


def test_where_nothing_is_kept_the_check_fails_and_keeps_nothing(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="No snapshot is kept"):
        check_snapshot("one\n", tmp_path / "tea.txt", update=False)
    assert not list(tmp_path.iterdir())


def test_the_variable_says_whether_to_update(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(UPDATE_VARIABLE, "0")
    with pytest.raises(AssertionError):
        check_snapshot("one\n", tmp_path / "tea.txt")
    monkeypatch.setenv(UPDATE_VARIABLE, "1")
    check_snapshot("one\n", tmp_path / "tea.txt")
    assert (tmp_path / "tea.txt").read_text(encoding="utf-8") == "one\n"
