"""AccessGate: who a token belongs to, and how much its owner may ask for."""

from typing import Protocol

from agent.service.callers import Caller

CONSOLE_KEY_S = 30 * 86_400
"""Seconds that a browser stays signed in to the console."""


class AccessGate(Protocol):
    """What stands before a door that others than the person at this machine can reach."""

    def recognise(self, token: str, door: str) -> Caller:
        """Return who comes.

        Args:
            token: What they showed; empty for nothing.
            door: The door that they say they come through; empty where they say none. Only a token with the scope ``approve`` may
                name a person's door.

        Raises:
            RefusedError: ``token_unknown``.
        """
        ...

    def recognise_console(self, cookie: str, word: str) -> Caller:
        """Return who sits at the console, in a browser that a code let in.

        Raises:
            RefusedError: ``token_unknown``.
        """
        ...

    def make_code(self, caller: Caller | None) -> str:
        """Return a one-time code that lets one browser in to the console.

        Args:
            caller: As whom; None for the person at this machine, where whoever asks isn't known yet. They must not be told it.

        Raises:
            RefusedError: ``over_quota``.
        """
        ...

    def make_key(self, code: str) -> tuple[str, str]:
        """Return cookie and word for the browser in which a code was typed.

        Raises:
            RefusedError: ``code_unknown``.
        """
        ...

    def end_console(self, cookie: str, word: str) -> None:
        """Let a browser in no longer."""
        ...

    def admit(self, caller: Caller, *, heavy: bool) -> None:
        """Count a request of theirs.

        Raises:
            RefusedError: ``over_quota``, with ``retry_after_s`` in its evidence.
        """
        ...
