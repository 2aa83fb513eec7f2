"""PipeSource: what a service needs of a named pipe, on the system that has such."""

from typing import Protocol


class PipeSource(Protocol):
    """Gives instances of a named pipe."""

    name: str

    def take(self) -> int:
        """Return the handle of one that nobody has come to yet; another one stands ready.

        Raises:
            OSError: If none can be made.
        """
        ...

    def close(self) -> None:
        """Make none any more."""
        ...
