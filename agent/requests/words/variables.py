"""Variables of flows: what they are where nothing else is said, and the environment that some of them come from."""

import math
import re
from collections.abc import Mapping
from typing import Any

from agent.requests.words.documents import Document, DocumentPath
from agent.requests.words.word_parts import EnvironmentPart, read_word
from core.rules.params import shorten

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
