"""A run is walked back, the last act first, as far as there is a way."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from agent.requests.requests import Request
from agent.sessions.resume import ResumeRequest
from agent.sessions.undo import UndoRequest
from tests.agent.ledger import Ledger, chain, crash, crash_undo, make_ledger_session, reopen


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


async def run(ledger: Ledger, folder: Path, *steps: tuple[str, Any]) -> str:
    async with make_ledger_session(ledger, folder) as session:
        return (await session.run(Request(goals=chain(*steps)))).run_id


async def test_acts_are_taken_back_by_another_process_the_last_one_first(ledger: Ledger, folder: Path) -> None:
    run_id = await run(ledger, folder, ("set", "a"), ("add", "rent"), ("set", "b"))
    async with reopen(ledger, folder) as session:
        result = await session.undo(UndoRequest(run_id=run_id))
    assert [(step.action_id, step.status) for step in result.steps] == [
        ("g2_set_1", "taken_back"),
        ("g1_add_1", "taken_back"),
        ("g0_set_1", "taken_back"),
    ]
    assert (ledger.value, ledger.lines) == ("", [])
    assert result.reply == "Undid 3 of 3 steps."


async def test_what_has_no_way_back_is_said_and_the_rest_is_taken_back(ledger: Ledger, folder: Path) -> None:
    run_id = await run(ledger, folder, ("set", "a"), ("post", "rent"))
    async with reopen(ledger, folder) as session:
        result = await session.undo(UndoRequest(run_id=run_id))
    assert [(step.action_id, step.status) for step in result.steps] == [
        ("g1_post_1", "not_undoable"),
        ("g0_set_1", "taken_back"),
    ]
    assert ledger.lines == ["post rent"]


async def test_what_was_changed_since_is_left_alone(ledger: Ledger, folder: Path) -> None:
    run_id = await run(ledger, folder, ("set", "a"))
    ledger.value = "somebody's"
    async with reopen(ledger, folder) as session:
        result = await session.undo(UndoRequest(run_id=run_id))
    assert ledger.value == "somebody's"
    assert [(step.status, step.error and step.error.code) for step in result.steps] == [("failed", "changed_since")]


async def test_nothing_is_taken_back_twice(ledger: Ledger, folder: Path) -> None:
    run_id = await run(ledger, folder, ("add", "rent"))
    async with reopen(ledger, folder) as session:
        await session.undo(UndoRequest(run_id=run_id))
        ledger.lines.append("add rent")
        result = await session.undo(UndoRequest(run_id=run_id))
    assert [step.status for step in result.steps] == ["already"]
    assert ledger.lines == ["add rent"]


async def test_a_dry_run_only_says_what_could_be(ledger: Ledger, folder: Path) -> None:
    run_id = await run(ledger, folder, ("set", "a"), ("post", "rent"))
    async with reopen(ledger, folder) as session:
        result = await session.undo(UndoRequest(run_id=run_id, dry=True))
    assert [step.status for step in result.steps] == ["not_undoable", "taken_back"]
    assert ledger.value == "a"
    assert result.reply == "Can undo 1 of 2 steps; can't be undone: 1."


async def test_an_act_whose_end_nobody_saw_is_not_taken_back_and_that_is_said(ledger: Ledger, folder: Path) -> None:
    run_id, left = await crash(ledger, folder, "after post", ("set", "a"), ("post", "rent"))
    async with reopen(ledger, left) as session:
        result = await session.undo(UndoRequest(run_id=run_id))
    assert [(step.status, step.error and step.error.code) for step in result.steps] == [
        ("not_undoable", "outcome_unknown"),
        ("taken_back", None),
    ]


async def test_what_was_done_again_after_a_crash_is_not_said_to_be_taken_back(ledger: Ledger, folder: Path) -> None:
    ledger.value = "before"
    run_id, left = await crash(ledger, folder, "after set", ("set", "a"))
    async with reopen(ledger, left) as session:
        assert (await session.resume(ResumeRequest(run_id=run_id))).outcome == "success"
        result = await session.undo(UndoRequest(run_id=run_id))
    assert [(step.status, step.error and step.error.code) for step in result.steps] == [
        ("not_undoable", "not_undoable")
    ]
    assert ledger.value == "a"


async def test_taking_back_that_was_cut_short_is_gone_on_with(ledger: Ledger, folder: Path) -> None:
    run_id = await run(ledger, folder, ("add", "one"), ("add", "two"))
    left = await crash_undo(ledger, folder, run_id, "before strike")
    async with reopen(ledger, left) as session:
        result = await session.undo(UndoRequest(run_id=run_id))
    assert [step.status for step in result.steps] == ["taken_back", "taken_back"]
    assert ledger.lines == []


async def test_what_may_have_been_taken_back_before_a_crash_is_told_so(ledger: Ledger, folder: Path) -> None:
    run_id = await run(ledger, folder, ("add", "one"), ("add", "two"))
    left = await crash_undo(ledger, folder, run_id, "after strike")
    async with reopen(ledger, left) as session:
        result = await session.undo(UndoRequest(run_id=run_id))
    assert [(step.status, step.error and step.error.code) for step in result.steps] == [
        ("failed", "outcome_unknown"),
        ("taken_back", None),
    ]
    assert ledger.lines == []


async def test_taking_back_can_be_stopped_between_two_acts(ledger: Ledger, folder: Path) -> None:
    run_id = await run(ledger, folder, ("add", "one"), ("add", "two"))
    ledger.halts = "after strike"
    async with make_ledger_session(ledger, folder) as session:
        undoing = asyncio.ensure_future(session.undo(UndoRequest(run_id=run_id)))
        await ledger.halted.wait()
        session.stop()
        ledger.released.set()
        result = await undoing
        assert [(step.status, step.error and step.error.code) for step in result.steps] == [
            ("taken_back", None),
            ("failed", "stopped"),
        ]
        assert ledger.lines == ["add one"]
        assert [step.status for step in (await session.undo(UndoRequest(run_id=run_id))).steps] == [
            "already",
            "taken_back",
        ]


async def test_an_act_that_was_taken_back_and_done_again_can_be_taken_back_again(ledger: Ledger, folder: Path) -> None:
    run_id, left = await crash(ledger, folder, "before add", ("add", "rent"))
    async with reopen(ledger, left) as session:
        await session.resume(ResumeRequest(run_id=run_id))
        await session.undo(UndoRequest(run_id=run_id))
    assert ledger.lines == []


async def test_an_unknown_run_is_refused_and_leaves_nothing(ledger: Ledger, folder: Path) -> None:
    async with reopen(ledger, folder) as session:
        result = await session.undo(UndoRequest(run_id="r0000000000000000"))
    assert [error.code for error in result.errors] == ["unknown_run"]
    assert "state" not in {each.name for each in folder.parent.iterdir()}
