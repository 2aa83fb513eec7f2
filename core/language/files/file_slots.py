"""The slots that hold files and folders, and what each of them demands of the path in it."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from core.base.late_parts import compile_late
from core.language.files.file_names import FilePhraseReader, FolderReader
from core.language.files.file_searches import SearchReader
from core.language.files.globs import GlobReader
from core.language.files.located_paths import LocatedPath, LocatedPaths, is_glob, join_path
from core.language.files.path_words import PathWords
from core.language.grammars.grammar import Vocabulary
from core.language.meanings.contexts import Context
from core.language.sentences.patterns import compile_pattern
from core.language.sentences.spans import Span, UnreadableError, require, try_read
from core.language.values.lists import read_any, split_several
from core.language.values.names import NameReader

_PART = compile_late(r"(?<!\?P)<(\w+)>")
_WRITTEN = ("glob", "kind", "ext", "end", "start", "part", "whole")


class SeveralReader:
    """Reads globs and lists of files in the words of one language."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        words: PathWords,
        files: FilePhraseReader,
        folders: FolderReader,
        globs: GlobReader,
    ) -> None:
        self._words, self._joints = words, vocabulary.numbers.joints
        self._files = files
        self._folders = folders
        self._globs = globs
        said = vocabulary.files
        self._of_files, self._of_folders = (
            [self._compile(each) for each in ways] for ways in (said.several_files, said.several_folders)
        )
        self._shared = compile_pattern(said.shared_source)

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
        parts = split_several(span, self._joints)
        if any(part.literal is None for part in parts):
            raise UnreadableError
        located = [self._files.read_quoted_file(part, context) for part in parts]
        if any(not each.is_one or each.is_glob for each in located):
            raise UnreadableError
        return located

    def _read(self, ways: Sequence[re.Pattern[str]], span: Span, context: Context) -> LocatedPath:
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
                    found = try_read(self._write, name, span.cut_group(match, name))
                    if found is not None:
                        return found
        return None

    def _write(self, name: str, span: Span) -> str:
        if name == "whole":
            return "*"
        return self._files.read_glob_path(span) if name == "glob" else self._globs.read_told(name, span)


PathReader = Callable[[Span, Context], LocatedPath | LocatedPaths | dict[str, Any] | str]


class FileSlots:
    """Reads the slots that hold files and folders."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader) -> None:
        words, self.globs = PathWords(vocabulary, names), GlobReader(vocabulary, names)
        folders = FolderReader(words)
        files = FilePhraseReader(words, folders)
        several = SeveralReader(vocabulary, words, files, folders, self.globs)
        searches = SearchReader(vocabulary, folders, self.globs)
        self.is_file = words.has_ending
        self.readers: dict[str, PathReader] = {
            **_list_file_readers(files),
            "folder": folders.read,
            "spoken_folder": folders.read_spoken,
            "named_folder": folders.read_named,
            "said_folder": folders.read_said,
            "known_folder": lambda span, _: folders.read_known(span),
            "several_files": several.read_files,
            "moved_files": _only(several.read_files, _is_part),
            "some_files": _only(several.read_files, _is_some),
            "some_folders": _only(several.read_folders, _is_some),
            "file_list": several.read_list,
            "file_search": searches.read,
            "wide_search": partial(searches.read, is_wide=True),
            "place_search": searches.read_behind_place,
            "searched_folder": lambda span, context: require(searches.read_place(span, context)),
        }


def _list_file_readers(files: FilePhraseReader) -> dict[str, PathReader]:
    return {
        "file": files.read_file,
        "quoted_file": _only(files.read_quoted_file, _is_one),
        "moved_file": _only(files.read_quoted_file, _is_one, _is_no_glob),
        "deleted_file": _only(files.read_file, _is_one, _is_no_glob),
        "one_file": _only(files.read_file, _is_one),
        "entry": files.read_entry,
        "word_entry": _only(files.read_entry, _is_bare),
        "plain_entry": _only(files.read_entry, _is_bare),
        "inner_entry": files.read_inner_entry,
        "plain_file": _only(files.read_file, _is_written, _is_one, _is_no_glob, _is_bare),
        "spot": files.read_spot,
        "deep_entry": _only(files.read_entry, _is_bare, lambda located, _: located.is_placed),
        "folder_chain": lambda span, _: files.read_chain(span),
        "folder_glob": lambda span, _: LocatedPath(files.read_glob_path(span)),
        "quoted_name": lambda span, _: _read_plainly(span),
        "new_name": lambda span, _: files.read_new_name(span),
    }


def _only(read: Callable[[Span, Context], LocatedPath], *fits: Callable[[LocatedPath, Span], bool]) -> PathReader:

    def read_fitting(span: Span, context: Context) -> LocatedPath:
        located = read(span, context)
        if not all(fit(located, span) for fit in fits):
            raise UnreadableError
        return located

    return read_fitting


def _is_bare(located: LocatedPath, _: Span) -> bool:
    return not (located.base or located.is_anchored)


def _is_some(located: LocatedPath, _: Span) -> bool:
    return not located.is_sweeping


def _is_part(located: LocatedPath, _: Span) -> bool:
    """Whether a glob isn't all of a folder that nobody spoke of."""
    return bool(located.base) or located.path != "*"


def _is_one(located: LocatedPath, span: Span) -> bool:
    return located.is_one and not is_glob(span)


def _is_no_glob(located: LocatedPath, _: Span) -> bool:
    return not located.is_glob


def _is_written(_: LocatedPath, span: Span) -> bool:
    return span.has_literals


def _read_plainly(span: Span) -> str:
    text = read_any(span)
    if LocatedPath(text).is_glob:
        raise UnreadableError
    return text
