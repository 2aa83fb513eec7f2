"""Which field of a form is meant by what people say about its value: "directed by Ada" is the field Director."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.base.errors import TargetError
from core.base.matching import fold_space

LEAST_STEM = 5
"""Characters that two words of one family begin with: directed, director."""
LEAST_WORD = 3
"""Characters of a word that another one may begin with: year, years."""
_BEST, _WHOLE, _AKIN, _SOME, _MARKED = 5, 4, 3, 2, 1
_WORDS = re.compile(r"[^\W_]+")
_PREFIX = re.compile(r"\b(\w{1,2})-(?=\w)")  # e-mail, re-enter
# What says nothing about which field is meant, beside other words.
_SMALL = frozenset([
    "a", "an", "and", "at", "by", "der", "die", "das", "for", "from",
    "in", "of", "on", "or", "please", "the", "to", "von", "with", "your",
])  # fmt: skip
# What a page calls the field that takes a value once more.
_ONCE_MORE = frozenset(
    ["again", "confirm", "confirmation", "re", "repeat", "repeated", "retype", "reenter", "verify", "wiederholen"]
)


@dataclass(frozen=True, slots=True)
class FoundField:
    """A field that can be filled in.

    Attributes:
        names: What people may call it: labels, hint, the words beside it.
        marks: What its author calls it: id, name.
        value: What the page says elsewhere under the same label; empty if it says nothing, or it isn't clear what.
        held: The text that it holds; None for secrets and for what isn't a text.
    """

    names: tuple[str, ...]
    marks: tuple[str, ...] = ()
    is_empty: bool = True
    value: str = ""
    held: str | None = None

    @property
    def name(self) -> str:
        """What messages call it."""
        return (self.names or self.marks or ("",))[0]


def match_fields(asked: Mapping[str, str], fields: Sequence[FoundField]) -> dict[str, list[int]]:
    """Return the places of the fields that words mean: first the one that is called so, then one that takes the same once more.

    Words that no field answers to mean the only empty field that is left, if they are the only such words and all others were found.

    Raises:
        TargetError: ``target_missing`` if words mean no field, ``target_ambiguous`` if they mean several.
    """
    found: dict[str, int] = {}
    for least in range(_BEST, 0, -1):
        while step := _find_sure(asked, fields, found, least):
            found |= step
    left = [words for words in asked if words not in found]
    empty = [place for place, each in enumerate(fields) if place not in found.values() and each.is_empty]
    repeated = {place for words in found for place in _find_repeated(words, found[words], fields)}
    empty = [place for place in empty if place not in repeated]
    if len(left) == 1 and len(empty) == 1 and found and not _list_rivals(left[0], fields, found):
        found[left[0]] = empty[0]
        left = []
    if left:
        raise _refuse(left, fields, found)
    return {words: [found[words], *_find_repeated(words, found[words], fields)] for words in asked}


def _find_sure(
    asked: Mapping[str, str], fields: Sequence[FoundField], found: Mapping[str, int], least: int
) -> dict[str, int]:
    """Return words and the one field that fits them best, if none of the other words fit it as well."""
    wanted = {words: _list_rivals(words, fields, found) for words in asked if words not in found}
    for words, rivals in wanted.items():
        others = [each for each, claimed in wanted.items() if each != words and claimed == rivals]
        if len(rivals) == 1 and not others and _rate(words, fields[rivals[0]]) >= least:
            return {words: rivals[0]}
    return {}


def _list_rivals(words: str, fields: Sequence[FoundField], found: Mapping[str, int]) -> list[int]:
    taken = frozenset(found.values())
    rated = [(0 if place in taken else _rate(words, each), place) for place, each in enumerate(fields)]
    best = max((rate for rate, _ in rated), default=0)
    return [place for rate, place in rated if rate == best and best]


def _rate(words: str, field: FoundField) -> int:
    said = _split(words)
    rates = [_rate_name(said, _split(name)) for name in field.names]
    rates += [_MARKED for mark in field.marks if said and all(_has_akin(each, _split(mark)) for each in said)]
    return max(rates, default=0)


def _rate_name(said: list[str], name: list[str]) -> int:
    if not said or not name:
        return 0
    if said == name:
        return _BEST
    if set(said) <= set(name):
        return _WHOLE
    akin = [each for each in said if _has_akin(each, name)]
    return _AKIN if len(akin) == len(said) else _SOME if akin else 0


def _has_akin(word: str, others: Sequence[str]) -> bool:
    return any(word == each or _is_akin(word, each) for each in others)


def _is_akin(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if len(short) > LEAST_WORD and long.startswith(short):
        return len(long) - len(short) <= LEAST_STEM
    return len(short) > LEAST_STEM and short[:LEAST_STEM] == long[:LEAST_STEM]


def _split(text: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", fold_space(text))
    words = [each.casefold() for each in _WORDS.findall(_PREFIX.sub(r"\1", spaced))]
    return [each for each in words if each not in _SMALL] or words


def _find_repeated(words: str, place: int, fields: Sequence[FoundField]) -> list[int]:
    """Return the fields that take the value of words once more: "Confirm password"."""
    name = set(_split(fields[place].name)) or set(_split(words))
    if name & _ONCE_MORE:
        return []
    others = ((other, set(_split(each.name))) for other, each in enumerate(fields) if other != place and each.is_empty)
    return [other for other, there in others if there & _ONCE_MORE and name <= there]


def _refuse(left: Sequence[str], fields: Sequence[FoundField], found: Mapping[str, int]) -> TargetError:
    names = [each.name for each in fields]
    evidence = {"fields": names, "unmatched": list(left)}
    shown = ", ".join(f'"{name}"' for name in names if name) or "none that has a name"
    for words in left:
        rivals = _list_rivals(words, fields, found)
        if not rivals:
            continue
        several = " and ".join(f'"{names[place]}"' for place in rivals)
        unclear = f"{words!r} could mean several fields: {several}."
        return TargetError(
            f"{unclear if len(rivals) > 1 else f'{several} got more than one value.'} Nothing was filled in.",
            code="target_ambiguous",
            hint="Name the field as the page does.",
            evidence=evidence,
        )
    return TargetError(
        f"No field on this page is called {left[0]!r}. Fields: {shown}. Nothing was filled in.",
        hint="Name the fields as the page does.",
        evidence=evidence,
    )
