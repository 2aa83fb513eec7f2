"""The slots that hold files and folders, and what each of them demands of the path in it."""

from collections.abc import Callable
from typing import Any

from core.language.files.file_lists import SeveralReader
from core.language.files.file_names import FilePhraseReader
from core.language.files.file_searches import SearchReader
from core.language.files.folder_names import FolderReader
from core.language.files.located_paths import LocatedPath, LocatedPaths, is_glob
from core.language.files.path_words import PathWords
from core.language.grammars.grammar import Vocabulary
from core.language.meanings.contexts import Context
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.lists import read_any
from core.language.values.names import NameReader

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
