"""Tools as the makers of models want them described: OpenAI, Anthropic, Google, and MCP."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, get_args

from core.base.errors import InputError

ToolFormat = Literal["openai", "anthropic", "gemini", "mcp"]

TOOL_FORMATS: Final[tuple[ToolFormat, ...]] = get_args(ToolFormat)
_SCHEMAS: Final[Mapping[ToolFormat, str]] = {
    "openai": "parameters",
    "anthropic": "input_schema",
    "gemini": "parametersJsonSchema",
    "mcp": "inputSchema",
}
_NULL: Final = {"type": "null"}
_VALUES: Final = frozenset({"default", "enum", "const"})
"""Keywords that hold values and no schemas."""


def read_format(text: str) -> ToolFormat:
    """Return the format that is named.

    Raises:
        InputError: If there is none of that name.
    """
    if text in TOOL_FORMATS:
        return text
    raise InputError(f'Unknown format "{text}".', hint=f"Formats: {', '.join(TOOL_FORMATS)}.")


def format_tools(tools: Iterable[Mapping[str, Any]], form: ToolFormat) -> Any:
    """Return tools in the shape that an interface of models takes as it is.

    Returns:
        What stands behind ``tools`` in a request: a list, and for MCP the result of ``tools/list``.
    """
    plain = [
        {"name": tool["name"], "description": tool["description"], _SCHEMAS[form]: shorten_schema(tool["parameters"])}
        for tool in tools
    ]
    if form == "gemini":
        return [{"functionDeclarations": plain}]
    if form == "mcp":
        return {"tools": plain}
    return plain if form == "anthropic" else [{"type": "function", "function": each} for each in plain]


def shorten_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema that says the same in fewer words: what may be null may be left out, and names need no titles."""
    return {"type": "object", "properties": {}} | _shorten(schema)


def _shorten(part: Any) -> Any:
    if isinstance(part, list):
        return [_shorten(each) for each in part]
    if not isinstance(part, Mapping):
        return part
    short = {key: value for key, value in part.items() if not _is_idle(key, value)}
    choices = [each for each in short.pop("anyOf", []) if each != _NULL]
    if len(choices) == 1:
        short |= choices[0]
    elif choices:
        short["anyOf"] = choices
    named = {name: _shorten(each) for name, each in short.pop("properties", {}).items()}
    shorter = {key: value if key in _VALUES else _shorten(value) for key, value in short.items()}
    return shorter | ({"properties": named} if named else {})


def _is_idle(key: str, value: object) -> bool:
    return (key == "title" and isinstance(value, str)) or (key in {"default", "description"} and value is None)
