"""The same request in other words: talk around it, other spelling, another order, synonyms.

Each perturbation makes one sentence of one, or None where it has nothing to change. What a person means literally stays: quoted text,
paths, numbers, and the values of the label. The words are in `perturbations.toml`, and which of them is taken depends on the sentence and
the perturbation alone, so that another sentence more or less changes nothing for the others.
"""

import hashlib
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from scripts.benchmarks.sentences.labels import Labelled

SEED = 16
WORDS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("perturbations.toml").read_text(encoding="utf-8"))
TALK = ("talk in front", "talk behind", "talk inside")
"""Kinds that add what carries nothing."""

OPEN_TEXTS = frozenset({"text", "query", "content", "value"})
"""Params whose values may be any words, so that nothing tells where they end."""

_QUOTED = re.compile("\"[^\"]*\"|(?<!\\w)'[^']*'(?!\\w)|“[^”]*”|‘[^’]*’|`[^'`]*['`]")
_TOKEN = re.compile(r"\S+")
_PLAIN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[,.;:!?]*")
_ENDS = " .!?;,"


T = TypeVar("T")


class Picker:
    """Picks by hash, so that one choice more or less changes few picks."""

    def __init__(self, seed: str) -> None:
        """Take what the picks depend on."""
        self._seed = seed

    def choice(self, choices: Sequence[T]) -> T:
        """Return one of them."""
        return min(choices, key=self.rank)

    def rank(self, choice: object) -> bytes:
        """Return where it stands among others; the first is picked."""
        return hashlib.sha256(f"{self._seed} {choice}".encode()).digest()


Maker = Callable[[Labelled, Picker], str | None]


class Word(NamedTuple):
    """A word of a sentence, with its places."""

    start: int
    end: int
    text: str

    @property
    def plain(self) -> str:
        """It in small letters, without punctuation."""
        return self.text.strip(",.;:!?").casefold()


class Held(NamedTuple):
    """A part of a sentence that is meant literally.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        is_open: Whether it is open text without quotes, to which a neighbouring word would belong.
    """

    start: int
    end: int
    is_open: bool = False


def perturb(sentence: Labelled, kind: str) -> Labelled | None:
    """Return a sentence perturbed in one way; None where that changes nothing of it."""
    text = MAKERS[kind](sentence, Picker(f"{SEED} {kind} {sentence.text}"))
    return replace(sentence, text=text, original=sentence.text) if text and text != sentence.text else None


def ends_with_open_text(sentence: Labelled) -> bool:
    """Tell whether a sentence ends with unquoted text that is to be typed or searched for: whatever stands behind belongs to it."""
    return any(held.is_open and held.end >= len(sentence.text.rstrip(_ENDS)) for held in list_held(sentence))


def list_held(sentence: Labelled) -> list[Held]:
    """Return what of a sentence is meant literally."""
    text = sentence.text
    quoted = [Held(found.start(), found.end()) for found in _QUOTED.finditer(text)]
    marked = [Held(word.start, word.end) for word in _split(text) if not _PLAIN.fullmatch(word.text)]
    return [*quoted, *marked, *_find_values(sentence, quoted)]


def _find_values(sentence: Labelled, quoted: Sequence[Held]) -> list[Held]:
    """Return where the values of the label stand."""
    found: list[Held] = []
    for goal in sentence.goals:
        for name, value in goal["params"].items():
            start = sentence.text.casefold().find(str(value).casefold())
            if start >= 0:
                is_quoted = any(held.start <= start < held.end for held in quoted)
                found.append(Held(start, start + len(str(value)), name in OPEN_TEXTS and not is_quoted))
    return found


def _split(text: str) -> list[Word]:
    return [Word(found.start(), found.end(), found[0]) for found in _TOKEN.finditer(text)]


def _list_free(sentence: Labelled) -> list[Word]:
    """Return the words of a sentence that aren't meant literally."""
    held = list_held(sentence)
    return [
        word
        for word in _split(sentence.text)
        if not any(word.start < each.end and each.start < word.end for each in held)
    ]


def add_in_front(sentence: Labelled, pick: Picker) -> str | None:
    """Add a greeting, a filler or a request in front."""
    if sentence.is_answer:
        return f"{pick.choice(WORDS['front_of_answers'])} {_begin_small(sentence.text)}"
    words = _split(sentence.text)
    is_command = bool(words) and words[0].plain in WORDS["commands"]
    choices = _choose_talk(sentence, [*WORDS["front"], *(WORDS["request"] if is_command else ())])
    return f"{pick.choice(choices)} {_begin_small(sentence.text)}"


def _choose_talk(sentence: Labelled, talk: Sequence[str]) -> Sequence[str]:
    """Return the talk that answers nothing where the sentence is one that must not be understood; else all of it."""
    return talk if sentence.goals else [said for said in talk if not set(said.split()).intersection(WORDS["agreeing"])]


def _begin_small(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def add_behind(sentence: Labelled, pick: Picker) -> str | None:
    """Add thanks, a name or a hurry behind."""
    if ends_with_open_text(sentence):
        return None
    text = sentence.text.rstrip(_ENDS)
    mark = "?" if sentence.text.rstrip().endswith("?") else ""
    said = pick.choice(_choose_talk(sentence, WORDS["behind_answers" if sentence.is_answer else "behind"]))
    return f"{text}{pick.choice(('', ','))} {said}{mark}"


def add_inside(sentence: Labelled, pick: Picker) -> str | None:
    """Add a hesitation between two words, or an aside in front of a preposition."""
    held, words = list_held(sentence), _split(sentence.text)
    gaps = [
        (before, after)
        for before, after in pairwise(words)
        if not any(each.start <= before.end - 1 and after.start < each.end for each in held)
        and not any(each.is_open and after.start == each.start for each in held)
        and not before.text.endswith((",", ".", ";", ":", "!", "?"))
    ]
    if not gaps:
        return None
    asides = [gap for gap in gaps if gap[1].plain in WORDS["before_asides"] and not sentence.is_answer]
    if asides and pick.choice((True, False)):
        said, (before, _) = pick.choice(_choose_talk(sentence, WORDS["asides"])), pick.choice(asides)
    else:
        said, (before, _) = pick.choice(WORDS["hesitations"]), pick.choice(gaps)
    comma = pick.choice(("", ","))
    return f"{sentence.text[: before.end]}{comma} {said}{comma}{sentence.text[before.end :]}"


def drop_apostrophes(sentence: Labelled, _: Picker) -> str | None:
    """Write "dont" for "don't"."""
    return _change_words(sentence.text, _list_apostrophes(sentence), lambda word: re.sub("['’]", "", word))


def _list_apostrophes(sentence: Labelled) -> list[Word]:
    return [word for word in _list_free(sentence) if re.search(r"\w['’]\w", word.text)]


def drop_commas(sentence: Labelled, _: Picker) -> str | None:
    """Leave the commas out, except in what is quoted."""
    quoted = [Held(found.start(), found.end()) for found in _QUOTED.finditer(sentence.text)]
    kept = [
        letter
        for place, letter in enumerate(sentence.text)
        if letter != "," or any(held.start <= place < held.end for held in quoted)
    ]
    return "".join(kept)


def change_order(sentence: Labelled, _: Picker) -> str | None:
    """Put a place to the front, or a particle behind its verb or what is turned."""
    return None if sentence.is_answer or not sentence.goals else _move_place(sentence) or _move_particle(sentence)


def _move_place(sentence: Labelled) -> str | None:
    words = _split(sentence.text.rstrip(_ENDS))
    if "," in sentence.text or ends_with_open_text(sentence):
        return None
    for index in range(len(words) - 2, max(1, len(words) - 6), -1):
        if words[index].plain in WORDS["places"] and words[index - 1].plain not in WORDS["bound"] and index >= 2:
            cut = words[index].start
            place, rest = sentence.text[cut : words[-1].end], sentence.text[:cut].rstrip()
            named = {word.plain for word in words[index + 1 :]}
            within = any(held.start < cut < held.end for held in list_held(sentence))
            is_place = not named.intersection(WORDS["no_place"]) and not _QUOTED.search(place) and not within
            return None if not is_place else f"{place}, {_begin_small(rest)}"
    return None


def _move_particle(sentence: Labelled) -> str | None:
    words = _split(sentence.text.rstrip(_ENDS))
    free = {word.start for word in _list_free(sentence)}
    for first, verb in enumerate(words):
        if verb.plain not in WORDS["particle_verbs"]:
            continue
        for last in range(first + 1, min(first + 5, len(words))):
            if words[last].plain in WORDS["particles"] and words[last].start in free:
                return _put_particle(sentence.text, words, first, last)
            if words[last].text.endswith(",") or words[last].plain in {"and", "to", "by", "in", "then"}:
                break
    return None


def _put_particle(text: str, words: Sequence[Word], first: int, last: int) -> str | None:
    """Return "turn down the sound" of "turn the sound down", and the other way round."""
    if last > first + 1:
        between = text[words[first].end : words[last - 1].end]
        return f"{text[: words[first].end]} {words[last].text}{between}{text[words[last].end :]}"
    thing = first + 2
    if len(words) < thing + 2 or words[thing].plain not in {"the", "my"}:
        return None
    if len(words) > thing + 2 and words[thing + 2].plain not in {"to", "by", "in", "on", "and", "please"}:
        return None
    end = words[thing + 1].end
    return f"{text[: words[first].end]} {text[words[thing].start : end]} {words[last].text}{text[end:]}"


def take_synonym(sentence: Labelled, pick: Picker) -> str | None:
    """Say one word by another of its class."""
    free = _list_free(sentence)
    found = [
        (run, other)
        for group in WORDS["synonyms"]
        if set(group["verbs"]).intersection(sentence.verbs)
        for run in _find_runs(free, group)
        for other in group["words"]
        if other.split() != [word.plain for word in run]
    ]
    if not found:
        return None
    run, other = pick.choice(found)
    mark = run[-1].text[len(run[-1].text.rstrip(",.;:!?")) :]
    written = other.capitalize() if run[0].text[:1].isupper() else other
    return f"{sentence.text[: run[0].start]}{written}{mark}{sentence.text[run[-1].end :]}"


def _find_runs(free: Sequence[Word], group: Mapping[str, Any]) -> list[Sequence[Word]]:
    """Return the runs of words that are a word of the class; of several that begin at a place, the longest."""
    runs: list[Sequence[Word]] = []
    for index, word in enumerate(free):
        if group.get("is_verb") and index and free[index - 1].plain not in WORDS["before_verbs"]:
            continue
        if group.get("is_verb") and not index and word.start:
            continue
        for said in sorted(group["words"], key=len, reverse=True):
            run = free[index : index + len(said.split())]
            if [each.plain for each in run] == said.split() and run[-1].end - run[0].start <= len(said) + 1:
                runs.append(run)
                break
    return runs


def change_case(sentence: Labelled, pick: Picker) -> str | None:
    """Write all letters small, all large, or each word with a capital."""
    free = _list_free(sentence)
    ways = {_change_words(sentence.text, free, way) for way in (str.lower, str.upper, _begin_large)} - {sentence.text}
    return pick.choice(sorted(ways)) if ways else None


def _begin_large(word: str) -> str:
    return word[:1].upper() + word[1:]


def double_word(sentence: Labelled, pick: Picker) -> str | None:
    """Say one word twice, as people do who hesitate; not one that asks for more when it is repeated."""
    words = [word for word in _list_free(sentence) if word.plain not in WORDS["counting"]]
    if not words or sentence.is_answer:
        return None
    word = pick.choice(words)
    return f"{sentence.text[: word.start]}{word.text.rstrip(',.;:!?')} {sentence.text[word.start :]}"


def _change_words(text: str, words: Sequence[Word], change: Callable[[str], str]) -> str:
    for word in reversed(words):
        text = text[: word.start] + change(word.text) + text[word.end :]
    return text


MAKERS: Mapping[str, Maker] = {
    "talk in front": add_in_front,
    "talk behind": add_behind,
    "talk inside": add_inside,
    "no apostrophes": drop_apostrophes,
    "no commas": drop_commas,
    "order": change_order,
    "synonyms": take_synonym,
    "letter case": change_case,
    "doubled word": double_word,
}
"""Every perturbation, by what it is called."""
