"""Statements: what is told with no mark around it: "the page is blank reload it", "close this tab it's boring".

Where nothing divides what is told from what is asked for, only the form of a whole statement shows where one ends: somebody or
something, a verb, a state of few words, a place. A word that what follows may hang on is no state: "she is yelling turn it down".
"""

import re
from collections.abc import Iterator
from functools import cached_property

from core.language.grammars.remark_words import RemarkWords
from core.language.grammars.templates import compile_template, parse_template
from core.language.sentences.plain_words import list_plain_words

_PLAIN = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_SHAPES = {"word": _PLAIN, "few": rf"{_PLAIN}(?:\s+{_PLAIN}){{0,2}}"}
_WORD = re.compile(r"(?<=\s)\S+")
_MOST_WORDS = 12
"""Words of a statement that nothing divides from what is asked for."""
_FEWEST = 2
_EDGES = " \t\r\n"


class Statements:
    """Finds the statements of one language."""

    def __init__(self, words: RemarkWords, commands: frozenset[str]) -> None:
        self._words, self._commands = words, commands | words.running_on

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        parsed = (parse_template(template, self._words.fragments) for template in self._words.statements)
        return [compile_template(each, _SHAPES, greedy=False) for each in parsed]

    def is_statement(self, said: str) -> bool:
        """Whether words tell something that is complete, and that nothing beside it hangs on.

        Args:
            said: The words, without marks around them.
        """
        words = list_plain_words(said)
        if not _FEWEST <= len(words) <= _MOST_WORDS or words[-1] in self._words.unfinished:
            return False
        matches = (pattern.fullmatch(f"{said} ") for pattern in self._patterns)
        return any(match and self._may_be_told(match) for match in matches)

    def _may_be_told(self, match: re.Match[str]) -> bool:
        open_words = (word for part in match.groups(default="") for word in list_plain_words(part))
        return self._words.no_states.isdisjoint(open_words)

    def list_ends(self, mask: str) -> Iterator[int]:
        """Yield where a statement ends that a sentence begins with, and a request begins."""
        for word in _WORD.finditer(mask):
            said = mask[: word.start()].strip(_EDGES)
            if said.count(" ") >= _MOST_WORDS:
                return
            is_last = " " not in mask[word.start() :].rstrip()
            goes_on = not self._words.placing.isdisjoint(list_plain_words(said)[-1:])  # "the TV is on mute"
            if word[0].lower() in self._commands and not (is_last or goes_on) and self.is_statement(said):
                yield word.start()

    def list_starts(self, mask: str) -> Iterator[int]:
        """Yield where a statement begins that a sentence ends with, the last first."""
        said = mask.rstrip(" .!…")
        for word in reversed(list(_WORD.finditer(said))[-_MOST_WORDS:]):
            in_front = list_plain_words(said[: word.start()])[-1:]
            # "close the tab I was reading" says which one, and "click Save once it is enabled" when.
            is_apart = not self._words.parting.isdisjoint(in_front)
            is_unrelated = word[0].lower() in self._words.unrelated and self._words.no_states.isdisjoint(in_front)
            if (is_apart or is_unrelated) and self.is_statement(said[word.start() :]):
                yield word.start()
