"""How a page came to another address: by the person's own hand, or because of something that was done on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

HowGone = Literal["typed", "back", "forward", "reload", "caused"]

CAUSED_S = 1.0
"""Seconds after an act in which what looks like the browser's own buttons may be the page's doing."""

_BY_HAND = frozenset({"typed", "address_bar", "generated", "keyword", "keyword_generated", "auto_bookmark"})


@dataclass(frozen=True, slots=True)
class History:
    """Where a tab has been.

    Attributes:
        entries: As the browser tells them, oldest first.
    """

    entries: Sequence[Mapping[str, Any]] = ()
    index: int = -1

    @property
    def current(self) -> Mapping[str, Any]:
        """What is shown."""
        return self.entries[self.index] if 0 <= self.index < len(self.entries) else {}

    @property
    def asked_url(self) -> str:
        """The address that was asked for, before it led anywhere else."""
        typed = str(self.current.get("userTypedURL", ""))
        return typed if typed.startswith(("http://", "https://")) else str(self.current.get("url", ""))


def judge_journey(before: History, after: History, since_act_s: float) -> HowGone:
    """Tell how a tab came to what it shows.

    Args:
        since_act_s: Seconds since the person did something on it; infinite where they have done nothing.
    """
    by_page = since_act_s < CAUSED_S
    kept = [each.get("id") for each in before.entries]
    if kept and kept == [each.get("id") for each in after.entries] and before.index != after.index:
        return "caused" if by_page else "back" if after.index < before.index else "forward"
    kind = after.current.get("transitionType")
    if kind == "reload":
        return "caused" if by_page else "reload"
    return "typed" if kind in _BY_HAND else "caused"
