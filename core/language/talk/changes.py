"""Changes: an earlier request said anew with something else in it: "no, I meant w.txt", "again but with 40", "and two.txt".

What is new takes the place of the words of one slot, and only if the sentence is then understood as the same request with that
slot filled with exactly what is new. Where several slots could hold it, the one counts that holds the same sort of thing now.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from typing import Literal, NamedTuple, cast

from core.language.grammars.templates import compile_template, parse_template
from core.language.meanings.contexts import Context
from core.language.meanings.interpretation import Clause, Interpretation, SlotValue
from core.language.sentences.literals import try_find_literals
from core.language.talk.small_talk import Talk

ChangeKind = Literal["instead", "only", "another", "again"]

_LONGEST = 300
"""Characters of an utterance that changes an earlier one."""

_PAUSES = re.compile(r"[.!?…–—;:,-]+(?=\s)")
_EDGES = " \t\r\n,;:!?…"
_FORM = re.compile(r"([a-z]+) \"")
_ENDING = re.compile(r"[^/\\]\.\w{1,5}$")


class Change(NamedTuple):
    """What is to be changed.

    Attributes:
        kind: ``instead`` (what was said is put right), ``only`` (of several things that one), ``another`` (the same once more
            with something else) or ``again``.
        new: What is meant, byte for byte; empty for ``again``.
        old: What isn't meant; empty where that wasn't said.
        is_sure: Whether the words hardly mean anything else.
    """

    kind: ChangeKind
    new: str = ""
    old: str = ""
    is_sure: bool = True


class SaidPart(NamedTuple):
    """A request, or a step of one, that can be said anew by itself.

    Attributes:
        names: The goals that it stands for, as ``domain.verb``; none where it was refused.
    """

    text: str
    slots: tuple[SlotValue, ...]
    names: tuple[str, ...]


class SaidRequest(NamedTuple):
    """A request as it was said."""

    utterance: str
    interpretation: Interpretation
    context: Context
    is_done: bool = False

    def list_parts(self, kind: ChangeKind) -> list[SaidPart]:
        """Return what can be said anew by itself: of what was done each step, the last first; of all else the whole.

        Args:
            kind: What for; of what was more than is meant, each step counts, in order.
        """
        clauses, refusal = self.interpretation.clauses, self.interpretation.refusal
        steps = [tuple(own) for _, own in groupby(clauses, lambda each: (each.start, each.end))]
        if kind == "only":
            return [_cut(step) for step in steps]
        if self.is_done:
            return [_cut(step) for step in reversed(steps)]
        slots = (*(slot for clause in clauses for slot in clause.slots), *(refusal.slots if refusal else ()))
        names = () if refusal else tuple(clause.name for clause in clauses)
        return [SaidPart(self.utterance, _drop_doubles(slots), names)]


class Way(NamedTuple):
    """A way to say a request anew.

    Attributes:
        slot: The slot that is to hold what is new, with the place of the new words.
        names: The goals that it has to stand for; none where it was refused before.
        bare: The name alone where it has more words around it: one for its kind, or where it is; else empty.
    """

    utterance: str
    slot: SlotValue
    before: str
    names: tuple[str, ...]
    bare: str = ""

    @property
    def words(self) -> str:
        """The words that are new."""
        return self.utterance[self.slot.start : self.slot.end]

    def find_slot(self, slots: Iterable[SlotValue], articles: Collection[str]) -> SlotValue | None:
        """Return the slot that holds exactly what is new, once the sentence is understood; None if none does."""
        return next((each for each in slots if self._is_filled(each, articles)), None)

    def _is_filled(self, slot: SlotValue, articles: Collection[str]) -> bool:
        if slot.name != self.slot.name or slot.start >= self.slot.end or slot.end < self.slot.end:
            return False
        if self.bare and not any(_is_named(self.bare, each, slot) for each in _list_names(slot.value)):
            return False
        if slot.start < self.slot.start or slot.end > self.slot.end:
            return bool(self.bare)
        left_out = self.utterance[self.slot.start : slot.start].split()
        return all(word.casefold() in articles for word in left_out)


class NameWords(NamedTuple):
    """The words around names in a language.

    Attributes:
        full: How things of a kind are named in full, ``{}`` for the name: "the folder {}".
    """

    articles: Collection[str]
    full: Collection[str]

    def write_fully(self, name: str) -> list[tuple[str, str]]:
        """Return a name with what it may be called in front of it, and alone: "the folder Photos"."""
        first, _, rest = name.partition(" ")
        bare = rest if rest and first.casefold() in self.articles else name
        return [(each.format(bare), bare) for each in self.full]


class ChangeReader:
    """Reads how an earlier request is to be changed; one for each language."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    @cached_property
    def _patterns(self) -> list[tuple[ChangeKind, bool, re.Pattern[str]]]:
        fragments = self._talk.changing_fragments
        tables = ((True, self._talk.changing), (False, self._talk.perhaps_changing))
        return [
            (cast("ChangeKind", kind), is_sure, compile_template(parse_template(template, fragments), {}, greedy=False))
            for is_sure, table in tables
            for kind, templates in table.items()
            for template in templates
        ]

    def read(self, utterance: str) -> list[Change]:
        """Return what an utterance may ask to be changed, the likeliest first; nothing if it doesn't."""
        sentence = try_find_literals(utterance) if utterance.strip() and len(utterance) <= _LONGEST else None
        if sentence is None:
            return []
        text = _PAUSES.sub(lambda found: ",".ljust(len(found[0])), sentence.mask.rstrip(_EDGES + ".")) + " "
        begin = len(text) - len(text.lstrip())
        found: list[tuple[ChangeKind, bool, re.Match[str] | None]] = [
            (kind, is_sure, pattern.fullmatch(text, begin)) for kind, is_sure, pattern in self._patterns
        ]
        if any(match and kind == "again" for kind, _, match in found):
            return [Change("again")]
        changes = [
            Change(kind, _cut_group(match, "new", utterance), _cut_group(match, "old", utterance), is_sure)
            for kind, is_sure, match in found
            if match
        ]
        return [change for change in dict.fromkeys(changes) if change.new]


def list_ways(part: SaidPart, change: Change, words: NameWords) -> Iterator[list[Way]]:
    """Yield the ways to say a request anew with what is new in it: for each slot, the plainest first."""
    text, new = part.text, change.new
    for slot in part.slots:
        if change.old and not _is_about(change.old, text[slot.start : slot.end]):
            continue
        plain = _drop_lead(new, text[: slot.start])
        said = {
            plain: "",
            new: "",
            **{full: bare for full, bare in words.write_fully(plain) if full not in (new, plain)},
        }
        whole = [_put(part, slot, new_words, bare) for new_words, bare in said.items()]
        inner = _list_inner(part, slot, new)
        is_sound = isinstance(slot.value, Mapping)
        yield [*_list_owners(part, slot, new, words.articles), *whole, *inner] if is_sound else [*inner, *whole]


def _put(part: SaidPart, slot: SlotValue, words: str, bare: str) -> Way:
    text = part.text
    place = replace(slot, end=slot.start + len(words))
    return Way(text[: slot.start] + words + text[slot.end :], place, text[slot.start : slot.end], part.names, bare)


def _find_names(part: SaidPart, slot: SlotValue) -> Iterator[tuple[str, int]]:
    """Yield the names in what a slot holds that are only a part of its words, with where they begin in these."""
    said = part.text[slot.start : slot.end].casefold()
    for name in (each.casefold() for each in _list_names(slot.value)):
        if name and name in said and name != said:
            yield name, said.find(name)


def _list_inner(part: SaidPart, slot: SlotValue, new: str) -> Iterator[Way]:
    for name, begin in _find_names(part, slot):
        start, end = slot.start + begin, slot.start + begin + len(name)
        front, behind = part.text[:start].split(), part.text[end : slot.end].split()
        words = new.split()
        if front and len(words) > 1 and words[0].casefold() == front[-1].casefold():
            words = words[1:]
        if behind and len(words) > 1 and words[-1].casefold() == behind[0].casefold():
            words = words[:-1]
        bare = " ".join(words)
        yield _put(part, replace(slot, start=start, end=end), bare, bare)


def _list_owners(part: SaidPart, slot: SlotValue, new: str, articles: Collection[str]) -> Iterator[Way]:
    for _, begin in _find_names(part, slot):
        start = slot.start + _drop_last(part.text[slot.start : slot.start + begin], articles)
        yield _put(part, replace(slot, start=start), new, new)


def _drop_last(front: str, articles: Collection[str]) -> int:
    words = front.split()
    return len(front.rstrip()) - len(words[-1]) if words and words[-1].casefold() in articles else len(front)


def _is_named(bare: str, name: str, slot: SlotValue) -> bool:
    """Whether a name is what was said; of a source of sound, that with a word for what it is."""
    said, found = bare.casefold(), name.casefold()
    return found in said if isinstance(slot.value, Mapping) else found == said


def _list_names(value: object) -> list[str]:
    """Return the names in what a slot holds: the last part of a path, or the things of a source of sound; none of an element."""
    if isinstance(value, Mapping):
        return [str(each) for each in cast("Mapping[str, object]", value).values()]
    if isinstance(value, int | float):
        return [f"{value:g}"]
    if not isinstance(value, str) or _FORM.match(value):
        return []
    return [value.rstrip("/").rpartition("/")[2]]


def choose_ways(ways: Sequence[tuple[Way, SlotValue]]) -> list[Way]:
    """Return those of several ways in which the new words are most like those that they take the place of."""
    likeness = [_compare(way, slot) for way, slot in ways]
    return [way for (way, _), alike in zip(ways, likeness, strict=True) if alike == max(likeness)]


def _compare(way: Way, filled: SlotValue) -> tuple[bool, bool, int]:
    """Return how alike the words for two things are: by their shape, by what they came to, and by the words that they share."""
    shared = set(way.words.casefold().split()) & set(way.before.casefold().split())
    is_like = _find_form(way.slot.value) == _find_form(filled.value)
    return is_alike(way), is_like, len(shared)


def _find_form(value: object) -> str:
    form = _FORM.match(value) if isinstance(value, str) else None
    return form[1] if form else type(value).__name__


def add_at_end(part: SaidPart, new: str) -> str:
    """Return a request with what is new behind it: "mute", then "the microphone"."""
    return f"{part.text.rstrip(_EDGES + '.')} {new}"


def is_alike(way: Way) -> bool:
    """Tell whether the new words look like those that they take the place of: a file's name like a file's name."""
    return _find_shape(way.words) == _find_shape(way.before)


def is_vague(way: Way, change: Change, free: Collection[str]) -> bool:
    """Tell whether what is new may be words about something else, put where any words may stand."""
    return not change.is_sure and way.slot.name.removesuffix("_after") in free and _find_shape(way.words) == "name"


def _find_shape(words: str) -> str:
    """Return what words look like: an address, a page, a number, a file or a name."""
    if "@" in words:
        return "address"
    if "://" in words:
        return "page"
    if words.strip("%").replace(".", "").isdecimal():
        return "number"
    return "file" if _ENDING.search(words) else "name"


def _cut(step: tuple[Clause, ...]) -> SaidPart:
    start = step[0].start
    own = tuple(slot.move(-start) for clause in step for slot in clause.slots)
    return SaidPart(step[0].text, _drop_doubles(own), tuple(clause.name for clause in step))


def _drop_doubles(slots: Sequence[SlotValue]) -> tuple[SlotValue, ...]:
    return tuple({(slot.start, slot.end): slot for slot in slots if slot.end > slot.start}.values())


def _cut_group(match: re.Match[str], name: str, utterance: str) -> str:
    if name not in match.re.groupindex or match[name] is None:
        return ""
    return utterance[match.start(name) : match.end(name)].strip(_EDGES)


def _is_about(old: str, said: str) -> bool:
    return old.casefold() in said.casefold() or said.casefold() in old.casefold()


def _drop_lead(new: str, front: str) -> str:
    first, _, rest = new.partition(" ")
    words = front.split()
    return rest.strip() if rest.strip() and words and words[-1].casefold() == first.casefold() else new
