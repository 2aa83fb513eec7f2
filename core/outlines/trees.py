"""The tree that a flat list of items stands for: parts with what they hold, and headings with what they stand over."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.outlines.items import OutlineItem

NOWHERE = -1
"""Index of what holds everything."""


@dataclass(frozen=True, slots=True)
class ItemTree:
    """Items by index, and how they hold each other. What is in item i are the items from i + 1 up to ``ends[i]``.

    Attributes:
        items: In reading order.
        parents: Index of the part that each is in; NOWHERE for none.
        holders: The same, where a heading holds what stands under it.
        ends: Index behind the last thing that each holds, sections of headings included.
        depths: In how many parts each is.
        places: Index of each by its ref.
    """

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
    count = len(items)
    parents, holders, depths, ends = [NOWHERE] * count, [NOWHERE] * count, [0] * count, [count] * count
    open_parts: list[int] = []
    open_headings: list[list[int]] = [
        []
    ]  # for each open part, and for the whole: headings that what follows stands under
    for index, item in enumerate(items):
        level = item.level
        while open_parts and items[open_parts[-1]].level >= level:
            ends[open_parts.pop()] = index
            for heading in open_headings.pop():
                ends[heading] = index
        headings = open_headings[-1]
        rank = item.level_of_heading
        if rank:
            while headings and items[headings[-1]].level_of_heading >= rank:
                ends[headings.pop()] = index
        parent = open_parts[-1] if open_parts else NOWHERE
        parents[index], depths[index] = parent, len(open_parts)
        holders[index] = headings[-1] if headings else parent
        open_parts.append(index)
        open_headings.append([])
        if rank:
            headings.append(index)
    for headings in open_headings:
        for heading in headings:
            ends[heading] = count
    return ItemTree(items, parents, holders, ends, depths, {item.ref: index for index, item in enumerate(items)})


def narrow_items(items: Sequence[OutlineItem], ref: str) -> list[OutlineItem]:
    """Return a part of an outline: an item with what is in it, or a heading with what stands under it.

    Args:
        items: The whole, in reading order.
        ref: The item that is the part; without it nothing is returned.
    """
    found = next((index for index, item in enumerate(items) if item.ref == ref), None)
    return [] if found is None else list(items[found : make_tree(items).ends[found]])
