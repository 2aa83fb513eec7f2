"""What the wall stopped or could not reach, as records."""

from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from core.base.errors import PolicyError, SurehandError

KEPT_RECORDS = 500


@dataclass(frozen=True, slots=True)
class StoppedRequest:
    """A request of a page that ended at the wall.

    Attributes:
        number: Position in the session's records, from 1.
        url: The address; of what is encrypted and of WebSockets only scheme, host and port are known.
        refused: Whether it was not allowed; else it was, and could not be brought to its goal.
        code: Why, for programs: that of the error.
        sender: The origin that the request itself names, empty where it names none.
    """

    number: int
    url: str
    host: str
    refused: bool
    code: str
    message: str
    sender: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the record as plain data."""
        return asdict(self)


class RecordBook:
    """The latest stopped requests of a session, oldest first; whoever wants to know of new ones is told at once."""

    def __init__(self, tell: Callable[[StoppedRequest], object] = lambda _: None) -> None:
        self._tell = tell
        self._kept: deque[StoppedRequest] = deque(maxlen=KEPT_RECORDS)
        self._count = 0

    @property
    def records(self) -> tuple[StoppedRequest, ...]:
        """What is kept, at most the last 500."""
        return tuple(self._kept)

    def add(self, url: str, host: str, error: SurehandError, sender: str = "") -> None:
        """Write down that a request ended with an error; a PolicyError means that it was refused."""
        self._count += 1
        refused = isinstance(error, PolicyError)
        record = StoppedRequest(self._count, url, host, refused, error.code, error.message, sender)
        self._kept.append(record)
        self._tell(record)
