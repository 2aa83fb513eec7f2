"""What people dictate instead of writing it: ``example dot com slash login``, ``report dot pdf``, ``dash dash help``.

``SpokenLiterals.add`` looks for such words in a sentence whose written literals are masked already, and masks them as
well. The mask stays as long as the source; the value of the literal is what the words stand for. Where the words may
just be words, they stay words.
"""

import re
from functools import cached_property

from core.base.late_parts import compile_late
from core.language.sentences.literals import FILL, MARKS, Literal, Sentence
from core.language.sentences.patterns import compile_pattern, match_any_of
from core.language.sentences.spoken_numbers import SpokenWords

_LABEL = r"[^\W_][^\W_]*(?:-[^\W_]+)*"
_WRITTEN = f"[{MARKS['dotted']}{MARKS['url']}]{FILL}*"
_WORD_IN_FRONT = compile_late(r"(\w+)\s+$")


class SpokenLiterals:
    """Finds dictated addresses, names of files, options and capitals in the words of one language."""

    def __init__(self, words: SpokenWords, file_endings: frozenset[str]) -> None:
        self._words = words
        self._file_endings = file_endings
        listed = ((words.dots, "."), (words.slashes, "/"), (words.colons, ":"), (words.at, "@"))
        self.signs = {word: sign for said, sign in listed for word in said} | dict(words.inner)
        self._sign = compile_pattern(rf"(?<!\S)(?:{match_any_of(self.signs)})(?!\S)")

    @cached_property
    def _trigger(self) -> re.Pattern[str]:
        words = self._words
        return compile_pattern(rf"\b(?:{match_any_of([*words.dots, *words.slashes, *words.dashes, *words.capital])})\b")

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        words = self._words
        dot, slash, colon = (rf"\s+(?:{match_any_of(each)})" for each in (words.dots, words.slashes, words.colons))
        chain = rf"{_LABEL}(?:\s+(?:{match_any_of(words.inner)})\s+{_LABEL})*"
        dotted = rf"{chain}(?:{dot}\s+{chain})+"
        scheme = rf"(?:https?{colon}{slash}{slash}\s+)?"
        port = rf"(?:{colon}\s+\d{{1,5}})?"
        path = rf"(?:{slash}(?:\s+{chain}(?:{dot}\s+{chain})*)?)*"
        front = rf"(?:{match_any_of(words.before_mail)})\s+"
        mail = rf"(?P<mail_front>{front})(?P<mail>{chain}(?:{dot}\s+{chain})*\s+(?:{match_any_of(words.at)})\s+(?:{dotted}|{_WRITTEN}))"
        address = rf"(?P<address>{scheme}{dotted}{port}{path})"
        written = rf"(?P<written>{_WRITTEN})(?P<rest>{port}{path})"
        dash = rf"(?:{match_any_of(words.dashes)})"
        option = rf"(?P<option>{dash}\s+{dash}\s+(?P<name>{_LABEL}(?:\s+{dash}\s+{_LABEL})*))"
        capital_front = rf"(?P<capital_front>(?:{match_any_of(words.before_capital)})\s+)"
        capital = rf"{capital_front}(?P<capital>(?:{match_any_of(words.capital)})\s+(?P<letter>[^\W\d_]))"
        return compile_pattern(rf"(?<!\w)(?:{mail}|{option}|{capital}|{address}|{written})(?!\w)")

    def add(self, sentence: Sentence) -> Sentence:
        """Return a sentence with what is dictated in it as literals; the same one where there is nothing."""
        if not self._words.dots or not self._trigger.search(sentence.mask):
            return sentence
        read = (self._read(sentence, match) for match in self._pattern.finditer(sentence.mask))
        found = [literal for literal in read if literal is not None]
        return _mask(sentence, found) if found else sentence

    def _read(self, sentence: Sentence, match: re.Match[str]) -> Literal | None:
        if match["mail"]:
            return Literal("email", *match.span("mail"), self._write(sentence, match, "mail"))
        if match["option"]:
            return Literal("code", *match.span("option"), f"--{self._write(sentence, match, 'name')}")
        if match["capital"]:
            return Literal("code", *match.span("capital"), match["letter"].upper())
        if match["written"]:
            return self._read_written(sentence, match)
        return self._read_address(sentence, match)

    def _read_written(self, sentence: Sentence, match: re.Match[str]) -> Literal | None:
        written = sentence.find_whole(*match.span("written"))
        if written is None or not match["rest"]:
            return None
        value = written.value + self._write(sentence, match, "rest")
        return Literal(written.kind, match.start("written"), match.end("rest"), value)

    def _read_address(self, sentence: Sentence, match: re.Match[str]) -> Literal | None:
        """Return a host or a file, if its last part is that of one and nothing more may belong to it."""
        value = self._write(sentence, match, "address")
        name, is_host_only = (
            re.split(r"[:/]", value.partition("://")[2] or value)[0],
            "/" not in value and ":" not in value,
        )
        ending = name.rpartition(".")[2].lower()
        is_file = is_host_only and ending in self._file_endings
        before = _WORD_IN_FRONT.search(sentence.mask, 0, match.start("address"))
        is_part = before is not None and before[1].lower() in self._words.not_before
        first = re.split(r"\s", match["address"], maxsplit=1)[0].lower()
        if first in self._words.not_first or (not is_file and (is_part or ending not in self._words.endings)):
            return None
        return Literal("dotted", *match.span("address"), value)

    def _write(self, sentence: Sentence, match: re.Match[str], group: str) -> str:
        """Return what a part of the sentence stands for: signs for their words, everything else as it is."""
        start, end = match.span(group)
        written = self._sign.sub(
            lambda found: self.signs.get(" ".join(found[0].lower().split()), found[0]), sentence.source[start:end]
        )
        return "".join(written.split())


def _mask(sentence: Sentence, found: list[Literal]) -> Sentence:
    mask = sentence.mask
    literals = dict(sentence.literals)
    for literal in found:
        for start in [start for start in literals if literal.start <= start < literal.end]:
            del literals[start]
        literals[literal.start] = literal
        run = MARKS[literal.kind] + FILL * (literal.end - literal.start - 1)
        mask = mask[: literal.start] + run + mask[literal.end :]
    return Sentence(sentence.source, mask, literals)
