"""ParamType: what a parameter of a rule may hold, as pydantic-core validators.

The types are strict: ``"2"`` is not a number and ``true`` is not an integer. pydantic's classes would say the same at three
times the import cost, so the schemas are given to pydantic-core directly.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic_core import PydanticCustomError, core_schema

from core.addresses.urls import judge_address
from core.base.errors import SurehandError
from core.selectors.keys import parse_keys
from core.selectors.screen_targets import list_target_needs, parse_element_target, parse_screen_target
from core.selectors.selectors import parse_selector, parse_single_selector

Kind = Literal["plain", "url", "path", "place", "name"]
Needs = Callable[[Any], tuple[str, ...]]
ANY_VALUE = "any value"
"""The one example of a type whose values all need the same."""


@dataclass(frozen=True, slots=True)
class ParamType:
    """A named type of parameter.

    Attributes:
        label: How documents and error messages call it.
        schema: The pydantic-core schema that checks it.
        kind: ``url`` and ``path`` values are judged by policy, and paths are resolved, before anything runs; a
            ``place`` is a path unless it starts with ``http://`` or ``https://``, and a ``name`` one part of a path.
        writing: Whether something at that path is made or changed.
        globs: Whether the path may be a glob, for several files.
        lasting: Whether it is a number of seconds that the act itself takes.
        needs: What the machine needs for a value, beside what the rule names.
        examples: Values, one for each thing that some need; for whoever lists what can't be done.
        secret: Whether it may hold the handle of a secret in place of a text.
    """

    label: str
    schema: core_schema.CoreSchema
    kind: Kind = "plain"
    writing: bool = False
    globs: bool = False
    lasting: bool = False
    needs: Needs | None = None
    examples: tuple[Any, ...] = ()
    secret: bool = False

    def list_needs(self) -> dict[str, list[str]]:
        """Return everything that some value needs, with the examples that need it."""
        found: dict[str, list[str]] = {}
        for example in self.examples:
            for need in self.needs(example) if self.needs else ():
                found.setdefault(need, []).append(str(example))
        return found


def _text(minimum: int = 0, maximum: int = 1_000_000) -> core_schema.StringSchema:
    return core_schema.str_schema(strict=True, min_length=minimum, max_length=maximum)


def _parsed(label: str, parse: Callable[[str], object], kind: Kind = "plain") -> ParamType:
    """Return a type for text that ``parse`` accepts; the text itself stays as it is."""

    def accept(value: str) -> str:
        try:
            parse(value)
        except SurehandError as error:
            raise PydanticCustomError("unreadable", "{reason}", {"reason": str(error)}) from error
        return value

    return ParamType(label, core_schema.no_info_after_validator_function(accept, _text(1, 20_000)), kind)


def _check_point(value: dict[str, Any]) -> dict[str, Any]:
    try:
        parse_screen_target(value)
    except SurehandError as error:
        raise PydanticCustomError("unreadable", "{reason}", {"reason": str(error)}) from error
    return value


def integer(minimum: int, maximum: int) -> ParamType:
    """Return the type of whole numbers from minimum to maximum, both included."""
    return ParamType(f"integer {minimum} to {maximum}", core_schema.int_schema(strict=True, ge=minimum, le=maximum))


def number(minimum: float, maximum: float) -> ParamType:
    """Return the type of finite numbers from minimum to maximum, both included."""
    schema = core_schema.float_schema(ge=minimum, le=maximum, allow_inf_nan=False, strict=True)
    return ParamType(f"number {minimum:g} to {maximum:g}", schema)


def listing(item: ParamType, maximum: int = 1000) -> ParamType:
    """Return the type of lists of items."""
    schema = core_schema.tuple_variable_schema(item.schema, max_length=maximum)
    return ParamType(f"list of {item.label}", _ordered(schema), item.kind, item.writing, item.globs)


def _ordered(schema: core_schema.TupleSchema) -> core_schema.CoreSchema:
    """Return a schema of lists and tuples only; a set has no order, so its digest would change from run to run."""

    def accept(value: object) -> object:
        if isinstance(value, list | tuple):
            return value
        raise PydanticCustomError("list_type", "input should be a list")

    return core_schema.no_info_before_validator_function(accept, schema)


def either(*types: ParamType) -> ParamType:
    """Return the type of values that one of the types accepts."""
    kind = next((each for each in types if each.kind != "plain"), types[0]).kind
    schema = core_schema.union_schema([each.schema for each in types], mode="left_to_right")
    writing, globs = any(each.writing for each in types), any(each.globs for each in types)
    return ParamType(" or ".join(each.label for each in types), schema, kind, writing, globs)


def needing(base: ParamType, needs: Mapping[str, tuple[str, ...]] | tuple[str, ...]) -> ParamType:
    """Return a type whose values need something of the machine: each its own, or all the same."""

    def look_up(value: Any) -> tuple[str, ...]:
        return needs if isinstance(needs, tuple) else needs.get(value, ())

    return replace(base, needs=look_up, examples=(ANY_VALUE,) if isinstance(needs, tuple) else tuple(needs))


def maybe_secret(base: ParamType) -> ParamType:
    """Return a type that also takes ``secret:name``, the handle of a secret."""
    return replace(base, label=f"{base.label}, or secret:name", secret=True)


def mapping(label: str, required: dict[str, ParamType], optional: dict[str, ParamType] | None = None) -> ParamType:
    """Return the type of mappings with exactly these keys."""
    fields = {name: core_schema.typed_dict_field(each.schema) for name, each in required.items()}
    for name, each in (optional or {}).items():
        fields[name] = core_schema.typed_dict_field(each.schema, required=False)
    return ParamType(label, core_schema.typed_dict_schema(fields, extra_behavior="forbid"))


def _filled(base: ParamType) -> ParamType:
    """Return the type of mappings that aren't empty."""

    def accept(value: dict[str, Any]) -> dict[str, Any]:
        if value:
            return value
        raise PydanticCustomError("empty", "input should name at least one")

    return replace(base, schema=core_schema.no_info_after_validator_function(accept, base.schema))


TEXT = ParamType("text", _text())
WORD = ParamType("text, not empty", _text(1, 1000))
SELECTOR = _parsed("selector", parse_single_selector)
SELECTORS = _parsed("selector, of one or several elements", parse_selector)
URL = _parsed("absolute http or https address", judge_address, "url")
ADDRESS_PATTERN = ParamType("address, part of one, or glob", _text(1, 20_000))
PATH = ParamType("path", _text(1, 32_000), "path")
NEW_PATH = replace(PATH, writing=True)
PLACE = ParamType("path, or http or https address", _text(1, 32_000), "place")
KEY = _parsed("key or combination of keys", parse_keys)
BOOLEAN = ParamType("true or false", core_schema.bool_schema(strict=True))
SECONDS = number(0, 3600)
DURATION = replace(SECONDS, lasting=True)
LEVEL = number(0, 100)
MEMORY_KEY = ParamType("name, at most 200 characters", _text(1, 200))
MEMORY_VALUE = either(
    ParamType("text of at most 10,000 characters", _text(0, 10_000)),
    BOOLEAN,
    integer(-(2**53), 2**53),
    number(-1e300, 1e300),
)
COUNT = integer(0, 1_000_000_000)
LIMIT = integer(1, 100_000)
PID = integer(1, 4_294_967_295)
SHA256 = ParamType("SHA-256 in hexadecimal", core_schema.str_schema(strict=True, pattern="^[0-9a-fA-F]{64}$"))
LONG_TEXT = ParamType("text, not empty", _text(1))
FILE_NAME = ParamType("name without a folder", _text(1, 1000), "name", writing=True)
ARGV = ParamType(
    "program and its arguments",
    _ordered(core_schema.tuple_variable_schema(TEXT.schema, min_length=1, max_length=1000)),
)
INDEX = integer(0, 100_000)
PLACE_IN_LINE = replace(either(integer(1, 100_000), integer(-100_000, -1)), label="1 for the first, -1 for the last")
CONTROL_VALUE = either(TEXT, BOOLEAN, integer(-(2**53), 2**53), number(-1e300, 1e300))
TAB = either(INDEX, WORD)
OPTIONS = either(INDEX, TEXT, listing(TEXT))
GLOB = replace(PATH, label="path or glob", globs=True)
NEW_GLOB = replace(GLOB, writing=True)
PATHS = either(PATH, listing(PATH, 100))
GLOBS = either(GLOB, listing(GLOB, 100))
NEW_GLOBS = either(NEW_GLOB, listing(NEW_GLOB, 100))
OFFSET = ParamType(
    "two numbers: pixels right, pixels down",
    _ordered(core_schema.tuple_positional_schema([number(-100_000, 100_000).schema] * 2)),
)
VIEWPORT = mapping("{width, height} in pixels", {"width": integer(1, 16_384), "height": integer(1, 16_384)})
GEOLOCATION = mapping(
    "{latitude, longitude} in degrees, accuracy in metres",
    {"latitude": number(-90, 90), "longitude": number(-180, 180)},
    {"accuracy": number(0, 1_000_000)},
)
WORDS = listing(TEXT, 1000)
BOUNDS = _filled(
    mapping(
        "{x, y, width, height} in pixels of the screen, at least one of them",
        {},
        {
            "x": integer(-100_000, 100_000),
            "y": integer(-100_000, 100_000),
            "width": integer(1, 100_000),
            "height": integer(1, 100_000),
        },
    )
)
REGION = mapping(
    "{x, y, width, height} in pixels, space (screen or window)",
    {
        "x": integer(-100_000, 100_000),
        "y": integer(-100_000, 100_000),
        "width": integer(1, 100_000),
        "height": integer(1, 100_000),
    },
    {"space": ParamType("screen or window", core_schema.literal_schema(["screen", "window"]))},
)
_POINT = mapping(
    "{point: [x, y], space (screen, window or screenshot), screenshot}",
    {"point": OFFSET},
    {
        "space": ParamType("space", core_schema.literal_schema(["screen", "window", "screenshot"])),
        "screenshot": WORD,
    },
)
SCREEN_TARGET = ParamType(
    "element, text on the screen, or point",
    core_schema.union_schema(
        [
            _parsed("element or text on the screen", parse_screen_target).schema,
            core_schema.no_info_after_validator_function(_check_point, _POINT.schema),
        ],
        mode="left_to_right",
    ),
    needs=list_target_needs,
    examples=('button "OK"', 'text "OK"'),
)
ELEMENT_TARGET = _parsed("element", parse_element_target)
WINDOW = needing(WORD, ("windows",))
IMAGE = needing(PATH, ("screen", "vision"))
FIELDS = ParamType(
    "{name: selector, or {selector, attribute, type}}",
    core_schema.dict_schema(
        WORD.schema,
        either(
            SELECTOR,
            mapping(
                "field",
                {},
                {
                    "selector": SELECTOR,
                    "attribute": WORD,
                    "type": ParamType(
                        "type",
                        core_schema.literal_schema(["text", "number", "integer", "boolean", "url", "html"]),
                    ),
                },
            ),
        ).schema,
        min_length=1,
        max_length=200,
    ),
)
FILLED_FIELDS = ParamType(
    "{words for a field: value}",
    core_schema.dict_schema(WORD.schema, CONTROL_VALUE.schema, min_length=1, max_length=50),
)
