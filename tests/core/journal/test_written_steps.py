"""What came of a step is told as it was, whatever happens while it is written down."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from core.base.errors import JournalError
from core.goals.meta_goals import Goal
from core.journal.journal import JournalEntry, NoJournal
from core.results.tool_results import StepLog
from tests.core.toys import ToyRun, toy


@dataclass
class StoppingJournal(NoJournal):
    """A journal that stops the run while it writes what came of a step, and ends writing only when it is let."""

    stop: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)
    fault: JournalError | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def append(self, entries: Sequence[JournalEntry], *, durable: bool = True) -> None:
        del durable
        for entry in entries:
            if entry.state == "done":
                self.stop.set()
                await self.released.wait()
                if self.fault:
                    raise self.fault
                self.ended.set()


def run_with(journal: StoppingJournal) -> ToyRun:
    run = ToyRun()
    run.hold_to(journal=journal, stop=journal.stop)
    return run


async def test_a_stop_while_the_outcome_is_written_leaves_the_receipt_of_what_was_done() -> None:
    journal = StoppingJournal()
    (log,) = await run_with(journal).run(toy("note", text="x"))
    assert (log.result.status, log.result.error) == ("ok", None)
    journal.released.set()
    await asyncio.wait_for(journal.ended.wait(), 5)


@pytest.mark.parametrize("verb", ["note", "look"])
async def test_that_an_outcome_could_not_be_written_is_told_of_acts_also_when_stopped(verb: str) -> None:
    journal = StoppingJournal(fault=JournalError("The disk is full."))
    asyncio.get_running_loop().call_later(0.02, journal.released.set)
    (log,) = await run_with(journal).run(toy(verb, text="x"))
    assert log.result.status == "ok"
    assert ("The disk is full." in log.result.note) == (verb == "note")


@dataclass
class SlowJournal(NoJournal):
    """A journal that has an intent on the disk only when it is let."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    async def append(self, entries: Sequence[JournalEntry], *, durable: bool = True) -> None:
        if any(entry.state == "intent" for entry in entries):
            assert durable
            self.reached.set()
            await self.released.wait()


async def test_an_act_does_not_begin_before_its_intent_is_written() -> None:
    journal, run = SlowJournal(), ToyRun()
    run.hold_to(journal=journal)
    running = asyncio.ensure_future(run.run(toy("note", text="x")))
    await asyncio.wait_for(journal.reached.wait(), 5)
    for _ in range(50):  # whatever would begin now, had its turn
        await asyncio.sleep(0)
    assert run.toys.noted == []
    journal.released.set()
    (log,) = await asyncio.wait_for(running, 5)
    assert (log.result.status, run.toys.noted) == ("ok", ["x"])


@dataclass
class KeepingJournal(NoJournal):
    """A journal that keeps what it is told."""

    entries: list[JournalEntry] = field(default_factory=list[JournalEntry])

    async def append(self, entries: Sequence[JournalEntry], *, durable: bool = True) -> None:
        del durable
        self.entries += entries


@pytest.mark.parametrize(
    ("verb", "state"), [("note", "done"), ("fail", "failed"), ("crash", "unknown"), ("hang", "unknown")]
)
async def test_what_is_written_says_failed_only_of_what_changed_nothing(verb: str, state: str) -> None:
    journal, run = KeepingJournal(), ToyRun()
    run.hold_to(journal=journal)
    await run.run(toy(verb, text="x"))
    assert journal.entries[-1].state == state


@dataclass
class RidingJournal(NoJournal):
    """A journal whose riding rows reach the disk when they are let, or all that were handed over must be there."""

    riding: list[asyncio.Future[None]] = field(default_factory=list[asyncio.Future[None]])
    written: asyncio.Event = field(default_factory=asyncio.Event)
    both_ride: asyncio.Event = field(default_factory=asyncio.Event)

    async def append(self, entries: Sequence[JournalEntry], *, durable: bool = True) -> None:
        del durable
        if not entries:
            await self.written.wait()
            self.let("")

    async def ride(self, entries: Sequence[JournalEntry]) -> asyncio.Future[None]:
        self.riding.append(asyncio.get_running_loop().create_future())
        if len(self.riding) == 2:
            self.both_ride.set()
        return self.riding[-1]

    def let(self, fault: str) -> None:
        for each in self.riding:
            if not each.done() and fault:
                each.set_exception(JournalError(fault))
            elif not each.done():
                each.set_result(None)


def chain_notes(*texts: str) -> tuple[Goal, ...]:
    scopes = ["root", *(f"after:g{index}" for index in range(len(texts)))]
    return tuple(Goal("toy", "note", {"text": text}, scope=scope) for text, scope in zip(texts, scopes, strict=False))


async def test_a_step_goes_on_while_the_outcome_before_it_rides_and_nothing_is_told_meanwhile() -> None:
    journal, run = RidingJournal(), ToyRun()
    told: list[str] = []
    run.hold_to(
        journal=journal,
        on_start=lambda action: told.append(f"{action.goal_id} started"),
        on_end=lambda log: told.append(f"{log.goal_id} {log.result.status}"),
    )
    running = asyncio.ensure_future(run.run(*chain_notes("a", "b")))
    await asyncio.wait_for(journal.both_ride.wait(), 5)
    for _ in range(50):  # whatever would be told now, had its turn
        await asyncio.sleep(0)
    assert (run.toys.noted, told, running.done()) == (["a", "b"], ["g0 started"], False)
    journal.written.set()
    await asyncio.wait_for(running, 5)
    assert told == ["g0 started", "g0 ok", "g1 started", "g1 ok"]


async def test_an_outcome_that_was_lost_on_its_way_is_told_in_its_receipt_and_in_no_other() -> None:
    journal, run = RidingJournal(), ToyRun()
    told: list[str] = []
    run.hold_to(journal=journal, on_end=lambda log: told.append(log.result.note))
    running = asyncio.ensure_future(run.run(*chain_notes("a", "b")))
    await asyncio.wait_for(journal.both_ride.wait(), 5)
    journal.riding[0].set_exception(JournalError("The disk is full."))
    journal.written.set()
    first, second = await asyncio.wait_for(running, 5)
    note = "The outcome could not be written to the journal: The disk is full."
    assert (first.result.note, second.result.note, told) == (note, "", [note, ""])


async def test_a_listener_that_fails_ends_the_run_also_when_it_is_told_late() -> None:
    journal, run = RidingJournal(), ToyRun()

    def fail(_: StepLog) -> None:
        raise OSError("nobody listens")

    run.hold_to(journal=journal, on_end=fail)
    running = asyncio.ensure_future(run.run(*chain_notes("a", "b")))
    journal.written.set()
    with pytest.raises(OSError, match="nobody listens"):
        await asyncio.wait_for(running, 5)
