"""TokenGate: who a token belongs to, and how much its owner may ask for in a minute."""

import hashlib
import hmac
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, get_args

from agent.access.console_keys import ConsoleKeys
from agent.access.token_files import read_token
from agent.service.callers import ALL_SCOPES, PERSONS_DOORS, AccessScope, Caller, Door
from agent.settings.service_settings import ServiceSettings
from core.base.errors import RefusedError
from core.base.late_dataclasses import dataclass

_IMPLIED: Final[frozenset[AccessScope]] = frozenset({"approve"})
"""What whoever may approve for all may do, too."""

_WINDOW_S: Final = 60.0

_DOORS: Final[Mapping[str, Door]] = {each: each for each in get_args(Door)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Somebody with a token.

    Attributes:
        name: Their name; empty for the person at this machine.
        requests_per_minute: How many requests of theirs are answered in a minute.
        runs_per_minute: How many runs they may begin in a minute.
    """

    name: str
    token: str
    scopes: frozenset[AccessScope] = ALL_SCOPES
    requests_per_minute: int = 60_000
    runs_per_minute: int = 60_000


class TokenGate:
    """What stands before a door that others than the person at this machine can reach; used on one event loop."""

    def __init__(
        self,
        principals: Sequence[Principal],
        consoles: ConsoleKeys | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self.consoles = consoles or ConsoleKeys()
        known = [each for each in principals if each.token]
        self._digests = [(_digest(each.token), each) for each in known]
        self._named = {each.name: each for each in known}
        # By hand: `limits` starts a thread with almost every request, and the loop waits until that runs.
        self._counted: dict[tuple[str, str], deque[float]] = {}

    def recognise(self, token: str, door: str) -> Caller:
        """Return who comes; every token is compared, in constant time.

        Args:
            door: The door that they say they come through; empty where they say none. Only a token with the scope ``approve`` may
                name a person's door.

        Raises:
            RefusedError: ``token_unknown``.
        """
        given = _digest(token)
        found = [each for digest, each in self._digests if hmac.compare_digest(digest, given)]
        if not token or not found:
            text = "This token is not known here." if token else "A token is needed."
            hint = "Send it in the header: Authorization: Bearer TOKEN."
            raise RefusedError(text, code="token_unknown", hint=hint)
        principal = found[0]
        return Caller(principal=principal.name, scopes=principal.scopes, door=choose_door(door, principal.scopes))

    def recognise_console(self, cookie: str, word: str) -> Caller:
        """Return who sits at the console; whoever is no longer let in by the settings isn't known there either.

        Raises:
            RefusedError: ``token_unknown``.
        """
        principal = self._named.get(found) if (found := self.consoles.find(cookie, word)) is not None else None
        if principal is None:
            raise RefusedError("You are not signed in.", code="token_unknown", hint="Get a code: surehand console.")
        return Caller(principal=principal.name, scopes=principal.scopes, door=choose_door("console", principal.scopes))

    def admit(self, caller: Caller, *, heavy: bool) -> None:
        """Count a request; those that were refused count for nothing.

        Raises:
            RefusedError: ``over_quota``, with ``retry_after_s`` in its evidence.
        """
        principal = self._named.get(caller.principal)
        if principal is None:
            return
        self._count(principal.requests_per_minute, "requests", principal.name)
        if heavy:
            self._count(principal.runs_per_minute, "runs", principal.name)

    def _count(self, most: int, what: str, name: str) -> None:
        counted, now = self._counted.setdefault((what, name), deque()), self._clock()
        while counted and counted[0] <= now - _WINDOW_S:
            counted.popleft()
        if len(counted) < most:
            counted.append(now)
            return
        wait_s = max(1, round(counted[0] + _WINDOW_S - now))
        text = f"More than {most} {what} in a minute."
        hint = f"Ask again in {wait_s} s."
        raise RefusedError(text, code="over_quota", hint=hint, evidence={"retry_after_s": wait_s})


def choose_door(named: str, scopes: frozenset[AccessScope]) -> Door:
    """Return the door that somebody comes through; a person's door takes a token that may approve.

    Args:
        named: What they say it is; empty for nothing. One that isn't known is one at which nobody says yes.
    """
    door = _DOORS.get(named or "http", "completions")
    return "http" if door in PERSONS_DOORS and "approve" not in scopes else door


def list_principals(settings: ServiceSettings, folder: Path) -> list[Principal]:
    """Return the principals that a person has set up, with their tokens.

    Raises:
        RefusedError: ``token_unsafe`` if a token's file is not safe.
    """
    return [
        Principal(
            name=name,
            token=read_token(folder, name),
            scopes=each.scopes | _IMPLIED if "approve-all" in each.scopes else each.scopes,
            requests_per_minute=each.requests_per_minute,
            runs_per_minute=each.runs_per_minute,
        )
        for name, each in settings.principals.items()
    ]


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
