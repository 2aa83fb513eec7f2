"""Faults for the fake browser: declared beforehand, by verb and number of the call, and always the same."""

import asyncio
from dataclasses import dataclass, field

from core.base.errors import SurehandError


@dataclass(frozen=True, slots=True)
class Covered:
    """The element is covered: ``target_covered``, and nothing is done. For verbs that act on an element."""

    by: str


@dataclass(frozen=True, slots=True)
class TimesOut:
    """The page doesn't answer in time: ``navigation_timeout`` for verbs that travel, otherwise ``timed_out``."""


@dataclass(frozen=True, slots=True)
class Dies:
    """The browser dies during the act; all pages are gone, and the next navigation starts another browser.

    A verb that acts on an element ends as ``outcome_unknown``, every other one as ``page_closed``.

    Attributes:
        done: Whether the act had its effect at the far end before the browser died.
    """

    done: bool = True


@dataclass(frozen=True, slots=True)
class Breaks:
    """The call raises this error before it does anything."""

    error: SurehandError | RuntimeError


@dataclass(frozen=True, slots=True)
class Waits:
    """The call waits before it does anything, for as long as a test wants."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    reached: asyncio.Event = field(default_factory=asyncio.Event)


Trouble = Covered | TimesOut | Dies | Breaks | Waits
EVERY = 0


@dataclass(frozen=True, slots=True)
class BrowserFault:
    """One thing that goes wrong.

    Attributes:
        verb: The verb that it goes wrong with; a search is a ``navigate``.
        number: With which call of that verb, from 1; ``EVERY`` (0) for all of them.
    """

    verb: str
    trouble: Trouble
    number: int = 1
