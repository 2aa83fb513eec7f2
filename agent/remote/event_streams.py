"""Server-sent events as a service sends them: one record an event, whole lines only."""

import json
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any

_DATA = b"data:"


async def read_records(parts: AsyncIterable[bytes]) -> AsyncIterator[dict[str, Any]]:
    """Yield the data of each event; comments, names and ids are left out, since the data says the same."""
    waiting, data = b"", b""
    async for part in parts:
        *lines, waiting = (waiting + part).replace(b"\r\n", b"\n").split(b"\n")
        for line in lines:
            if line.startswith(_DATA):
                data += line[len(_DATA) :].strip()
            elif not line and data:
                yield json.loads(data)
                data = b""
