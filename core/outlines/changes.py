"""What has changed between two looks: what was added, what is gone, and which facts of what is there are others."""

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterator, Sequence

from rapidfuzz import fuzz

from core.base.late_dataclasses import dataclass, replace
from core.outlines.items import ENTRIES, HIDDEN, OutlineItem
from core.outlines.trees import NOWHERE, ItemTree, make_tree
from core.outlines.writing import BETWEEN_CELLS, ChangeMark, clean_text, shorten
from core.selectors.selectors import quote_name

_SIMILAR = 50  # of 100: a text that says something else in the same place
_SAME_DOCUMENT = 0.5  # of the refs that both looks have
_MOST_COMPARED_CHARS = 500
_MOST_TOLD_TOKENS = 30
_MOST_NESTED = 4  # what is written deeper in a row doesn't name it
_PASSING = frozenset({"focused"})  # where the focus went is told; where it left is not


@dataclass(frozen=True, slots=True)
class OutlineChanges:
    """What has changed: all items and what is gone, in reading order, those worth a line, and how much was kept, from 0 to 1."""

    items: list[OutlineItem]
    marks: dict[str, ChangeMark]
    picked: set[str]
    kept: float


def compare_outlines(before: Sequence[OutlineItem], now: Sequence[OutlineItem]) -> OutlineChanges:
    """Return what has changed. What has only moved has not; nor has what the page made anew just as it was."""
    old, new = make_tree(before), make_tree(now)
    pairs = _Pairing(old, new).pair()
    marks: dict[str, ChangeMark] = {}
    picked: set[str] = set()
    came_from = {there: here for here, there in pairs.items()}
    for index, item in enumerate(now):
        earlier = came_from.get(index)
        if earlier is None:
            picked.add(item.ref)
            marks[item.ref] = ChangeMark("new")
        elif fact := _tell_change(before[earlier], item):
            picked.add(item.ref)
            marks[item.ref] = ChangeMark(fact)
    items = _put_gone(old, new, pairs, marks)
    picked.update(ref for ref, mark in marks.items() if mark.is_gone)
    return OutlineChanges(items, marks, picked, len(pairs) / max(len(before), 1))


class _Pairing:
    def __init__(self, old: ItemTree, new: ItemTree) -> None:
        self._old = old
        self._new = new
        self._pairs: dict[int, int] = {}
        self._taken: set[int] = set()

    def pair(self) -> dict[int, int]:
        """Return the index in the later look for each that is still there, by its index in the earlier one."""
        self._pair_refs()
        self._pair_alike(_list_placed(self._old), _list_placed(self._new))
        self._pair_alike(_list_called(self._old), _list_called(self._new))
        self._pair_by_place()
        return self._pairs

    def _take(self, earlier: int, later: int) -> None:
        self._pairs[earlier] = later
        self._taken.add(later)

    def _pair_refs(self) -> None:
        """Pair what has the same ref, if both looks are at one document: the refs of another begin anew."""
        old, new = self._old, self._new
        common = [
            (index, there)
            for index, item in enumerate(old.items)
            if (there := new.find(item.ref)) != NOWHERE and new.items[there].kind == item.kind
        ]
        same = sum(old.items[earlier].name == new.items[later].name for earlier, later in common)
        if same >= _SAME_DOCUMENT * len(common):
            for earlier, later in common:
                self._take(earlier, later)

    def _pair_alike(self, old_keys: Sequence[Hashable], new_keys: Sequence[Hashable]) -> None:
        free: dict[Hashable, deque[int]] = defaultdict(deque)
        for later, key in enumerate(new_keys):
            if later not in self._taken and key is not None:
                free[key].append(later)
        for earlier, key in enumerate(old_keys):
            if earlier not in self._pairs and key is not None and free.get(key):
                self._take(earlier, free[key].popleft())

    def _pair_by_place(self) -> None:
        """Pair what says something else, or is called otherwise, in the same place."""
        free: dict[tuple[int, str], deque[int]] = defaultdict(deque)
        for later, item in enumerate(self._new.items):
            if later not in self._taken:
                free[self._new.holders[later], item.kind].append(later)
        waiting: dict[tuple[int, str], deque[int]] = defaultdict(deque)
        for earlier, item in enumerate(self._old.items):
            holder = self._old.holders[earlier]
            around = self._pairs.get(holder, NOWHERE) if holder != NOWHERE else NOWHERE
            if earlier not in self._pairs and (around != NOWHERE or holder == NOWHERE):
                waiting[around, item.kind].append(earlier)
        for place, those in waiting.items():
            others = free.get(place, deque[int]())
            is_lone = len(those) == len(others) == 1
            while those and others:
                earlier, later = those.popleft(), others[0]
                if is_lone or self._are_similar(earlier, later):
                    self._take(earlier, others.popleft())

    def _are_similar(self, earlier: int, later: int) -> bool:
        one, other = self._old.items[earlier].name, self._new.items[later].name
        return fuzz.ratio(one[:_MOST_COMPARED_CHARS], other[:_MOST_COMPARED_CHARS]) >= _SIMILAR


def _list_placed(tree: ItemTree) -> list[Hashable]:
    """Return for each item what it is, what it is called, and the same of all parts that it is in."""
    names = _list_names(tree)
    paths: list[int] = []
    for index, item in enumerate(tree.items):
        holder = tree.holders[index]
        around = paths[holder] if holder != NOWHERE else 0
        paths.append(hash((around, item.kind, names[index])))
    return list(paths)


def _list_called(tree: ItemTree) -> list[Hashable]:
    """Return for each item with a name what it is and what it is called; None for others, and for what many are called."""
    keys = [(item.kind, item.name) if item.name else None for item in tree.items]
    counts = Counter(keys)
    return [key if counts[key] == 1 else None for key in keys]


def _list_names(tree: ItemTree) -> list[str]:
    """Return what each item is called; rows and entries without a name by what is written in them."""
    names = [item.name for item in tree.items]
    written: dict[int, list[str]] = defaultdict(list)
    for index, item in enumerate(tree.items):
        parent = tree.parents[index]
        for _ in range(_MOST_NESTED):
            if parent == NOWHERE or tree.items[parent].kind in ENTRIES:
                break
            parent = tree.parents[parent]
        if item.name and not item.can_act and parent != NOWHERE and not names[parent]:
            written[parent].append(item.name)
    for index, texts in written.items():
        names[index] = BETWEEN_CELLS.join(texts)
    return names


def _tell_change(before: OutlineItem, now: OutlineItem) -> str:
    """Return which facts of a thing are others; empty if none is."""
    gained = [state for state in now.states if state not in before.states]
    lost = [state for state in before.states if state not in now.states and state not in _PASSING]
    was = [f"not {state}" for state in gained] + lost
    if before.value != now.value:
        was.append(_quote(before.value) if before.value else "empty")
    if before.name != now.name:
        was.append(_quote(before.name) if before.name else "without a name")
    if before.takes != now.takes:
        was.append(shorten(before.takes, _MOST_TOLD_TOKENS) or "anything")
    if not was:
        return ""
    return ", ".join([*(f"not {clean_text(state)}" for state in lost), f"was: {', '.join(map(clean_text, was))}"])


def _quote(text: str) -> str:
    return quote_name(shorten(text, _MOST_TOLD_TOKENS))


def _put_gone(old: ItemTree, new: ItemTree, pairs: dict[int, int], marks: dict[str, ChangeMark]) -> list[OutlineItem]:
    """Return what there is now, with what is gone where it was, and mark that."""
    places: dict[int, list[OutlineItem]] = defaultdict(list)
    for index, gone in _list_gone(old, pairs):
        place, level = _find_place(old, new, pairs, index)
        lost = replace(gone, ref=f"{gone.ref}:gone", level=level)
        marks[lost.ref] = ChangeMark("gone", is_gone=True)
        places[place].append(lost)
    if not places:
        return list(new.items)
    items: list[OutlineItem] = []
    for index in range(len(new.items) + 1):
        items += places.get(index, ())
        items += new.items[index : index + 1]
    return items


def _list_gone(old: ItemTree, pairs: dict[int, int]) -> Iterator[tuple[int, OutlineItem]]:
    """Yield what isn't there any more, without what was in it."""
    end = 0
    names = _list_names(old)
    for index, item in enumerate(old.items):
        if index < end or index in pairs or item.kind == HIDDEN:
            continue
        inside = range(index + 1, old.ends[index])
        if item.level_of_heading or any(each in pairs for each in inside):
            inside = range(0)  # a wrapper that is gone, while what was in it has moved
        end = max(end, inside.stop)
        if names[index] or inside:
            yield index, replace(item, name=names[index], states=(), value=None, takes="", holds=(), alike="")


def _find_place(old: ItemTree, new: ItemTree, pairs: dict[int, int], index: int) -> tuple[int, int]:
    """Return before which item of now something gone stood, and its level there."""
    parent = old.parents[index]
    while parent != NOWHERE and parent not in pairs:
        parent = old.parents[parent]
    around = pairs[parent] if parent != NOWHERE else NOWHERE
    first = around + 1
    floor = new.items[around].level + 1 if around != NOWHERE else 0
    for earlier in range(index - 1, parent, -1):
        beside = pairs.get(earlier, NOWHERE)
        while beside != NOWHERE and new.parents[beside] != around:
            beside = new.parents[beside]
        if beside != NOWHERE:
            return new.ends[beside], new.items[beside].level
    has_inside = first < len(new.items) and new.parents[first] == around
    return first, new.items[first].level if has_inside else floor
