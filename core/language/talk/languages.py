"""Languages: what a folder of phrase files and its ``words.toml`` say, as a grammar."""

import pkgutil
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, cast, get_origin, get_type_hints

from core.base.errors import TableError
from core.language.grammars.file_clause_words import FileClauseWords
from core.language.grammars.fillers import Fillers
from core.language.grammars.grammar import Clauses, ElementKind, Grammar, Turning, VerbPhrases, Vocabulary, Wording
from core.language.grammars.phrase_files import read_phrases
from core.language.grammars.slips import Slips
from core.language.grammars.spellings import Spellings
from core.language.grammars.verb_forms import ActWords
from core.language.grammars.word_classes import WordClasses
from core.language.meanings.contexts import Traces
from core.language.talk.control import Controls
from core.language.talk.small_talk import Talk

FOLDERS = {"en": "english", "de": "german"}
"""The folder of each language, by its tag."""

# The languages that have words for clauses about files in any order.
_FRAMED = frozenset({"en"})
Reader = Callable[[str], str]
"""Returns what a file holds, by its name."""

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
    return read_language(_find_folder(tag), _read)


def read_language(folder: str, read: Reader) -> Grammar:
    """Return the grammar that a folder of phrase files and words says.

    Args:
        folder: What the files' names begin with.
        read: Returns what a file holds, by its name.

    Raises:
        TableError: If a file is malformed; names the file and the place.
    """
    name = f"{folder}/words.toml"
    try:
        said = _read_words(folder, read)
        phrases = [read_phrases(read(file), file) for file in (f"{folder}/{each}.phrases" for each in said["phrases"])]
        spellings = Spellings(said.get("spellings", {}))
        said |= spellings.add(
            {key: value for key, value in said.items() if key not in {"phrases", "fragments", "spellings"}}
        )
        words = {key: _turn(value) if key in _TURNED else value for key, value in said["words"].items()}
        return Grammar(
            language=said["language"],
            verbs=tuple(verb for verbs in phrases for verb in verbs),
            fragments={
                key: spellings.write_phrase(_join_ways(value)) for key, value in said.get("fragments", {}).items()
            },
            vocabulary=_fill(Vocabulary, words),
            clauses=_fill(Clauses, said["clauses"]),
            wording=_fill(Wording, said["wording"]),
            traces=_fill(Traces, said["traces"]),
            turning=_fill(Turning, said.get("turning", {})),
            acts=_fill(ActWords, said.get("acts", {})),
            spellings=spellings,
            classes=_read_classes(said.get("classes", {})),
            fillers=_fill(Fillers, said.get("fillers", {})),
            slips=_fill(Slips, said.get("slips", {})),
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
        spellings = Spellings(said.pop("spellings", {}))
        fragments = {key: spellings.write_phrase(_join_ways(value)) for key, value in said["fragments"].items()}
        around = {key: spellings.write_phrases(value) for key, value in said["fillers"].items()}
        choosing = spellings.add(said["choosing"])
        numbers = {word: number for number, words in enumerate(choosing["numbers"], 1) for word in words}
        return Controls(
            phrases=tuple(_spell_phrases(verb, spellings) for verb in phrases),
            fragments=fragments,
            fillers=tuple(around["phrases"]),
            contractions=said["contractions"],
            endings=said["endings"],
            numbers=numbers | dict.fromkeys(choosing["last"], -1),
            small_words=frozenset(choosing["small_words"]),
            wording=said["wording"],
            doubts=tuple(around.get("doubts", ())),
            questions=tuple(around.get("questions", ())),
            negations=tuple(around.get("negations", ())),
            turning=frozenset(said.get("turning", {}).get("fragments", ())),
            talk=frozenset(around.get("talk", ())),
            evasions=choosing.get("evasions", "(?!)"),
            pointing=choosing.get("pointing", "(?!)"),
        )
    except (KeyError, TypeError) as error:
        raise TableError(f"{name}: {error}.") from error


@cache
def load_talk(tag: str) -> Talk:
    """Return what is said in a conversation that asks for no act, and what is said back; it is read once.

    Args:
        tag: Tag of a language, such as ``en``.

    Raises:
        TableError: If there is no such language, or a file of it is malformed; names the file and the place.
    """
    folder = _find_folder(tag)
    name = f"{folder}/talk.toml"
    phrases = read_phrases(_read(f"{folder}/talk.phrases"), f"{folder}/talk.phrases")
    try:
        said = _read_toml(name)
        changing, replies = said["changing"], said["replies"]
        own, perhaps = changing.pop("fragments", {}), changing.pop("perhaps", {})
        free = frozenset(changing.pop("free", ()))
        return Talk(
            phrases=phrases,
            fragments={key: _join_ways(value) for key, value in said.get("fragments", {}).items()},
            changing=changing,
            perhaps_changing=perhaps,
            free=free,
            changing_fragments={key: _join_ways(value) for key, value in own.items()},
            examples=tuple(replies.pop("examples")),
            replies=replies,
        )
    except (KeyError, TypeError) as error:
        raise TableError(f"{name}: {error}.") from error


@cache
def load_file_clauses(tag: str) -> FileClauseWords | None:
    """Return the words for clauses about files in any order; None where a language has none. It is read once, when needed.

    Args:
        tag: Tag of a language, such as ``en``.

    Raises:
        TableError: If the file is malformed; names it and the place.
    """
    folder = FOLDERS.get(tag)
    name = f"{folder}/file_clauses.toml"
    if tag not in _FRAMED:
        return None
    try:
        return _fill(FileClauseWords, _read_toml(name))
    except (KeyError, TypeError) as error:
        raise TableError(f"{name}: {error}.") from error


def _spell_phrases(verb: VerbPhrases, spellings: Spellings) -> VerbPhrases:
    phrases = (phrase._replace(template=spellings.write_phrase(phrase.template)) for phrase in verb.phrases)
    return verb._replace(phrases=tuple(phrases))


@cache
def load_signs(tag: str) -> frozenset[str]:
    """Return the words, in lower case, by which sentences of a language are known among others; none where it names none.

    Args:
        tag: Tag of a language, such as ``de``.

    Raises:
        TableError: If there is no such language, or its file is malformed; names the file and the place.
    """
    name = f"{_find_folder(tag)}/signs.toml"
    try:
        return frozenset(_read_toml(name)["signs"])
    except FileNotFoundError:
        return frozenset()
    except KeyError as error:
        raise TableError(f"{name}: {error}.") from error


def _read_classes(said: Mapping[str, Any]) -> WordClasses:
    """Return the classes of words as a table says them."""
    forms = {name: tuple((ending, instead) for ending, instead in ways) for name, ways in said.get("forms", {}).items()}
    words, verbs = ({name: tuple(texts) for name, texts in said.get(table, {}).items()} for table in ("words", "verbs"))
    return WordClasses(words, verbs, forms, said.get("irregular", {}))


def _read_words(folder: str, read: Reader) -> dict[str, Any]:
    """Return what a ``words.toml`` says, with what it borrows from English."""
    said = _read_toml(f"{folder}/words.toml", read)
    for name in (f"{folder}/{each}.toml" for each in said.pop("words_in", ())):
        merge_words(said, _read_toml(name, read), name)
    for place in said.pop("borrows", ()):
        *path, last = place.split(".")
        table = said
        for part in path:
            table = table.setdefault(part, {})
        own, lent = table.get(last), _find_english(path, last)
        table[last] = [*own, *lent] if isinstance(own, list) else lent
    return said


def _find_english(path: list[str], last: str) -> Any:
    """Return what English says under a name.

    Raises:
        KeyError: If it says nothing there.
    """
    folder = FOLDERS["en"]
    for name in ("words", *_read_english("words")["words_in"]):
        table: Any = _read_english(name)
        for part in path:
            table = table.get(part, {})
        if last in table:
            return table[last]
    raise KeyError(f"{folder} says no {last}")


@cache
def _read_english(name: str) -> dict[str, Any]:
    return _read_toml(f"{FOLDERS['en']}/{name}.toml")


def _read(name: str) -> str:
    data = pkgutil.get_data("core.language", name)
    assert data is not None, "the package's loader reads data"
    return data.decode("utf-8")


def _read_toml(name: str, read: Reader = _read) -> dict[str, Any]:
    try:
        return tomllib.loads(read(name))
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
