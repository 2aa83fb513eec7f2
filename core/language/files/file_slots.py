"""The slots that hold files and folders, and what each of them demands of the path in it."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

from core.language.files.file_names import FilePhraseReader, FolderReader
from core.language.files.file_searches import SearchReader
from core.language.files.globs import GlobReader
from core.language.files.located_paths import LocatedPath, LocatedPaths, is_glob, join_path
from core.language.files.path_words import PathWords
from core.language.grammars.grammar import Vocabulary
from core.language.meanings.contexts import Context
from core.language.sentences.patterns import compile_pattern
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.lists import read_any, split_list
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


PathReader = Callable[[Span, Context], LocatedPath | LocatedPaths | dict[str, Any] | str]


class FileSlots:
    """Reads the slots that hold files and folders."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader) -> None:
        """Make the readers.

        Args:
            names: Reads names that are not paths.
        """
        words = PathWords(vocabulary, names)
        folders = FolderReader(words)
        self._files = FilePhraseReader(words, folders)
        several = SeveralReader(vocabulary, words, self._files, folders)
        self.readers = _list_file_readers(self._files) | _list_folder_readers(folders) | _list_several_readers(several)
        searches = SearchReader(vocabulary, folders)
        self.readers |= {
            "file_search": searches.read,
            "wide_search": searches.read_wide,
            "place_search": searches.read_behind_place,
            "searched_folder": lambda span, context: _require_place(searches.read_place(span, context)),
        }

    def is_file(self, path: str) -> bool:
        """Tell whether a path is that of a file by its ending."""
        return self._files.is_file(path)


def _list_several_readers(several: SeveralReader) -> dict[str, PathReader]:
    return {
        "several_files": several.read_files,
        "moved_files": lambda span, context: _require_part(several.read_files(span, context)),
        "some_files": lambda span, context: _require_some(several.read_files(span, context)),
        "some_folders": lambda span, context: _require_some(several.read_folders(span, context)),
        "file_list": several.read_list,
    }


def _list_folder_readers(folders: FolderReader) -> dict[str, PathReader]:
    return {
        "folder": folders.read,
        "spoken_folder": folders.read_spoken,
        "named_folder": folders.read_named,
        "said_folder": folders.read_said,
        "known_folder": lambda span, _: folders.read_known(span),
    }


def _list_file_readers(files: FilePhraseReader) -> dict[str, PathReader]:
    return {
        "file": files.read_file,
        "quoted_file": lambda span, context: _require_one(files.read_quoted_file(span, context), span),
        "moved_file": lambda span, context: _require_no_glob(_require_one(files.read_quoted_file(span, context), span)),
        "deleted_file": lambda span, context: _require_no_glob(_require_one(files.read_file(span, context), span)),
        "one_file": lambda span, context: _require_one(files.read_file(span, context), span),
        "entry": files.read_entry,
        "word_entry": lambda span, context: _require_bare(files.read_entry(span, context)),
        "plain_entry": lambda span, context: _require_bare(files.read_entry(span, context)),
        "inner_entry": files.read_inner_entry,
        "plain_file": lambda span, context: _require_written(files, span, context),
        "spot": files.read_spot,
        "deep_entry": lambda span, context: _require_deep(files.read_entry(span, context)),
        "folder_chain": lambda span, _: files.read_chain(span),
        "folder_glob": lambda span, _: LocatedPath(files.read_glob_path(span)),
        "quoted_name": lambda span, _: _require_no_glob(LocatedPath(read_any(span))).path,
        "new_name": lambda span, _: files.read_new_name(span),
    }


def _require_bare(located: LocatedPath) -> LocatedPath:
    """Return a path that isn't in any folder that was named."""
    if located.base or located.is_anchored:
        raise UnreadableError
    return located


def _require_deep(located: LocatedPath) -> LocatedPath:
    """Return a path that is written with the folders above it."""
    if not _require_bare(located).is_placed:
        raise UnreadableError
    return located


def _require_place(located: LocatedPath | None) -> LocatedPath:
    """Return a folder that words name."""
    if located is None:
        raise UnreadableError
    return located


def _require_some(located: LocatedPath) -> LocatedPath:
    """Return a glob that leaves something in its folder, as far as one can see."""
    if located.is_sweeping:
        raise UnreadableError
    return located


def _require_part(located: LocatedPath) -> LocatedPath:
    """Return a glob that isn't all of a folder that nobody spoke of."""
    if not located.base and located.path == "*":
        raise UnreadableError
    return located


def _require_one(located: LocatedPath, span: Span) -> LocatedPath:
    """Return a path that is one file or folder, rather than all that a known folder or a drive holds."""
    if not located.is_one or is_glob(span):
        raise UnreadableError
    return located


def _require_no_glob(located: LocatedPath) -> LocatedPath:
    """Return a path that can't mean several files."""
    if located.is_glob:
        raise UnreadableError
    return located


def _require_written(files: FilePhraseReader, span: Span, context: Context) -> LocatedPath:
    """Return a file in no folder that was named, written so that it is clear where its name ends."""
    if not span.has_literals:
        raise UnreadableError
    return _require_bare(_require_no_glob(_require_one(files.read_file(span, context), span)))
