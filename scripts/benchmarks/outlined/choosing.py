"""Which line of an outline is meant by a step: the one that shares most words with it, among those of a kind that the step can be done with."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from scripts.benchmarks.outlined.lines import SeenLine
from scripts.benchmarks.outlined.steps import Step, StepKind

ENOUGH = 0.55
SIMILAR = 85
_BY_CONTEXT = 0.7
_SPARE_WORD = 0.04
_MOST_SPARE = 5
_UNUSABLE = re.compile(r"\b(disabled|covered by)\b")
_UNUSABLE_COST = 0.15
_PLACE_COST = 0.05
"""What is pressed is rather what stands in a place than the place itself."""
_WORD = re.compile(r"\w+")
_EMPTY = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "is",
        "it",
        "its",
        "my",
        "of",
        "on",
        "that",
        "the",
        "this",
        "to",
        "under",
        "with",
    ]
)
_FILLED = frozenset(("field", "textbox", "searchbox", "combobox", "spinbutton"))
_TICKED = frozenset(("checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio", "treeitem", "option"))
_CHOSEN = _FILLED | _TICKED | {"listbox", "button", "control", "link", "listitem", "cell", "menuitem", "tab", "look"}
_SET = _FILLED | {"slider", "group", "listbox"}
_PLACES = frozenset(("row", "cell", "listitem", "record", "text", "image", "treeitem"))
_PRESSED = (_TICKED | _CHOSEN | _PLACES | {"icon", "columnheader", "look"}) - _FILLED - {"listbox"}
KINDS: dict[StepKind, frozenset[str]] = {
    "fill": _FILLED,
    "choose": _CHOSEN,
    "set": _SET,
    "tick": _TICKED,
    "clear": _TICKED,
    "press": _PRESSED,
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A line, how well it fits (1 is best), and which words of the step it leaves unsaid."""

    line: SeenLine
    score: float
    unsaid: tuple[str, ...]


def list_words(text: str) -> list[str]:
    """Return the words of a text that mean something, in lower case."""
    words = [word.casefold() for word in _WORD.findall(text)]
    return [word for word in words if word not in _EMPTY] or words


def rank_lines(lines: Iterable[SeenLine], step: Step, words: Sequence[str]) -> list[Choice]:
    """Return the lines that a step can be done with, the best first; none that shares no word with it.

    Args:
        lines: What was seen.
        step: The step.
        words: The words to look for.
    """
    choices = [_judge(line, words) for line in lines if line.kind in KINDS[step.kind]]
    return sorted((each for each in choices if each.score > 0), key=lambda each: -each.score)


def overlap(words: Sequence[str], text: str) -> float:
    """Return which share of the words is in a text."""
    there = list_words(text)
    return sum(bool(_find(word, there)) for word in words) / max(1, len(words))


def holds_kind(step: Step, said: str) -> bool:
    """Tell whether a hidden part, as in “1 switch, hidden”, holds what a step is done with; almost everything can be pressed, which tells nothing."""
    kinds = {word.removesuffix("s").removesuffix("e") for word in list_words(said)} | set(list_words(said))
    return step.kind != "press" and bool(KINDS[step.kind] & kinds)


def _judge(line: SeenLine, words: Sequence[str]) -> Choice:
    own = list_words(line.name)
    context = [line.kind, *list_words(f"{line.context} {line.facts}")]
    said = [max(_find(word, own), _BY_CONTEXT * _find(word, context)) for word in words]
    spare = sum(not _find(word, words) for word in own)
    score = sum(said) / max(1, len(words)) - _SPARE_WORD * min(spare, _MOST_SPARE)
    if _UNUSABLE.search(line.facts):
        score -= _UNUSABLE_COST
    if line.kind in _PLACES:
        score -= _PLACE_COST
    unsaid = tuple(word for word, share in zip(words, said, strict=True) if not share)
    return Choice(line, score, unsaid)


def _find(word: str, others: Collection[str]) -> float:
    """Return how like the word the likest of the others is: 1 for itself, 0 for none that is similar."""
    found = process.extractOne(word, others, scorer=fuzz.ratio, score_cutoff=SIMILAR)
    return found[1] / 100 if found else 0.0
