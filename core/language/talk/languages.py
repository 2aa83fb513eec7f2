"""Languages: what a folder of phrase files and its ``words.toml`` say, as a grammar."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from typing import Any, TypeVar, cast, get_origin, get_type_hints

from core.base.errors import TableError
from core.language.grammars.grammar import ElementKind, Grammar
from core.language.grammars.kept_words import Reader, find_words
from core.language.grammars.packed_phrases import unpack_verbs
from core.language.grammars.spellings import Spellings
from core.language.grammars.word_classes import FileClauseWords

FOLDERS = {"en": "english", "de": "german"}
"""The folder of each language, by its tag."""

# The languages that have words for clauses about files in any order.
_FRAMED = frozenset({"en"})

_T = TypeVar("_T")

# What a language doesn't say: nothing matches.
_UNSAID: dict[Any, Any] = {str: "(?!)", Mapping: {}}

# Loaded where word files have to be read: mostly what came of them is kept.
_WORD_FILES = "core.language.grammars.word_files"
_READING_CODE = tuple(
    f"grammars/{name}.py"
    for name in ("word_files", "phrase_files", "packed_phrases", "spellings", "templates", "verb_forms")
)


@cache
def load_language(tag: str) -> Grammar:
    """Return the grammar of a language; it is read once.

    Raises:
        TableError: If there is no such language, or a file of it is malformed; names the file and the place.
    """
    folder = _find_folder(tag)
    return _load(f"{folder}/words", lambda files, read: files.gather_language(folder, read, read), _make_grammar)


def read_language(folder: str, read: Reader) -> Grammar:
    """Return the grammar that a folder of phrase files and words says."""
    try:
        files = import_module(_WORD_FILES)
        return _make_grammar(files.gather_language(folder, read, find_words().read))
    except (KeyError, TypeError) as error:
        raise TableError(f"{folder}/words.toml: {error}.") from error


def load_said(tag: str, name: str, kind: type[_T]) -> _T:
    """Return what a language says in a conversation: its controls, or its talk.

    Args:
        name: Of its file: ``control`` or ``talk``.

    Raises:
        TableError: If there is no such language, or a file of it is malformed; names the file and the place.
    """
    folder = _find_folder(tag)
    return _load(
        f"{folder}/{name}",
        lambda files, read: files.GATHERED[name](folder, read),
        lambda said: _fill(kind, said | {"phrases": unpack_verbs(said["phrases"])}),
    )


@cache
def load_file_clauses(tag: str) -> FileClauseWords | None:
    """Return the words for clauses about files in any order; None where a language has none. It is read once, when needed.

    Raises:
        TableError: If the file is malformed; names it and the place.
    """
    if tag not in _FRAMED:
        return None
    name = f"{FOLDERS[tag]}/file_clauses"
    return _load(
        name, lambda files, read: files.read_table(f"{name}.toml", read), lambda said: _fill(FileClauseWords, said)
    )


@cache
def load_signs(tag: str) -> frozenset[str]:
    """Return the words, in lower case, by which sentences of a language are known among others; none where it names none.

    Raises:
        TableError: If there is no such language, or its file is malformed; names the file and the place.
    """
    name = f"{_find_folder(tag)}/signs"
    try:
        find_words().read(f"{name}.toml")
    except FileNotFoundError:
        return frozenset()
    return _load(
        name, lambda files, read: files.read_table(f"{name}.toml", read), lambda said: frozenset(said["signs"])
    )


def _load(name: str, gather: Callable[[Any, Reader], Any], make: Callable[[Any], _T]) -> _T:
    """Return what is made of what word files say, which is kept.

    Args:
        name: What it is kept under, and what its file is called in messages.
        gather: Returns what they say, by what reads word files and the text of one.
    """
    try:
        return make(find_words().make(name, lambda read: gather(import_module(_WORD_FILES), read), _READING_CODE))
    except (KeyError, TypeError) as error:
        raise TableError(f"{name}.toml: {error}.") from error


def _make_grammar(said: dict[str, Any]) -> Grammar:
    """Return the grammar that word files say, once these are gathered."""
    made = {"verbs": unpack_verbs(said["verbs"]), "spellings": Spellings(said["spellings"])}
    return _fill(Grammar, said | made)


def _find_folder(tag: str) -> str:
    folder = FOLDERS.get(tag)
    if folder is None:
        raise TableError(f"Unknown language “{tag}”. There are: {', '.join(FOLDERS)}.")
    return folder


def _fill(kind: type[_T], said: Mapping[str, Any]) -> _T:
    """Return a record of a kind with what was said, each value in the type that its field has.

    What wasn't said is as the record has it by itself, else empty, and an expression of it matches nothing.
    """
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else list(getattr(kind, "_fields", ()))
    if unknown := set(said) - set(names):
        raise TypeError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    own: Mapping[str, Any] = getattr(kind, "_field_defaults", {})
    hints = get_type_hints(kind)
    values = {name: _convert(hints[name], said.get(name)) for name in names if name in said or name not in own}
    return kind(**values)


def _convert(hint: Any, value: Any) -> Any:
    """Return a value of a TOML file in the type of its field."""
    origin = get_origin(hint) or hint
    if value is None:
        if origin in _UNSAID:
            return _UNSAID[origin]
        return _fill(hint, {}) if hasattr(hint, "_fields") else origin()
    if origin is str and isinstance(value, list):
        return "|".join(cast("list[str]", value))
    if origin in {frozenset, tuple}:
        items = cast("list[Any]", value)
        return origin(_fill(ElementKind, each) if isinstance(each, dict) else each for each in items)
    if isinstance(hint, type) and hasattr(hint, "_fields"):
        return _fill(hint, value)
    return value
