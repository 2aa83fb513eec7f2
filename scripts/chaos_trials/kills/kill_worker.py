"""One process of `scripts/chaos.py kill`: carries out the errand, or goes on with it, and may be told when to die.

kill_worker.py run FOLDER URL LEDGER [before|after:N]    dies at the N-th durable write of the journal; says how many there were if not
kill_worker.py resume FOLDER RUN                         prints what became of it as one line of JSON
"""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from agent.assembly import SessionDefaults, list_families, locate_anchors, put_together
from agent.requests.requests import Request
from agent.sessions.resume import ResumeRequest
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from agent.store.journal.sqlite_journal import SqliteJournal
from core.addresses.path_parts import STATE_FOLDER
from core.addresses.platforms import SEARCH_PLATFORMS
from core.approvals.approvals import ClassGate
from core.goals.world import WorldState
from core.journal.journal import JournalEntry
from core.results.events import Event
from scripts.chaos_trials.kills.kill_errand import list_goals

STARTED = time.monotonic() - time.process_time()
"""About when the process began: what it computed until here went into imports."""

GATE = ClassGate(("apply_diff", "run_job"))


class DyingJournal(SqliteJournal):
    """A journal whose process is killed right before or right after one of its writes that outlive it."""

    def __init__(self, folder: Path, moment: str) -> None:
        """Die at a moment such as ``after:3``; never where it is empty."""
        super().__init__(folder)
        self._when, _, number = moment.partition(":")
        self._last = int(number or 0)
        self.writes = 0

    async def append(self, entries: Sequence[JournalEntry], *, durable: bool = True) -> None:
        """Write, and die if it is time to."""
        with self._dying(counts=durable and bool(entries)):
            await super().append(entries, durable=durable)

    async def ride(self, entries: Sequence[JournalEntry]) -> asyncio.Future[None]:
        """Write what outlives the process, and die if it is time to."""
        with self._dying():
            return await super().ride(entries)

    @contextmanager
    def _dying(self, *, counts: bool = True) -> Generator[None]:
        self.writes += counts
        is_last = counts and self.writes == self._last
        if is_last and self._when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        yield
        if is_last and self._when == "after":
            os.kill(os.getpid(), signal.SIGKILL)


def make_session(folder: Path, journal: SqliteJournal) -> AgentSession:
    """Return a session as the program has it, but for the journal that may kill it."""
    world = WorldState(platform=sys.platform, anchors=locate_anchors(folder))
    standing = replace(SessionDefaults(), journal=journal)
    return put_together(list_families(Settings(), folder), world, SEARCH_PLATFORMS, standing=standing)


def tell_ready(event: Event) -> None:
    """Say that the run begins, so that it can be killed from outside."""
    if event.event_name == "accepted":
        print("ready", event.run_id, flush=True)


async def run(folder: Path, url: str, ledger: str, moment: str) -> None:
    """Carry the errand out."""
    journal = DyingJournal(folder / STATE_FOLDER, moment)
    async with make_session(folder, journal) as session:
        result = await session.run(Request(goals=list_goals(url, ledger), gate=GATE), tell_ready)
    told = {"errors": [str(error) for error in result.errors], "reply": result.reply, "writes": journal.writes}
    print(json.dumps(told), flush=True)


async def resume(folder: Path, run_id: str) -> None:
    """Go on with the errand and print what became of every step."""
    settled_s = 0.0

    def note(event: Event) -> None:
        nonlocal settled_s
        if event.event_name in {"step", "final"} and not settled_s:
            settled_s = time.monotonic() - STARTED

    async with make_session(folder, SqliteJournal(folder / STATE_FOLDER)) as session:
        result = await session.resume(ResumeRequest(run_id=run_id, gate=GATE), note)
    steps = {
        log.action_id: [log.result.status, log.result.error.code if log.result.error else ""]
        for log in result.step_logs
    }
    errors = [error.code for error in result.errors]
    print(json.dumps({"steps": steps, "errors": errors, "settled_s": settled_s, "reply": result.reply}), flush=True)


if __name__ == "__main__":
    what, where, *others = sys.argv[1:]
    if what == "run":
        asyncio.run(run(Path(where), others[0], others[1], others[2] if len(others) > 2 else ""))
    else:
        asyncio.run(resume(Path(where), others[0]))
