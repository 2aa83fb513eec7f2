"""What came of a step is told as it was, whatever happens while it is written down."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from core.base.errors import JournalError
from core.journal.journal import JournalEntry, NoJournal
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
