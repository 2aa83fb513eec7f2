"""In which order the items of an outline are worth a line: by what a person would most likely act on."""

from core.outlines.items import OutlineItem
from core.outlines.kinds import ENTRIES, FIELDS, FURNITURE, HIDDEN, URGENT
from core.outlines.shapes import Shape, is_closable
from core.outlines.trees import NOWHERE, ItemTree

_ALIKE_STEPS = (3, 10, 30, 100, 300)
_SAME_KIND_STEPS = (30, 100, 300, 1000)
_A_STEP = 5  # what a place further down in a run of alike things costs
_AROUND = 7  # what standing around the part that the page is about costs
_AGAIN = 20  # what being there a second time costs
_SAYS_WHICH = 5  # a text in a row says which row it is
_WRITTEN = {Shape.TEXT: 8, Shape.HEADING: 4}


def order_items(tree: ItemTree, shapes: list[Shape]) -> list[int]:
    """Return the items that may have a line, the most useful first."""
    items = tree.items
    places: dict[tuple[int, str], int] = {}
    costs = [0] * len(items)  # inherited: what being where it is costs each item
    urgent = [False] * len(items)
    ranks: list[tuple[int, int]] = []
    repeated = find_repeated(tree)
    for index, item in enumerate(items):
        holder = tree.holders[index]
        cost = 0
        if holder != NOWHERE:
            cost, urgent[index] = costs[holder], urgent[holder]
        cost += _place_in_run(places, holder, item)
        if item.kind in FURNITURE and cost < _AROUND and not urgent[index]:
            cost += _AROUND
        if index in repeated:
            cost += _AGAIN
        if item.kind in URGENT:
            urgent[index] = True
        costs[index] = cost
        shape = shapes[index]
        if shape > Shape.WRAP or (shape == Shape.WRAP and is_closable(item)):
            rank = _rank(item, shape, cost, is_urgent=urgent[index])
            if shape == Shape.TEXT and holder != NOWHERE and _stands_in_entry(tree, holder):
                rank -= _SAYS_WHICH
            ranks.append((rank, index))
    ranks.sort()
    return [index for _, index in ranks]


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


def _place_in_run(places: dict[tuple[int, str], int], holder: int, item: OutlineItem) -> int:
    """Return what an item's place among its like costs."""
    key = (holder, item.alike or f" {item.kind}")
    place = places.get(key, 0)
    places[key] = place + 1
    if place < 3:
        return 0
    steps = _ALIKE_STEPS if item.alike else _SAME_KIND_STEPS
    return _A_STEP * sum(place >= step for step in steps)


def _stands_in_entry(tree: ItemTree, holder: int) -> bool:
    """Tell whether a part is a row or an entry with something to act on in it, or a cell of one."""
    if tree.items[holder].kind not in ENTRIES:
        holder = tree.parents[holder]
    return holder != NOWHERE and tree.items[holder].kind in ENTRIES


def _rank(item: OutlineItem, shape: Shape, cost: int, *, is_urgent: bool) -> int:
    if "focused" in item.states:
        return 0
    if is_urgent:
        return cost + (shape == Shape.TEXT)
    if shape in _WRITTEN:
        return cost + _WRITTEN[shape]
    if not item.can_act:
        return _rank_part(item, shape, cost)
    if item.kind in FIELDS and cost == _AROUND:
        return 5  # such as a search in the page's head
    if "invalid" in item.states:
        return cost + 1
    return cost + (7 if item.kind == "link" else 2)


def _rank_part(item: OutlineItem, shape: Shape, cost: int) -> int:
    if item.kind in FURNITURE and cost == _AROUND:
        return 6  # one closed line
    if item.kind == "status":
        return cost + 3
    if shape == Shape.HIDDEN or item.kind == HIDDEN:
        return cost + 6
    return cost + (9 if shape == Shape.WRAP else 5)
