"""Events of the Wyoming protocol, read with caps: nobody on the other end decides how much is kept or how long is waited."""

import asyncio
import json
from typing import Any, Final

from wyoming.event import Event

from core.base.errors import InputError

LINE_LIMIT: Final = 64 * 1024
"""Bytes of the line that begins an event."""
DATA_LIMIT: Final = 1024 * 1024
"""Bytes of data, and of a payload, that may follow it."""
EVENT_S: Final = 10.0
"""Seconds within which an event that began is whole."""


async def read_event(reader: asyncio.StreamReader, idle_s: float | None = None) -> Event | None:
    """Return the next event; None where the other end is done, or says nothing for too long.

    Args:
        reader: Made with ``LINE_LIMIT``.
        idle_s: Seconds for which nothing need come; None for no limit.

    Raises:
        InputError: ``bad_event`` if it isn't one, is too large or doesn't come to its end.
    """
    try:
        async with asyncio.timeout(idle_s):
            first = await reader.read(1)
    except TimeoutError:
        return None
    if not first:
        return None
    try:
        async with asyncio.timeout(EVENT_S):
            return await _read_rest(reader, first)
    except TimeoutError:
        raise _refuse("It did not come to its end in time.") from None
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raise _refuse("It is cut short or too long.") from None
    except (ValueError, RecursionError):
        raise _refuse("It is not JSON.") from None


async def _read_rest(reader: asyncio.StreamReader, first: bytes) -> Event:
    line = first if first == b"\n" else first + await reader.readuntil(b"\n")
    head: Any = json.loads(line)
    if not isinstance(head, dict) or not isinstance(head.get("type"), str):
        raise _refuse("It has no type.")
    data: Any = {} if head.get("data") is None else head["data"]
    if length := _read_length(head, "data_length"):
        more: Any = json.loads(await reader.readexactly(length))
        data = {**data, **more} if isinstance(data, dict) and isinstance(more, dict) else None
    if not isinstance(data, dict):
        raise _refuse("Its data is not an object.")
    if length := _read_length(head, "payload_length"):
        await reader.readexactly(length)  # sound, which is for others
    return Event(head["type"], data)


def _read_length(head: dict[str, Any], name: str) -> int:
    length = head.get(name) or 0
    if type(length) is not int or not 0 <= length <= DATA_LIMIT:
        raise _refuse(f"Its {name} is not a number up to {DATA_LIMIT}.")
    return length


def _refuse(why: str) -> InputError:
    return InputError(f"That is not an event of the Wyoming protocol. {why}", code="bad_event")
