"""How the lines of an outline are written. What a page says can't end a line, begin one of ours, or hide anything in it."""

import re
from collections.abc import Sequence

from core.base.late_dataclasses import dataclass
from core.base.phrases import UNDRAWN, escape_text
from core.outlines.items import CONTROL, ENTRIES, ItemName, OutlineItem, tell_count
from core.outlines.tokens import cut_to_tokens
from core.selectors.selectors import quote_name

_FRAMES = re.compile(r"(?:frame \"(?:[^\"\\]|\\.)*\" >> )*")
_FIRST_WORD = re.compile(r"[a-z]+")
# They say what an element is whatever its kind.
_SPEAKING = frozenset({"field", "icon", "cell"})
# A character that is drawn by itself may be followed by what only says how: pictures in colour, or joined ones.
_JOINED = re.compile(rf"(?<=[^\x00-\x7f{UNDRAWN}])(?:\ufe0f\u200d?|[\ufe0e\u200c\u200d])(?=[^{UNDRAWN}]|$)")
BETWEEN_CELLS = " | "
_MOST_VALUE_TOKENS = 40
_MOST_FACT_TOKENS = 80
_MOST_CHARS_A_TOKEN = 12
_MOST_TABS = 5
_MOST_TITLE_TOKENS = 15
_NOT_LOOKED_AT = (
    "not looked at"  # too many alike things: only the first ones are told, and those that words are looked for in
)


@dataclass(frozen=True, slots=True)
class ChangeMark:
    """What a look tells of an item beside what it is, such as ``new``, or ``ticked, was: not ticked``."""

    fact: str
    is_gone: bool = False


def clean_text(text: str) -> str:
    """Return a text as one line in which everything is seen; what can't be drawn is written as an escape."""
    line = " ".join(text.split())
    if line.isascii() and line.isprintable():
        return line
    done, parts = 0, []
    for joined in _JOINED.finditer(line):
        if not line[joined.start() - 1].isprintable():
            continue
        parts += [escape_text(line[done : joined.start()]), joined[0]]
        done = joined.end()
    return "".join([*parts, escape_text(line[done:])])


def pick_selector(item: OutlineItem, name: ItemName) -> str:
    """Return the selector that a line can show: the given one, or the ref where it holds what can't be seen."""
    selector = name.selector
    if not selector or (_FIRST_WORD.match(selector) and clean_text(selector) == selector):
        return selector
    frames = _FRAMES.match(selector)
    prefix = frames[0] if frames else ""
    return f"{prefix if clean_text(prefix + 'x') == prefix + 'x' else ''}ref={item.ref}"


def shorten(text: str, most: int) -> str:
    """Return the beginning of a text as one clean line of at most so many tokens."""
    return cut_to_tokens(clean_text(text[: most * _MOST_CHARS_A_TOKEN]), most)


def write_words(item: OutlineItem) -> str:
    """Return what an item is in words, for what no selector names."""
    name = shorten(item.name, _MOST_VALUE_TOKENS)
    return f"{item.kind} {quote_name(name)}" if name else item.kind


def write_thing(item: OutlineItem, selector: str, facts: list[str]) -> str:
    """Return the line of a thing to act on, or of a part; its selector is empty where nothing names it."""
    if not selector:
        line = f"- {write_words(item)}"
    else:
        facts = [*_say_kind(item, selector), *facts]
        line = selector
    return f"{line} # {', '.join(facts)}" if facts else line


def write_heading(item: OutlineItem, share: int) -> str:
    """Return the line of a heading."""
    return f"{'#' * min(item.level_of_heading, 6)} {shorten(item.name, share)}"


def write_hidden(item: OutlineItem, opener: str) -> str:
    """Return the line of a part that can't be seen as it is, with the selector of what brings it into sight, if known."""
    name = shorten(item.name, _MOST_VALUE_TOKENS)
    held = tell_counts(dict(item.holds)) or ("" if name else "something")
    if _NOT_LOOKED_AT in item.states:
        return f"… {held} not looked at (find: words of one)"
    way = f" ({item.takes or 'opens'}: {opener})" if opener else ""
    return f"… {': '.join(filter(None, (name, held)))}, hidden{way}"


def write_tabs(titles: Sequence[str]) -> str:
    """Return the line that tells of the tabs beside the one that is looked at; empty for none."""
    told = [quote_name(shorten(title, _MOST_TITLE_TOKENS)) for title in titles[:_MOST_TABS]]
    more = [f"{len(titles) - _MOST_TABS} more"] if len(titles) > _MOST_TABS else []
    return f"… {tell_count('other tab', len(titles))}: {', '.join([*told, *more])}" if told else ""


def write_text(item: OutlineItem, share: int) -> str:
    """Return what is written somewhere, without what begins the line."""
    text = item.name or item.value or ""
    return shorten(text, share)


def list_facts(item: OutlineItem, covered_by: str) -> list[str]:
    """Return what a line tells of a thing: value, states, what it takes, and what covers it."""
    if not (item.value is not None or item.states or item.takes or covered_by):
        return []
    facts: list[str] = []
    if item.value:
        facts.append(f"= {quote_name(shorten(item.value, _MOST_VALUE_TOKENS))}")
    facts += map(clean_text, item.states)
    if item.takes:
        facts.append(shorten(item.takes, _MOST_FACT_TOKENS))
    if covered_by:
        facts.append(f"covered by {shorten(covered_by, _MOST_VALUE_TOKENS)}")
    return facts


def tell_counts(counts: dict[str, int], most: int = 3) -> str:
    """Return how many of which kinds, the commonest first: ``48 links, 3 buttons``."""
    ordered = sorted(counts.items(), key=lambda each: -each[1])
    told = [tell_count(kind, number) for kind, number in ordered[:most]]
    if len(ordered) > most:
        told.append(f"{sum(number for _, number in ordered[most:])} more")
    return ", ".join(told)


def _say_kind(item: OutlineItem, selector: str) -> list[str]:
    """Return what a selector that doesn't name a thing by kind and name leaves unsaid."""
    frames = _FRAMES.match(selector)
    word = _FIRST_WORD.match(selector, frames.end() if frames else 0)
    if not word or (word[0] != item.kind and word[0] not in _SPEAKING):
        if not word or quote_name(item.name) not in selector:
            return [write_words(item)]
        return (
            [] if item.kind == CONTROL else [item.kind]
        )  # that it is pressed is what any line says that begins with a selector
    return _say_cells(item, selector) if item.kind in ENTRIES else []


def _say_cells(item: OutlineItem, selector: str) -> list[str]:
    """Return what is written in a row or an entry beside the first cell, if its selector says that; else all of it."""
    cells = item.name.split(BETWEEN_CELLS)
    untold = cells[1:] if quote_name(cells[0]) in selector else cells
    if not any(cells) or not untold:
        return []
    return [f"= {quote_name(shorten(BETWEEN_CELLS.join(untold), _MOST_VALUE_TOKENS))}"]
