"""Packed phrases: the ways to say verbs as plain data, and back."""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, cast

from core.base.errors import TableError
from core.base.late_parts import compile_late
from core.goals.references import Reference
from core.language.grammars.grammar import Fill, Phrase, PhraseStep, SlotName, VerbPhrases

_ARROW = " -> "
# What a step of a phrase takes from a slot or from another step; no object in a phrase file has such a key.
_SLOT, _REFERENCE = "{}", "$"
_PARAM = compile_late(r"\s*([\w*]+):\s*")
_RAW = compile_late(r"'([^']*)'")
_NAMED_SLOT = compile_late(r"\{(\w+)\}")
_OUTPUT = compile_late(r"\$(g?\d+)\.([\w.]+)")
_WORD = compile_late(r"[^\W\d][\w./*+-]*")
_COMMA = compile_late(r"\s*,")
_CONSTANTS = {"true": True, "false": False}
_DECODER = json.JSONDecoder()
_FURTHER_FIELDS = ("sets", "after", "opens", "refuses", "asks", "steps", "fills", "choices", "is_frame")


class Examples(Mapping[str, Mapping[str, Any]]):
    """Sentences and the params that must come of them; the params are read when they are asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _params(self) -> dict[str, str]:
        parts = (line.partition(_ARROW) for line in self.text.splitlines())
        return {sentence.strip(): params for sentence, _, params in parts}

    def __getitem__(self, sentence: str) -> Mapping[str, Any]:
        """Return the params of a sentence; a TableError if they are malformed."""
        return read_params(self._params[sentence])

    def __iter__(self) -> Iterator[str]:
        return iter(self._params)

    def __len__(self) -> int:
        return len(self._params)


def read_params(text: str) -> dict[str, Any]:
    """Read params as phrase files write them: ``level: 20, app: Firefox``.

    Raises:
        TableError: If they are malformed.
    """
    params: dict[str, Any] = {}
    position = 0
    while position < len(text.rstrip()):
        match = _PARAM.match(text, position)
        if match is None:
            raise TableError(
                f"“{text}” is not a list of params: a name and a colon are expected at {text[position:]!r}."
            )
        params[match[1]], position = _read_value(text, match.end())
        if position < len(text.rstrip()):
            comma = _COMMA.match(text, position)
            if comma is None:
                raise TableError(f"“{text}” is not a list of params: a comma is expected at {text[position:]!r}.")
            position = comma.end()
    return params


def _read_value(text: str, start: int) -> tuple[Any, int]:
    if match := _RAW.match(text, start):
        return match[1], match.end()
    if match := _NAMED_SLOT.match(text, start):
        return SlotName(match[1]), match.end()
    if match := _OUTPUT.match(text, start):
        return Reference(match[1], match[2]), match.end()
    if match := _WORD.match(text, start):
        return _CONSTANTS.get(match[0], match[0]), match.end()
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError:
        raise TableError(f"“{text}” is not a list of params: {text[start:]!r} is not a value.") from None


def pack_verbs(verbs: Iterable[VerbPhrases]) -> list[Any]:
    """Return the ways to say verbs as plain data."""
    return [[verb.domain, verb.verb, [_pack(phrase) for phrase in verb.phrases]] for verb in verbs]


def unpack_verbs(packed: Iterable[Any]) -> tuple[VerbPhrases, ...]:
    """Return the ways to say verbs out of plain data."""
    return tuple(
        VerbPhrases(domain, verb, tuple([_unpack(*phrase) for phrase in phrases])) for domain, verb, phrases in packed
    )


def _pack(phrase: Phrase) -> tuple[Any, ...]:
    said = {name: value for name in _FURTHER_FIELDS if (value := getattr(phrase, name))}
    if phrase.steps:
        said["steps"] = [
            (step.name, {key: _pack_value(value) for key, value in step.params.items()}) for step in phrase.steps
        ]
    text = cast("Examples", phrase.examples).text
    return (phrase.template, text, said) if said else (phrase.template, text)


def _unpack(template: str, examples: str, said: dict[str, Any] | None = None) -> Phrase:
    if not said:
        return Phrase(template, Examples(examples))
    if "after" in said:
        said["after"] = tuple(said["after"])
    if "fills" in said:
        said["fills"] = tuple(Fill(*fill) for fill in said["fills"])
    if "steps" in said:
        said["steps"] = tuple(
            PhraseStep(name, {key: _unpack_value(value) for key, value in params.items()})
            for name, params in said["steps"]
        )
    return Phrase(template, Examples(examples), **said)


def _pack_value(value: Any) -> Any:
    if isinstance(value, SlotName):
        return {_SLOT: value.name}
    return {_REFERENCE: [value.goal_id, value.key]} if isinstance(value, Reference) else value


def _unpack_value(packed: Any) -> Any:
    if not isinstance(packed, dict):
        return packed
    marked = cast("dict[str, Any]", packed)
    if _SLOT in marked:
        return SlotName(marked[_SLOT])
    return Reference(*marked[_REFERENCE]) if _REFERENCE in marked else marked
