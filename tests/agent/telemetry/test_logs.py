"""Log lines of runs: what they say, and what they never say."""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from actuators.base import Environment
from actuators.simulation import SimulatedMachine
from agent.assembly import make_simulated_session
from agent.requests.requests import Request
from agent.telemetry.library_faults import hear_libraries
from agent.telemetry.logs import LogBook, Outlets
from agent.telemetry.observing import SessionTelemetry
from core.approvals.approvals import ClassGate
from core.base.scope_paths import begin_scope
from core.goals.meta_goals import Goal
from core.goals.secret_values import EmptyVault
from core.results.tool_results import RunResult

TRACE = "0af7651916cd43dd8448eb211c80319c"


async def run_logged(workspace: Path, *goals: Goal, mode: Any = "execute") -> tuple[RunResult, list[Mapping[str, Any]]]:
    """Run goals on a machine in memory; return the result and the lines, read back."""
    lines: list[str] = []
    book = LogBook(Outlets([("debug", lines.append)]))
    carrier = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
    environment = Environment(platform="linux", workspace=workspace, anchors={"workspace": str(workspace)})
    machine = SimulatedMachine()
    machine.files.store.make_folders(str(workspace))
    async with make_simulated_session(machine, environment) as session:
        session.observe(SessionTelemetry(book=book, carrier=carrier))
        request = Request(goals=goals, gate=ClassGate(["apply_diff"]), mode=mode)
        result = await session.run(request)
    return result, [json.loads(line) for line in lines]


WRITE = Goal("file", "write", {"path": "workspace:/a.txt", "content": "precious words"})
READ = Goal("file", "read", {"path": "workspace:/missing.txt"}, scope="root")


async def test_a_run_is_told_from_its_plan_to_its_end_with_ids_that_lead_on(tmp_path: Path) -> None:
    result, lines = await run_logged(tmp_path, WRITE)
    events = [line["event"] for line in lines if line["event"] != "journal.written"]
    assert events == [
        "run.accepted",
        "goal.planned",
        "step.started",
        "approval.asked",
        "approval.answered",
        "step.ended",
        "run.ended",
    ]
    assert {line["run_id"] for line in lines} == {result.run_id}
    assert {line["scope"] for line in lines if "goal_id" in line} == {f"{result.scope}/g0"}
    assert {line["scope"] for line in lines if "goal_id" not in line} == {result.scope}
    assert {tuple(line)[:4] for line in lines} == {("timestamp", "level", "event", "run_id")}
    assert {line["trace_id"] for line in lines} == {TRACE} == {result.trace_id}
    assert {line["goal_id"] for line in lines if "action_id" in line} == {"g0"}
    rows = [line.get("action_id", "") for line in lines if line["event"] == "journal.written"]
    assert set(rows) == {"", result.step_logs[0].action_id}
    (ended,) = [line for line in lines if line["event"] == "step.ended"]
    log = result.step_logs[0]
    assert (ended["goal_id"], ended["action_id"], ended["verb"]) == ("g0", log.action_id, "file.write")
    assert (ended["status"], ended["effect"], ended["args_digest"]) == ("ok", "confirmed", log.result.args_digest)


async def test_what_is_written_into_files_is_never_told(tmp_path: Path) -> None:
    _, lines = await run_logged(tmp_path, WRITE)
    assert "precious" not in json.dumps(lines)


async def test_a_failed_step_is_a_warning_with_its_code(tmp_path: Path) -> None:
    _, lines = await run_logged(tmp_path, READ)
    (ended,) = [line for line in lines if line["event"] == "step.ended"]
    assert (ended["level"], ended["status"]) == ("warning", "failed")
    assert ended["error"]
    assert lines[-1]["level"] == "warning"


async def test_a_refused_request_is_told_with_its_codes(tmp_path: Path) -> None:
    result, lines = await run_logged(tmp_path, Goal("file", "fly", {}))
    assert [line["event"] for line in lines] == ["run.refused"]
    assert lines[0]["errors"] == [each.code for each in result.errors]


async def test_a_plan_alone_is_not_told(tmp_path: Path) -> None:
    assert (await run_logged(tmp_path, WRITE, mode="plan"))[1] == []


def test_each_outlet_gets_the_lines_that_it_wants() -> None:
    loud: list[str] = []
    quiet: list[str] = []
    outlets = Outlets([("info", loud.append), ("error", quiet.append), ("off", quiet.append)])
    for level in ("debug", "info", "warning", "error"):
        outlets.take(level, level[0])
    assert (loud, quiet) == (["i", "w", "e"], ["e"])


@given(st.text())
def test_a_line_is_one_line_of_visible_ascii_whatever_it_says(text: str) -> None:
    lines: list[str] = []
    LogBook(Outlets([("info", lines.append)])).note_fault("spans.dropped", text)
    (line,) = lines
    assert all(" " <= each <= "~" for each in line)
    assert json.loads(line)["message"] == text[:2000]


def test_what_the_vault_knows_is_not_told() -> None:
    class OneSecret(EmptyVault):
        def redact(self, value: Any) -> Any:
            return {key: str(each).replace("hunter2", "•••") for key, each in value.items()}

    lines: list[str] = []
    book = LogBook(Outlets([("info", lines.append)]))
    book.watch(begin_scope().child("s1").child("r1"), TRACE, OneSecret())
    book.note_fault("spans.dropped", "the password is hunter2")
    assert json.loads(lines[0])["message"] == "the password is •••"


def test_what_libraries_complain_of_is_passed_on_until_that_ends() -> None:
    told: list[tuple[str, str]] = []
    end = hear_libraries(lambda event, text: told.append((event, text)))
    logging.getLogger("asyncio").error("Future exception was never retrieved", exc_info=ValueError("closed"))
    end()
    logging.getLogger("playwright").error("too late")
    ((event, text),) = told
    assert event == "library.complained"
    assert "asyncio: Future exception was never retrieved" in text
    assert "ValueError: closed" in text
