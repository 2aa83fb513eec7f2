"""Parts of an outline that are built alike, and so are likely to be records."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from agent.planners.extract.seen_pages import HEADING, TEXT, SeenLine
from core.outlines.kinds import FURNITURE

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
