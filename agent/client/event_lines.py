"""EventLines: server-sent events out of the bytes of a body, however they are cut into parts."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_END = re.compile(rb"\r\n|\n|\r(?!\n)")


class EventLines:
    """Puts events together, line by line; what is no data is left out, since our records say all."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._waiting = b""
        self._data: list[bytes] = []

    def feed(self, part: bytes) -> Iterator[Mapping[str, Any]]:
        """Yield the records that a part completes.

        Args:
            part: The next bytes of the body.

        Raises:
            ValueError: If the data of an event is not JSON.
        """
        text = self._waiting + part
        # What ends in \r may be half of \r\n: it waits for the rest.
        held = text[-1:] if text.endswith(b"\r") else b""
        *lines, self._waiting = _END.split(text[: len(text) - len(held)])
        self._waiting += held
        for line in lines:
            if line.startswith(b"data:"):
                self._data.append(line[5:].removeprefix(b" "))
            elif not line and self._data:
                data, self._data = b"\n".join(self._data), []
                yield json.loads(data)
