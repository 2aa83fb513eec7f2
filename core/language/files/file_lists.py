"""Reading how people name several files at once.

    all pdf files in Documents         documents:/*.pdf
    files that end with .bak           *.bak
    build/*.o                          build/*.o
    a.txt and b.txt from Downloads     downloads:/a.txt, downloads:/b.txt

What is meant must be said: "pdf files" alone may be some of them.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from core.language.files.file_names import FilePhraseReader
from core.language.files.folder_names import FolderReader
from core.language.files.globs import GlobReader
from core.language.files.located_paths import LocatedPath, LocatedPaths, join_path
from core.language.files.path_words import PathWords
from core.language.grammars.grammar import Vocabulary
from core.language.meanings.contexts import Context
from core.language.sentences.patterns import compile_pattern
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.lists import split_list
from core.language.values.names import NameReader

_PART = re.compile(r"(?<!\?P)<(\w+)>")
_WRITTEN = ("glob", "kind", "ext", "end", "start", "part", "whole")


class SeveralReader:
    """Reads globs and lists of files in the words of one language."""

    def __init__(
        self, vocabulary: Vocabulary, words: PathWords, files: FilePhraseReader, folders: FolderReader
    ) -> None:
        self._words, self._joints = words, vocabulary.numbers.joints
        self._files = files
        self._folders = folders
        self._globs = GlobReader(vocabulary, NameReader(vocabulary))

    @cached_property
    def _of_files(self) -> list[re.Pattern[str]]:
        return [self._compile(each) for each in self._words.words.several_files]

    @cached_property
    def _of_folders(self) -> list[re.Pattern[str]]:
        return [self._compile(each) for each in self._words.words.several_folders]

    @cached_property
    def _shared(self) -> re.Pattern[str]:
        return compile_pattern(self._words.words.shared_source)

    def _compile(self, expression: str) -> re.Pattern[str]:
        return compile_pattern(_PART.sub(lambda found: self._words.words.several_parts[found[1]], expression))

    def read_files(self, span: Span, context: Context) -> LocatedPath:
        """Return the glob of several files, in the folder that is named with them."""
        return self._read(self._of_files, span, context)

    def read_folders(self, span: Span, context: Context) -> LocatedPath:
        """Return the glob of several folders; otherwise as for files."""
        return self._read(self._of_folders, span, context)

    def read_list(self, span: Span, context: Context) -> LocatedPaths:
        """Return several files that are named one by one, in one folder if that is said behind all of them."""
        shared = self._shared.fullmatch(span.mask)
        if shared:
            folder = self._folders.read(span.cut_group(shared, "place"), context)
            names = self._read_names(span.cut_group(shared, "list"), context)
            return LocatedPaths(tuple(folder._replace(path=join_path(folder.path, each.path)) for each in names))
        return LocatedPaths(tuple(self._read_names(span, context)))

    def _read_names(self, span: Span, context: Context) -> list[LocatedPath]:
        parts = split_list(span, self._joints)
        if len(parts) < 2 or any(part.literal is None for part in parts):
            raise UnreadableError
        located = [self._files.read_quoted_file(part, context) for part in parts]
        if any(not each.is_one or each.is_glob for each in located):
            raise UnreadableError
        return located

    def _read(self, ways: Sequence[re.Pattern[str]], span: Span, context: Context) -> LocatedPath:
        """Read the words as they are, or the words in front of a folder that is named behind them."""
        if (glob := self._read_glob(ways, span)) is not None:
            return LocatedPath(glob)
        for rest, place in self._words.split_places(span):
            if (glob := self._read_glob(ways, rest)) is None:
                continue
            folder = self._folders.try_read(place, context)
            if folder is not None and not LocatedPath(glob).is_placed:
                return folder._replace(path=join_path(folder.path, glob))
        raise UnreadableError

    def _read_glob(self, ways: Sequence[re.Pattern[str]], span: Span) -> str | None:
        for way in ways:
            match = way.fullmatch(span.mask)
            for name in _WRITTEN if match else ():
                if name in way.groupindex and match is not None and match[name] is not None:
                    found = next(self._write(name, span.cut_group(match, name)), None)
                    if found is not None:
                        return found
        return None

    def _write(self, name: str, span: Span) -> Iterator[str]:
        """Yield the glob that a word stands for, if it stands for one."""
        try:
            if name == "glob":
                text = self._files.read_glob_path(span)
            elif name == "kind":
                text = self._globs.read_kind(span)
            elif name == "ext":
                text = self._globs.read_extension(span)
            elif name == "whole":
                text = "*"
            else:
                word = self._globs.read_name(span)
                text = f"{'*' * (name != 'start')}{word}{'*' * (name != 'end')}"
        except UnreadableError:
            return
        yield text
