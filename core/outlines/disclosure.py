"""The lines of an outline for a choice of its items: what is shown, and in which folds everything else lies."""

from collections import Counter
from collections.abc import Iterable, Mapping

from core.base.late_dataclasses import dataclass, field
from core.outlines.items import ENTRIES, ItemName, OutlineItem, OutlineLine, tell_count
from core.outlines.shapes import Inventory, Label, Shape, is_closable
from core.outlines.tokens import bound_tokens
from core.outlines.trees import NOWHERE, ItemTree
from core.outlines.writing import (
    ChangeMark,
    list_facts,
    pick_selector,
    tell_counts,
    write_heading,
    write_hidden,
    write_text,
    write_thing,
)

Names = Mapping[str, ItemName | None]
"""How items are named by their refs, as far as that has been asked; None for what has gone."""

_MOST_SCOPE_TOKENS = 60
_MOST_EXTRA = 8  # tokens of a heading's selector beside those of its line
_MOST_RUNS = 2  # that one fold tells of
_NEXT_TO_NOTHING = 2  # a scope that leaves out no more than that shows no more


@dataclass(frozen=True, slots=True)
class Material:
    """All that an outline is made from."""

    tree: ItemTree
    shapes: list[Shape]
    inventory: Inventory
    marks: Mapping[str, ChangeMark]
    numbered: bool = False
    folds: bool = True


@dataclass(slots=True)
class _Draft:
    """A line that may still get facts: of an item or a fold (NOWHERE); texts of one row or entry, its host, are one line."""

    indent: int
    index: int
    text: str = ""
    fold: str = ""
    host: int = NOWHERE


@dataclass(slots=True)
class _OpenPart:
    """A part whose lines are being written.

    Attributes:
        index: Which; NOWHERE for the whole.
        end: Index behind the last thing in it.
        line: Its own line; None without one.
        told: What is shown in it, or lies in folds in it.
        rest: Alike things of which none is, by kind.
    """

    index: int
    end: int
    indent: int
    line: _Draft | None = None
    told: Counter[Label] = field(default_factory=Counter[Label])
    acts: int = 0
    others: int = 0
    runs: Counter[str] = field(default_factory=Counter[str])
    more: list[str] = field(default_factory=list[str])
    rest: Counter[str] = field(default_factory=Counter[str])
    is_shown: bool = False
    has_text: bool = False


class Disclosure:
    """Writes the lines for one choice of items."""

    def __init__(self, material: Material, names: Names, share: int) -> None:
        self._material = material
        self._names = names
        self._share = share
        self._lines: list[_Draft] = []
        self._open = [_OpenPart(NOWHERE, len(material.tree.items), 0)]
        self._number = 0

    def write(self, shown: Iterable[int], way: str) -> list[OutlineLine]:
        """Return the lines of items in order, with all that holds them."""
        for index in shown:
            while index >= self._open[-1].end:
                self._close()
            self._add(index)
        while len(self._open) > 1:
            self._close()
        self._close_whole(way)
        return [self._finish(line) for line in self._lines]

    def _add(self, index: int) -> None:
        material, around = self._material, self._open[-1]
        item, shape = material.tree.items[index], material.shapes[index]
        around.is_shown = True
        if item.alike:
            around.runs[item.alike] += 1
        if item.can_act or item.holds:
            for label, number in material.inventory.list_labels(index):
                around.told[label] += number
                around.acts += number
        elif shape >= Shape.TEXT:
            around.others += 1
        if self._names.get(item.ref, _UNASKED) is None:
            shape = Shape.WRAP
        line = self._add_line(index, shape)
        end = material.tree.ends[index]
        if end > index + 1:
            indents = line is not None and shape in {Shape.PART, Shape.THING}
            self._open.append(_OpenPart(index, end, self._open[-1].indent + indents, line))

    def _add_line(self, index: int, shape: Shape) -> _Draft | None:
        if shape <= Shape.WRAP:
            return None
        line = _Draft(self._open[-1].indent, index)
        if shape == Shape.TEXT:
            text = write_text(self._material.tree.items[index], self._share)
            line.host = self._find_host()
            last = self._lines[-1] if self._lines else None
            if last and line.host != NOWHERE and last.host == line.host:
                last.text += f" | {text}"
                return last
            line.text = f"- {text}"
        self._lines.append(line)
        return line

    def _find_host(self) -> int:
        """Return the row or entry that a text stands in, and indent what else is in it; NOWHERE if it stands in none."""
        shapes, items = self._material.shapes, self._material.tree.items
        for height in range(len(self._open) - 1, 0, -1):
            index = self._open[height].index
            if shapes[index] != Shape.WRAP:
                return NOWHERE
            if items[index].kind in ENTRIES:
                if not self._open[height].has_text:
                    self._open[height].has_text = True
                    for each in self._open[height:]:
                        each.indent += 1
                return index
        return NOWHERE

    def _close(self) -> None:
        """End a part: what isn't shown of it lies in a fold of it, or of what is around it."""
        closed, around = self._open.pop(), self._open[-1]
        inventory = self._material.inventory
        self._count_runs(closed)
        hidden = inventory.count_acts(closed.index) - closed.acts
        if (hidden or closed.more or not closed.is_shown) and self._fold(closed, hidden):
            closed.told = inventory.count_inside(closed.index)
            closed.acts = inventory.count_acts(closed.index)
            closed.others = inventory.count_others(closed.index)
        else:
            around.more += closed.more
            around.rest += closed.rest
        around.told.update(closed.told)
        around.acts += closed.acts
        around.others += closed.others

    def _count_runs(self, closed: _OpenPart) -> None:
        for alike, (first, number) in self._material.inventory.runs.get(closed.index, {}).items():
            left = number - closed.runs[alike]
            if left and closed.runs[alike]:
                closed.more.append(f"{left} more {tell_count(first.kind, left).partition(' ')[2]} like this")
            elif first.can_act or first.kind in ENTRIES:
                closed.rest[first.kind] += left

    def _fold(self, closed: _OpenPart, hidden: int) -> bool:
        """Write what lies folded in a part; return whether that could be said there."""
        material = self._material
        item, shape = material.tree.items[closed.index], material.shapes[closed.index]
        number, inside = len(material.tree.items), closed.end - closed.index
        is_all = inside == number or inside >= max(number - _NEXT_TO_NOTHING, _NEXT_TO_NOTHING + 1)
        if not material.folds or is_all or not is_closable(item):
            return False
        selector = self._name(closed.index)
        if not selector or bound_tokens(selector) > _MOST_SCOPE_TOKENS:
            return False
        if item.level_of_heading and not (self._is_worth_naming(item, selector) and (hidden or closed.more)):
            return False
        held = self._tell_held(closed, hidden)
        if not held:
            return False
        if closed.line and (shape == Shape.HEADING or not closed.more):
            closed.line.fold = f"{held} folded"
        elif closed.is_shown:
            self._lines.append(_Draft(closed.indent, NOWHERE, f"… {held} (scope: {selector})"))
        else:
            self._lines.append(_Draft(closed.indent, closed.index, fold=f"{held} folded"))
        return True

    def _is_worth_naming(self, item: OutlineItem, selector: str) -> bool:
        """Tell whether a heading's selector is no much longer than its line; else what is around it tells of its fold."""
        line = write_heading(item, self._share)
        return not selector.endswith(f"ref={item.ref}") and bound_tokens(selector) <= bound_tokens(line) + _MOST_EXTRA

    def _tell_held(self, closed: _OpenPart, hidden: int) -> str:
        inventory = self._material.inventory
        if not closed.is_shown:
            counts = _sum_kinds(inventory.count_inside(closed.index))
            others = inventory.count_others(closed.index)
            return tell_counts(counts) if counts else tell_count("text", others) if others else ""
        parts = closed.more[:_MOST_RUNS]
        if hidden:
            depth = inventory.alike_depths[closed.index] if closed.index != NOWHERE else 0
            left = inventory.count_inside(closed.index) - closed.told
            counts = +closed.rest if closed.more or closed.rest else Counter[str]()
            alone = {label: number for label, number in left.items() if label[1] == depth or not (parts or counts)}
            counts.update(_sum_kinds(alone))
            parts += filter(None, [tell_counts(counts)])
        return ", ".join(parts)

    def _close_whole(self, way: str) -> None:
        whole, inventory = self._open[0], self._material.inventory
        if not self._material.folds:
            if way:
                self._lines.append(_Draft(0, NOWHERE, way))
            return
        self._count_runs(whole)
        hidden = inventory.count_acts(NOWHERE) - whole.acts
        others = inventory.count_others(NOWHERE) - whole.others
        if not (hidden or others or whole.more):
            return
        told = [self._tell_held(whole, hidden)] if hidden or whole.more else []
        if others and not whole.more:
            told.append(tell_count("text", others))
        self._lines.append(_Draft(0, NOWHERE, f"… {', '.join(filter(None, told))} ({way})"))

    def _name(self, index: int) -> str:
        item = self._material.tree.items[index]
        name = self._names.get(item.ref, _UNASKED)
        if name is _UNASKED:
            # Nobody has looked yet: about what its selector will be.
            return f'{item.kind} "{item.name[:80]}"' if item.name else f'{item.kind} nth 2 in "something"'
        return pick_selector(item, name) if name else ""

    def _finish(self, line: _Draft) -> OutlineLine:
        margin = "  " * line.indent
        if line.index == NOWHERE:
            return OutlineLine(margin + line.text)
        item, shape = self._material.tree.items[line.index], self._material.shapes[line.index]
        mark = self._material.marks.get(item.ref)
        facts = [line.fold] if line.fold else []
        marked = [mark.fact] if mark else []
        selector, number = "", 0
        if line.text:
            text = f"{line.text} # {marked[0]}" if marked else line.text
        elif shape == Shape.HIDDEN:
            text = write_hidden(item, self._name_opener(item))
        elif shape == Shape.HEADING and not facts and not marked:
            text = write_heading(item, self._share)
        else:
            selector = "" if mark and mark.is_gone else self._name(line.index)
            if self._material.numbered and item.can_act and selector:
                self._number = number = self._number + 1
                facts.insert(0, str(number))
            around = self._material.tree.parents[line.index]
            if around != NOWHERE and self._material.shapes[around] == Shape.WRAP:
                level = self._material.tree.items[around].level_of_heading
                facts += [f"h{level}"] if level else []  # a heading that is a link
            name = self._names.get(item.ref) or _UNASKED
            text = write_thing(item, selector, [*facts, *list_facts(item, name.covered_by), *marked])
            if mark and mark.is_gone:
                text = text.removeprefix("- ")
        return OutlineLine(margin + text, item.ref, selector, number)

    def _name_opener(self, item: OutlineItem) -> str:
        opener = self._material.tree.find(item.opened_by) if item.opened_by else NOWHERE
        return self._name(opener) if opener != NOWHERE else ""


_UNASKED = ItemName("")


def _sum_kinds(labels: Mapping[Label, int]) -> Counter[str]:
    counts = Counter[str]()
    for (kind, _), number in labels.items():
        counts[kind] += number
    return counts
