"""In which order the items of an outline are worth a line: by what a person would most likely act on."""

from bisect import bisect_left, bisect_right

from core.outlines.items import OutlineItem
from core.outlines.kinds import ENTRIES, FIELDS, FURNITURE, HIDDEN, URGENT
from core.outlines.shapes import Shape, is_closable
from core.outlines.trees import NOWHERE, ItemTree

_ALIKE_STEPS = (3, 10, 30, 100, 300)
_KIND_STEPS = (30, 100, 300, 1000)
_A_STEP = 5  # what a place further down in a run of alike things costs
_AROUND = 7  # what standing around the part that the page is about costs
_AGAIN = 1000  # what being there a second time costs
_SAYS_WHICH = 6  # what a text is worth in a row with something to act on
_SAYS_WHAT = 3  # and in one without
_MOST_LOOKED_AT = 12  # in a row
_WRITTEN = {Shape.TEXT: 8, Shape.HEADING: 4}


def order_items(tree: ItemTree, shapes: list[Shape]) -> tuple[list[int], int]:
    """Return the items that may have a line, the most useful first, and how many are worth one if not all have room."""
    items = tree.items
    places: dict[tuple[int, str], int] = {}
    kinds: dict[tuple[int, str], int] = {}
    costs = [0] * len(items)  # inherited: what being where it is costs each item
    urgent = [False] * len(items)
    ranks: list[tuple[int, int]] = []
    repeated = find_repeated(tree)
    for index, item in enumerate(items):
        holder = tree.holders[index]
        cost = 0
        if holder != NOWHERE:
            cost, urgent[index] = costs[holder], urgent[holder]
        if item.alike:
            cost += _A_STEP * bisect_right(_ALIKE_STEPS, _count_before(places, holder, item.alike))
        if item.kind in FURNITURE and cost < _AROUND and not urgent[index]:
            cost += _AROUND
        if item.kind in URGENT:
            urgent[index] = True
        costs[index] = cost + _AGAIN if index in repeated else cost
        shape = shapes[index]
        if shape > Shape.WRAP or (shape == Shape.WRAP and is_closable(item)):
            rank = _rank(item, shape, cost, is_urgent=urgent[index])
            rank += _A_STEP * bisect_right(_KIND_STEPS, _count_before(kinds, cost, item.kind))
            if shape == Shape.TEXT and holder != NOWHERE:
                rank -= _count_as_entry(tree, holder)
            ranks.append((rank, index))
    ranks.sort()
    return [index for _, index in ranks], bisect_left(ranks, (_AGAIN, NOWHERE))


def find_repeated(tree: ItemTree) -> set[int]:
    """Return the parts around the page's own that hold the same as one before them."""
    seen: set[tuple[str, ...]] = set()
    found: set[int] = set()
    for index, item in enumerate(tree.items):
        end = tree.ends[index]
        if item.kind in FURNITURE and end > index + 1:
            inside = tuple(part for each in tree.items[index + 1 : end] for part in (each.kind, each.name))
            if inside in seen:
                found.add(index)
            seen.add(inside)
    return found


def _count_before(places: dict[tuple[int, str], int], holder: int, name: str) -> int:
    key = (holder, name)
    place = places.get(key, 0)
    places[key] = place + 1
    return place


def _count_as_entry(tree: ItemTree, holder: int) -> int:
    """Return how much more a text is worth for standing in a row or an entry: the first rows say what a table is about."""
    if tree.items[holder].kind not in ENTRIES:
        holder = tree.parents[holder]
    if holder == NOWHERE or tree.items[holder].kind not in ENTRIES:
        return 0
    inside = tree.items[holder + 1 : min(tree.ends[holder], holder + _MOST_LOOKED_AT)]
    return _SAYS_WHICH if any(item.can_act for item in inside) else _SAYS_WHAT


def _rank(item: OutlineItem, shape: Shape, cost: int, *, is_urgent: bool) -> int:
    if "focused" in item.states:
        return 0
    if is_urgent:
        return cost + (shape == Shape.TEXT)
    if shape in _WRITTEN:
        return cost + _WRITTEN[shape]
    if not item.can_act:
        return _rank_part(item, shape, cost)
    if item.kind in FIELDS:
        return 5 if cost == _AROUND else cost + ("invalid" not in item.states)  # such as a search in the page's head
    return cost + (7 if item.kind == "link" else 2)


def _rank_part(item: OutlineItem, shape: Shape, cost: int) -> int:
    if item.kind in FURNITURE and cost == _AROUND:
        return 6  # one closed line
    if item.kind == "status":
        return cost + 3
    if shape == Shape.HIDDEN or item.kind == HIDDEN:
        return cost + 6
    return cost + (9 if shape == Shape.WRAP else 5)
