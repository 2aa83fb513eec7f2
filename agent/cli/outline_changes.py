"""What has become of a page or window since an outline of it was kept: its lines are read back as what they tell."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.outlines.folding import make_changes_outline
from core.outlines.items import ItemName, Outline, OutlineItem, OutlineRequest
from core.outlines.kinds import TEXT

_FOLD = "…"
_WAY = re.compile(r"^ *… .*\((?:scope|max_tokens|find): | # \d+ [a-z]+ folded$")
_NO_FRAMES = re.compile(r'(?:frame "(?:[^"\\]|\\.)*" >> )*(?P<kind>[a-z]*)')
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPED = re.compile(r"\\(.)")
_HEADING = re.compile(r"(#{1,6}) (.*)")
_FACT = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^,"]|,(?! ))+')
_VALUE, _NOT = "= ", "not "

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _ReadLine:
    item: OutlineItem
    selector: str


def is_folded(outline: Line) -> bool:
    """Tell whether an outline leaves out what a larger one would show; what can't be seen is left out of all."""
    lines: Sequence[Line] | None = outline.get("lines")
    return bool(outline.get("truncated")) if lines is None else any(_WAY.search(str(each["text"])) for each in lines)


async def tell_changes(before: Sequence[Line], after: Sequence[Line], max_tokens: int) -> Outline:
    """Return an outline of what was added, has changed and is gone.

    Args:
        before: Lines of the earlier outline, as data.
        after: Lines of the later one.
    """
    earlier, later = [*_read_lines(before, "a")], [*_read_lines(after, "b")]
    names = {each.item.ref: ItemName(each.selector) for each in later}

    async def name_items(items: Sequence[OutlineItem]) -> Mapping[str, ItemName]:
        return {item.ref: names[item.ref] for item in items if item.ref in names}

    items = [[each.item for each in lines] for lines in (earlier, later)]
    return await make_changes_outline(items[0], items[1], OutlineRequest(max_tokens), name_items)


def _read_lines(lines: Sequence[Line], prefix: str) -> Iterator[_ReadLine]:
    """Yield what lines tell. Refs are of one look only, so that things are known again by what they are."""
    for number, line in enumerate(lines):
        text, selector = str(line["text"]), str(line.get("selector") or "")
        bare = text.lstrip(" ")
        if bare.startswith(_FOLD):
            continue
        ref, level = f"{prefix}{number}", (len(text) - len(bare)) // 2
        yield _ReadLine(_read_thing(bare, selector, ref, level) if selector else _read_text(bare, ref, level), selector)


def _read_text(text: str, ref: str, level: int) -> OutlineItem:
    if heading := _HEADING.fullmatch(text):
        return OutlineItem(ref, level, "heading", heading[2], level_of_heading=len(heading[1]))
    return OutlineItem(ref, level, TEXT, text.removeprefix("- "))


def _read_thing(text: str, selector: str, ref: str, level: int) -> OutlineItem:
    found = _NO_FRAMES.match(selector)
    kind, rest = (found["kind"], selector[found.end() :]) if found else ("", selector)
    name = _QUOTED.match(rest.lstrip())
    facts = [each.strip() for each in _FACT.findall(text.removeprefix(selector).removeprefix(" # "))]
    value = next((_unquote(each.removeprefix(_VALUE)) for each in facts if each.startswith(_VALUE)), None)
    states = tuple(each for each in facts if not each.startswith((_VALUE, _NOT)))
    called = _unquote(name[0]) if name else rest.strip()
    return OutlineItem(ref, level, kind or "thing", called, value, states, can_act=True)


def _unquote(text: str) -> str:
    return _ESCAPED.sub(r"\1", text[1:-1]) if _QUOTED.fullmatch(text) else text
