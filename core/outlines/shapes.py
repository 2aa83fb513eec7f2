"""What becomes of each item in an outline: a line of text, a line to act on, a part with what it holds, or nothing of its own."""

from bisect import bisect_left
from collections import Counter, defaultdict
from enum import IntEnum

from core.base.matching import fold_space
from core.outlines.items import CLOSABLE, ENTRIES, FURNITURE, HIDDEN, TEXTUAL, OutlineItem, is_told
from core.outlines.trees import NOWHERE, ItemTree

Label = tuple[str, int]
"""A kind, and in how many alike things it is."""


_LONGEST_COMPARED = 400
_SMALL = 3  # so much around the part that a page is about is told without saying what holds it
_MOST_NESTED = 4  # in what stands before a text


class Shape(IntEnum):
    """What becomes of an item.

    Attributes:
        SILENT: Nothing: another line says the same.
        WRAP: No line of its own, unless it is shown closed.
        TEXT: A line of text.
        HIDDEN: A line that says how to bring it into sight.
        PART: A line with what it holds below it.
        THING: A line to act on, or of something that has no inside.
    """

    SILENT = 0
    WRAP = 1
    TEXT = 2
    HEADING = 3
    HIDDEN = 4
    PART = 5
    THING = 6


def shape_items(tree: ItemTree) -> list[Shape]:
    """Return the shape of each item."""
    items = tree.items
    shapes = [_shape_item(item, is_leaf=tree.ends[index] == index + 1) for index, item in enumerate(items)]
    for index, shape in enumerate(shapes):
        if shape in {Shape.TEXT, Shape.HEADING}:
            _drop_repetition(tree, shapes, index)
        elif shape == Shape.THING:
            _drop_namesake(tree, shapes, index)
        elif shape == Shape.PART and items[index].kind in FURNITURE and tree.ends[index] - index - 1 <= _SMALL:
            shapes[index] = Shape.WRAP
    return shapes


def is_closable(item: OutlineItem) -> bool:
    """Tell whether an item can be shown closed: a part that belongs together, or a heading with what stands under it."""
    return item.kind in CLOSABLE or item.level_of_heading > 0


def _shape_item(item: OutlineItem, *, is_leaf: bool) -> Shape:
    kind, name = item.kind, item.name
    if item.level_of_heading:
        return Shape.HEADING if name or item.can_act else Shape.WRAP
    if kind == HIDDEN:
        return Shape.HIDDEN
    if item.can_act:
        return Shape.THING
    if is_leaf:
        if kind in TEXTUAL:
            return Shape.TEXT if name or item.value else Shape.SILENT
        return Shape.THING if name or item.value or item.states or item.holds else Shape.SILENT
    return Shape.PART if is_told(kind, has_name=bool(name)) else Shape.WRAP


def _drop_repetition(tree: ItemTree, shapes: list[Shape], index: int) -> None:
    """Leave out a text or heading that says what the part around it, or the thing beside it, is called."""
    items, name = tree.items, tree.items[index].name
    if len(name) > _LONGEST_COMPARED or items[index].can_act:
        return
    parent = tree.parents[index]
    if shapes[index] == Shape.HEADING:
        _drop_heading(tree, shapes, index, parent)
        return
    if (
        parent != NOWHERE
        and (items[parent].can_act or shapes[parent] == Shape.HEADING)
        and _says(items[parent].name, name)
    ):
        shapes[index] = Shape.SILENT
        return
    for _ in range(_MOST_NESTED):  # what is written in an entry says which one it is
        if parent != NOWHERE and shapes[parent] == Shape.PART and items[parent].kind in ENTRIES:
            shapes[parent] = Shape.WRAP
        parent = tree.parents[parent] if parent != NOWHERE and shapes[parent] == Shape.WRAP else NOWHERE
    if any(items[beside].can_act and _is_same(items[beside].name, name) for beside in _list_beside(tree, index)):
        shapes[index] = Shape.SILENT  # such as the label of a field


def _drop_namesake(tree: ItemTree, shapes: list[Shape], index: int) -> None:
    """Leave out the line of an entry that is called as what is pressed in it, if all else that is pressed there is called by it as well."""
    parent = tree.parents[index]
    for _ in range(_MOST_NESTED):
        if parent == NOWHERE or shapes[parent] not in {Shape.PART, Shape.WRAP}:
            return
        item = tree.items[parent]
        inside = (
            tree.items[parent + 1 : tree.ends[parent]] if shapes[parent] == Shape.PART and item.kind in ENTRIES else ()
        )
        if inside and _is_same(item.name, tree.items[index].name) and all(_goes_by(item.name, each) for each in inside):
            shapes[parent] = Shape.WRAP
        parent = tree.parents[parent]


def _goes_by(name: str, item: OutlineItem) -> bool:
    return not item.can_act or not item.name or _says(item.name, name)


def _list_beside(tree: ItemTree, index: int) -> list[int]:
    parent, after, before = tree.parents[index], tree.ends[index], index - 1
    for _ in range(_MOST_NESTED):
        if before > parent and tree.parents[before] != parent:
            before = tree.parents[before]
    return [
        beside
        for beside in (before, after)
        if parent < beside < len(tree.items) and tree.parents[beside] == parent and beside != NOWHERE
    ]


def _drop_heading(tree: ItemTree, shapes: list[Shape], index: int, parent: int) -> None:
    items, name = tree.items, tree.items[index].name
    inside = index + 1
    if inside < len(items) and tree.parents[inside] == index and items[inside].can_act:
        if _is_same(items[inside].name, name):
            shapes[index] = Shape.WRAP  # a heading that is a link
        return
    if parent != NOWHERE and _is_same(items[parent].name, name):
        if items[parent].kind in {"dialog", "table", "frame"}:
            shapes[index] = Shape.WRAP
        elif shapes[parent] == Shape.PART:
            shapes[parent] = Shape.WRAP


def _says(whole: str, part: str) -> bool:
    return len(whole) <= _LONGEST_COMPARED and fold_space(part) in fold_space(whole)


def _is_same(one: str, other: str) -> bool:
    return one == other or (len(one) <= _LONGEST_COMPARED and fold_space(one) == fold_space(other))


class Inventory:
    """Counts things to act on, other things, and alike ones, by part."""

    def __init__(self, tree: ItemTree, shapes: list[Shape]) -> None:
        self._tree = tree
        self._places: dict[Label, list[int]] = defaultdict(list)
        self._unlooked: list[int] = []
        self._totals: dict[int, Counter[Label]] = {}
        self.alike_depths = [0] * len(tree.items)
        self.runs: dict[int, dict[str, tuple[OutlineItem, int]]] = defaultdict(dict)  # the first of each, and how many
        self.acts, self.others = [0], [0]
        acts = others = 0
        for index, item in enumerate(tree.items):
            holder = tree.holders[index]
            depth = self.alike_depths[holder] if holder != NOWHERE else 0
            if item.alike:
                depth += 1
                runs = self.runs[holder]
                first, number = runs.get(item.alike, (item, 0))
                runs[item.alike] = (first, number + 1)
            self.alike_depths[index] = depth
            if item.can_act:
                acts += 1
                self._places[item.kind, depth].append(index)
            elif item.holds:
                acts += sum(number for _, number in item.holds)
                self._unlooked.append(index)
            elif shapes[index] >= Shape.TEXT:
                others += 1
            self.acts.append(acts)
            self.others.append(others)

    def list_labels(self, index: int) -> list[tuple[Label, int]]:
        """Return what one item counts as."""
        item, depth = self._tree.items[index], self.alike_depths[index]
        if item.can_act:
            return [((item.kind, depth), 1)]
        return [((kind, depth), number) for kind, number in item.holds]

    def count_inside(self, index: int) -> Counter[Label]:
        """Count what is to act on in an item, or in all, by label."""
        found = self._totals.get(index)
        if found is None:
            end = self._tree.ends[index] if index != NOWHERE else len(self._tree.items)
            found = Counter[Label]()
            for label, places in self._places.items():
                number = bisect_left(places, end) - bisect_left(places, index + 1)
                if number:
                    found[label] = number
            for each in self._unlooked[bisect_left(self._unlooked, index + 1) : bisect_left(self._unlooked, end)]:
                found.update(dict(self.list_labels(each)))
            self._totals[index] = found
        return found

    def count_acts(self, index: int) -> int:
        """Return how many things to act on are in an item, or in all."""
        end = self._tree.ends[index] if index != NOWHERE else len(self._tree.items)
        return self.acts[end] - self.acts[index + 1]

    def count_others(self, index: int) -> int:
        """Return how many texts and the like are in an item, or in all."""
        end = self._tree.ends[index] if index != NOWHERE else len(self._tree.items)
        return self.others[end] - self.others[index + 1]
