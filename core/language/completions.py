"""Completions: how the answer to the question of a refusal becomes part of the sentence that was refused.

The question of a phrase goes with ways to say the whole, with the answer in its place:

    say copy {source:file}
    refuse missing_slot: Where shall I copy it to?
    fill destination: {clause} to {answer}

``{clause}`` is what was said, ``{source}`` the words of a slot, and an answer in quotes is taken byte for byte. What stands in
square brackets is left out where its slot wasn't filled. ``*`` is any param. Where a sentence can mean one of a few things,
``choice`` says each of them in full.
"""

import re

from core.language.grammars.grammar import Fill
from core.language.meanings.interpretation import Choice, Completion
from core.language.phrases.matches import Match

_PART = re.compile(r"\{(\w+)\}")
_MAYBE = re.compile(r"\[([^\]]*\{(\w+)\}[^\]]*)\]")
_ANY = "*"
_ANSWER = "{answer}"
_QUOTED = f'"{_ANSWER}"'
_GOES_ON = Fill("*", f"{{clause}} {_ANSWER}")
"""What any question understands: an answer that goes on where the sentence stopped ("copy a.txt" … "to Documents")."""


def list_completions(match: Match) -> tuple[Completion, ...]:
    """Return the ways in which an answer can complete a sentence, the first that does counts."""
    fills = match.entry.phrase.fills
    if match.entry.phrase.refuses != "missing_slot":
        ways = list(fills)
    else:
        ways = [*fills, _GOES_ON._replace(slot=fills[0].slot if fills else _ANY)]
    return tuple(_make_completion(match, fill) for fill in ways)


def list_choices(match: Match) -> tuple[Choice, ...]:
    """Return what a sentence can mean, each with the sentence that says so."""
    return tuple(Choice(name, _wrap(match, _write(match, text))) for name, text in match.entry.phrase.choices.items())


def _make_completion(match: Match, fill: Fill) -> Completion:
    is_quoted = _QUOTED in fill.text
    before, _, after = fill.text.partition(_QUOTED if is_quoted else _ANSWER)
    source, span = match.span.sentence.source, match.span
    before, after = source[: span.start] + _write(match, before), _write(match, after) + source[span.end :]
    return Completion("" if fill.slot == _ANY else fill.slot, before, after, is_quoted)


def _wrap(match: Match, clause: str) -> str:
    source, span = match.span.sentence.source, match.span
    return source[: span.start] + clause + source[span.end :]


def _write(match: Match, text: str) -> str:
    """Return a part of a way to say the whole, with the words of the sentence in it."""
    sure = _MAYBE.sub(lambda found: found[1] if _find_words(match, found[2]) else "", text)
    return _PART.sub(lambda found: _find_words(match, found[1]), sure)


def _find_words(match: Match, name: str) -> str:
    if name == "clause":
        return match.span.text
    source = match.span.sentence.source
    return next((source[slot.start : slot.end] for slot in match.slots if slot.name == name), "")
