"""The rows of a loop out of a CSV or JSON file; read when the flow is, so that all its rounds are planned before anything runs."""

import csv
import io
from collections.abc import Mapping
from typing import Any

from agent.requests.words.documents import parse_document
from agent.requests.words.variables import name_type, read_as
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
