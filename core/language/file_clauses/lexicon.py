"""FileLexicon: which classes the words of a clause belong to, in whatever form they are said."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from core.language.file_clauses.tokens import FileToken, split_tokens, split_words
from core.language.files.globs import write_kind
from core.language.grammars.file_clause_words import FileClauseWords, VerbForms
from core.language.sentences.spans import Span

_GAP = "~"
ACT, REST, MANNER, KIND, COUNT = "act", "rest", "manner", "kind", "count"


class WordSense(NamedTuple):
    """What a few words can be.

    Attributes:
        kind: Their class; ``act``, ``rest`` (what belongs to an act in front), ``manner`` and ``kind`` have a value.
        value: What an act or a manner comes to, the glob of a kind, or the words that belong to an act.
        form: How an act is said: ``plain``, ``gerund``, ``done`` or ``wanted``, which says by itself that it is.
        rest: The words that have to follow somewhere behind, if any: "throw … away".
    """

    kind: str
    size: int
    value: str = ""
    form: str = ""
    rest: str = ""


class FileLexicon:
    """The words of one language by their first."""

    def __init__(
        self,
        words: FileClauseWords,
        endings: frozenset[str],
        no_names: frozenset[str],
        bare_files: frozenset[str] = frozenset(),
    ) -> None:
        """Sort the words.

        Args:
            no_names: Words that no name without quotes holds.
        """
        self.bare_files = bare_files
        """Names of files that have no ending, in lower case."""
        self._entries: dict[str, list[tuple[tuple[str, ...], WordSense]]] = {}
        self._plurals, self._endings = words.plurals, endings
        tables = (words.classes, words.manners, words.kinds, words.states, words.wants, words.counts)
        makers: tuple[Callable[[str], WordSense], ...] = (
            lambda kind: WordSense(kind, 0),
            lambda manner: WordSense(MANNER, 0, manner),
            lambda glob: WordSense(KIND, 0, glob),
            lambda act: WordSense(ACT, 0, act, "done"),
            lambda act: WordSense(ACT, 0, act, "wanted"),
            lambda number: WordSense(COUNT, 0, number),
        )
        for table, make in zip(tables, makers, strict=True):
            for name, texts in table.items():
                self._add_all(texts, make(name))
        for name, ended in words.endings.items():
            glob = write_kind(ended)
            for kind in (KIND, "ending"):
                self._add_all(words.one.get(name, ()), WordSense(kind, 0, glob))
            self._add_all(words.many.get(name, ()), WordSense("kinds", 0, glob))
        self._add_all(no_names, WordSense("no_name", 0))
        for act, texts in words.acts.items():
            for text in texts:
                self._add_act(act, text, words.forms)

    def list_beginnings(self, kinds: frozenset[str]) -> frozenset[str]:
        """Return the words that what is of some classes begins with, whatever stands behind them."""
        return frozenset(
            word for word, entries in self._entries.items() if any(sense.kind in kinds for _, sense in entries)
        )

    def is_ending(self, text: str) -> bool:
        """Whether a word is the ending of files, or several of such files: "pdf", ".pdf", "pdfs"."""
        return text.removeprefix(".") in self._endings or bool(self._find_several(text))

    def list_senses(self, tokens: list[FileToken], position: int) -> Iterator[WordSense]:
        """Yield what the words at a position can be, however many of them."""
        token = tokens[position]
        behind = tokens[position + 1].text if position + 1 < len(tokens) else None
        for words, sense in self._entries.get(token.text, ()):
            if len(words) == 1 or (words[1] == behind and _is_said(tokens, position, words)):
                yield sense
        if (ending := token.text.removeprefix(".")) in self._endings:
            yield WordSense(KIND, 1, f"*.{ending}")
            yield WordSense("ending", 1, f"*.{ending}")
        if several := self._find_several(token.text):
            yield WordSense("kinds", 1, several)

    def _find_several(self, text: str) -> str:
        """Return the glob of a word like "pdfs"; empty for another."""
        ending = text.removesuffix(self._plurals.suffix)
        is_one = ending != text and ending in self._endings and text not in self._plurals.exceptions
        return f"*.{ending}" if is_one else ""

    def _add_all(self, texts: Iterable[str], sense: WordSense) -> None:
        for text in texts:
            self._add(text, sense)

    def _add(self, text: str, sense: WordSense) -> None:
        """Add words with a sense, those with an apostrophe without it, too: "what's", "whats"."""
        if "'" in text:
            self._add(text.replace("'", ""), sense)
        words = split_words(text)
        self._entries.setdefault(words[0], []).append((words, sense._replace(size=len(words))))

    def _add_act(self, act: str, text: str, forms: VerbForms) -> None:
        front, _, rest = (part.strip() for part in text.partition(_GAP))
        if rest:
            self._add(rest, WordSense(REST, 0, rest))
        first, _, more = front.partition(" ")
        for said, form in _list_forms(first, forms):
            whole = f"{said} {more}".strip()
            self._add(f"{whole} {rest}".strip(), WordSense(ACT, 0, act, form))
            if rest:
                self._add(whole, WordSense(ACT, 0, act, form, rest))


def _is_said(tokens: list[FileToken], position: int, words: tuple[str, ...]) -> bool:
    """Whether words stand at a position."""
    said = tokens[position : position + len(words)]
    return len(said) == len(words) and all(token.text == word for token, word in zip(said, words, strict=True))


def _list_forms(verb: str, forms: VerbForms) -> Iterator[tuple[str, str]]:
    yield verb, "plain"
    if verb in forms.auxiliary:
        return
    own = forms.irregular.get(verb)
    stem = verb + verb[-1] if verb in forms.doubling else verb
    third, gerund, done = own or (_end(verb, forms.third), _end(stem, forms.gerund), _end(stem, forms.participle))
    yield from ((third, "plain"), (gerund, "gerund"), (done, "done"))


def _end(verb: str, endings: tuple[tuple[str, str], ...]) -> str:
    for old, new in endings:
        if verb.endswith(old):
            return verb.removesuffix(old) + new
    return verb


class ClauseWords:
    """The words of one clause, and what each can be."""

    def __init__(self, span: Span, lexicon: FileLexicon) -> None:
        self.span = span
        self.tokens: list[FileToken] = [
            token._replace(is_file=True) if token.text in lexicon.bare_files else token for token in split_tokens(span)
        ]
        self._lexicon = lexicon

    @cached_property
    def senses(self) -> list[list[WordSense]]:
        """What the words at each position can be."""
        return [list(self._lexicon.list_senses(self.tokens, position)) for position in range(len(self.tokens))]

    def cut(self, start: int, end: int) -> Span:
        """Return the part of the sentence between two tokens."""
        return Span(self.span.sentence, self.tokens[start].start, self.tokens[end - 1].end)
