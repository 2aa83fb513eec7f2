"""Templates of phrases, compiled to regular expressions over the mask of a sentence.

Every word of a template takes the white space behind it along, so a clause is matched with one space added at its end.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from core.base.errors import TableError
from core.base.kept_patterns import compile_kept
from core.base.late_parts import compile_late

_TOKEN = compile_late(
    r"\{(?P<slot>[\w*]+):(?P<kind>\w+)\}|(?P<open>[\[(])|(?P<close>[\])])|(?P<bar>\|)|(?P<space>\s+)|(?P<word>[^\s\[\](){}|]+)"
)
_FRAGMENT = compile_late(r"<(\w+)>")
# The head of a template that needn't be parsed: a word, a fragment, or a choice of plain words.
_HEAD = compile_late(r"(?P<word>[^\W\d_]+)(?= |$)|<(?P<fragment>\w+)>|(?P<ways>\([^\W\d_][^()\[\]{}<>]*\))")
_PLAIN_WAYS = compile_late(r"\(((?:[^\W\d_][\w\s'+-]*\|)*[^\W\d_][\w\s'+-]*)\)")
_FIRST_WORD = compile_late(r"[^\W_]+")
# Possessive, so that long runs of white space are gone over once.
_GAP = r"\s++"
_COMMA = r"(?:\s*+[,:])?"
ANY_WORD = ""
SEVERAL = "several"
"""Name of the group of a slot that fills several params."""


class Word(NamedTuple):
    """A word, or a part of one."""

    text: str


class Slot(NamedTuple):
    """A place to be filled."""

    name: str
    kind: str


class Alternatives(NamedTuple):
    """Alternatives; one of them, or none where optional."""

    ways: tuple["Sequence", ...]
    optional: bool


Atom = Word | Slot | Alternatives


class Sequence(NamedTuple):
    """Atoms in order, each with whether white space or the end follows it."""

    atoms: tuple[tuple[Atom, bool], ...]


def parse_template(template: str, fragments: Mapping[str, str]) -> Sequence:
    """Parse a template.

    Raises:
        TableError: If a bracket is missing or a fragment unknown.
    """
    tokens = list(_TOKEN.finditer(_expand(template, fragments)))
    sequence, position = _parse_sequence(tokens, 0)
    if position != len(tokens):
        raise TableError(f'The brackets of the phrase "{template}" don\'t match.')
    return sequence


def _expand(template: str, fragments: Mapping[str, str]) -> str:
    text = template
    try:
        while "<" in text:
            text = _FRAGMENT.sub(lambda match: fragments[match[1]], text)
    except KeyError as error:
        raise TableError(f'The phrase "{template}" names the fragment {error}, which there isn\'t.') from None
    return text


Beginnings = dict[str, tuple[frozenset[str], bool]]
"""What parts of templates can begin with, and whether they may as well be missing."""


def find_first_words(template: str, fragments: Mapping[str, str], known: Beginnings) -> set[str]:
    """Return the words that a template can begin with, without parsing more of it than that takes.

    See ``list_first_words``; nearly all templates begin with a word or with a choice of words.

    Args:
        known: What other templates of the same fragments began with; added to.
    """
    head = _HEAD.match(template)
    text = fragments.get(head["fragment"], "") if head and head["fragment"] else (head["ways"] if head else "")
    if head and head["word"]:
        return {head["word"].lower()}
    if text and (ways := _PLAIN_WAYS.fullmatch(text)):
        return {found[0].lower() for way in ways[1].split("|") if (found := _FIRST_WORD.search(way))}
    first: set[str] = set()
    for group in _split_groups(template):
        more, is_open = known[group] if group in known else _find_first(group, fragments)
        known[group] = more, is_open
        first |= more
        if not is_open:
            break
    return first


def _find_first(group: str, fragments: Mapping[str, str]) -> tuple[frozenset[str], bool]:
    """Return the words that a group can begin with, and whether it may as well be missing."""
    sequence = parse_template(group, fragments)
    return frozenset(list_first_words(sequence)), all(_is_optional(atom) for atom, _ in sequence.atoms)


def _is_optional(atom: "Atom") -> bool:
    return isinstance(atom, Alternatives) and atom.optional


def _split_groups(template: str) -> Iterator[str]:
    start = depth = 0
    for place, letter in enumerate(template):
        if letter in "[({":
            depth += 1
        elif letter in "])}":
            depth -= 1
        elif letter == " " and not depth:
            yield template[start:place]
            start = place + 1
    yield template[start:]


def _parse_sequence(tokens: list[re.Match[str]], position: int) -> tuple[Sequence, int]:
    atoms: list[tuple[Atom, bool]] = []
    while position < len(tokens) and tokens[position].lastgroup not in {"close", "bar"}:
        token = tokens[position]
        position += 1
        if token["space"]:
            continue
        if token["open"]:
            atom, position = _parse_choice(tokens, position, optional=token["open"] == "[")
        else:
            atom = Slot(token["slot"], token["kind"]) if token["slot"] else Word(token["word"])
        follows = tokens[position].lastgroup if position < len(tokens) else "close"
        atoms.append((atom, follows in {"space", "close", "bar"}))
    return Sequence(tuple(atoms)), position


def _parse_choice(tokens: list[re.Match[str]], position: int, *, optional: bool) -> tuple[Alternatives, int]:
    ways: list[Sequence] = []
    while True:
        way, position = _parse_sequence(tokens, position)
        ways.append(way)
        if position >= len(tokens):
            raise TableError("A phrase has a bracket that never closes.")
        position += 1
        if tokens[position - 1]["close"]:
            return Alternatives(tuple(ways), optional), position


def compile_template(sequence: Sequence, shapes: Mapping[str, str], *, greedy: bool) -> re.Pattern[str]:
    """Compile a template.

    Args:
        shapes: Regular expression of each kind of slot; where there is none, anything may stand there.
        greedy: Whether such an open slot takes as many words as it can, or as few.
    """
    written = _write(sequence, shapes, ".+" if greedy else ".+?", spaced=True)
    return compile_kept(written.text, re.IGNORECASE | re.DOTALL)


class _WrittenPart(NamedTuple):
    """A part of an expression, and how long it is with nothing of its alternatives put behind them."""

    text: str
    length: int


def _write(sequence: Sequence, shapes: Mapping[str, str], anything: str, *, spaced: bool) -> _WrittenPart:
    last = len(sequence.atoms) - 1
    parts: list[_WrittenPart] = []
    for index, (atom, gap) in enumerate(sequence.atoms):
        wants_space = gap if index < last else (gap and spaced)
        space = _GAP if wants_space else ""
        if isinstance(atom, Word):
            # A comma or colon may stand behind any word: "has loaded, at most 20 seconds".
            text = re.escape(atom.text) + (_COMMA + space if space else "")
        elif isinstance(atom, Slot):
            # So may one behind a slot that can't hold it: "download http://x.test/a, and save it as b".
            comma = _COMMA if space and atom.kind in shapes else ""
            text = f"(?P<{name_group(atom.name)}>{shapes.get(atom.kind, anything)}){comma}{space}"
        else:
            parts.append(_join_ways([_write(way, shapes, anything, spaced=wants_space) for way in atom.ways], atom))
            continue
        parts.append(_WrittenPart(text, len(text)))
    return _WrittenPart("".join(part.text for part in parts), sum(part.length for part in parts))


def _join_ways(ways: list[_WrittenPart], atom: Alternatives) -> _WrittenPart:
    """Return a choice, with the gap that all of its ways end with behind it once: expressions are compiled in half the time."""
    # The longest first, so that "search for" is never taken for "search".
    ways.sort(key=lambda way: way.length, reverse=True)
    gap = _COMMA + _GAP if len(ways) > 1 and all(way.text.endswith(_COMMA + _GAP) for way in ways) else ""
    text = f"(?:{'|'.join(way.text.removesuffix(gap) for way in ways)}){gap}"
    text = f"(?:{text})?" if atom.optional and gap else f"{text}?" if atom.optional else text
    return _WrittenPart(text, sum(way.length + 1 for way in ways) + len("(?:") + atom.optional)


def name_group(name: str) -> str:
    """Return the name of the group that catches a slot."""
    return name.replace("*", SEVERAL)


def list_leaves(sequence: Sequence) -> Iterator[Word | Slot]:
    """Yield the words and slots of a template, in order."""
    for atom, _ in sequence.atoms:
        if isinstance(atom, Alternatives):
            for way in atom.ways:
                yield from list_leaves(way)
        else:
            yield atom


def list_slots(sequence: Sequence) -> Iterator[Slot]:
    """Yield the slots of a template, in order."""
    return (leaf for leaf in list_leaves(sequence) if isinstance(leaf, Slot))


def list_first_words(sequence: Sequence) -> set[str]:
    """Return the words, in lower case, that a template can begin with; ``ANY_WORD`` where that is open."""
    first: set[str] = set()
    for atom, _ in sequence.atoms:
        if isinstance(atom, Alternatives):
            for way in atom.ways:
                first |= list_first_words(way)
            if atom.optional:
                continue
        else:
            word = _FIRST_WORD.search(atom.text) if isinstance(atom, Word) else None
            first.add(word[0].lower() if word else ANY_WORD)
        return first
    return first


def _write_word(leaf: Word | Slot) -> str:
    return leaf.text.lower() if isinstance(leaf, Word) else ""


def list_needed_words(
    sequence: Sequence, write: Callable[[Word | Slot], str] = _write_word, *, is_flat: bool = False
) -> list[frozenset[str]]:
    """Return sets of words, in lower case, of each of which a clause must hold one to match a template.

    Args:
        write: Returns what a word or a slot is among them; empty where it may be anything.
        is_flat: Whether of what has but one way each need counts, rather than the smallest alone.
    """
    needed: list[frozenset[str]] = []
    for atom, _ in sequence.atoms:
        if not isinstance(atom, Alternatives):
            needed += [frozenset([word])] if (word := write(atom)) else []
        elif not atom.optional:
            ways = [list_needed_words(way, write, is_flat=is_flat) for way in atom.ways]
            if is_flat and len(ways) == 1:
                needed += ways[0]
            elif all(ways):
                needed.append(frozenset[str]().union(*(min(way, key=len) for way in ways)))
    return needed


def find_first_word(mask: str, start: int, end: int) -> str:
    """Return the first word of a clause, in lower case, or ``ANY_WORD``."""
    word = _FIRST_WORD.search(mask, start, end)
    return word[0].lower() if word else ANY_WORD
