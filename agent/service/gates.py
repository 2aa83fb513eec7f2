"""AccessGate: who a token belongs to, and how much its owner may ask for."""

from typing import Protocol

from agent.service.callers import Caller


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

    def admit(self, caller: Caller, *, heavy: bool) -> None:
        """Count a request of theirs.

        Args:
            caller: Who asks.
            heavy: Whether it takes a run on.

        Raises:
            RefusedError: ``over_quota``, with ``retry_after_s`` in its evidence.
        """
        ...
