"""FileLexicon: which classes the words of a clause belong to, in whatever form they are said."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from core.base.late_parts import compile_late
from core.language.files.globs import write_kind
from core.language.grammars.word_classes import FileClauseWords, VerbForms
from core.language.sentences.literals import MARKS, Literal
from core.language.sentences.spans import Span

_OPENING, _CLOSING = "([{", ")]}"
_COMMAS = ",;:"
_COLON = ":"  # "C:" is a drive
_WRITTEN = frozenset("*?/\\~")
_NOT_PATHS = frozenset({"url", "email"})
_STARTS = frozenset(MARKS.values())
_GAP = compile_late(r"\s*")
# What nothing has to be taken off, as most words.
_PLAIN = compile_late(r"[^\W_]+(?:['-][^\W_]+)*(?=\s|$)")


class FileToken(NamedTuple):
    """A word, a literal or a comma.

    Attributes:
        text: As it was said, in lower case; empty for a literal.
        literal: The literal that it is, if it is one.
        is_file: Whether it is the name of a file that has no ending: "Makefile".
    """

    start: int
    end: int
    text: str
    literal: Literal | None = None
    is_file: bool = False

    @property
    def is_quoted(self) -> bool:
        """Whether it is a text in quotes."""
        return self.literal is not None and self.literal.kind in {"quote", "code"}

    @property
    def is_written(self) -> bool:
        """Whether it is a path, a glob or a name in quotes: nothing that is only a word."""
        if self.literal is not None:
            return self.literal.kind not in _NOT_PATHS
        return self.is_file or (
            len(self.text) > 1 and (not _WRITTEN.isdisjoint(self.text) or self.text.startswith("."))
        )

    @property
    def is_word(self) -> bool:
        """Whether it is a word that may be a name."""
        return self.literal is None and self.text[:1].isalnum() and not self.is_written


def split_tokens(span: Span) -> list[FileToken]:
    """Return the tokens of a clause; what stands in brackets is read as if it stood there without them."""
    position, tokens = span.start, list[FileToken]()
    while position < span.end:
        position = _add_token(span, position, tokens)
    return tokens


def find_first_token(span: Span) -> FileToken | None:
    """Return the first token of a clause; None where it has none."""
    tokens = list[FileToken]()
    if span.start < span.end:
        _add_token(span, span.start, tokens)
    return tokens[0] if tokens else None


def _add_token(span: Span, start: int, tokens: list[FileToken]) -> int:
    mask, end = span.sentence.mask, span.end
    if plain := _PLAIN.match(mask, start, end):
        tokens.append(FileToken(start, plain.end(), plain[0].lower()))
        position = plain.end()
    elif literal := span.sentence.literals.get(start) if mask[start] in _STARTS else None:
        tokens.append(FileToken(start, literal.end, "", literal))
        position = literal.end
    elif mask[start].isspace():
        position = start + 1
    else:
        position = _add_word(span, start, tokens)
    gap = _GAP.match(mask, position, end)
    return gap.end() if gap else position


def _add_word(span: Span, start: int, tokens: list[FileToken]) -> int:
    mask, end = span.sentence.mask, start
    while end < span.end and not mask[end].isspace() and mask[end] not in _STARTS:
        end += 1
    first, last = start, end
    word = mask[first:last]
    if word in _COMMAS:
        tokens.append(FileToken(start, end, ","))
        return end
    if word[0] in _OPENING and (len(word) == 1 or _CLOSING[_OPENING.index(word[0])] not in word):
        first += 1
    elif word[0] in _OPENING and word[-1] in _CLOSING:
        first, last = first + 1, last - 1
    commas: list[FileToken] = []
    while last > first + 1 + (mask[last - 1] == _COLON) and (mask[last - 1] in _COMMAS or _is_stray(mask[first:last])):
        last -= 1
        if mask[last] in _COMMAS:
            commas.append(FileToken(last, last + 1, ","))
    if last > first:
        tokens.append(FileToken(first, last, mask[first:last].lower()))
    tokens.extend(commas)
    return end


def _is_stray(word: str) -> bool:
    return word[-1] in _CLOSING and _OPENING[_CLOSING.index(word[-1])] not in word


_APART = "~"
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
        words = tuple(text.split())
        self._entries.setdefault(words[0], []).append((words, sense._replace(size=len(words))))

    def _add_act(self, act: str, text: str, forms: VerbForms) -> None:
        front, _, rest = (part.strip() for part in text.partition(_APART))
        if rest:
            self._add(rest, WordSense(REST, 0, rest))
        first, _, more = front.partition(" ")
        for said, form in _list_forms(first, forms):
            whole = f"{said} {more}".strip()
            self._add(f"{whole} {rest}".strip(), WordSense(ACT, 0, act, form))
            if rest:
                self._add(whole, WordSense(ACT, 0, act, form, rest))


def _is_said(tokens: list[FileToken], position: int, words: tuple[str, ...]) -> bool:
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
