"""What stands behind the name in a selector, on the fake browser's documents: exceptions, places, values and numbers.

Where it can't be decided which element is meant, all that may be are returned, so that they are an error.
"""

import re
from collections.abc import Callable, Sequence

from actuators.browser.cell_values import parse_number
from actuators.browser.dates import read_date
from actuators.browser.fake.contents import read_shown
from actuators.browser.fake.documents import LiveElement
from actuators.browser.fake.records import find_record_around, list_records
from actuators.browser.fake.values import find_values
from core.base.errors import InputError
from core.base.matching import fold_space
from core.selectors.selectors import Placement, PlainSelector, Ranking

NEAR_FACTOR = 1.25
NEAR_PX = 4.0

Elements = list[LiveElement]
Find = Callable[[PlainSelector, Elements], Elements]
Bounds = tuple[float, float, float, float]
_ACROSS = frozenset({"left of", "right of"})


def apply_modifiers(plain: PlainSelector, found: Elements, elements: Elements, find: Find) -> Elements:
    """Return which of the elements that kind, name and regions name are meant.

    Args:
        plain: The selector.
        found: What kind, name and regions name.
        elements: Everything in the regions.
        find: Finds what another selector names.
    """
    if plain.exceptions:
        found = _leave_out(found, plain.exceptions)
    for placement in plain.placements:
        found = _place(found, placement, plain, _find_anchors(placement, elements, find))
    if plain.ranking:
        return _rank(_list_comparable(plain, found, elements), plain.ranking, plain)
    if plain.nth is not None:
        return found[-1:] if plain.nth < 0 else found[plain.nth - 1 : plain.nth]
    return found[: plain.quantity] if isinstance(plain.quantity, int) else found


def _leave_out(found: Elements, exceptions: Sequence[str]) -> Elements:
    out: set[int] = set()
    for exception in exceptions:
        named = _list_named(found, _key(exception))
        if not named:
            return []  # whom the exception is for isn't there: nothing is safe to act on
        out |= {id(each) for each in named}
    return [each for each in found if id(each) not in out]


def _list_named(found: Elements, wanted: str) -> Elements:
    word = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
    own = [(each, [_key(text) for text in (*each.names, each.read_text())]) for each in found]
    records = [(each, find_record_around(each)) for each in found]
    near = [(each, [_key(part.read_text()) for part in (rec, *rec.descend())]) for each, rec in records if rec]
    tests: tuple[Callable[[str], object], ...] = (lambda text: text == wanted, word.search)
    for test in tests:
        for pairs in (own, near):
            if hits := [each for each, texts in pairs if any(map(test, texts))]:
                return hits
    return []


def _find_anchors(placement: Placement, elements: Elements, find: Find) -> Elements:
    names = [PlainSelector(kind, placement.name) for kind in ("text", "control", "field")]
    for form in [placement.selector] if placement.selector else names:
        if anchors := [each for each in find(form, elements) if each.is_visible]:
            return anchors
    return []


def _place(found: Elements, placement: Placement, plain: PlainSelector, anchors: Elements) -> Elements:
    is_one = not plain.names_several and plain.nth is None and plain.ranking is None
    relation = placement.relation
    kept: set[int] = set()
    for anchor in anchors:
        bounds = _bounds_of(anchor)
        boxes = [(each, _bounds_of(each)) for each in found if each is not anchor and anchor not in each.descend()]
        if relation != "near":
            boxes = [(each, box) for each, box in boxes if _is_beside(box, bounds, relation)]
        in_line = [pair for pair in boxes if relation in _ACROSS and _overlap(pair[1], bounds, 1) > 0]
        left = in_line or boxes
        kept |= {id(each) for each in (_pick_nearest(left, bounds, relation) if is_one else [each for each, _ in left])}
    return [each for each in found if id(each) in kept]


def _bounds_of(element: LiveElement) -> Bounds:
    """Return left, top, width and height; an element without a declared place is where what it is in is."""
    around = (each for each in (element, *element.ancestors()) if each.declared.box)
    box = next((each.declared.box for each in around if each.declared.box), (0.0, 0.0, 0.0, 0.0))
    return (box[0] + element.x_px, box[1] + element.y_px, box[2], box[3])


def _overlap(one: Bounds, other: Bounds, axis: int) -> float:
    """Return how far two boxes overlap along an axis, 0 for across and 1 for down; negative for a gap."""
    return min(one[axis] + one[axis + 2], other[axis] + other[axis + 2]) - max(one[axis], other[axis])


def _is_beside(box: Bounds, anchor: Bounds, relation: str) -> bool:
    axis = 0 if relation in _ACROSS else 1
    sign = 1 if relation in {"below", "right of"} else -1
    beyond = sign * ((box[axis] + box[axis + 2] / 2) - (anchor[axis] + anchor[axis + 2] / 2))
    return beyond > 0 and _overlap(box, anchor, axis) <= min(box[axis + 2], anchor[axis + 2]) / 2


def _distance(box: Bounds, anchor: Bounds, relation: str) -> float:
    across, down = (max(0.0, -_overlap(box, anchor, axis)) for axis in (0, 1))
    return down + 2 * across if relation in {"above", "below"} else across + 2 * down


def _pick_nearest(boxes: Sequence[tuple[LiveElement, Bounds]], anchor: Bounds, relation: str) -> Elements:
    ways = sorted(((_distance(box, anchor, relation), at) for at, (_, box) in enumerate(boxes)))
    if not ways:
        return []
    least, first = ways[0]
    rivals = [
        boxes[at][0]
        for far, at in ways[1:]
        if far <= least * NEAR_FACTOR + NEAR_PX and _is_rival(boxes[at][1], boxes[first][1], anchor, relation)
    ]
    return [boxes[first][0], *rivals]


def _is_rival(box: Bounds, nearest: Bounds, anchor: Bounds, relation: str) -> bool:
    """Tell whether something as near may be meant too: it isn't behind the nearest, or out of its line or column."""
    if relation == "near":
        return _is_aligned(box, anchor) or not _is_aligned(nearest, anchor)
    return not _is_beside(box, nearest, relation)


def _is_aligned(one: Bounds, other: Bounds) -> bool:
    return _overlap(one, other, 0) > 0 or _overlap(one, other, 1) > 0


def _list_comparable(plain: PlainSelector, found: Elements, elements: Elements) -> Elements:
    """Return what is compared: of records without a name the innermost that have such a value."""
    if plain.kind != "record" or plain.name or plain.ranking is None:
        return found
    valued = [each for each in list_records(elements) if len(_texts_of(each, plain.ranking.label)) == 1]
    return [each for each in valued if not any(inner in valued for inner in each.descend())]


def _texts_of(element: LiveElement, label: str) -> list[str]:
    inside = find_values(label, [element, *element.descend()])
    return list(dict.fromkeys(part or read_shown(each) for each, part in inside.items()))


def _rank(found: Elements, ranking: Ranking, plain: PlainSelector) -> Elements:
    pairs = [(each, texts) for each in found if (texts := _texts_of(each, ranking.label))]
    try:
        sizes = [(_measure(texts, ranking), each) for each, texts in pairs]
    except (ValueError, InputError):
        return [each for each, _ in pairs]
    ordered = sorted(sizes, key=lambda pair: pair[0], reverse=ranking.order in {"highest", "newest"})
    count = plain.quantity if isinstance(plain.quantity, int) else 1
    start = len(ordered) - 1 if plain.nth == -1 else (plain.nth or 1) - 1
    if not 0 <= start < len(ordered):
        return []
    last = ordered[min(start + count, len(ordered)) - 1][0]
    return [each for at, (size, each) in enumerate(ordered) if start <= at < start + count or size == last]


def _measure(texts: Sequence[str], ranking: Ranking) -> float:
    if len(texts) != 1:
        raise ValueError("it has more than one value")
    if ranking.order in {"newest", "oldest"}:
        return float(read_date(texts[0], "dmy").toordinal())
    return parse_number(texts[0], "en")


def _key(text: str) -> str:
    return fold_space(text).lower().rstrip(" :*") or fold_space(text).lower()
