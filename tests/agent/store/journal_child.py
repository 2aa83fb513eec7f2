"""A process that writes a journal as it is told: lines of JSON in, one line of JSON out for each.

`python journal_child.py FOLDER WAIT_S`; a line is `{"run": …, "state": …, "durable": …}`, `{"asks": run}`, `{"answered": true}`, `{"release": true}` or
`{"limit": bytes}`.
"""

import asyncio
import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from agent.store.journal.sqlite_journal import SqliteJournal
from core.base.errors import SurehandError
from core.journal.journal import JournalEntry

if sys.platform != "win32":
    import resource


def say(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


async def main() -> None:
    journal = SqliteJournal(Path(sys.argv[1]), wait_s=float(sys.argv[2]))
    asking = ExitStack()
    say("ready")
    while line := await asyncio.to_thread(sys.stdin.readline):
        try:
            await obey(journal, asking, json.loads(line))
            say("ok")
        except SurehandError as error:
            say({"code": error.code, "message": error.message})


async def obey(journal: SqliteJournal, asking: ExitStack, order: dict[str, Any]) -> None:
    if "release" in order:
        await journal.release()
    elif "asks" in order:
        asking.enter_context(journal.lend(order["asks"]))
    elif "answered" in order:
        asking.close()
    elif "limit" in order and sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["limit"], resource.RLIM_INFINITY))
    else:
        entry = JournalEntry(
            order["run"], order.get("action", "a"), order.get("state", "intent"), order.get("body", {})
        )
        await journal.append([entry], durable=order.get("durable", True))


if __name__ == "__main__":
    asyncio.run(main())
