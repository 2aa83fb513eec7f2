"""A process that keeps things and says ``kept …`` once each is promised: `python durable_child.py WHAT FOLDER`."""

import asyncio
import os
import sys
from pathlib import Path

from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.store.context_file import ContextFile
from agent.store.journal.sqlite_journal import SqliteJournal
from agent.store.session_files import SessionFiles
from core.base.scope_paths import begin_scope
from core.journal.journal import JournalEntry
from core.memory.facts import ContextMemory, Preference, store_preference
from core.planning.planners.ports import BacklogItem

ANN = begin_scope("ann")
STATES = ("begun", "intent", "done", "intent", "done", "ended")


def say(text: str) -> None:
    os.write(1, f"kept {text}\n".encode())


async def keep_rows(folder: Path) -> None:
    for run_id in ("r1", "r2"):
        journal, riding = SqliteJournal(folder), asyncio.get_running_loop().create_future()
        for number, state in enumerate(STATES):
            rows = [JournalEntry(run_id, "" if number in {0, 5} else "a", state, {"n": number})]
            if state == "done":
                riding = await journal.ride(rows)
                continue
            await journal.append(rows)
            assert number < 3 or riding.done()
            say(f"{run_id} {number + 1}")
        await journal.close()


async def keep_memory(folder: Path) -> None:
    file = ContextFile(folder)
    for number in range(3):

        def change(memory: ContextMemory, number: int = number) -> ContextMemory:
            return store_preference(memory, Preference(key=f"k{number}", value=number))

        await file.change(change)
        say(str(number + 1))
    await file.close()


async def keep_runs(folder: Path) -> None:
    sessions = SessionFiles(folder)
    for number in range(3):
        sessions.write(f"r{7:016x}", {"n": number})
        say(str(number))


async def keep_items(folder: Path) -> None:
    backlog = SqliteBacklog(folder)
    for number in range(3):
        await backlog.add(ANN, BacklogItem(item_id=f"i{number}", title="Do it."))
        say(f"{number} pending")
        await backlog.flip(ANN, f"i{number}", "done", "done")
        say(f"{number} done")
    await backlog.close()


KEEPERS = {"journal": keep_rows, "memory": keep_memory, "runs": keep_runs, "backlog": keep_items}

if __name__ == "__main__":
    asyncio.run(KEEPERS[sys.argv[1]](Path(sys.argv[2])))
