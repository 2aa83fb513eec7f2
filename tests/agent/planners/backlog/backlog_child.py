"""A process that works on a backlog: ``backlog_child.py FOLDER add NAME COUNT``, ``… take NAME`` or ``… fill``; says what it did once it is promised."""

import asyncio
import os
import sys
from pathlib import Path

from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from core.base.errors import ActionError
from core.base.scope_paths import begin_scope
from core.planning.planners.ports import BacklogItem
from tests.agent.planners.backlog.taking import take_next

if sys.platform != "win32":
    import resource
    import signal

ANN = begin_scope("ann")


def say(text: str) -> None:
    os.write(1, f"{text}\n".encode())


async def add(backlog: SqliteBacklog, name: str, count: str) -> None:
    for number in range(int(count)):
        item_id = f"{name}{number}"
        await backlog.add(ANN, BacklogItem(item_id=item_id, title="Do it.", plan_id="p"))
        say(f"added {item_id}")
        await backlog.flip(ANN, item_id, "active", name)
        await backlog.keep_checkpoint(ANN, name, {"at": number})
        await backlog.flip(ANN, item_id, "done", name)
        say(f"done {item_id}")


async def take(backlog: SqliteBacklog, name: str) -> None:
    while item := await take_next(backlog, ANN, "x", name):
        say(item.item_id)


async def fill(backlog: SqliteBacklog) -> None:
    """Add more than files may hold, and go on when they may hold more again."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, before[1]))
    try:
        await backlog.add(ANN, BacklogItem(item_id="large", title="Large.", data={"long": "x" * 1_000_000}))
    except ActionError as error:
        say(error.code)
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    await backlog.flip(ANN, "a", "done", "there is room again")
    say("done")


async def main(folder: str, work: str, *arguments: str) -> None:
    backlog = SqliteBacklog(Path(folder), wait_s=60)
    await {"add": add, "take": take, "fill": fill}[work](backlog, *arguments)
    await backlog.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
