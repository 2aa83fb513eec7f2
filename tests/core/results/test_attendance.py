"""What is held and watched around an act: it is told in the receipt, and what can't be had means that nothing was done."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from core.base.errors import DeviceError, ErrorInfo
from core.planning.authority import RulesResolver
from core.results.attendance import FAILED, SAID, UNSENT, add_notes, tell_ended
from core.results.replies import compose_reply
from core.results.tool_results import ToolResult
from core.tools.ports import ActionContext
from tests.core.toys import ToyRun, Toys, statuses, toy

ENDED = {"program": "featherpad", "pid": 7, "windows": ["Untitled"]}


class AttendedToys(Toys):
    """Toys that hold something while they act.

    Attributes:
        notes: What is noted.
        holding: Whether it is held now.
        free: Set while it can be had.
    """

    def __init__(self, **notes: Any) -> None:
        super().__init__()
        self.notes = notes
        self.is_held = False
        self.free = asyncio.Event()
        self.free.set()
        self.waiting = asyncio.Event()

    def attend(self, verb: str, context: ActionContext) -> AbstractAsyncContextManager[dict[str, Any]]:
        return self._hold(context)

    @asynccontextmanager
    async def _hold(self, context: ActionContext) -> AsyncGenerator[dict[str, Any]]:
        self.waiting.set()
        try:
            await asyncio.wait_for(self.free.wait(), 0.05 if context.timeout_s < 1 else None)
        except TimeoutError:
            raise DeviceError("Others have it.", code="seat_taken") from None
        self.is_held = True
        notes: dict[str, Any] = {}
        try:
            yield notes
        finally:
            self.is_held = False
            notes.update(self.notes)


class AttendedRun(ToyRun):
    """A run of such toys."""

    def __init__(self, **notes: Any) -> None:
        super().__init__()
        self.attended = AttendedToys(**notes)
        self.toys = self.attended
        self.resolve_by(RulesResolver())


async def test_what_was_noted_is_in_the_receipt_of_a_success_and_of_a_failure() -> None:
    run = AttendedRun(ended=[ENDED])
    done, failed = await run.run(toy("note", text="x"), toy("fail", text="x"))
    assert (done.result.evidence["noted"], done.result.evidence["ended"]) == ("x", [ENDED])
    assert failed.result.evidence["ended"] == [ENDED]
    assert done.result.note == failed.result.note == "featherpad (window “Untitled”) ended during this step."
    assert failed.result.error is not None
    assert failed.result.error.message.endswith("featherpad (window “Untitled”) ended during this step.")
    assert not run.attended.is_held


async def test_the_reply_names_a_program_that_ended_during_a_step_that_succeeded() -> None:
    logs = await AttendedRun(ended=[ENDED]).run(toy("note", text="x"))
    assert "featherpad (window “Untitled”) ended during this step." in compose_reply(logs, "success")


async def test_an_act_whose_turn_does_not_come_in_time_has_not_begun() -> None:
    run = AttendedRun()
    run.attended.free.clear()
    (log,) = await run.run(toy("hang", text="x"))
    assert statuses([log]) == ["failed"]
    assert (log.result.effect, log.result.error and log.result.error.code) == ("none", "seat_taken")
    assert (log.args, log.result.args_digest, run.toys.noted) == ({}, "", [])


async def test_a_run_that_is_stopped_while_it_waits_for_its_turn_has_not_begun() -> None:
    run = AttendedRun()
    run.attended.free.clear()
    running = asyncio.ensure_future(run.run(toy("note", text="x")))
    await run.attended.waiting.wait()
    run.context.limits.stop.set()
    (log,) = await asyncio.wait_for(running, 5)
    assert (log.result.status, log.result.effect, run.toys.noted) == ("cancelled", "none", [])


@pytest.mark.parametrize("notes", [{}, {"seat": {"on": "display :1"}}])
def test_notes_change_nothing_but_the_evidence_where_no_program_ended(notes: dict[str, Any]) -> None:
    result = ToolResult("failed", evidence={"a": 1}, error=ErrorInfo("timed_out", "It took too long."))
    assert add_notes(result, notes) == ToolResult("failed", evidence={"a": 1, **notes}, error=result.error)


def test_several_programs_are_told_in_one_sentence_and_none_in_none() -> None:
    other = {"program": "qt6ct", "pid": 8, "windows": []}
    assert tell_ended([ENDED, other]) == "featherpad (window “Untitled”) and qt6ct ended during this step."
    assert tell_ended([]) == ""


def test_the_reply_names_the_button_that_sends_what_was_entered_and_was_not_pressed() -> None:
    assert add_notes(ToolResult("ok"), {UNSENT: "Submit"}).note == "“Submit” was not pressed."


def test_nothing_is_left_to_press_where_the_step_sent_what_it_entered() -> None:
    sent = ToolResult("ok", evidence={"submitted": True})
    assert add_notes(sent, {UNSENT: "Submit"}) == sent


def test_what_a_page_says_of_a_refused_request_is_told_and_nothing_where_it_says_nothing() -> None:
    failed = [{"url": "http://example.org/save", "status": 500}]
    noted = add_notes(ToolResult("ok"), {FAILED: failed, SAID: "It could\nnot be kept"})
    assert (
        noted.note == "A request of this step was answered with status 500, and the page says “It could not be kept”."
    )
    assert noted.evidence == {FAILED: failed, SAID: "It could\nnot be kept"}
    assert not add_notes(ToolResult("ok"), {FAILED: failed}).note
