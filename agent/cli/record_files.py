"""Records in files: JSON as the schema wants it, or a table of comma-separated values."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from agent.cli.asking import check_new_file
from core.base.errors import InputError

ENDINGS = (".json", ".csv")
_LARGEST_SCHEMA = 1024 * 1024
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
_BETWEEN = "; "


def read_schema(path: Path) -> Mapping[str, Any]:
    """Return the JSON Schema in a file.

    Raises:
        InputError: If it can't be read, or is something else.
    """
    try:
        if path.stat().st_size > _LARGEST_SCHEMA:
            raise InputError(f"{path} is too large for a schema.", code="bad_schema")
        schema = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.", code="file_unreadable") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}.", code="bad_schema") from error
    if not isinstance(schema, dict):
        raise InputError(f"{path} is not a JSON Schema: it is not an object.", code="bad_schema")
    return cast("Mapping[str, Any]", schema)


def check_records_place(path: Path) -> None:
    """Check that records can be written to a new file.

    Raises:
        InputError: If its folder is missing, something is there, or its ending says no form.
    """
    if path.suffix.lower() not in ENDINGS:
        hint = f"Name a file that ends in {' or '.join(ENDINGS)}."
        raise InputError(f"In which form {path} is to be written is not said.", code="bad_usage", hint=hint)
    check_new_file(path)


def write_records(records: Any, path: Path) -> tuple[bytes, int]:
    """Return the content of a file with records, and how many texts in it had to be kept from being formulas."""
    if path.suffix.lower() == ".csv":
        return _write_table(records if isinstance(records, list) else [records])
    return f"{json.dumps(records, ensure_ascii=False, indent=2)}\n".encode("utf-8", "backslashreplace"), 0


def _write_table(records: Sequence[Mapping[str, Any]]) -> tuple[bytes, int]:
    rows = [_flatten(record, "") for record in records]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    guarded = sum(_is_formula(value) for row in rows for value in row.values())
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, restval="")
    writer.writeheader()
    writer.writerows({name: _write_cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue().encode("utf-8", "backslashreplace"), guarded


def _flatten(record: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return a record whose inner records stand beside it as ``outer.inner``."""
    flat: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Mapping):
            flat |= _flatten(cast("Mapping[str, Any]", value), f"{prefix}{name}.")
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def _write_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        parts = cast("list[Any]", value)
        is_plain = not any(isinstance(each, Mapping | list) for each in parts)
        return _BETWEEN.join(map(_write_cell, parts)) if is_plain else json.dumps(parts, ensure_ascii=False)
    return f"'{value}" if _is_formula(value) else str(value)


def _is_formula(value: Any) -> bool:
    """Tell whether a program for tables would run a text of a page as a formula."""
    return isinstance(value, str) and value.startswith(_FORMULAS)
