"""The report of many flows."""

import re
from pathlib import Path
from typing import Any

from agent.reports.results import FlowOutcome, FlowResult, SuiteResult, list_steps
from agent.reports.suite_report import write_suite_report
from agent.store.session_files import SessionFiles
from tests.agent.reports.kept_documents import (
    RUN_ID,
    draw_picture,
    keep_picture,
    make_error,
    make_log,
    make_node,
    make_run,
    make_small_run,
)

BEGAN = "2026-11-24T10:20:26+00:00"


def write(folder: Path, *flows: FlowResult, state: Path | None = None) -> str:
    states = {flow.run_id: state for flow in flows if state and flow.run_id}
    write_suite_report(SuiteResult("shop", BEGAN, 4200.0, flows), folder / "suite.html", states)
    return (folder / "suite.html").read_text("utf-8")


def make_flow(name: str, outcome: FlowOutcome, **more: Any) -> FlowResult:
    return FlowResult(name, f"flows/{name}.flow.yaml", outcome, **more)


def test_flows_in_trouble_come_first_and_are_unfolded(tmp_path: Path) -> None:
    text = write(
        tmp_path,
        make_flow("good", "passed", ms=900.0, steps=list_steps(make_small_run().document)),
        make_flow("left", "skipped"),
        make_flow("shaky", "flaky", attempts=2),
        make_flow("broken", "error", error="Not a verb."),
        make_flow("bad", "failed", attempts=3, error="Step 2: no button."),
    )
    assert re.findall(r'flow-title" id="[^"]*">([^<]+)<', text) == ["broken", "bad", "shaky", "good", "left"]
    opened = re.findall(r'aria-labelledby="flow-(\d)-title">\s*<details open>', text)
    assert opened == ["4", "5"]
    assert "2 of 5 failed" in text
    assert "3 attempts" in text
    assert "Not a verb." in text


def test_a_suite_without_flows_says_so(tmp_path: Path) -> None:
    assert "No flows were found." in write(tmp_path)


def test_a_suite_that_passed_says_so(tmp_path: Path) -> None:
    assert "All passed" in write(tmp_path, make_flow("a", "passed"), make_flow("b", "passed"))


def test_what_is_kept_of_a_run_that_failed_is_shown_with_its_pictures(tmp_path: Path) -> None:
    logs = [
        make_log(0),
        make_log(1, "failed", error=make_error("No button.", "Look again."), evidence={"seen": "a form"}),
    ]
    run = make_run([make_node(0), make_node(1)], logs, outcome="partial")
    SessionFiles(tmp_path).write(RUN_ID, run.document)
    keep_picture(tmp_path, "g1_click_1.before.jpg", draw_picture())
    steps = list_steps(run.document, {"g1": 7})
    text = write(tmp_path, make_flow("bad", "failed", run_id=RUN_ID, steps=steps, error="Step 2."), state=tmp_path)
    assert text.count("data:image/jpeg;base64,") == 1
    assert "a form" in text
    assert "line 7" in text
    assert f'href="#step-{RUN_ID}-2"' in text
    plain = write(tmp_path, make_flow("bad", "failed", run_id=RUN_ID, steps=steps, error="Step 2."))
    assert "data:image" not in plain
    assert "No button. Look again." in plain


def test_flows_that_passed_bring_no_pictures(tmp_path: Path) -> None:
    SessionFiles(tmp_path).write(RUN_ID, make_small_run(1).document)
    keep_picture(tmp_path, "g0_click_1.after.jpg", draw_picture())
    text = write(tmp_path, make_flow("good", "passed", run_id=RUN_ID), state=tmp_path)
    assert "data:image" not in text
    assert "Clicked button" in text
