"""What a JSON Schema wants, as far as it can be read from a page: records, lists and single values."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

from rapidfuzz import fuzz

from core.base.errors import InputError
from core.base.late_dataclasses import dataclass
from core.base.phrases import quote_text

ScalarKind = Literal["string", "integer", "number", "boolean"]
SCALARS: tuple[ScalarKind, ...] = ("integer", "number", "boolean", "string")
_DEEPEST = 8
_ALTERNATIVES = ("anyOf", "oneOf", "allOf")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueShape:
    """A single value.

    Attributes:
        is_nullable: Whether it may be null, so that an empty cell is a value.
        format: Such as ``date`` or ``uri``; empty for none.
        choices: All values that it may have; empty for any.
    """

    kinds: tuple[ScalarKind, ...] = ("string",)
    is_nullable: bool = False
    format: str = ""
    choices: tuple[Any, ...] = ()

    @property
    def is_address(self) -> bool:
        """Whether it says where something leads."""
        return self.format in {"uri", "url"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ListShape:
    """A list."""

    items: "Shape"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldShape:
    """A property of a record.

    Attributes:
        names: What it may be called on a page: its name and its title.
    """

    name: str
    names: tuple[str, ...]
    shape: "Shape"
    is_required: bool = False
    description: str = ""

    @property
    def value(self) -> ValueShape | None:
        """What it is where it is a single value."""
        return self.shape if isinstance(self.shape, ValueShape) else None

    @property
    def entries(self) -> ValueShape | None:
        """What each entry is where it is a list of single values."""
        items = self.shape.items if isinstance(self.shape, ListShape) else None
        return items if isinstance(items, ValueShape) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordShape:
    """A record: its properties, in the order of the schema."""

    fields: tuple[FieldShape, ...]


Shape = ValueShape | ListShape | RecordShape


def read_shape(schema: Mapping[str, Any]) -> RecordShape | ListShape:
    """Return what a schema of an object, or of an array of objects, wants.

    Raises:
        InputError: ``bad_schema`` if it can't be filled from a page.
    """
    shape = _SchemaReader(schema).read(schema, "", 0)
    if isinstance(shape, RecordShape) or (isinstance(shape, ListShape) and isinstance(shape.items, RecordShape)):
        return shape
    raise _fail("", "it has to describe an object, or an array of objects")


class _SchemaReader:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root

    def read(self, schema: Any, place: str, depth: int) -> Shape:
        if not isinstance(schema, Mapping):
            raise _fail(place, "it is not an object")
        if depth > _DEEPEST:
            raise _fail(place, f"it is nested deeper than {_DEEPEST} levels")
        given, is_nullable = self._resolve(cast("Mapping[str, Any]", schema), place)
        kinds = _list_kinds(given, place)
        if "object" in kinds:
            return RecordShape(fields=tuple(self._read_fields(given, place, depth)))
        if "array" in kinds:
            return ListShape(items=self.read(given.get("items", {"type": "string"}), f"{place}[]", depth + 1))
        choices = given.get("enum", (given["const"],) if "const" in given else ())
        return ValueShape(
            kinds=tuple(each for each in SCALARS if each in kinds) or ("string",),
            is_nullable=is_nullable or "null" in kinds or None in choices,
            format=_tell(given, "format"),
            choices=tuple(each for each in choices if each is not None),
        )

    def _read_fields(self, schema: Mapping[str, Any], place: str, depth: int) -> Iterable[FieldShape]:
        properties = schema.get("properties")
        if not isinstance(properties, Mapping) or not properties:
            raise _fail(place, "it names no properties")
        for name, each in cast("Mapping[str, Any]", properties).items():
            yield FieldShape(
                name=name,
                names=tuple(dict.fromkeys(filter(None, (name, _tell(each, "title"))))),
                shape=self.read(each, f"{place}.{name}".strip("."), depth + 1),
                is_required=name in schema.get("required", ()),
                description=_tell(each, "description"),
            )

    def _resolve(self, schema: Mapping[str, Any], place: str) -> tuple[Mapping[str, Any], bool]:
        is_nullable = False
        for _ in range(_DEEPEST):
            if "$ref" in schema:
                schema = {**self._follow(str(schema["$ref"]), place), **_without(schema, ("$ref",))}
            elif word := next((each for each in _ALTERNATIVES if each in schema), None):
                others = [each for each in schema[word] if each != {"type": "null"}]
                is_nullable = is_nullable or len(others) < len(schema[word])
                if len(others) != 1:
                    raise _fail(place, f"its {word} has {len(others)} alternatives, and only one can be looked for")
                schema = {**others[0], **_without(schema, _ALTERNATIVES)}
            else:
                return schema, is_nullable
        raise _fail(place, "its references go round in a circle")

    def _follow(self, reference: str, place: str) -> Mapping[str, Any]:
        if not reference.startswith("#"):
            raise _fail(place, f"it refers to another file ({reference})")
        found: Any = self._root
        for part in reference.removeprefix("#").strip("/").split("/"):
            name = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, Mapping) or name not in found:
                raise _fail(place, f"{reference} does not exist")
            found = cast("Mapping[str, Any]", found)[name]
        return found if isinstance(found, Mapping) else {}


def _list_kinds(schema: Mapping[str, Any], place: str) -> Sequence[str]:
    given = schema.get("type")
    if given is None:
        return ["object"] if "properties" in schema else ["array"] if "items" in schema else ["string"]
    kinds = [given] if isinstance(given, str) else [str(each) for each in given]
    if unknown := [each for each in kinds if each not in {"object", "array", "null", *SCALARS}]:
        raise _fail(place, f"{quote_text(unknown[0])} is not a type")
    if len({"scalar" if each in SCALARS else each for each in kinds if each != "null"}) > 1:
        raise _fail(place, "it may be of several types")
    return kinds


def _tell(schema: Any, name: str) -> str:
    value = cast("Mapping[str, Any]", schema).get(name) if isinstance(schema, Mapping) else None
    return value if isinstance(value, str) else ""


def _without(schema: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: each for name, each in schema.items() if name not in names}


def _fail(place: str, why: str) -> InputError:
    where = f" at {place}" if place else ""
    hint = "Describe the fields that a record has: {type: array, items: {type: object, properties: {name: {type: string}}}}."
    return InputError(f"The schema{where} can't be filled from a page: {why}.", code="bad_schema", hint=hint)


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_SAME, _JOINED, _SORTED, _STEMMED = 100.0, 98.0, 97.0, 96.0
_LEAST = 70.0
_CLEARLY = 3.0  # better than the next one
_LEAST_ALIKE = 88.0  # of 100, of letters: a slip or a shorter spelling
_SHORTEST_ALIKE = 5
SURE = 95.0
"""From here on a label is the property's own name, but for spelling."""


def split_words(name: str) -> tuple[str, ...]:
    """Return the words of a name, however it is written: ``orderTotal``, ``order_total``, ``Order total:``."""
    plain = unicodedata.normalize("NFKD", name)
    letters = "".join(each for each in plain if not unicodedata.combining(each))
    return tuple(word.casefold() for word in _WORD.findall(letters))


def score_label(names: Sequence[str], label: str) -> float:
    """Return how well a label fits a property, from 0 to 100."""
    said = split_words(label)
    return max((_score(split_words(name), said) for name in names), default=0.0) if said else 0.0


def assign_labels(wanted: Sequence[FieldShape], labels: Sequence[str]) -> list[tuple[FieldShape, int]]:
    """Return which property which label means, by its place; each is used once, and none where two fit as well."""
    pairs = [
        _LabelMatch(field, label, score)
        for field, each in enumerate(wanted)
        for label, said in enumerate(labels)
        if (score := score_label(each.names, said)) >= _LEAST
    ]
    taken: list[_LabelMatch] = []
    for pair in sorted(pairs, key=lambda each: -each.score):
        free = [each for each in pairs if not any(each.meets(other) for other in taken)]
        rivals = [each.score for each in free if each != pair and each.meets(pair)]
        if pair in free and pair.score - max(rivals, default=0.0) >= _CLEARLY:
            taken.append(pair)
    return [(wanted[each.field], each.label) for each in taken]


class _LabelMatch(NamedTuple):
    field: int
    label: int
    score: float

    def meets(self, other: "_LabelMatch") -> bool:
        return self.field == other.field or self.label == other.label


def _score(wanted: tuple[str, ...], said: tuple[str, ...]) -> float:
    if not wanted:
        return 0.0
    if wanted == said:
        return _SAME
    joined, other = "".join(wanted), "".join(said)
    if joined == other:
        return _JOINED
    if sorted(wanted) == sorted(said):
        return _SORTED
    if [_stem(each) for each in wanted] == [_stem(each) for each in said]:
        return _STEMMED
    return max(_score_part(set(wanted), set(said)), _score_letters(joined, other))


def _score_part(wanted: set[str], said: set[str]) -> float:
    """Return how well one fits that has all words of the other, and more."""
    one, other = {_stem(each) for each in wanted}, {_stem(each) for each in said}
    if not (one <= other or other <= one):
        return 0.0
    return _LEAST + 20 * len(one & other) / len(one | other)


def _score_letters(one: str, other: str) -> float:
    if min(len(one), len(other)) < _SHORTEST_ALIKE:
        return 0.0
    alike = fuzz.ratio(one, other)
    return alike * 0.95 if alike >= _LEAST_ALIKE else 0.0


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
