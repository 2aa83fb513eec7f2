"""What an outline is made of: one item for each thing on a page or in a window, in the order in which people read them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from core.base.late_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """One thing on a page or in a window. What it says is the word of its page or application.

    Attributes:
        ref: What finds it again for as long as it lives, such as ``e12``; unique in its outline.
        level: How deep it stands, from 0. It belongs to the nearest item before it that has a lower level.
        kind: What it is: a role word of selectors, ``field``, ``control``, ``icon``, ``frame``, ``text``, or ``hidden`` for a part
            that can't be seen as it is.
        name: What people call it; for ``text`` what is written there; may be empty.
        value: What it holds; None where it holds nothing or a secret.
        states: Such as ``ticked``, ``disabled``, ``expanded``, ``selected``, ``focused``, ``required``, ``secret``, in the order in which
            they are told.
        takes: What it takes: ``choose: Small | Large``, ``date``, ``number 1–10``; empty where its kind says it;
            for ``hidden`` ``hover`` where the mouse over something shows it.
        alike: The same for things that are built alike, such as the rows of a table; empty for what stands alone.
        holds: For ``hidden``, and for parts that were not looked into: how many things to act on there are in it, by kind.
        opened_by: Ref of what brings a hidden part into sight; empty where nothing is known to.
        level_of_heading: 1 to 6 for a heading, else 0.
    """

    ref: str
    level: int
    kind: str
    name: str = ""
    value: str | None = None
    states: tuple[str, ...] = ()
    takes: str = ""
    can_act: bool = False
    alike: str = ""
    holds: tuple[tuple[str, int], ...] = ()
    opened_by: str = ""
    level_of_heading: int = 0


@dataclass(frozen=True, slots=True)
class ItemName:
    """How the shortest selector names an item, and what covers it, as a selector or in words; empty where nothing does."""

    selector: str
    covered_by: str = ""


NameItems = Callable[[Sequence[OutlineItem]], Awaitable[Mapping[str, ItemName]]]
"""Names items by their refs; what has gone meanwhile is left out."""


@dataclass(frozen=True, slots=True)
class OutlineRequest:
    """What is wanted of an outline.

    Attributes:
        max_tokens: Most tokens (o200k) of its text.
        depth: Most levels; None for all.
        find: Words; the lines nearest to them are shown. Empty for all.
        numbered: Whether lines carry the numbers of a picture.
    """

    max_tokens: int
    depth: int | None = None
    find: str = ""
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class OutlineLine:
    """A line of an outline, indented, with its item (empty for a fold), its selector, and its number on a picture, or 0."""

    text: str
    ref: str = ""
    selector: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Outline:
    """An outline as it is shown, in the order of the page, with a bound of its tokens (o200k) and a last line beside it."""

    lines: tuple[OutlineLine, ...]
    folded: int
    tokens: int
    note: str = ""

    @property
    def has_folds(self) -> bool:
        """Whether a line stands for others that have none; what is hidden on the page is not folded."""
        return self.folded > 0 and any(not line.ref for line in self.lines)

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join([*(line.text for line in self.lines), *filter(None, [self.note])])
