"""OutlineSurroundings: what stands around each thing of an outline: regions, neighbours, and its number among those like it. Pure."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from core.outlines.items import FRAME, HIDDEN, OutlineItem, is_told
from core.outlines.sightings import MOST_OTHERS, MOST_TEXT, SeenThing, digest_name
from core.outlines.trees import NOWHERE, make_tree
from core.outlines.writing import clean_text
from core.selectors.selectors import quote_name

_MOST_REGIONS = 8
_FARTHEST = 12  # things that are passed over on the way to a neighbour with a name


class OutlineSurroundings:
    """An outline, asked what stands around its things."""

    def __init__(self, items: Sequence[OutlineItem]) -> None:
        self.items = items
        self._tree = make_tree(items)
        self._paths: dict[int, tuple[str, ...]] = {NOWHERE: ()}

    def describe(self, index: int) -> SeenThing:
        """Return what is seen of the item at an index, without what its markup says of it."""
        item = self.items[index]
        frames, region = self._split_frames(self._path_of(self._tree.holders[index]))
        nth, total = self._number[index]
        return SeenThing(
            role=item.kind,
            name=_cut(item.name),
            region=region,
            before=self._find_beside(index, -1),
            after=self._find_beside(index, 1),
            frames=frames,
            nth=nth,
            of=total,
            acts=item.can_act,
        )

    def list_others(self, index: int) -> tuple[str, ...]:
        """Return digests of all that can be acted on beside the item at an index."""
        named = [
            digest_name(each.kind, each.name) for at, each in enumerate(self.items) if each.can_act and at != index
        ]
        return tuple(named[:MOST_OTHERS])

    def find(self, ref: str) -> int:
        """Return the index of the item of a ref; NOWHERE if there is none."""
        return self._tree.find(ref)

    @cached_property
    def _number(self) -> list[tuple[int, int]]:
        keys = [(item.kind, self._path_of(self._tree.holders[at])) for at, item in enumerate(self.items)]
        totals = Counter(keys)
        reached: Counter[tuple[str, tuple[str, ...]]] = Counter()
        numbers: list[tuple[int, int]] = []
        for key in keys:
            reached[key] += 1
            numbers.append((reached[key], totals[key]))
        return numbers

    def _path_of(self, index: int) -> tuple[str, ...]:
        if index not in self._paths:
            around = self._path_of(self._tree.holders[index])
            word = _name_region(self.items[index])
            self._paths[index] = (*around, word) if word else around
        return self._paths[index]

    @staticmethod
    def _split_frames(path: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        places = [at for at, each in enumerate(path) if each == FRAME or each.startswith(f"{FRAME} ")]
        region = path[places[-1] + 1 :] if places else path
        return tuple(path[at] for at in places), region[-_MOST_REGIONS:]

    def _find_beside(self, index: int, step: int) -> str:
        """Return the nearest thing with a name on one side, in words; what it is in, and what is in it, isn't beside it."""
        inside = range(index + 1, self._tree.ends[index])
        at = index + step
        for _ in range(_FARTHEST):
            if not 0 <= at < len(self.items):
                break
            item = self.items[at]
            holds = self._tree.parents[index] == at or index in range(at + 1, self._tree.ends[at])
            if item.name and item.kind != HIDDEN and at not in inside and (not holds or item.level_of_heading):
                return f"{item.kind} {quote_name(_cut(item.name))}"
            at += step
        return ""


def _name_region(item: OutlineItem) -> str:
    if item.level_of_heading or item.kind == FRAME or is_told(item.kind, has_name=bool(item.name)):
        return f"{item.kind} {quote_name(_cut(item.name))}" if item.name else item.kind
    return ""


def _cut(text: str) -> str:
    line = clean_text(text[: 2 * MOST_TEXT])
    return line if len(line) <= MOST_TEXT else f"{line[: MOST_TEXT - 1]}…"
