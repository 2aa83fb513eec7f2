"""Caller: who comes through which door, what may be said there, and what a session may be called at all of them."""

from typing import Final, Literal

from core.base.errors import InputError, RefusedError
from core.base.late_dataclasses import dataclass, field
from core.base.late_parts import compile_late
from core.base.scope_paths import LOCAL_PRINCIPAL

SESSION_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
"""As schemas write it: 1 to 64 letters, digits, dots, hyphens and underscores."""

_NAME = compile_late(SESSION_PATTERN.removesuffix("$"))


def is_session_name(name: str) -> bool:
    """Tell whether a session can have a name."""
    return _NAME.fullmatch(name) is not None


def check_session_name(name: str) -> None:
    """Check the name that somebody gives a session."""
    if not is_session_name(name):
        text = "A session's name has 1 to 64 letters, digits, dots, hyphens and underscores."
        raise InputError(text, code="bad_session_name", hint="Choose another name.")


AccessScope = Literal["read", "run", "approve", "approve-all"]
Door = Literal["cli", "client", "http", "chat", "console", "mcp", "completions", "voice", "home-assistant", "backlog"]

ALL_SCOPES: Final[frozenset[AccessScope]] = frozenset({"read", "run", "approve"})
PERSONS_DOORS: Final[frozenset[Door]] = frozenset({"cli", "client", "http", "chat", "console"})
"""Doors at which a person answers; behind all others a model or a loudspeaker may be the one that speaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks.

    Attributes:
        principal: Their name; sessions, runs and quotas are theirs. Empty for the person at this machine.
        scopes: ``read`` looks, ``run`` asks for runs, stops them and answers slots and choices, ``approve`` says yes to acts,
            ``approve-all`` to those of everybody.
    """

    principal: str = ""
    scopes: frozenset[AccessScope] = field(default=ALL_SCOPES)
    door: Door = "cli"

    @property
    def may_approve(self) -> bool:
        """Whether a yes of theirs counts for an act."""
        return "approve" in self.scopes and self.door in PERSONS_DOORS

    @property
    def answers_all(self) -> bool:
        """Whether they are asked what principals are asked that can't say yes themselves: the person at this machine is."""
        return self.may_approve and (not self.principal or "approve-all" in self.scopes)

    @property
    def told(self) -> str:
        """Who they are and where, in the records of what they said."""
        return f"{self.principal or LOCAL_PRINCIPAL} ({self.door})"

    def require(self, scope: AccessScope) -> None:
        """Refuse what their token does not carry.

        Raises:
            RefusedError: ``scope_missing``.
        """
        if scope not in self.scopes:
            text = f'This token does not carry the scope "{scope}".'
            raise RefusedError(text, code="scope_missing", hint="Use a token that does.")
