"""The tree that a flat list of items stands for: parts with what they hold, and headings with what they stand over."""

import itertools
from collections.abc import Sequence

from core.base.late_dataclasses import dataclass
from core.outlines.items import OutlineItem

NOWHERE = -1
"""Index of what holds everything."""


@dataclass(frozen=True, slots=True)
class ItemTree:
    """Items by index, the part that each is in (or NOWHERE), and the index behind what each holds, sections of headings included."""

    items: Sequence[OutlineItem]
    parents: list[int]
    holders: list[int]
    ends: list[int]
    depths: list[int]
    places: dict[str, int]

    def find(self, ref: str) -> int:
        """Return the index of the item of a ref; NOWHERE if there is none."""
        return self.places.get(ref, NOWHERE)


def make_tree(items: Sequence[OutlineItem]) -> ItemTree:
    """Return the tree of items, whatever their levels are: each belongs to the nearest one before it of a lower level."""
    return _TreeMaker(items).make()


class _TreeMaker:
    """Goes through the items once, and knows which parts and sections are open."""

    def __init__(self, items: Sequence[OutlineItem]) -> None:
        self._items = items
        self._ends = [len(items)] * len(items)
        self._parts: list[int] = []
        self._headings: list[list[int]] = [
            []
        ]  # for the whole and each open part: headings that what follows stands under

    def make(self) -> ItemTree:
        parents: list[int] = []
        holders: list[int] = []
        depths: list[int] = []
        for index, item in enumerate(self._items):
            self._close_parts(index, item.level)
            headings = self._headings[-1]
            if item.level_of_heading:
                self._close_sections(index, item.level_of_heading)
            parent = self._parts[-1] if self._parts else NOWHERE
            parents.append(parent)
            depths.append(len(self._parts))
            holders.append(headings[-1] if headings else parent)
            self._parts.append(index)
            self._headings.append([])
            if item.level_of_heading:
                headings.append(index)
        for heading in itertools.chain.from_iterable(self._headings):
            self._ends[heading] = len(self._items)
        places = {item.ref: index for index, item in enumerate(self._items)}
        return ItemTree(self._items, parents, holders, self._ends, depths, places)

    def _close_parts(self, index: int, level: int) -> None:
        while self._parts and self._items[self._parts[-1]].level >= level:
            self._ends[self._parts.pop()] = index
            for heading in self._headings.pop():
                self._ends[heading] = index

    def _close_sections(self, index: int, rank: int) -> None:
        headings = self._headings[-1]
        while headings and self._items[headings[-1]].level_of_heading >= rank:
            self._ends[headings.pop()] = index


def narrow_items(items: Sequence[OutlineItem], ref: str) -> list[OutlineItem]:
    """Return a part of an outline: an item with what is in it, or a heading with what stands under it; nothing without it."""
    found = next((index for index, item in enumerate(items) if item.ref == ref), None)
    return [] if found is None else list(items[found : make_tree(items).ends[found]])
