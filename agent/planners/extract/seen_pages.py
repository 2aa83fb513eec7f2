"""A page or window as it was at one look: the lines of its outline, tables, links, and what it carries for programs."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from agent.planners.hands import SightLine
from core.base.late_dataclasses import dataclass, field
from core.outlines.items import FURNITURE
from core.outlines.writing import BETWEEN_CELLS
from core.results.provenance import Origin

HEADING = "heading"
TEXT = "text"
TICKS = frozenset({"checkbox", "radio", "switch"})
CUT = "…"
"""What ends a text that an outline has cut, and begins a fold."""
DATA = 'css=script[type="application/ld+json"]'
"""Where a page carries data for programs."""

_INDENT = "  "
_REMARK = " # "
_ON = frozenset({"ticked", "on"})
_ROWS = frozenset({"row", "listitem"})
_HEADING = re.compile(r"(#{1,6}) (.+)")
_NAMED = re.compile(r"[a-z]+ \"((?:[^\"\\]|\\.)*)\"")
_HELD = re.compile(r"(?:^|, )= \"((?:[^\"\\]|\\.)*)\"")
_TOLD = re.compile(r"([a-z]+) \"((?:[^\"\\]|\\.)*)\"")
_KIND = re.compile(r"[a-z]+")
_LABELLED = re.compile(r"([^:]{1,60}?)\s*:\s+(\S.*)")
_LEVEL = re.compile(r"\bh([1-6])\b")


@dataclass(frozen=True, slots=True)
class Snippet:
    """Something that is written on a page, and where.

    Attributes:
        line: The line, or the row, that it stands in.
        selector: What finds that on the page; empty where nothing does.
        shown: What of it stands in the line, where that is something else: a link's name, what is ticked.
    """

    text: str
    line: str
    selector: str
    shown: str = ""
    is_heading: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenLine:
    """A line of an outline.

    Attributes:
        depth: How deep it stands, from 0.
        kind: The word of its selector; ``heading`` or ``text`` where it has none.
        said: What it is called, or what is written there.
        held: What it holds; None where it holds nothing.
        level: 1 to 6 for a heading, else 0.
        text: The line as it stands in the outline, without its margin.
    """

    number: int
    depth: int
    kind: str
    said: str
    held: str | None = None
    level: int = 0
    selector: str = ""
    text: str = ""
    facts: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """What is written in it, cell by cell."""
        held = self.held.split(BETWEEN_CELLS) if self.held and self.kind in _ROWS else []
        return (*self.said.split(BETWEEN_CELLS), *held)

    @property
    def plain(self) -> str:
        """The line as people read it: quotes in names are not escaped."""
        return _unquote(self.text)

    @property
    def is_on(self) -> bool:
        """Whether a box is ticked."""
        return not _ON.isdisjoint(self.facts.split(", "))

    @property
    def pair(self) -> tuple[str, str] | None:
        """The label and the value that it says; None where it says no such thing."""
        if self.kind in TICKS and self.said:
            return self.said, "yes" if self.is_on else "no"
        if self.held is not None and self.said and self.kind not in _ROWS:
            return self.said, self.held
        if len(self.cells) == 2 and self.kind in {TEXT, *_ROWS}:
            return self.cells[0].rstrip(": "), self.cells[1]
        found = _LABELLED.fullmatch(self.said) if self.kind in {TEXT, "listitem", "status"} else None
        return (found[1], found[2]) if found else None

    def quote(self, text: str, shown: str = "") -> Snippet:
        """Return something that is written in it."""
        return Snippet(text, self.plain, self.selector, shown, is_heading=self.level > 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTable:
    """A table: its headings, and its cells as texts."""

    line: SeenLine
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPage:
    """A page or window as it was at one look.

    Attributes:
        addresses: Where links lead, by the numbers of their lines.
        definitions: The terms of its definition lists with what is said of them, list by list.
    """

    origin: Origin
    lines: tuple[SeenLine, ...] = ()
    tables: tuple[SeenTable, ...] = ()
    addresses: Mapping[int, str] = field(default_factory=dict[int, str])
    definitions: tuple[tuple[tuple[str, str], ...], ...] = ()
    data: tuple[Mapping[str, Any], ...] = ()
    language: str = ""
    is_folded: bool = False


def read_lines(lines: Iterable[SightLine]) -> tuple[SeenLine, ...]:
    """Return the lines of an outline; folds and what is hidden are left out."""
    read = (_read_line(number, line) for number, line in enumerate(lines))
    return tuple(each for each in read if each is not None)


def find_end(lines: Sequence[SeenLine], start: int) -> int:
    """Return the place behind all that is within a line."""
    depth = lines[start].depth
    return next((place for place in range(start + 1, len(lines)) if lines[place].depth <= depth), len(lines))


def _read_line(number: int, line: SightLine) -> SeenLine | None:
    text = line.text.lstrip(" ")
    depth = (len(line.text) - len(text)) // len(_INDENT)
    if not text or text.startswith(CUT):
        return None
    ref = f"ref={line.ref}" if line.ref else ""
    if text.startswith("- "):
        return SeenLine(number=number, depth=depth, kind=TEXT, said=text[2:], selector=ref, text=text)
    if found := _HEADING.fullmatch(text):
        level = len(found[1])
        return SeenLine(number=number, depth=depth, kind=HEADING, said=found[2], level=level, selector=ref, text=text)
    selector = line.selector or ref
    facts = text[len(selector) :].removeprefix(_REMARK) if text.startswith(selector) else ""
    kind, said = _name_thing(selector, facts)
    bare, held = _HELD.sub("", facts), _HELD.search(facts)
    level = _LEVEL.search(bare)
    return SeenLine(
        number=number,
        depth=depth,
        kind=kind,
        said=said,
        held=_unquote(held[1]) if held else None,
        level=int(level[1]) if level else 0,
        selector=selector,
        text=text,
        facts=bare.strip(", "),
    )


def _name_thing(selector: str, facts: str) -> tuple[str, str]:
    """Return the kind of a thing and what it is called: by its selector, or by what is told behind it where that says neither."""
    last = selector.rsplit(" >> ", 1)[-1]
    word, named = _KIND.match(last), _NAMED.match(last)
    kind, said = word[0] if word else "", _unquote(named[1]) if named else ""
    told = _TOLD.match(facts) if kind in {"ref", TEXT, "look", "css"} or not said else None
    return (told[1], _unquote(told[2])) if told else (kind, said)


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


Block = tuple[SeenLine, ...]
"""The lines of a record; the first one stands at its head."""

_LEAST_BLOCKS = 2
_NO_PARENT = -1
_HEADLESS = frozenset({TEXT, "table", "row", "cell"})
_LONGEST_BLOCK = 60


def find_blocks(lines: Sequence[SeenLine]) -> list[list[list[Block]]]:
    """Return the groups of parts that have like heads in the same place, each in runs that no heading interrupts.

    Navigation and the like are left out.
    """
    own = drop_furniture(lines)
    heads: dict[tuple[int, str, int, bool], list[int]] = {}
    around: list[SeenLine] = []
    for place, line in enumerate(own):
        while around and around[-1].depth >= line.depth:
            around.pop()
        parent = around[-1].number if around else _NO_PARENT
        around.append(line)
        if line.kind not in _HEADLESS:
            heads.setdefault((parent, line.kind, line.level, bool(line.said)), []).append(place)
    groups = [_split_runs(own, places) for places in heads.values() if len(places) >= _LEAST_BLOCKS]
    return [[_cut_blocks(own, run) for run in runs] for runs in groups]


def drop_furniture(lines: Sequence[SeenLine]) -> list[SeenLine]:
    """Return the lines without those in navigation, headers and footers, which are on each page of a site."""
    kept: list[SeenLine] = []
    deeper_than: int | None = None
    for line in lines:
        if deeper_than is not None and line.depth > deeper_than:
            continue
        deeper_than = line.depth if line.kind in FURNITURE else None
        if deeper_than is None:
            kept.append(line)
    return kept


def find_sections(lines: Sequence[SeenLine]) -> Iterator[tuple[SeenLine, Block]]:
    """Yield each heading with what stands under it."""
    for place, line in enumerate(lines):
        if line.level:
            yield line, tuple(lines[place + 1 : _find_stop(lines, place, len(lines))])


def _split_runs(lines: Sequence[SeenLine], heads: Sequence[int]) -> list[list[int]]:
    """Return heads in runs: those of a list that goes on under another heading are in another one."""
    runs = [[heads[0]]]
    for before, head in pairwise(heads):
        if any(each.level and not lines[head].level for each in lines[before + 1 : head]):
            runs.append([])
        runs[-1].append(head)
    return runs


def _cut_blocks(lines: Sequence[SeenLine], heads: Sequence[int]) -> list[Block]:
    stops = [*heads[1:], len(lines)]
    blocks = [tuple(lines[head : _find_stop(lines, head, stop)]) for head, stop in zip(heads, stops, strict=True)]
    # What stands behind the last one is not a part of it.
    longest = max((len(block) for block in blocks[:-1]), default=_LONGEST_BLOCK)
    return [*(block[:_LONGEST_BLOCK] for block in blocks[:-1]), blocks[-1][: min(longest, _LONGEST_BLOCK)]]


def _find_stop(lines: Sequence[SeenLine], head: int, most: int) -> int:
    """Return where what belongs to a head ends: at a heading as high as it, or where the part around it ends."""
    first = lines[head]
    for place in range(head + 1, most):
        line = lines[place]
        is_as_high = line.depth <= first.depth and (not first.level or line.level <= first.level)
        if line.depth < first.depth or ((line.kind == HEADING or line.level) and is_as_high):
            return place
    return most
