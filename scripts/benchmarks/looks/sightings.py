"""What came of a tool on a page, and how it is told: a table for each page, and the figures that are compared with what is aimed at."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from scripts.benchmarks.looks.pages import AIMS

OURS = "surehand"
MOST_PRINTED = 8
_HEAD = ("tool", "tokens", "ms", "lines", "has", "in folds", "missing", "wrong")
_WIDTHS = (15, 9, 9, 7, 7, 9, 8, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A tool on a page.

    Attributes:
        page: Name of the page.
        tool: Name of the tool.
        tokens: Of what a model is given (o200k).
        milliseconds: Of a look, the page being loaded; the median of some.
        things: How many things a person could act on there are.
        lines: How many lines name an element.
        has: How many of the things are told of.
        in_folds: How many of them only in folds, which were opened.
        looks: By how many further looks.
        missing: The others.
        wrong: Lines that don't name exactly what they stand for; only of tools whose lines are selectors.
        tried: How many lines were tried for that.
        text: What a model is given.
    """

    page: str
    tool: str
    tokens: int
    milliseconds: float
    things: int
    lines: int
    has: int
    in_folds: int = 0
    looks: int = 0
    missing: tuple[str, ...] = field(default=())
    wrong: tuple[str, ...] = field(default=())
    tried: int = 0
    text: str = ""


def describe_page(page: str, facts: str, sightings: Sequence[Sighting]) -> str:
    """Return the table of a page.

    Args:
        page: Its name.
        facts: What there is to say of it.
        sightings: What came of each tool.
    """
    aims = AIMS[page]
    rows = [_write_row(_HEAD)] + [_write_row(_list_cells(each)) for each in sightings]
    aim = f"aims: {aims.limit_s:g} s, tokens of the best" + (f" or {aims.most_tokens}" if aims.most_tokens else "")
    told = [line for each in sightings for line in _list_examples(each)]
    return "\n".join([f"--- {page}: {facts}; {aim}", *rows, *told])


def _write_row(cells: Iterable[str]) -> str:
    return "  ".join(
        cell.ljust(width) if place == 0 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, _WIDTHS, strict=True))
    )


def _list_cells(each: Sighting) -> list[str]:
    counts = (each.lines, each.has, each.in_folds, len(each.missing), len(each.wrong))
    return [each.tool, f"{each.tokens:,}", f"{each.milliseconds:,.0f}", *map(str, counts)]


def _list_examples(each: Sighting) -> list[str]:
    told: list[str] = []
    for word, examples in (("misses", each.missing), ("is wrong in", each.wrong)):
        told += [f"  {each.tool} {word} {example}" for example in examples[:MOST_PRINTED]]
        if len(examples) > MOST_PRINTED:
            told.append(f"  {each.tool} {word} {len(examples) - MOST_PRINTED} more")
    return told


def compare(sightings: Sequence[Sighting], others: Iterable[str]) -> tuple[dict[str, float], dict[str, str]]:
    """Return our figures on each page, and what is aimed at beside them.

    Args:
        sightings: Of all pages and tools.
        others: The tools that ours is compared with.
    """
    figures: dict[str, float] = {}
    notes: dict[str, str] = {}
    names = set(others)
    for mine in (each for each in sightings if each.tool == OURS):
        rivals = [each for each in sightings if each.page == mine.page and each.tool in names]
        aims = AIMS[mine.page]
        rows = {
            "tokens": (mine.tokens, _tell_tokens(rivals, aims.most_tokens)),
            "ms": (mine.milliseconds, f"aim ≤ {aims.limit_s * 1000:g}{_tell_range(rivals)}"),
            "missing": (len(mine.missing), f"of {mine.things}; aim 0; others {_tell_missing(rivals)}"),
            "in_folds": (
                mine.in_folds,
                f"of those that it has, shown only when a fold is opened, in {mine.looks} looks",
            ),
            "wrong": (len(mine.wrong), f"of {mine.tried} lines tried; aim 0"),
        }
        for name, (value, note) in rows.items():
            figures[f"{name}_{mine.page}"], notes[f"{name}_{mine.page}"] = value, note
    for name in ("missing", "wrong"):
        figures[name] = sum(value for figure, value in figures.items() if figure.startswith(f"{name}_"))
        notes[name] = "on all pages; aim 0"
    return figures, notes


def _tell_tokens(rivals: Sequence[Sighting], most: int | None) -> str:
    best = min(rivals, key=lambda each: each.tokens, default=None)
    told = f"aim ≤ {most}" if most else "aim ≤ the best"
    return told + (f"; the best other: {best.tool} {best.tokens}, missing {len(best.missing)}" if best else "")


def _tell_range(rivals: Sequence[Sighting]) -> str:
    times = [each.milliseconds for each in rivals]
    return f"; others {min(times):.0f} to {max(times):.0f}" if times else ""


def _tell_missing(rivals: Sequence[Sighting]) -> str:
    return ", ".join(f"{each.tool} {len(each.missing)}" for each in rivals) or "none"


def as_samples(sightings: Iterable[Sighting]) -> Mapping[str, Any]:
    """Return all that was measured, for JSON."""
    return {"looks": [asdict(each) for each in sightings]}
