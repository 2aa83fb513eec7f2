"""Taking a run back for MCP: it may have to be confirmed by a person, and the call does not wait for that."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from agent.service.callers import Caller
from agent.service.hearing import Hearing
from agent.service.orders import OpenQuestion
from agent.service.ports import Service

_LOOKS_S: Final = 0.1
_UNDOING: Final[set[asyncio.Task[Mapping[str, Any]]]] = set()
"""What goes on although its call was answered: nobody else would hold it."""


async def undo_run(
    service: Service, caller: Caller, run_id: str, session: str, *, dry: bool
) -> Mapping[str, Any] | OpenQuestion:
    """Take a run back; return what came of it, or what a person is asked first.

    Args:
        dry: Whether only to tell what would be taken back.
    """
    hearing = Hearing(service, caller)
    undoing = asyncio.ensure_future(service.undo(caller, run_id, dry=dry))
    _UNDOING.add(undoing)
    undoing.add_done_callback(_forget)
    while not undoing.done():
        await asyncio.wait({undoing}, timeout=_LOOKS_S)
        asked = None if undoing.done() else await hearing.find_approval(session)
        if asked and asked.run_id in {"", run_id}:
            return asked
    return undoing.result()


def _forget(undoing: asyncio.Task[Mapping[str, Any]]) -> None:
    _UNDOING.discard(undoing)
    if not undoing.cancelled():
        undoing.exception()  # told to the person who was asked; here nobody waits for it any more
