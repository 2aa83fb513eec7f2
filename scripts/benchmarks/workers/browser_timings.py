"""Where the time of each step goes: `bench.py browser --timings`.

Of each of the 15 actions: the milliseconds and the messages to Playwright's driver, ours and raw, and of ours the milliseconds that it waited
for the journal and that this process computed, and how many questions and acts went directly or were left to Playwright's own way. What lies between two steps belongs to the first; planning and what follows the last step is a row
of its own.
"""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright._impl.transport import PipeTransport

from actuators.browser.playwright.direct.world import TALLY
from agent.store.journal.sqlite_journal import SqliteJournal
from core.execution.executor import PlanExecutor
from core.execution.steps import StepPerformer
from core.journal.journal import JournalEntry
from core.planning.plans import PlannedAction
from scripts.benchmarks.workers.browser_jobs import put

AROUND = "plan, begin and end"
_COLUMNS = ("ours ms", "raw ms", "ours trips", "raw trips", "journal ms", "python ms", "direct", "left")

Row = dict[str, Any]


@dataclass(slots=True)
class Meter:
    """Counts what this process does, step by step."""

    trips: int = 0
    journal_s: float = 0.0
    rows: list[Row] = field(default_factory=list[Row])
    _began: tuple[str, float, float, int, float, int, int] | None = None

    def begin(self, name: str) -> None:
        """End the step that goes on, and begin another; one without a name is none."""
        now = time.perf_counter(), time.process_time()
        if self._began:
            name_before, wall, cpu, trips, journal_s, direct, left = self._began
            self.rows.append(
                {
                    "name": name_before,
                    "ms": (now[0] - wall) * 1000,
                    "python_ms": (now[1] - cpu) * 1000,
                    "trips": self.trips - trips,
                    "journal_ms": (self.journal_s - journal_s) * 1000,
                    "direct": TALLY["direct"] - direct,
                    "left": TALLY["left"] - left,
                }
            )
        tally = TALLY["direct"], TALLY["left"]
        self._began = (name, *now, self.trips, self.journal_s, *tally) if name else None

    def watch(self) -> None:
        """Count from now on what the parts of this process do."""
        self._watch_driver()
        self._watch_journal()
        self._watch_steps()

    def _watch_driver(self) -> None:
        send = PipeTransport.send

        def count(transport: PipeTransport, message: dict[str, Any]) -> None:
            self.trips += 1
            send(transport, message)

        put(PipeTransport, "send", count)

    def _watch_journal(self) -> None:
        append = SqliteJournal.append

        async def time_it(journal: SqliteJournal, entries: Sequence[JournalEntry], *, durable: bool = True) -> None:
            began = time.perf_counter()
            await append(journal, entries, durable=durable)
            self.journal_s += time.perf_counter() - began

        put(SqliteJournal, "append", time_it)

    def _watch_steps(self) -> None:
        perform, execute = StepPerformer.perform, PlanExecutor.execute

        async def begin_step(performer: StepPerformer, action: PlannedAction, step: Any) -> Any:
            self.begin(action.name)
            return await perform(performer, action, step)

        async def end_run(executor: PlanExecutor, *args: Any, **parts: Any) -> Any:
            logs = await execute(executor, *args, **parts)
            self.begin(AROUND)
            return logs

        put(StepPerformer, "perform", begin_step)
        put(PlanExecutor, "execute", end_run)


async def time_steps(meter: Meter, do_job: Callable[[], Awaitable[None]]) -> list[Row]:
    """Return a row for each step of a job.

    Args:
        meter: Watches this process.
        do_job: Does the job; whoever knows its steps tells the meter where each begins.
    """
    meter.rows.clear()
    meter.begin(AROUND)
    await do_job()
    meter.begin("")
    around = [row for row in meter.rows if row["name"] == AROUND]
    joined = {name: sum(row[name] for row in around) for name in around[0] if name != "name"}
    return [*(row for row in meter.rows if row["name"] != AROUND), {"name": AROUND, **joined}]


def write_table(ours: Sequence[Sequence[Row]], raw: Sequence[Sequence[Row]]) -> list[str]:
    """Return the lines of the table: of each step the medians over all jobs.

    Args:
        ours: The rows of each of our jobs.
        raw: The same of Playwright alone.
    """
    lines = [f"{'step':<28}" + "".join(f"{column:>12}" for column in _COLUMNS)]
    for place, row in enumerate(ours[0]):
        mine, theirs = _take_median([job[place] for job in ours]), _take_median([job[place] for job in raw])
        numbers = [
            mine["ms"], theirs["ms"], mine["trips"], theirs["trips"], mine["journal_ms"], mine["python_ms"], mine["direct"], mine["left"],
        ]  # fmt: skip
        label = row["name"] if row["name"] == AROUND else f"{place + 1:>2} {row['name']}"
        lines.append(f"{label:<28}" + "".join(f"{number:>12.1f}" for number in numbers))
    return lines


def _take_median(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    return {name: sorted(row[name] for row in rows)[len(rows) // 2] for name in rows[0] if name != "name"}
