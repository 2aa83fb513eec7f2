r"""Phrase files: how people say each verb, one file a topic, written to be read by anybody.

    == audio.set_volume

    # What is behind a hash mark is a remark.
    say (set|put) {*:volume} to {level:percent}
     eg set the volume to 20 -> level: 20
     eg put the volume of Firefox to half -> level: 50, app: Firefox

``==`` names the verb that the ways to say behind it stand for, and ``say`` is one way, in the notation that
``core.language.grammars.grammar`` describes; ``frame`` is one in parts that may stand in any order, joined by `` + ``, as
``core.language.frames.frames`` describes. Each ``eg`` is a sentence, and what must come of it; these are run as tests. The other
lines, all optional, are ``set`` (params that the phrase itself stands for), ``after`` and ``opens`` (what must be in front,
what may be behind), ``refuse`` (the code of a refusal and its question), ``fill`` (the param that is missing, and the sentence
that an answer completes), ``choice`` (what a sentence can mean, and how that is said in full), and ``does`` (one of several goals that the phrase
stands for; ``{name}`` is what a slot holds, in quotes where it stands within a text, and ``$1.text`` an output of the first
of these goals). A line that is indented deeper goes on
with the one above it.

A value is a word, a number, a text in single quotes (as it is) or double quotes (with ``\"``), a list or an object.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, cast, get_args

from core.base.errors import TableError
from core.language.grammars.grammar import Fill, Phrase, PhraseStep, VerbPhrases
from core.language.grammars.packed_phrases import Examples, read_params
from core.language.meanings.interpretation import RefusalCode

_FRAME = "frame"
_HEADS = frozenset({"say", _FRAME})
_CODES = frozenset(get_args(RefusalCode))


class _Line(NamedTuple):
    """A line that says something: its key word and what is behind."""

    number: int
    key: str
    text: str


def read_phrases(text: str, name: str) -> tuple[VerbPhrases, ...]:
    """Read a phrase file.

    Raises:
        TableError: If a line is malformed; names the file and the line.
    """
    verbs: list[tuple[str, list[Phrase]]] = []
    block: list[_Line] = []

    def close() -> None:
        if block:
            verbs[-1][1].append(_make_phrase(block, name))
            block.clear()

    for line in _split_lines(text):
        if line.key == "==":
            close()
            verbs.append((line.text, []))
        elif not verbs:
            raise _fail(name, line, "a verb must be named first: == domain.verb")
        elif line.key in _HEADS:
            close()
            block.append(line)
        elif block:
            block.append(line)
        else:
            raise _fail(name, line, "a phrase begins with say or frame")
    close()
    return tuple(_make_verb(verb, phrases) for verb, phrases in verbs)


def _split_lines(text: str) -> Iterator[_Line]:
    parts: list[str] = []
    number = 0
    for index, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("    ") and parts:
            parts.append(line.strip())
            continue
        if parts:
            yield _make_line(number, parts)
        number, parts = index, [line.strip()]
    if parts:
        yield _make_line(number, parts)


def _make_line(number: int, parts: list[str]) -> _Line:
    key, _, text = " ".join(parts).partition(" ")
    return _Line(number, key, text.strip())


def _make_verb(name: str, phrases: list[Phrase]) -> VerbPhrases:
    domain, _, verb = name.partition(".")
    return VerbPhrases(domain, verb, tuple(phrases))


def _make_phrase(block: list[_Line], name: str) -> Phrase:
    examples: list[str] = []
    fields: dict[str, Any] = {"steps": (), "fills": (), "choices": {}}
    for line in block[1:]:
        if line.key == "eg":
            examples.append(line.text)
        elif line.key in _READERS:
            fields |= _READERS[line.key](fields, line, name)
        else:
            known = ", ".join(["say", "eg", *_READERS])
            raise _fail(name, line, f"{line.key!r} is not one of {known}")
    return Phrase(block[0].text, Examples("\n".join(examples)), **fields, is_frame=block[0].key == _FRAME)


def _read_step(line: _Line, name: str) -> PhraseStep:
    verb, _, params = line.text.partition(" ")
    return PhraseStep(verb, _read_params_of(line, params, name))


# What a line says of a phrase, beside what other lines have said.
_READERS: Mapping[str, Callable[[dict[str, Any], _Line, str], dict[str, Any]]] = {
    "opens": lambda _, line, __: {"opens": line.text},
    "set": lambda _, line, name: {"sets": _read_params_of(line, line.text, name)},
    "after": lambda _, line, __: {"after": tuple(each.strip() for each in line.text.split(","))},
    "refuse": lambda _, line, name: dict(zip(("refuses", "asks"), _read_refusal(line, name), strict=True)),
    "fill": lambda said, line, name: {"fills": (*said["fills"], Fill(*_read_pair(line, name)))},
    "choice": lambda said, line, name: {"choices": said["choices"] | dict([_read_pair(line, name)])},
    "does": lambda said, line, name: {"steps": (*said["steps"], _read_step(line, name))},
}


def _read_pair(line: _Line, name: str) -> tuple[str, str]:
    key, colon, text = line.text.partition(":")
    if not colon:
        raise _fail(name, line, f"{line.key} takes a name, a colon and a sentence")
    return key.strip(), text.strip()


def _read_refusal(line: _Line, name: str) -> tuple[RefusalCode, str]:
    code, _, asks = line.text.partition(":")
    if code not in _CODES:
        raise _fail(name, line, f"{code!r} is not a code of a refusal")
    return cast("RefusalCode", code), asks.strip()


def _read_params_of(line: _Line, text: str, name: str) -> dict[str, Any]:
    try:
        return read_params(text)
    except TableError as error:
        raise _fail(name, line, str(error)) from None


def _fail(name: str, line: _Line, reason: str) -> TableError:
    return TableError(f"{name}, line {line.number}: {reason}.")
