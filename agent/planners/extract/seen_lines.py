"""The lines of an outline as what they say: how deep, what kind, which label, which value."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.planners.hands import SightLine
from core.outlines.writing import BETWEEN_CELLS

HEADING = "heading"
TEXT = "text"
_INDENT = "  "
_REMARK = " # "
_HEADING = re.compile(r"(#{1,6}) (.+)")
_NAMED = re.compile(r"[a-z]+ \"((?:[^\"\\]|\\.)*)\"")
_HELD = re.compile(r"(?:^|, )= \"((?:[^\"\\]|\\.)*)\"")
_KIND = re.compile(r"[a-z]+")
_LABELLED = re.compile(r"([^:]{1,60}?)\s*:\s+(\S.*)")
_LEVEL = re.compile(r"\bh([1-6])\b")
_FOLD = "…"
TICKS = frozenset({"checkbox", "radio", "switch"})
CUT = "…"
"""What ends a text that an outline has cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenLine:
    """A line of an outline.

    Attributes:
        number: Its place, from 0.
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
        cells = self.said.split(BETWEEN_CELLS)
        return (*cells, *(self.held.split(BETWEEN_CELLS) if self.held and self.kind in {"row", "listitem"} else []))

    @property
    def plain(self) -> str:
        """The line as people read it: quotes in names are not escaped."""
        return _unquote(self.text)

    @property
    def is_cut(self) -> bool:
        """Whether more stands on the page than in the line."""
        return self.said.endswith(CUT) or (self.held or "").endswith(CUT)

    @property
    def pair(self) -> tuple[str, str] | None:
        """The label and the value that it says; None where it says no such thing."""
        if self.kind in TICKS and self.said:
            return self.said, "yes" if "ticked" in self.facts.split(", ") or "on" in self.facts.split(", ") else "no"
        if self.held is not None and self.said and self.kind not in {"row", "listitem"}:
            return self.said, self.held
        if len(self.cells) == 2 and self.kind in {TEXT, "row", "listitem"}:
            return self.cells[0].rstrip(": "), self.cells[1]
        found = _LABELLED.fullmatch(self.said) if self.kind in {TEXT, "listitem", "status"} else None
        return (found[1], found[2]) if found else None


@dataclass(frozen=True, slots=True)
class Snippet:
    """Something that is written on a page, and where.

    Attributes:
        line: Its line.
        shown: What of it stands in the line, where that is something else: a link's name, what is ticked.
    """

    text: str
    line: SeenLine
    shown: str = ""


def read_lines(lines: Iterable[SightLine]) -> tuple[SeenLine, ...]:
    """Return the lines of an outline; folds and what is hidden are left out."""
    read = (_read_line(number, line) for number, line in enumerate(lines))
    return tuple(each for each in read if each is not None)


def find_end(lines: Sequence[SeenLine], start: int) -> int:
    """Return the place behind all that is within a line."""
    end = start + 1
    while end < len(lines) and lines[end].depth > lines[start].depth:
        end += 1
    return end


def _read_line(number: int, line: SightLine) -> SeenLine | None:
    text = line.text.lstrip(" ")
    depth = (len(line.text) - len(text)) // len(_INDENT)
    if not text or text.startswith(_FOLD):
        return None
    ref = f"ref={line.ref}" if line.ref else ""
    if text.startswith("- "):
        return SeenLine(number=number, depth=depth, kind=TEXT, said=text[2:], selector=ref, text=text)
    if found := _HEADING.fullmatch(text):
        level = len(found[1])
        return SeenLine(number=number, depth=depth, kind=HEADING, said=found[2], level=level, selector=ref, text=text)
    return _read_thing(SeenLine(number=number, depth=depth, kind="", said="", text=text), line.selector or ref)


def _read_thing(line: SeenLine, selector: str) -> SeenLine:
    facts = line.text[len(selector) :].removeprefix(_REMARK) if line.text.startswith(selector) else ""
    last = selector.rsplit(" >> ", 1)[-1]
    word = _KIND.match(last)
    kind, named = word[0] if word else "", _NAMED.match(last)
    said = _unquote(named[1]) if named else ""
    if kind in {"ref", TEXT, "look", "css"} or not said:
        told = re.match(r"([a-z]+)(?: \"((?:[^\"\\]|\\.)*)\")?", facts)
        if told and told[2] is not None:
            kind, said = told[1], _unquote(told[2])
    held = _HELD.search(facts)
    level = _LEVEL.search(_HELD.sub("", facts))
    return SeenLine(
        number=line.number,
        depth=line.depth,
        kind=kind,
        said=said,
        held=_unquote(held[1]) if held else None,
        level=int(level[1]) if level else 0,
        selector=selector,
        text=line.text,
        facts=_HELD.sub("", facts).strip(", "),
    )


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
