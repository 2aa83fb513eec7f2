"""What the look benchmark asks of every tool: open a page, look at it, and say which elements its look told of."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

WINDOW = (1280, 720)
"""Width and height of the window that every tool has its pages in."""


class MissingToolError(Exception):
    """A tool or a page can't be had on this machine; says why."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a look told of.

    Attributes:
        numbers: Of the elements that have a line.
        in_folds: Of those that are only in folds, which were opened as they say.
        looks: How many looks that took.
        wrong: Lines that don't name exactly the element that they stand for, each with what it names.
        lines: How many lines name an element.
        tried: How many of them were tried for being wrong.
    """

    numbers: frozenset[int]
    in_folds: frozenset[int] = frozenset()
    looks: int = 0
    wrong: tuple[str, ...] = field(default=())
    lines: int = 0
    tried: int = 0


class LookingTool(Protocol):
    """A tool in a browser of its own, which is open from `__aenter__` on."""

    async def open(self, addresses: Sequence[str]) -> None:
        """Go to the addresses, one after another; the last one is the page to look at."""
        ...

    async def look(self) -> str:
        """Return what a model would be given of the page."""
        ...

    async def identify(self) -> Told:
        """Return what the last look told of; the page may be changed by it."""
        ...
