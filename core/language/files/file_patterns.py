"""Patterns of how people name files and folders, compiled when first needed."""

import re
from functools import cached_property
from typing import TYPE_CHECKING

from core.language.sentences.patterns import compile_pattern, match_any_of

if TYPE_CHECKING:
    from core.language.grammars.grammar import Vocabulary


class FilePatterns:
    """The patterns in the words of one language."""

    def __init__(self, vocabulary: "Vocabulary") -> None:
        self._words = vocabulary.files
        self._naming = vocabulary.files.naming

    @cached_property
    def owner(self) -> re.Pattern[str]:
        """Match words in front of a name that aren't part of it."""
        return compile_pattern(rf"(?:{self._words.owner})\s+(?P<rest>.+)")

    @cached_property
    def vague_owner(self) -> re.Pattern[str]:
        """Match words in front of a name that may as well be a part of it."""
        return compile_pattern(rf"(?:{self._words.vague_owner})\s+(?P<rest>.+)")

    @cached_property
    def placing(self) -> re.Pattern[str]:
        """Match words in front of a folder."""
        return compile_pattern(rf"(?:^|\s+)(?:{match_any_of(self._words.placing)})\s+")

    @cached_property
    def file_first(self) -> re.Pattern[str]:
        """Match a name that is called a file."""
        return compile_pattern(
            rf"(?:{match_any_of((*self._words.file, *self._words.files))})\s+(?:(?:{self._naming})\s+)?(?P<name>.+)"
            rf"|(?P<before>.+?)\s+(?:{match_any_of(self._words.file)})"
        )

    @cached_property
    def folder_noun(self) -> re.Pattern[str]:
        """Match a name that is called a folder."""
        folder = match_any_of(self._words.folder)
        return compile_pattern(
            rf"(?:{folder})\s+(?:(?:{self._naming})\s+)?(?P<name>.+)|(?P<before>.+?)\s+(?:{folder})(?:\s+tree)?"
        )

    @cached_property
    def named_behind(self) -> re.Pattern[str]:
        """Match a folder, and the name behind it."""
        return compile_pattern(
            rf"(?:(?:{match_any_of(self._words.placing)})\s+)?(?P<place>.+?)\s+"
            rf"(?:(?P<as>as)|{self._naming})\s+(?P<name>\S.*)"
        )

    @cached_property
    def named(self) -> re.Pattern[str]:
        """Match a name behind a word such as "called"."""
        return compile_pattern(rf"(?:as|{self._naming})\s+(?P<name>.+)")

    @cached_property
    def drive(self) -> re.Pattern[str]:
        """Match a drive."""
        return compile_pattern(self._words.drive)

    @cached_property
    def stand_in(self) -> re.Pattern[str]:
        """Match what means the folder that was created last."""
        return compile_pattern(self._words.stand_in)

    @cached_property
    def there(self) -> re.Pattern[str]:
        """Match what means that folder at the end of something, without a word in front of it."""
        return compile_pattern(rf"(?P<rest>.+?)(?:{self._words.there})")

    @cached_property
    def here(self) -> re.Pattern[str]:
        """Match what means the working folder."""
        return compile_pattern(self._words.here)
