"""Outlines of pages and windows: the most useful items shown within a budget, all others in folds that say how to open them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.outlines.counts import Inventory
from core.outlines.disclosure import Disclosure, Material
from core.outlines.items import ItemName, NameItems, Outline, OutlineItem, OutlineLine, OutlineRequest
from core.outlines.shapes import Shape, is_closable, shape_items
from core.outlines.tokens import bound_tokens
from core.outlines.trees import NOWHERE, ItemTree, make_tree
from core.outlines.usefulness import order_items

_LEAST_SHARE = 12
_SHARES = 16  # so many texts of full length fit
_FIRST_TRY = 64
_MOST_TRIES = 24
_CLOSE_ENOUGH = 0.97
_MOST_TOKENS = 100_000


async def make_outline(items: Sequence[OutlineItem], request: OutlineRequest, name_items: NameItems) -> Outline:
    """Return an outline.

    Args:
        items: All that there is, in reading order.
        request: What is wanted.
        name_items: Names what is going to be shown.
    """
    tree = make_tree(items)
    shapes = shape_items(tree)
    material = Material(tree, shapes, Inventory(tree, shapes), {}, numbered=request.numbered)
    order = order_items(tree, shapes)
    if request.depth is not None:
        order = [index for index in order if tree.depths[index] < request.depth]
    return await Folding(material, order, request).fit(name_items)


@dataclass(slots=True)
class Folding:
    """Finds how many of the most useful items fit into a budget.

    Attributes:
        material: All that there is.
        order: What may be shown, the most useful first.
        request: What is wanted.
        names: How items are named, as far as that has been asked.
        share: Most tokens of one text.
    """

    material: Material
    order: list[int]
    request: OutlineRequest
    names: dict[str, ItemName | None] = field(default_factory=dict[str, ItemName | None])
    share: int = 0

    async def fit(self, name_items: NameItems) -> Outline:
        """Return the outline that shows the most."""
        self.share = max(self.request.max_tokens // _SHARES, _LEAST_SHARE)
        count = self._search(len(self.order))
        await self._ask(count, name_items)
        count = self._search(len(self.order))
        await self._ask(count, name_items)
        count = self._search(count)
        return self._make(count)

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
        return Disclosure(self.material, self.names, self.share).write(self._choose(count), self._tell_way())

    def _choose(self, count: int) -> list[int]:
        """Return the first items of the order, with all that holds them, in reading order."""
        holders = self.material.tree.holders
        chosen: set[int] = set()
        for index in self.order[:count]:
            while index != NOWHERE and index not in chosen:
                chosen.add(index)
                index = holders[index]  # noqa: PLW2901 -- goes up from each
        return sorted(chosen)

    def _tell_way(self) -> str:
        wanted = estimate_tokens(self.material.tree)
        return f"max_tokens: {wanted}" if wanted <= _MOST_TOKENS else "find: words of it"

    def _make(self, count: int) -> Outline:
        lines = self._write(count)
        text = "\n".join(line.text for line in lines)
        tokens = bound_tokens(text)
        if tokens > self.request.max_tokens:
            lines = [OutlineLine("…")] if self.request.max_tokens else []
            tokens = len(lines)
        shown = {line.ref for line in lines if line.ref}
        items = self.material.tree.items
        folded = self.material.inventory.acts[-1] - sum(1 for each in items if each.can_act and each.ref in shown)
        return Outline(tuple(lines), folded, tokens)


def estimate_tokens(tree: ItemTree) -> int:
    """Return about how many tokens an outline has that shows everything, rather too many, in hundreds."""
    total = sum(8 + len(item.name) // (2 if item.name.isascii() else 1) for item in tree.items)
    return -(-total // 100) * 100
