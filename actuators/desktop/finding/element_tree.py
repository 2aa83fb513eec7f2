"""ElementTree: what is in what, recovered from a flat list of elements, so that parts of it are ranges of places."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from core.base.late_dataclasses import dataclass

if TYPE_CHECKING:
    from actuators.desktop.ports.desktop import Element, Rect

Range = tuple[int, int]
"""First place, and the place behind the last one."""

NOWHERE = -1
_CLIPPING = {"scroll pane", "viewport"}


@dataclass(slots=True)
class Container:
    """Something that elements are in, by places and numbers in the tree; NOWHERE for a window's own, and for none."""

    role: str
    name: str
    place: int
    above: int
    start: int
    end: int = 0


class ElementTree:
    """The elements of a look, each by its place in the list, depth first, with the container and element it is in, or NOWHERE."""

    def __init__(self, elements: Sequence["Element"]) -> None:
        self.elements = elements
        self.containers: list[Container] = []
        self.owners: list[int] = []
        self.parents: list[int] = []
        self.ends = list(range(1, len(elements) + 1))
        self._build()

    @cached_property
    def has_several_windows(self) -> bool:
        """Whether the elements are in more than one window."""
        return sum(each.above == each.place == NOWHERE for each in self.containers) > 1

    def list_above(self, place: int) -> list[Container]:
        """Return what an element is in, innermost first."""
        above: list[Container] = []
        number = self.owners[place]
        while number != NOWHERE:
            above.append(self.containers[number])
            number = self.containers[number].above
        return above

    def list_inside(self, place: int) -> range:
        """Return the places of all that is in an element."""
        return range(place + 1, self.ends[place])

    def find_visible_part(self, place: int) -> "Rect | None":
        """Return where an element can be seen, which it can't where it was scrolled out of view; None where it is nowhere."""
        seen = self.elements[place].bounds
        above = self.parents[place]
        while seen is not None and above != NOWHERE:
            holder = self.elements[above]
            if holder.role in _CLIPPING and holder.bounds is not None:
                seen = seen.intersect(holder.bounds)
            above = self.parents[above]
        return seen

    def _build(self) -> None:
        open_ones: list[int] = []  # containers that the next element may be in, outermost first
        levels: list[int] = []  # the last element of each level that the next one may be in
        for place, element in enumerate(self.elements):
            path = element.path
            shared = self._count_shared(open_ones, path)
            self._close(open_ones, shared, place)
            del levels[len(path) :]
            for level in range(shared, len(path)):
                owner = levels[level] if level < len(levels) else NOWHERE
                above = open_ones[-1] if open_ones else NOWHERE
                open_ones.append(len(self.containers))
                self.containers.append(Container(*path[level], owner, above, place))
            self.owners.append(open_ones[-1] if open_ones else NOWHERE)
            self.parents.append(next((each for each in reversed(levels) if each != NOWHERE), NOWHERE))
            levels.extend([NOWHERE] * (len(path) - len(levels)))
            levels.append(place)
        self._close(open_ones, 0, len(self.elements))

    def _count_shared(self, open_ones: Sequence[int], path: Sequence[tuple[str, str]]) -> int:
        for level, (number, part) in enumerate(zip(open_ones, path, strict=False)):
            container = self.containers[number]
            if (container.role, container.name) != part:
                return level
        return min(len(open_ones), len(path))

    def _close(self, open_ones: list[int], kept: int, place: int) -> None:
        for number in open_ones[kept:]:
            container = self.containers[number]
            container.end = place
            if container.place != NOWHERE:
                self.ends[container.place] = place
        del open_ones[kept:]


def merge_ranges(ranges: Iterable[Range]) -> list[Range]:
    """Return ranges in order, where those inside others are left out."""
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def keep_inside(places: Sequence[int], ranges: Sequence[Range]) -> list[int]:
    """Return the places that are in one of several ranges, both in order; the fewer of the two are gone through."""
    if len(ranges) <= len(places):
        return [
            place for start, end in ranges for place in places[bisect_left(places, start) : bisect_left(places, end)]
        ]
    starts = [start for start, _ in ranges]
    kept: list[int] = []
    for place in places:
        number = bisect_left(starts, place + 1) - 1
        if number >= 0 and place < ranges[number][1]:
            kept.append(place)
    return kept
