"""How much of what there is in each part of an outline, so that a fold can say what it holds."""

from bisect import bisect_left
from collections import Counter, defaultdict

from core.outlines.items import OutlineItem
from core.outlines.shapes import Shape
from core.outlines.trees import NOWHERE, ItemTree

Label = tuple[str, int]
"""A kind, and in how many alike things it is."""


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
