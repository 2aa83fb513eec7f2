"""Variables of flows, the environment that some of them come from, and the rows that its loops read out of files."""

import csv
import io
import math
import re
from collections.abc import Mapping
from typing import Any

from agent.requests.words.documents import Document, DocumentPath, parse_document
from agent.requests.words.word_parts import EnvironmentPart, read_word
from core.base.errors import GoalError
from core.rules.params import shorten, suggest


def read_row_file(name: str, text: str, types: Mapping[str, str]) -> list[Any]:
    """Return the rows of a file.

    Args:
        name: How messages call it; its ending says what it is.
        types: By column of a CSV file, what its texts are; what is not named is text.

    Raises:
        GoalError: If it can't be read as rows; names the line.
        FlowError: If it is JSON with a fault.
    """
    if name.lower().endswith(".json"):
        if types:
            raise GoalError("types are for CSV files; JSON has types of its own.", hint="Leave types out.")
        return _read_json(name, text)
    if name.lower().endswith(".csv"):
        return _read_csv(name, text, types)
    raise GoalError(f"“{name}” is neither a .csv nor a .json file.", hint="Rows come from a file of one of both.")


def _read_json(name: str, text: str) -> list[Any]:
    document = parse_document(text, name)
    if not isinstance(document.data, list):
        raise document.fail((), "rows must be a list, such as [{…}, {…}].")
    return document.data


def _read_csv(name: str, text: str, types: Mapping[str, str]) -> list[Any]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[Any] = []
    try:
        columns = next(reader, [])
        _check_columns(name, columns, types)
        for cells in reader:
            if not cells:
                continue
            if len(cells) != len(columns):
                raise GoalError(f"{name}:{reader.line_num}: the row has {len(cells)} cells for {len(columns)} columns.")
            rows.append(_read_cells(f"{name}:{reader.line_num}", dict(zip(columns, cells, strict=True)), types))
    except csv.Error as error:
        raise GoalError(f"{name}:{reader.line_num}: this is not valid CSV: {error}.") from None
    return rows


def _check_columns(name: str, columns: list[str], types: Mapping[str, str]) -> None:
    if not columns or not all(map(str.strip, columns)) or len(set(columns)) != len(columns):
        raise GoalError(f"{name}:1: the first line must name each column once.")
    if unknown := next((each for each in types if each not in columns), None):
        raise GoalError(f'{name}:1: there is no column "{unknown}"{suggest(unknown, columns)}.')


def _read_cells(place: str, cells: Mapping[str, str], types: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for column, cell in cells.items():
        value = read_as(cell, types.get(column, "text"))
        if value is None:
            like = {"integer": 0, "number": 0.0, "boolean": False}[types[column]]
            raise GoalError(f'{place}: "{column}" must be {name_type(like)}, and {shorten(cell)} is not.')
        found[column] = value
    return found


Scalar = str | int | float | bool

_LIKE: Mapping[str, Scalar] = {"text": "", "integer": 0, "number": 0.0, "boolean": False}
"""A value of each type that a flow can name."""

_CALLED = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
_CONFIDENTIAL = re.compile(r"PASSW|PASSPHRASE|SECRET|TOKEN|CREDENTIAL|API_?KEY|PRIVATE_?KEY", re.IGNORECASE)


def read_like(text: str, declared: Scalar) -> Scalar | None:
    """Return a text as a value of the same type as another, or None if it is none."""
    if isinstance(declared, str):
        return text
    if isinstance(declared, bool):
        return {"true": True, "false": False}.get(text.strip().lower())
    try:
        value = type(declared)(text)
        return value if math.isfinite(value) else None
    except (ValueError, OverflowError):
        return None


def read_as(text: str, kind: str) -> Scalar | None:
    """Return a text as a value of a type that a flow names, or None if it is none."""
    return read_like(text, _LIKE[kind])


def name_type(value: Scalar) -> str:
    """Return what a value must be to stand in the place of another: ``a whole number``."""
    return _CALLED[type(value)]


def read_declared(
    declared: Mapping[str, Any], environment: Mapping[str, str] | None, document: Document
) -> dict[str, Scalar | None]:
    """Return the variables of a flow; None where one must be given from outside.

    Args:
        environment: Variables of the environment; None where they may not be looked at.

    Raises:
        FlowError: If one is no value, or doesn't fit its type.
    """
    found: dict[str, Scalar | None] = {}
    for name, value in declared.items():
        place: DocumentPath = ("vars", name)
        if isinstance(value, Mapping):
            found[name] = _read_environment(value, environment, place, document)
        elif isinstance(value, str | int | float | bool) and (isinstance(value, str) or math.isfinite(value)):
            found[name] = value
        else:
            text = f'the variable "{name}" must be text, a number, or true or false; not {shorten(value)}.'
            raise document.fail(place, text, hint="One from the environment is written {env: NAME, default: …}.")
    return found


def find_like(value: Any) -> Scalar:
    """Return a value of the type that a declared variable has."""
    if not isinstance(value, Mapping):
        return value if isinstance(value, str | int | float | bool) else ""
    default = value.get("default")
    if value.get("type"):
        return _LIKE[str(value["type"])]
    return "" if default is None else default


def _read_environment(
    data: Any, environment: Mapping[str, str] | None, place: DocumentPath, document: Document
) -> Scalar | None:
    part: EnvironmentPart = read_word(EnvironmentPart, data, place, document)
    if _CONFIDENTIAL.search(part.env):
        text = f"{part.env} sounds like a secret, and a variable is shown in plans and receipts."
        raise document.fail((*place, "env"), text, hint="Use a secret: surehand secrets set NAME, then secret:NAME.")
    like = find_like(data)
    if part.default is not None and type(part.default) is not type(like):
        text = f"the default of {place[-1]} must be {name_type(like)}, not {shorten(part.default)}."
        raise document.fail((*place, "default"), text)
    given = (environment or {}).get(part.env)
    if given is None:
        return part.default
    value = read_like(given, like)
    if value is None:
        text = f"{part.env} must be {name_type(like)}, and {shorten(given)} in the environment is not."
        raise document.fail(place, text)
    return value
