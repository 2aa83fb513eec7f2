"""Secret: a handle that stands for a password or token; only an actuator learns what it stands for."""

from dataclasses import dataclass
from typing import Any, Protocol

from core.errors import UnsupportedError

PREFIX = "secret:"
"""A param that may hold a secret, and whose author wrote ``secret:name``, holds a handle and not that text."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A handle.

    Made from what the author of a goal wrote, never from a value that was read: a page can't name a secret.

    Attributes:
        name: Which secret.
    """

    name: str

    def __str__(self) -> str:
        """Return the handle as people write it."""
        return f"{PREFIX}{self.name}"


class Vault(Protocol):
    """Knows the secrets of a session, and keeps them out of everything that is told or kept."""

    def reveal(self, secret: Secret) -> str:
        """Return what a handle stands for; from then on it is redacted.

        Raises:
            SurehandError: If there is no such secret, or the run may not use it.
        """
        ...

    def redact(self, value: Any) -> Any:
        """Return a value of any shape without the secrets that were revealed: each, in any usual encoding, is ``•••``."""
        ...


class EmptyVault:
    """Knows no secret."""

    def reveal(self, secret: Secret) -> str:
        """Refuse.

        Raises:
            UnsupportedError: Always.
        """
        raise UnsupportedError(f"There is no secret called {secret.name} here.")

    def redact(self, value: Any) -> Any:
        """Return the value."""
        return value


NO_VAULT = EmptyVault()


def read_handle(value: object) -> Secret | None:
    """Return the handle that an author wrote, or None."""
    if isinstance(value, str) and value.startswith(PREFIX) and value[len(PREFIX) :].isidentifier():
        return Secret(value[len(PREFIX) :])
    return None
