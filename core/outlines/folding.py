"""The outline of a page or window: the most useful items within a budget, all others in folds that say how to open them."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from core.base.late_dataclasses import dataclass, field, replace
from core.outlines.changes import compare_outlines
from core.outlines.disclosure import Disclosure, Material
from core.outlines.items import (
    ENTRIES,
    FIELDS,
    FURNITURE,
    HIDDEN,
    TEXT,
    URGENT,
    ItemName,
    NameItems,
    Outline,
    OutlineItem,
    OutlineLine,
    OutlineRequest,
)
from core.outlines.searching import NEAR, rank_items
from core.outlines.shapes import Inventory, Shape, is_closable, shape_items
from core.outlines.tokens import bound_tokens
from core.outlines.trees import NOWHERE, ItemTree, make_tree
from core.outlines.writing import ChangeMark, shorten
from core.selectors.selectors import quote_name

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


_LEAST_SHARE = 12
_SHARES = 16  # so many texts of full length fit
_FIRST_TRY = 64
_MOST_TRIES = 24
_CLOSE_ENOUGH = 0.97
_WELL_USED = (
    0.85  # of the budget; for what is left nobody is asked again, since each question costs as much as reading the page
)
_AHEAD = 4  # one of so many more is named than should fit
_MOST_TOKENS = 200_000  # that can be asked for
_MOST_ASKED_TOKENS = 20
_NEAREST = 5  # where nothing is near
_ANOTHER_PAGE = 0.2  # of a look that is still there; with less of it, everything is told
_MOST_CHARS_A_TOKEN = 8
_LINE_TOKENS = 8  # beside those of the name
_LONGEST_SELECTOR = 240  # characters of a name that a selector writes out


async def make_outline(items: Sequence[OutlineItem], request: OutlineRequest, name_items: NameItems) -> Outline:
    """Return an outline of all that there is, in reading order, or of what is nearest to the words that are to be found."""
    material = _prepare(items, request, {})
    if request.find.strip():
        return await _find(material, request, name_items)
    order, worth = order_items(material.tree, material.shapes)
    spare = len(_limit_depth(material.tree, order[worth:], request))
    return await Folding(material, _limit_depth(material.tree, order, request), request, spare=spare).fit(name_items)


async def make_changes_outline(
    before: Sequence[OutlineItem], items: Sequence[OutlineItem], request: OutlineRequest, name_items: NameItems
) -> Outline:
    """Return an outline of what has changed since another look; of everything, if that was at another page."""
    changes = compare_outlines(before, items)
    if changes.kept < _ANOTHER_PAGE and before:
        return await make_outline(items, request, name_items)
    material = replace(_prepare(changes.items, request, changes.marks), folds=False)
    order = [
        index
        for index in _limit_depth(material.tree, order_items(material.tree, material.shapes)[0], request)
        if material.tree.items[index].ref in changes.picked and material.shapes[index] > Shape.WRAP
    ]
    heading = "" if order else "… nothing has changed since the last look"
    return await Folding(material, order, request, heading=heading).fit(name_items)


async def _find(material: Material, request: OutlineRequest, name_items: NameItems) -> Outline:
    found = rank_items(material.tree, material.shapes, request.find)
    heading = ""
    if not found or found[0][1] < NEAR:
        asked = quote_name(shorten(request.find, _MOST_ASKED_TOKENS))
        heading = f"… nothing says {asked}" + ("; the nearest:" if found else "")
        found = found[:_NEAREST]
    order = _limit_depth(material.tree, [index for index, _ in found], request)
    return await Folding(replace(material, folds=False), order, request, heading=heading).fit(name_items)


def _prepare(items: Sequence[OutlineItem], request: OutlineRequest, marks: Mapping[str, ChangeMark]) -> Material:
    tree = make_tree(items)
    shapes = shape_items(tree)
    for index, item in enumerate(items):
        if item.ref in marks and marks[item.ref].is_gone and item.kind != TEXT:
            shapes[index] = Shape.THING
    return Material(tree, shapes, Inventory(tree, shapes), marks, numbered=request.numbered)


def _limit_depth(tree: ItemTree, order: list[int], request: OutlineRequest) -> list[int]:
    depth = request.depth
    return order if depth is None else [index for index in order if tree.depths[index] < depth]


@dataclass(slots=True)
class Folding:
    """Finds how many of the most useful items fit into a budget.

    Attributes:
        order: What may be shown, the most useful first.
        spare: How many at the end of the order are shown only if all is.
        wanted: About how many tokens all of it has, and more than now where not all of it is shown.
    """

    material: Material
    order: list[int]
    request: OutlineRequest
    names: dict[str, ItemName | None] = field(default_factory=dict[str, ItemName | None])
    heading: str = ""
    spare: int = 0
    share: int = 0
    wanted: int = 0

    async def fit(self, name_items: NameItems) -> Outline:
        """Return the outline that shows the most."""
        everything = len(self.order)
        self.wanted = self._estimate()
        self.share = max(self.request.max_tokens, _LEAST_SHARE)
        if self._may_fit() and self._measure(everything) <= self.request.max_tokens:
            await self._ask(everything, name_items)
            if self._measure(everything) <= self.request.max_tokens:
                return self._make(everything)
        self.share = max(self.request.max_tokens // _SHARES, _LEAST_SHARE)
        worth = everything - self.spare
        count = self._search(worth)
        named = min(count + count // _AHEAD, worth)
        await self._ask(named, name_items)
        count = self._search(worth)
        if count > named and self._measure(named) < _WELL_USED * self.request.max_tokens:
            await self._ask(count, name_items)
            named = count
        return self._make(self._search(min(count, named)))

    def _may_fit(self) -> bool:
        """Tell, without writing it, whether everything could have room."""
        most = self.request.max_tokens
        if len(self.order) > 2 * most:
            return False
        return sum(len(item.name) for item in self.material.tree.items) <= most * _MOST_CHARS_A_TOKEN

    async def _ask(self, count: int, name_items: NameItems) -> None:
        """Have everything named that is shown, or that may be the scope of a fold."""
        tree, shapes = self.material.tree, self.material.shapes
        wanted: dict[str, OutlineItem] = {}
        for index in self._choose(count):
            item = tree.items[index]
            if shapes[index] >= Shape.PART or is_closable(item):
                wanted[item.ref] = item
            if item.opened_by and (opener := tree.find(item.opened_by)) != NOWHERE:
                wanted[item.opened_by] = tree.items[opener]
        asked = [
            item
            for ref, item in wanted.items()
            if ref not in self.names and not (ref in self.material.marks and self.material.marks[ref].is_gone)
        ]
        if asked:
            named = await name_items(asked)
            self.names.update({item.ref: named.get(item.ref) for item in asked})
            self.wanted = self._estimate()

    def _estimate(self) -> int:
        """Return about how many tokens show everything, in hundreds: with less than twice what has not been enough, nobody may come further."""
        items = self.material.tree.items
        estimated = sum(map(_estimate_tokens, items))
        named = [(item, name.selector) for item in items if (name := self.names.get(item.ref))]
        expected = sum(_estimate_tokens(item) for item, _ in named)
        found = sum(bound_tokens(selector) + _LINE_TOKENS for _, selector in named)
        wanted = max(estimated, estimated * found // max(expected, 1))
        if wanted <= self.request.max_tokens:
            wanted = 2 * self.request.max_tokens
        return -(-wanted // 100) * 100

    def _search(self, most: int) -> int:
        """Return how many items fit, at most so many."""
        low, high, trial = 0, most + 1, min(_FIRST_TRY, most)
        for _ in range(_MOST_TRIES):
            tokens = self._measure(trial)
            if tokens <= self.request.max_tokens:
                low = trial
                if tokens >= _CLOSE_ENOUGH * self.request.max_tokens:
                    break
            else:
                high = trial
            if high - low <= 1:
                break
            guess = trial * self.request.max_tokens // max(tokens, 1)
            trial = min(max(guess, low + 1), high - 1, 4 * trial + 1)
        return low

    def _measure(self, count: int) -> int:
        return bound_tokens("\n".join(line.text for line in self._write(count)))

    def _write(self, count: int) -> list[OutlineLine]:
        way = self._tell_way()
        if not self.material.folds:
            left = len(self.order) - count
            way = f"… {left} more ({way})" if left else ""
        lines = Disclosure(self.material, self.names, self.share).write(self._choose(count), way)
        return [OutlineLine(self.heading), *lines] if self.heading else lines

    def _choose(self, count: int) -> list[int]:
        holders = self.material.tree.holders
        chosen: set[int] = set()
        for index in self.order[:count]:
            above = index
            while above != NOWHERE and above not in chosen:
                chosen.add(above)
                above = holders[above]
        return sorted(chosen)

    def _tell_way(self) -> str:
        wanted = self.wanted
        depth = "" if self.request.depth is None else f"depth: {max(self.material.tree.depths, default=0) + 1}, "
        return f"{depth}max_tokens: {wanted}" if wanted <= _MOST_TOKENS else "find: words of it"

    def _write_least(self) -> list[OutlineLine]:
        """Return the longest of what can be said in next to no room."""
        left = self.material.inventory.acts[-1]
        for text in (f"… {left} more ({self._tell_way()})", f"… {left} more", "…"):
            if bound_tokens(text) <= self.request.max_tokens:
                return [OutlineLine(text)]
        return []

    def _make(self, count: int) -> Outline:
        lines = self._write(count)
        text = "\n".join(line.text for line in lines)
        tokens = bound_tokens(text)
        if tokens > self.request.max_tokens:
            lines = self._write_least()
            tokens = bound_tokens("".join(line.text for line in lines))
        told = {line.ref for line in lines} | {ref for ref, name in self.names.items() if name is None}
        acts = self.material.inventory.acts[-1]
        folded = acts - sum(each.can_act and each.ref in told for each in self.material.tree.items)
        return Outline(tuple(lines), folded, tokens)


def _estimate_tokens(item: OutlineItem) -> int:
    """Return about how many tokens the line of an item has, rather too many."""
    length = len(item.name) if item.kind == TEXT else min(len(item.name), _LONGEST_SELECTOR)
    return _LINE_TOKENS + length // (2 if item.name.isascii() else 1)
