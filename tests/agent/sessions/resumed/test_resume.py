"""A run that was cut short is gone on with, and nothing is done twice."""

import asyncio
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent.requests.requests import Request
from agent.sessions.resume import ResumeRequest
from agent.sessions.undo import UndoRequest
from core.approvals.approvals import ApprovalRequest
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.journal.resume import OpenAct, Settlement
from core.results.provenance import Origin
from core.results.tool_results import Finding, RunResult
from tests.agent.ledger import (
    Ledger,
    chain,
    crash,
    crash_goals,
    crash_request,
    crash_undo,
    make_ledger_session,
    reopen,
)

NOTHING: Mapping[str, Settlement] = {}


class Person:
    """Somebody who answers, and notes what they were asked."""

    def __init__(self, said: Settlement = "unknown", *, agrees: bool = False) -> None:
        self.said: Settlement = said
        self.agrees = agrees
        self.asked: list[str] = []

    async def settle(self, act: OpenAct, finding: Finding) -> Settlement:
        self.asked.append(act.action.action_id)
        return self.said

    async def decide(self, request: ApprovalRequest) -> bool:
        self.asked.append(request.text)
        return self.agrees


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


async def resume(
    ledger: Ledger,
    left: Path,
    run_id: str,
    person: Person | None = None,
    *,
    settlements: Mapping[str, Settlement] = NOTHING,
) -> RunResult:
    person = person or Person()
    async with reopen(ledger, left) as session:
        request = ResumeRequest(run_id=run_id, settlements=settlements, settler=person, gate=person)
        return await session.resume(request)


@pytest.mark.parametrize("moment", ["before post", "after post"])
async def test_an_act_that_may_have_happened_is_not_done_again(ledger: Ledger, folder: Path, moment: str) -> None:
    run_id, left = await crash(ledger, folder, moment, ("set", "a"), ("post", "rent"), ("post", "more"))
    done = list(ledger.lines)
    result = await resume(ledger, left, run_id)
    assert ledger.lines == done
    assert [log.result.status for log in result.step_logs] == ["ok", "failed", "skipped"]
    error = result.step_logs[1].result.error
    assert error is not None
    assert error.code == "outcome_unknown"
    assert "g1_post_1=done" in error.hint


@pytest.mark.parametrize(("said", "lines"), [("done", ["post more"]), ("not_done", ["post rent", "post more"])])
async def test_a_person_says_whether_it_happened(
    ledger: Ledger, folder: Path, said: Settlement, lines: list[str]
) -> None:
    run_id, left = await crash(ledger, folder, "before post", ("post", "rent"), ("post", "more"))
    person = Person(said)
    result = await resume(ledger, left, run_id, person)
    assert ledger.lines == lines
    assert result.outcome == "success"
    assert person.asked == ["g0_post_1"]


async def test_what_a_person_said_is_written_down(ledger: Ledger, folder: Path) -> None:
    run_id, left = await crash(ledger, folder, "after post", ("post", "rent"), ("post", "more"))
    await resume(ledger, left, run_id, settlements={"g0_post_1": "done"})
    again = await resume(ledger, left, run_id)
    assert again.outcome == "success"
    assert ledger.lines == ["post rent", "post more"]
    assert again.step_logs[0].result.evidence["settled_by"] == "person"
    assert again.reply == "I posted rent and posted more. I could not read back whether one step took effect."


@pytest.mark.parametrize("moment", ["before add", "after add"])
async def test_the_world_says_whether_it_happened(ledger: Ledger, folder: Path, moment: str) -> None:
    run_id, left = await crash(ledger, folder, moment, ("add", "rent"), ("post", "more"))
    person = Person()
    result = await resume(ledger, left, run_id, person)
    assert ledger.lines == ["add rent", "post more"]
    assert result.outcome == "success"
    assert person.asked == []
    assert result.step_logs[0].result.undo_record is not None


async def test_a_world_that_somebody_else_changed_is_left_to_a_person(ledger: Ledger, folder: Path) -> None:
    run_id, left = await crash(ledger, folder, "after add", ("add", "rent"))
    ledger.lines.append("add somebody's")
    result = await resume(ledger, left, run_id)
    assert ledger.lines == ["add rent", "add somebody's"]
    assert result.step_logs[0].result.evidence["since"] == ["add rent", "add somebody's"]


async def test_what_is_harmless_to_repeat_is_repeated(ledger: Ledger, folder: Path) -> None:
    run_id, left = await crash(ledger, folder, "after set", ("set", "a"), ("post", "rent"))
    result = await resume(ledger, left, run_id)
    assert (ledger.value, ledger.lines, result.outcome) == ("a", ["post rent"], "success")


async def test_what_was_read_before_is_not_read_again(ledger: Ledger, folder: Path) -> None:
    steps = (("look", "lines"), ("post", "rent"), ("set", Reference("g0", "text")))
    run_id, left = await crash(ledger, folder, "after post", *steps)
    result = await resume(ledger, left, run_id, Person(agrees=True), settlements={"g1_post_1": "done"})
    assert (ledger.looks, ledger.value) == (1, "0lines")
    assert result.intermediate_results["g0_look_1"] == {"text": "0lines", "lines": []}


async def test_a_session_that_was_lost_is_opened_again_where_that_is_harmless(ledger: Ledger, folder: Path) -> None:
    run_id, left = await crash(ledger, folder, "before post", ("enter", "bank"), ("post", "rent"), ("write", "note"))
    result = await resume(ledger, left, run_id, settlements={"g1_post_1": "done"})
    assert ledger.lines == ["enter bank", "enter bank", "write note"]
    assert result.outcome == "success"


@pytest.mark.parametrize("agrees", [True, False])
async def test_only_a_person_lets_acts_be_done_again_that_led_to_a_lost_session(
    ledger: Ledger, folder: Path, *, agrees: bool
) -> None:
    steps = (("enter", "bank"), ("write", "one"), ("post", "rent"), ("write", "two"))
    run_id, left = await crash(ledger, folder, "before post", *steps)
    person = Person(agrees=agrees)
    result = await resume(ledger, left, run_id, person, settlements={"g2_post_1": "done"})
    again = ["enter bank", "write one", "write two"] if agrees else []
    assert ledger.lines == ["enter bank", "write one", *again]
    assert person.asked == ["Do these again, because the pages they led to are gone: Entered bank; Wrote one"]
    last = result.step_logs[-1].result
    assert (last.status, last.error and last.error.code) == (("ok", None) if agrees else ("skipped", "session_lost"))


async def test_a_run_that_ended_is_only_told_again(ledger: Ledger, folder: Path) -> None:
    run_id, left = await crash(ledger, folder, "before post", ("post", "rent"))
    await resume(ledger, left, run_id, settlements={"g0_post_1": "not_done"})
    result = await resume(ledger, left, run_id)
    assert (ledger.lines, result.outcome) == (["post rent"], "success")


async def test_what_failed_or_was_left_out_is_tried_again(ledger: Ledger, folder: Path) -> None:
    run_id, left = await crash(ledger, folder, "before post", ("set", "a"), ("post", "rent"), ("set", "b"))
    await resume(ledger, left, run_id)
    result = await resume(ledger, left, run_id, settlements={"g1_post_1": "done"})
    assert (ledger.value, result.outcome) == ("b", "success")


async def test_a_tool_that_breaks_over_what_became_of_an_act_leaves_it_unknown(ledger: Ledger, folder: Path) -> None:
    run_id, left = await crash(ledger, folder, "before add", ("add", "rent"))
    ledger.breaks_on_looking = True
    result = await resume(ledger, left, run_id)
    error = result.step_logs[0].result.error
    assert error is not None
    assert (error.code, "ZeroDivisionError" in str(error.evidence), ledger.lines) == ("outcome_unknown", True, [])


async def test_an_unknown_run_is_refused(ledger: Ledger, folder: Path) -> None:
    result = await resume(ledger, folder, "r0000000000000000")
    assert [error.code for error in result.errors] == ["unknown_run"]


async def test_nothing_is_settled_that_is_not_open(ledger: Ledger, folder: Path) -> None:
    run_id, left = await crash(ledger, folder, "before post", ("post", "rent"))
    result = await resume(ledger, left, run_id, settlements={"g7_post_1": "done"})
    assert [error.code for error in result.errors] == ["nothing_open"]
    assert result.errors[0].hint == "Open is: g0_post_1."


async def test_a_run_that_goes_on_is_not_taken_up(ledger: Ledger, folder: Path) -> None:
    ledger.halts = "before post"
    async with make_ledger_session(ledger, folder) as session:
        events: list[str] = []
        running = asyncio.ensure_future(
            session.run(Request(goals=chain(("post", "rent"))), lambda event: events.append(event.run_id))
        )
        await ledger.halted.wait()
        result = await session.resume(ResumeRequest(run_id=events[0]))
        assert [error.code for error in result.errors] == ["run_alive"]
        session.stop()
        await running
    assert ledger.lines == []


VERIFIER = (Goal("ledger", "enter", {"text": "bank"}), Goal("ledger", "expect", {"text": "post rent"}))


@pytest.mark.parametrize("moment", ["before post", "after post"])
async def test_what_the_author_lets_verify_it_tells_whether_it_happened(
    ledger: Ledger, folder: Path, moment: str
) -> None:
    first, *others = chain(("post", "rent"), ("post", "more"))
    run_id, left = await crash_goals(ledger, folder, moment, (replace(first, verify=VERIFIER), *others))
    person = Person()
    result = await resume(ledger, left, run_id, person)
    assert [line for line in ledger.lines if line != "enter bank"] == ["post rent", "post more"]
    assert (result.outcome, person.asked) == ("success", [])


async def test_what_may_change_something_verifies_nothing(ledger: Ledger, folder: Path) -> None:
    (goal,) = chain(("post", "rent"))
    async with reopen(ledger, folder) as session:
        result = await session.run(Request(goals=(replace(goal, verify=chain(("post", "more"))),)))
    assert [error.code for error in result.errors] == ["bad_verifier"]
    assert ledger.lines == []


async def test_what_was_taken_back_is_not_told_as_done_and_is_done_again(ledger: Ledger, folder: Path) -> None:
    async with make_ledger_session(ledger, folder) as session:
        run_id = (await session.run(Request(goals=chain(("post", "rent"), ("add", "note"))))).run_id
        await session.undo(UndoRequest(run_id=run_id))
        assert ledger.lines == ["post rent"]
        result = await session.resume(ResumeRequest(run_id=run_id))
    assert (ledger.lines, result.outcome) == (["post rent", "add note"], "success")


@pytest.mark.parametrize("halts", ["before strike", "after strike"])
async def test_a_run_whose_taking_back_was_cut_short_is_taken_back_first(
    ledger: Ledger, folder: Path, halts: str
) -> None:
    async with make_ledger_session(ledger, folder) as session:
        run_id = (await session.run(Request(goals=chain(("add", "rent"))))).run_id
    left = await crash_undo(ledger, folder, run_id, halts)
    result = await resume(ledger, left, run_id)
    assert [error.code for error in result.errors] == ["undo_open"]
    assert result.errors[0].hint == f"Finish that first: surehand undo {run_id}."
    async with reopen(ledger, left) as session:
        await session.undo(UndoRequest(run_id=run_id))
    assert ledger.lines == []


class Absent(Person):
    """Somebody who is asked and doesn't answer."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = asyncio.Event()

    async def settle(self, act: OpenAct, finding: Finding) -> Settlement:
        return await self._wait(act.action.action_id)

    async def decide(self, request: ApprovalRequest) -> bool:
        return await self._wait(request.text)

    async def _wait(self, asked: str) -> Any:
        self.asked.append(asked)
        self.reached.set()
        await asyncio.Event().wait()


@pytest.mark.parametrize("settled", [True, False])
async def test_resuming_is_stopped_while_a_person_is_asked(ledger: Ledger, folder: Path, *, settled: bool) -> None:
    run_id, left = await crash(
        ledger, folder, "before post", ("enter", "a"), ("write", "b"), ("post", "c"), ("write", "d")
    )
    person = Absent()
    before = list(ledger.lines)
    async with reopen(ledger, left) as session:
        said: Mapping[str, Settlement] = {"g2_post_1": "done"} if settled else NOTHING
        request = ResumeRequest(run_id=run_id, settlements=said, settler=person, gate=person)
        resuming = asyncio.ensure_future(session.resume(request))
        await person.reached.wait()
        session.stop()
        result = await asyncio.wait_for(resuming, 2)
    assert (ledger.lines, len(person.asked)) == (before, 1)
    codes = [log.result.error and log.result.error.code for log in result.step_logs]
    assert codes[:2] == [None, None]
    told = (None, "cancelled") if settled else ("outcome_unknown", "partial")
    assert (codes[2], result.outcome) == told


async def test_where_values_came_from_is_known_of_an_act_whose_end_nobody_saw(ledger: Ledger, folder: Path) -> None:
    goals = chain(("look", "lines"), ("add", Reference("g0", "text")))
    request = Request(goals=goals, gate=Person(agrees=True))
    run_id, left = await crash_request(ledger, folder, "after add", request)
    result = await resume(ledger, left, run_id)
    assert [log.result.status for log in result.step_logs] == ["ok", "ok"]
    assert result.step_logs[1].origins == result.step_logs[0].origins == (Origin("memory"),)


async def test_nothing_is_done_again_for_steps_that_depend_on_what_is_unknown(ledger: Ledger, folder: Path) -> None:
    steps = (("enter", "bank"), ("write", "one"), ("post", "rent"), ("write", "two"))
    run_id, left = await crash(ledger, folder, "after post", *steps)
    before, person = list(ledger.lines), Person(agrees=True)
    result = await resume(ledger, left, run_id, person)
    assert (ledger.lines, person.asked) == (before, ["g2_post_1"])
    assert [log.result.status for log in result.step_logs] == ["ok", "ok", "failed", "skipped"]


@pytest.mark.parametrize(
    ("said", "agrees", "approved"), [("unknown", True, None), ("done", True, True), ("done", False, False)]
)
async def test_the_result_says_what_the_rest_of_a_run_needs_a_yes_for(
    ledger: Ledger, folder: Path, said: Settlement, agrees: bool, approved: bool | None
) -> None:
    goals = chain(("look", "x"), ("post", "rent"), ("post", Reference("g0", "text")))
    run_id, left = await crash_goals(ledger, folder, "before post", goals)
    result = await resume(ledger, left, run_id, Person(said, agrees=agrees))
    (entry,) = result.required_approvals
    assert (entry["action_id"], entry["approval"], entry["approved"]) == ("g2_post_1", "confirm", approved)


async def test_a_session_that_another_run_opened_meanwhile_is_not_taken_for_the_lost_one(
    ledger: Ledger, folder: Path
) -> None:
    run_id, left = await crash(ledger, folder, "before post", ("enter", "bank"), ("post", "rent"), ("write", "note"))
    async with reopen(ledger, left) as session:
        await session.run(Request(goals=chain(("enter", "shop"))))
        await session.resume(ResumeRequest(run_id=run_id, settlements={"g1_post_1": "done"}))
    assert ledger.lines == ["enter bank", "enter shop", "enter bank", "write note"]


async def test_what_the_run_did_not_open_itself_is_lost(ledger: Ledger, folder: Path) -> None:
    ledger.halts, left = "before post", folder.with_name("left")
    async with make_ledger_session(ledger, folder) as session:
        await session.run(Request(goals=chain(("enter", "bank"))))
        running = asyncio.ensure_future(session.run(Request(goals=chain(("post", "rent"), ("write", "note")))))
        await ledger.halted.wait()
        shutil.copytree(folder, left, ignore=shutil.ignore_patterns("*.lock"))
        session.stop()
        run_id = (await running).run_id
    ledger.halts = ""
    async with reopen(ledger, left) as session:
        await session.run(Request(goals=chain(("enter", "shop"))))
        result = await session.resume(ResumeRequest(run_id=run_id, settlements={"g0_post_1": "done"}))
    assert ledger.lines == ["enter bank", "enter shop"]
    assert [log.result.error and log.result.error.code for log in result.step_logs] == [None, "session_lost"]
