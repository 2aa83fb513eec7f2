"""Verb forms: phrases of a language whose verb stands now in front of what it is about, now behind it, and comes apart.

A phrase names the act instead of writing its verb:

    say ~delete [die] [Datei] {name:one_file}

and the language's words say which verbs mean the act, what their forms are made of, and in which ways a form and the rest of
the phrase become a sentence: "lösche die Datei a.txt", "die Datei a.txt löschen", "ich möchte, dass du die Datei a.txt
löschst". Where something else stands behind the verb, a ``~`` by itself marks its place. So a verb is one word in a list and
a phrase one line, whatever the order.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from core.base.errors import TableError
from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late

_NAME = compile_late(r"~(\w+)\s*(.*)", re.DOTALL)
_MARK = compile_late(r"(?<!\S)~(?!\S)")
_WAYS = compile_late(r"[()|]")
_FORM = compile_late(r"\{(\w+)\}")
# What a phrase is about first: up to its first slot.
_OBJECT = compile_late(r"([^{]*\{[^}]*\})(.*)", re.DOTALL)
_APART = "apart"


class ActWords(NamedTuple):
    """The verbs of a language whose verbs move. Without any, phrases are as they are written.

    Attributes:
        forms: What each form of a verb is made of: ``{stem}``, and ``{apart}`` for the part that stands by itself in other forms.
        ways: How a form and the ``{rest}`` of a phrase make a sentence, as phrases with ``{form}`` in them; ``{apart}`` is
            the part that stands by itself, ``{object}`` and ``{others}`` are the rest up to its first slot and behind it.
        verbs: The verbs of each act: its stem, with ``|`` behind the part that comes apart: ``weg|werf``.
        barred: Words that no sentence begins with whose verb stands last: they would make another sentence of it.
    """

    forms: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    ways: tuple[str, ...] = ()
    verbs: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    odd: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType({})
    barred: frozenset[str] = frozenset()


@dataclass(frozen=True)
class WayOfAct:
    """One way to say an act, with the verbs that have the same part apart.

    Attributes:
        first: The words that such a sentence begins with; empty where it is known by its last word.
    """

    text: str
    words: Mapping[str, Sequence[str]]
    first: frozenset[str]
    last: frozenset[str]

    def write(self, rest: str) -> str:
        """Return what the rest of a phrase becomes with the verb in it."""
        front, *behind = (part.strip() for part in _MARK.split(rest, 1))
        told = _OBJECT.match(front)
        is_whole = told is not None and all(told[1].count(a) == told[1].count(b) for a, b in ("()", "[]"))
        first, others = (told[1], told[2]) if told and is_whole else (front, "")
        text = self.text.replace("{rest}", front).replace("{object}", first).replace("{others}", others)
        for form, words in self.words.items():
            text = text.replace(f"{{{form}}}", words[0] if len(words) == 1 else f"({'|'.join(words)})" if words else "")
        return " ".join([*text.split(), *" ".join(behind).split()])


class Acts:
    """The acts of a language, and the ways in which each is said."""

    def __init__(self, words: ActWords, fragments: Mapping[str, str]) -> None:
        self._words, self._fragments = words, fragments
        self._ways: dict[str, tuple[WayOfAct, ...]] = {}
        self._forms: dict[tuple[str, str], Sequence[str]] = {}

    @cached_property
    def barred(self) -> frozenset[str]:
        """Words that no sentence begins with whose verb stands last."""
        return frozenset(self._words.barred)

    def split(self, template: str) -> tuple[str, str] | None:
        """Return the act that a phrase names and the rest of it; None where it names none.

        Raises:
            TableError: If there is no such act.
        """
        named = _NAME.fullmatch(template) if template.startswith("~") else None
        if named and named[1] not in self._words.verbs:
            raise TableError(f"The phrase “{template}” names the act “{named[1]}”, which there isn't.")
        return (named[1], named[2]) if named else None

    def list_ways(self, act: str) -> tuple[WayOfAct, ...]:
        """Return the ways in which an act is said; those with a part apart first, which else went for the end of a name."""
        if act not in self._ways:
            verbs = self._words.verbs[act]
            parts = sorted({verb.rpartition("|")[0] for verb in verbs}, key=lambda part: (not part, part))
            apart = [(part, [verb for verb in verbs if verb.rpartition("|")[0] == part]) for part in parts]
            self._ways[act] = tuple(
                self._make(way, part, group)
                for way in self._words.ways
                for part, group in (apart if "{apart}" in way else [("", verbs)])
            )
        return self._ways[act]

    def _make(self, way: str, apart: str, verbs: Sequence[str]) -> WayOfAct:
        known: dict[str, Sequence[str]] = {_APART: [apart] if apart else []}
        for form in _FORM.findall(way):
            if form in self._words.forms:
                known[form] = list(dict.fromkeys(each for verb in verbs for each in self._list_forms(form, verb)))
        first, *_, last = way.split()
        head, tail = _FORM.fullmatch(first), _FORM.fullmatch(last)
        if head and head[1] in known:
            return WayOfAct(way, known, frozenset(word.split()[0].lower() for word in known[head[1]]), frozenset())
        ends = known[tail[1]] if tail else _WAYS.split(self._fragments.get(last.strip("<>"), last))
        return WayOfAct(way, known, frozenset(), frozenset(word.split()[-1].lower() for word in ends if word))

    def _list_forms(self, form: str, verb: str) -> Sequence[str]:
        if (form, verb) not in self._forms:
            apart, _, stem = verb.rpartition("|")
            patterns = self._words.forms[form]
            said = [pattern.replace("{apart}", apart).replace("{stem}", stem) for pattern in patterns]
            front = apart if any("{apart}" in pattern for pattern in patterns) else ""
            self._forms[form, verb] = said + [front + odd for odd in self._words.odd.get(stem, {}).get(form, ())]
        return self._forms[form, verb]
