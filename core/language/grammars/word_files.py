"""Word files: what the files of a language say, as plain data, with what follows from that before any sentence is known."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, cast

from core.base.errors import TableError
from core.language.grammars.grammar import VerbPhrases
from core.language.grammars.kept_words import Reader
from core.language.grammars.packed_phrases import pack_verbs
from core.language.grammars.phrase_files import read_phrases
from core.language.grammars.spellings import Spellings
from core.language.grammars.templates import Beginnings, find_first_words

LENT = "english"
"""The folder that languages borrow from."""

# What people say comes behind what it means in these tables: one meaning has many words.
_TURNED = frozenset({"choices", "keys", "modifiers"})
_TABLES = ("clauses", "wording", "traces")
_FURTHER_TABLES = ("turning", "remarks", "rewording", "acts", "classes", "spellings", "slips")
_ACT = "~"
_NOT_TALK = frozenset({"fragments", "before_asides", "stutters", "repeatable"})


def gather_language(folder: str, read: Reader, read_lent: Reader) -> dict[str, Any]:
    """Return what a folder of phrase files and words says.

    Raises:
        TableError: If a file is malformed; names the file and the place.
        KeyError: If something that must be said isn't.
        TypeError: If it is said in another form.
    """
    said = _read_words(folder, read, read_lent)
    files = [f"{folder}/{each}.phrases" for each in said["phrases"]]
    verbs = [verb for file in files for verb in read_phrases(read(file), file)]
    spellings = Spellings(said.get("spellings", {}))
    said |= spellings.add(
        {key: value for key, value in said.items() if key not in {"phrases", "fragments", "spellings"}}
    )
    fragments = {key: spellings.write_phrase(_join_ways(value)) for key, value in said.get("fragments", {}).items()}
    fillers = said.get("fillers", {})
    ways = [way for key, each in fillers.items() if key not in _NOT_TALK for way in each]
    return {
        "language": said["language"],
        "verbs": pack_verbs(verbs),
        "fragments": fragments,
        "vocabulary": {key: _turn(value) if key in _TURNED else value for key, value in said["words"].items()},
        "fillers": fillers | {"beginnings": list_beginnings(ways, fillers.get("fragments", {}))},
        "beginnings": list_beginnings(_list_templates(verbs), fragments),
        **{table: said[table] for table in _TABLES},
        **{table: said.get(table, {}) for table in _FURTHER_TABLES},
    }


_AROUND = ("asides", "contrasts", "reasons", "doubts", "questions", "negations", "talk")
"""What stands around answers and is not in each language."""


def gather_controls(folder: str, read: Reader) -> dict[str, Any]:
    """Return what a folder says about answers to questions and words to a run; see ``gather_language``."""
    said = read_table(f"{folder}/control.toml", read)
    spellings = Spellings(said.pop("spellings", {}))
    file = f"{folder}/control.phrases"
    around = {key: spellings.write_phrases(value) for key, value in said["fillers"].items()}
    choosing = spellings.add(said["choosing"])
    numbers = {word: number for number, words in enumerate(choosing["numbers"], 1) for word in words}
    return {
        "phrases": pack_verbs(_spell_phrases(verb, spellings) for verb in read_phrases(read(file), file)),
        "fragments": {key: spellings.write_phrase(_join_ways(value)) for key, value in said["fragments"].items()},
        "fillers": around["phrases"],
        "contractions": said["contractions"],
        "endings": said["endings"],
        "numbers": numbers | dict.fromkeys(choosing["last"], -1),
        "small_words": choosing["small_words"],
        "wording": said["wording"],
        "turning": said.get("turning", {}).get("fragments", ()),
        **{key: around.get(key, ()) for key in _AROUND},
        **{key: choosing.get(key, "(?!)") for key in ("evasions", "pointing")},
    }


def gather_talk(folder: str, read: Reader) -> dict[str, Any]:
    """Return what a folder says in a conversation where nothing is to be done; see ``gather_language``."""
    said = read_table(f"{folder}/talk.toml", read)
    changing, replies = said["changing"], said["replies"]
    file = f"{folder}/talk.phrases"
    return {
        "phrases": pack_verbs(read_phrases(read(file), file)),
        "fragments": {key: _join_ways(value) for key, value in said.get("fragments", {}).items()},
        "changing_fragments": {key: _join_ways(value) for key, value in changing.pop("fragments", {}).items()},
        "perhaps_changing": changing.pop("perhaps", {}),
        "free": changing.pop("free", ()),
        "changing": changing,
        "examples": replies.pop("examples"),
        "replies": replies,
    }


GATHERED = {"control": gather_controls, "talk": gather_talk}
"""What is said in a conversation, by the name of its file."""


def read_table(name: str, read: Reader) -> dict[str, Any]:
    """Return what a TOML file says.

    Raises:
        TableError: If it is malformed; names the file and the place.
    """
    try:
        return tomllib.loads(read(name))
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{name}: {error}.") from error


def list_beginnings(templates: Iterable[str], fragments: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the words that each of some templates can begin with.

    Raises:
        TableError: If the beginning of one is malformed.
    """
    known: Beginnings = {}
    return {template: sorted(find_first_words(template, fragments, known)) for template in templates}


def merge_words(said: dict[str, Any], more: Mapping[str, Any], name: str) -> None:
    """Add what another file says to the tables of the first.

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


def _list_templates(verbs: Iterable[VerbPhrases]) -> list[str]:
    phrases = (phrase for verb in verbs for phrase in verb.phrases if not phrase.is_frame)
    return [phrase.template for phrase in phrases if not phrase.template.startswith(_ACT)]


def _read_words(folder: str, read: Reader, read_lent: Reader) -> dict[str, Any]:
    said = read_table(f"{folder}/words.toml", read)
    for name in (f"{folder}/{each}.toml" for each in said.pop("words_in", ())):
        merge_words(said, read_table(name, read), name)
    lent = _Lent(read_lent)
    for place in said.pop("borrows", ()):
        *path, last = place.split(".")
        table = said
        for part in path:
            table = table.setdefault(part, {})
        own, other = table.get(last), lent.find(path, last)
        table[last] = [*own, *other] if isinstance(own, list) else other
    return said


class _Lent:
    """What other languages borrow."""

    def __init__(self, read: Reader) -> None:
        self._read = cache(lambda name: read_table(f"{LENT}/{name}.toml", read))

    def find(self, path: list[str], last: str) -> Any:
        """Return what is said under a name; a KeyError if nothing is said there."""
        for name in ("words", *self._read("words")["words_in"]):
            table: Any = self._read(name)
            for part in path:
                table = table.get(part, {})
            if last in table:
                return table[last]
        raise KeyError(f"{LENT} says no {last}")


def _spell_phrases(verb: VerbPhrases, spellings: Spellings) -> VerbPhrases:
    phrases = (phrase._replace(template=spellings.write_phrase(phrase.template)) for phrase in verb.phrases)
    return verb._replace(phrases=tuple(phrases))


def _join_ways(value: str | list[str]) -> str:
    """Return a part of phrases; a list of ways to say it is a choice."""
    return value if isinstance(value, str) else f"({'|'.join(value)})"


def _turn(table: Mapping[str, Any]) -> dict[str, Any]:
    turned: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            turned[key] = _turn(cast("Mapping[str, Any]", value))
        else:
            turned |= dict.fromkeys(value, key)
    return turned
