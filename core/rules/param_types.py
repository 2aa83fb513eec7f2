"""The types of the params of the table: texts, numbers, and what some reader of the core accepts."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic_core import PydanticCustomError, core_schema

from core.addresses.urls import judge_address
from core.base.errors import SurehandError
from core.rules.type_makers import (
    Kind,
    ParamType,
    aiming,
    beside,
    either,
    integer,
    listing,
    mapping,
    needing,
    number,
    ordered,
    text_schema,
)
from core.selectors.keys import parse_keys
from core.selectors.screen_targets import list_target_needs, parse_element_target, parse_screen_target
from core.selectors.selectors import parse_selector, parse_single_selector


def _parsed(label: str, parse: Callable[[str], object], kind: Kind = "plain") -> ParamType:
    """Return a type for text that ``parse`` accepts; the text itself stays as it is."""
    return ParamType(label, _accepted(parse, text_schema(1, 20_000)), kind)


def _accepted(parse: Callable[[Any], object], schema: core_schema.CoreSchema) -> core_schema.CoreSchema:
    def accept(value: Any) -> Any:
        try:
            parse(value)
        except SurehandError as error:
            raise PydanticCustomError("unreadable", "{reason}", {"reason": str(error)}) from error
        return value

    return core_schema.no_info_after_validator_function(accept, schema)


def _filled(base: ParamType) -> ParamType:
    """Return the type of mappings that aren't empty."""

    def accept(value: dict[str, Any]) -> dict[str, Any]:
        if value:
            return value
        raise PydanticCustomError("empty", "input should name at least one")

    return replace(base, schema=core_schema.no_info_after_validator_function(accept, base.schema))


TEXT = ParamType("text", text_schema())
WORD = ParamType("text, not empty", text_schema(1, 1000))
NAME = aiming(WORD)
SELECTOR = aiming(_parsed("selector", parse_single_selector))
SELECTORS = aiming(_parsed("selector, of one or several elements", parse_selector))
URL = aiming(_parsed("absolute http or https address", judge_address, "url"))
ADDRESS_PATTERN = aiming(ParamType("address, part of one, or glob", text_schema(1, 20_000)))
PATH = aiming(ParamType("path", text_schema(1, 32_000), "path"))
NEW_PATH = replace(PATH, writing=True)
PLACE = aiming(ParamType("path, or http or https address", text_schema(1, 32_000), "place"))
KEY = _parsed("key or combination of keys", parse_keys)
BOOLEAN = ParamType("true or false", core_schema.bool_schema(strict=True))
SECONDS = number(0, 3600)
DURATION = replace(SECONDS, lasting=True)
LEVEL = number(0, 100)
MEMORY_KEY = ParamType("name, at most 200 characters", text_schema(1, 200))
MEMORY_VALUE = either(
    ParamType("text of at most 10,000 characters", text_schema(0, 10_000)),
    BOOLEAN,
    integer(-(2**53), 2**53),
    number(-1e300, 1e300),
)
COUNT = integer(0, 1_000_000_000)
LIMIT = integer(1, 100_000)
PID = integer(1, 4_294_967_295)
SHA256 = ParamType("SHA-256 in hexadecimal", core_schema.str_schema(strict=True, pattern="^[0-9a-fA-F]{64}$"))
LONG_TEXT = ParamType("text, not empty", text_schema(1))
FILE_NAME = ParamType("name without a folder", text_schema(1, 1000), "name", writing=True, aims=True)
ARGV = ParamType(
    "program and its arguments",
    ordered(core_schema.tuple_variable_schema(TEXT.schema, min_length=1, max_length=1000)),
)
INDEX = integer(0, 100_000)
PLACE_IN_LINE = replace(either(integer(1, 100_000), integer(-100_000, -1)), label="1 for the first, -1 for the last")
CONTROL_VALUE = either(TEXT, BOOLEAN, integer(-(2**53), 2**53), number(-1e300, 1e300))
TAB = aiming(either(INDEX, WORD))
OPTIONS = either(INDEX, TEXT, listing(either(INDEX, TEXT)))
GLOB = replace(PATH, label="path or glob", globs=True)
NEW_GLOB = replace(GLOB, writing=True)
PATHS = either(PATH, listing(PATH, 100))
GLOBS = either(GLOB, listing(GLOB, 100))
NEW_GLOBS = either(NEW_GLOB, listing(NEW_GLOB, 100))
OFFSET = ParamType(
    "two numbers: pixels right, pixels down",
    ordered(core_schema.tuple_positional_schema([number(-100_000, 100_000).schema] * 2)),
)
VIEWPORT = mapping("{width, height} in pixels", {"width": integer(1, 16_384), "height": integer(1, 16_384)})
GEOLOCATION = mapping(
    "{latitude, longitude} in degrees, accuracy in metres",
    {"latitude": number(-90, 90), "longitude": number(-180, 180)},
    {"accuracy": number(0, 1_000_000)},
)
WORDS = listing(TEXT, 1000)
_RECTANGLE = {
    "x": integer(-100_000, 100_000),
    "y": integer(-100_000, 100_000),
    "width": integer(1, 100_000),
    "height": integer(1, 100_000),
}
BOUNDS = _filled(mapping("{x, y, width, height} in pixels of the screen, at least one of them", {}, _RECTANGLE))
REGION = mapping(
    "{x, y, width, height} in pixels, space (screen or window)",
    _RECTANGLE,
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
            _accepted(parse_screen_target, _POINT.schema),
        ],
        mode="left_to_right",
    ),
    needs=list_target_needs,
    examples=('button "OK"', 'text "OK"'),
    aims=True,
)
ELEMENT_TARGET = aiming(_parsed("element", parse_element_target))
WINDOW = needing(NAME, ("windows",))
IMAGE = needing(beside(PATH), ("screen", "vision"))
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

# What signatures of tools say for what many of them take.
PlainText = Annotated[str, TEXT]
LongText = Annotated[str, LONG_TEXT]
NameText = Annotated[str, NAME]
Selector = Annotated[str, SELECTOR]
Selectors = Annotated[str, SELECTORS]
HttpAddress = Annotated[str, URL]
AddressPattern = Annotated[str, ADDRESS_PATTERN]
FilePath = Annotated[str, PATH]
NewFilePath = Annotated[str, NEW_PATH]
FileGlobs = Annotated[str | tuple[str, ...], GLOBS]
Sha256 = Annotated[str, SHA256]
MemoryKey = Annotated[str, MEMORY_KEY]
TimeLimit = Annotated[float, SECONDS]
Duration = Annotated[float, DURATION]
LevelPercent = Annotated[float, LEVEL]
Limit = Annotated[int, LIMIT]
AimedTarget = Annotated[str | Mapping[str, Any], SCREEN_TARGET]
ElementWords = Annotated[str, needing(WORD, ("accessibility",))]
ImagePath = Annotated[str, IMAGE]
ScreenPart = Annotated[Mapping[str, Any], REGION]
WindowName = Annotated[str, WINDOW]
