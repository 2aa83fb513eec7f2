"""Languages: what a folder of phrase files and its ``words.toml`` say, as a grammar."""

import pkgutil
import tomllib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, cast, get_origin, get_type_hints

from core.base.errors import TableError
from core.language.contexts import Traces
from core.language.control import Controls
from core.language.grammar import Clauses, ElementKind, Grammar, Turning, Vocabulary, Wording
from core.language.phrase_files import read_phrases

FOLDERS = {"en": "english", "de": "german"}
"""The folder of each language, by its tag."""

_T = TypeVar("_T")

# What a language doesn't say: nothing matches.
_UNSAID: dict[Any, Any] = {str: "(?!)", Mapping: {}}

# What people say comes behind what it means in these tables: one meaning has many words.
_TURNED = frozenset({"choices", "keys", "modifiers"})


@cache
def load_language(tag: str) -> Grammar:
    """Return the grammar of a language; it is read once.

    Args:
        tag: Its tag, such as ``en``.

    Raises:
        TableError: If there is no such language, or a file of it is malformed; names the file and the place.
    """
    folder = _find_folder(tag)
    name = f"{folder}/words.toml"
    try:
        said = _read_words(folder)
        phrases = [read_phrases(_read(file), file) for file in (f"{folder}/{each}.phrases" for each in said["phrases"])]
        words = {key: _turn(value) if key in _TURNED else value for key, value in said["words"].items()}
        return Grammar(
            language=said["language"],
            verbs=tuple(verb for verbs in phrases for verb in verbs),
            fragments={key: _join_ways(value) for key, value in said["fragments"].items()},
            vocabulary=_fill(Vocabulary, words),
            clauses=_fill(Clauses, said["clauses"]),
            wording=_fill(Wording, said["wording"]),
            traces=_fill(Traces, said["traces"]),
            turning=_fill(Turning, said.get("turning", {})),
        )
    except (KeyError, TypeError) as error:
        raise TableError(f"{name}: {error}.") from error


@cache
def load_controls(tag: str) -> Controls:
    """Return what is said to open questions and to runs that go on; it is read once, and not before it is needed.

    Args:
        tag: Tag of a language, such as ``en``.

    Raises:
        TableError: If there is no such language, or a file of it is malformed; names the file and the place.
    """
    folder = _find_folder(tag)
    name = f"{folder}/control.toml"
    phrases = read_phrases(_read(f"{folder}/control.phrases"), f"{folder}/control.phrases")
    try:
        said = _read_toml(name)
        fragments = {key: _join_ways(value) for key, value in said["fragments"].items()}
        fillers = tuple(said["fillers"]["phrases"])
        choosing = said["choosing"]
        numbers = {word: number for number, words in enumerate(choosing["numbers"], 1) for word in words}
        return Controls(
            phrases=phrases,
            fragments=fragments,
            fillers=fillers,
            contractions=said["contractions"],
            endings=said["endings"],
            numbers=numbers | dict.fromkeys(choosing["last"], -1),
            small_words=frozenset(choosing["small_words"]),
            wording=said["wording"],
            doubts=tuple(said["fillers"].get("doubts", ())),
            questions=tuple(said["fillers"].get("questions", ())),
            negations=said["fillers"].get("negations", "(?!)"),
            evasions=choosing.get("evasions", "(?!)"),
            pointing=choosing.get("pointing", "(?!)"),
        )
    except (KeyError, TypeError) as error:
        raise TableError(f"{name}: {error}.") from error


def _read_words(folder: str) -> dict[str, Any]:
    """Return what a ``words.toml`` says, with what it borrows from English."""
    said = _read_toml(f"{folder}/words.toml")
    for name in (f"{folder}/{each}.toml" for each in said.pop("words_in", ())):
        merge_words(said, _read_toml(name), name)
    if borrows := said.pop("borrows", ()):
        lender = _read_words(FOLDERS["en"])
        for place in borrows:
            *path, last = place.split(".")
            table, source = said, lender
            for part in path:
                table, source = table.setdefault(part, {}), source[part]
            table[last] = source[last]
    return said


def _read_toml(name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(_read(name))
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{name}: {error}.") from error


def merge_words(said: dict[str, Any], more: Mapping[str, Any], name: str) -> None:
    """Add what another file says to the tables of the first.

    Args:
        said: The tables.
        more: What the other file says.
        name: What that file is called, for messages.

    Raises:
        TableError: If it says again what was said.
    """
    for key, value in more.items():
        if isinstance(value, Mapping) and isinstance(said.get(key), dict):
            merge_words(said[key], cast("Mapping[str, Any]", value), name)
        elif key in said:
            raise TableError(f"{name}: “{key}” is said in another file of this language as well.")
        else:
            said[key] = value


def _find_folder(tag: str) -> str:
    folder = FOLDERS.get(tag)
    if folder is None:
        raise TableError(f"Unknown language “{tag}”. There are: {', '.join(FOLDERS)}.")
    return folder


def _read(name: str) -> str:
    data = pkgutil.get_data("core.language", name)
    assert data is not None, "the package's loader reads data"
    return data.decode("utf-8")


def _join_ways(value: str | list[str]) -> str:
    """Return a part of phrases; a list of ways to say it is a choice."""
    return value if isinstance(value, str) else f"({'|'.join(value)})"


def _turn(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``{word: meaning}`` for ``{meaning: [words]}``, however deep."""
    turned: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            turned[key] = _turn(cast("Mapping[str, Any]", value))
        else:
            turned |= dict.fromkeys(value, key)
    return turned


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
