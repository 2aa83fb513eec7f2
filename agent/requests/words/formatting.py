"""Flow files in one form: keys in one order, quotes where text needs them. Comments stay, and the meaning does."""

import io
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError
from ruamel.yaml.scalarstring import (
    DoubleQuotedScalarString,
    FoldedScalarString,
    LiteralScalarString,
    PlainScalarString,
    ScalarString,
    SingleQuotedScalarString,
)

from agent.requests.words.documents import Document, parse_document
from core.base.errors import FlowError

_TOP = ("name", "vars", "secrets", "policy", "budget", "goals", "finally")
_ENTRY_FIRST = ("id", "group", "repeat", "include")
_ENTRY_LAST = ("object", "scope", "when", "unless", "retry", "expect", "verify", "goals")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./*-]*(?::[A-Za-z0-9_./*-]+)*")
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"}
_WIDTH = 1_000_000


def format_flow(text: str, name: str) -> str:
    """Return a flow file in its usual form.

    Args:
        text: YAML, or JSON where the name ends so.

    Raises:
        FlowError: If it is no closed document, or can't be written in another form without a change of its meaning.
    """
    before = parse_document(text, name)
    if name.lower().endswith(".json"):
        return json.dumps(_order(before.data), indent=2, ensure_ascii=False) + "\n"
    formatted = _write(text, before)
    _compare(before, formatted, text)
    return formatted


def _write(text: str, document: Document) -> str:
    writer = YAML()
    writer.width = _WIDTH
    writer.allow_unicode = True
    writer.indent(mapping=2, sequence=4, offset=2)
    try:
        data = writer.load(text)
        stream = io.StringIO()
        writer.dump(_order(_quote(data)), stream)
    except YAMLError:
        raise _refuse(document) from None
    lines = stream.getvalue().splitlines(keepends=True)
    return "".join(line.rstrip(" ") if line.strip() else "\n" for line in lines).rstrip("\n") + "\n"


def _compare(before: Document, formatted: str, text: str) -> None:
    """Make sure that nothing was lost."""
    try:
        after = parse_document(formatted, before.name)
    except FlowError:
        raise _refuse(before) from None
    if _list_values(after.data) != _list_values(before.data) or _count_comments(formatted) < _count_comments(text):
        raise _refuse(before)


def _refuse(document: Document) -> FlowError:
    text = "this file can't be formatted without a change of what it says; it stays as it is."
    return document.fail((), text, hint="Write its long or unusual texts in double quotes.", code="not_formattable")


def _count_comments(text: str) -> int:
    return sum(line.lstrip().startswith("#") or " #" in line for line in text.splitlines())


def _list_values(value: Any) -> Any:
    """Return a value in which types count, and the order of keys only among variables."""
    if isinstance(value, Mapping):
        return {
            key: [list(each), _list_values(each)] if key == "vars" and isinstance(each, Mapping) else _list_values(each)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_list_values(each) for each in value]
    return (type(value).__name__, value)


def _quote(value: Any) -> Any:
    """Return a value whose texts are quoted where they need it, in one way."""
    if isinstance(value, CommentedMap):
        for key, each in value.items():
            value[key] = _quote(each)
        return value
    if isinstance(value, CommentedSeq):
        for index, each in enumerate(value):
            value[index] = _quote(each)
        return value
    return _quote_text(value) if isinstance(value, str) else value


def _quote_text(text: str) -> str:
    if isinstance(text, LiteralScalarString | FoldedScalarString):
        return text
    if isinstance(text, ScalarString) and text.anchor.value:
        return text
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS and not text.endswith(":"):
        return PlainScalarString(text)  # a bare str would take the quotes of what it replaces
    return put_quotes(text)


def put_quotes(text: str) -> ScalarString:
    """Return a text in the quotes in which it needs no escapes, else in double ones."""
    is_single = '"' in text and "'" not in text and text.isprintable()
    return SingleQuotedScalarString(text) if is_single else DoubleQuotedScalarString(text)


def _order(data: Any) -> Any:
    """Return a flow with its keys in their order; a mapping with comments in it keeps its own."""
    if not isinstance(data, dict):
        return data
    _order_entries(data.get("goals"))
    _order_entries(data.get("finally"))
    return _sort(data, [*_TOP, *(key for key in data if key not in _TOP)])


def _order_entries(entries: Any) -> None:
    if not isinstance(entries, list):
        return
    for index, entry in enumerate(entries):
        if isinstance(entry, dict):
            _order_entries(entry.get("goals"))
            middle = [key for key in entry if key not in {*_ENTRY_FIRST, *_ENTRY_LAST}]
            entries[index] = _sort(entry, [*_ENTRY_FIRST, *middle, *_ENTRY_LAST])


def _sort(data: dict[str, Any], order: Sequence[str]) -> dict[str, Any]:
    if _has_comments(data):
        return data
    wanted = [key for key in order if key in data]
    if wanted == list(data):
        return data
    values = {key: data.pop(key) for key in list(data)}
    for key in wanted:
        data[key] = values[key]
    return data


def _has_comments(value: Any) -> bool:
    """Tell whether a comment stands somewhere in a value; it belongs to what stands above or beside it."""
    if not isinstance(value, CommentedMap | CommentedSeq):
        return False
    if value.ca.items or value.ca.comment or value.ca.end:
        return True
    return any(map(_has_comments, value.values() if isinstance(value, CommentedMap) else value))
