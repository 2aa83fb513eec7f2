"""Values in flows: ``${name}`` stands for a variable, ``${id.output}`` for what an earlier goal gives."""

import itertools
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.requests.documents import TOO_LARGE, Document, DocumentPath
from core.base.errors import FlowError
from core.goals.references import Reference, Template
from core.rules.params import shorten, suggest

_SLOT = re.compile(r"\$\$\{|\$\{([^{}]*)\}|\$\{")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_GOAL_ID = re.compile(r"g[0-9]+")

MAX_FILLED = 10_000_000
"""Characters of all texts of a flow that variables stand in, once those are filled in."""

Scalar = str | int | float | bool


@dataclass(slots=True)
class FlowValues:
    """The names that a flow knows at some point, and what they stand for.

    Attributes:
        document: Where things stand in the file.
        variables: Values by name.
        outputs: Goal ids by the names that the author gave to earlier goals.
        filled: Characters of all texts that something was filled in, so far.
    """

    document: Document
    variables: dict[str, Scalar] = field(default_factory=dict[str, Scalar])
    outputs: dict[str, str] = field(default_factory=dict[str, str])
    filled: int = 0

    def declare(self, declared: Mapping[str, Scalar], overrides: Mapping[str, str]) -> None:
        """Take the variables, in order; each may use those above it.

        Args:
            declared: As the flow has them.
            overrides: Other values for some of them, as text; read as the type that the flow declares.

        Raises:
            FlowError: If a name or value makes no sense.
        """
        for name in overrides:
            if name not in declared:
                raise self.document.fail(("vars",), f'unknown variable "{name}"{suggest(name, declared)}.')
        for name, value in declared.items():
            self.check_name(name, ("vars", name))
            place = ("vars", name)
            filled = self._read_override(name, overrides[name], value) if name in overrides else self.fill(value, place)
            self.variables[name] = filled

    def check_name(self, name: object, place: DocumentPath) -> str:
        """Return a name that the author chose.

        Raises:
            FlowError: If it is no name, or taken.
        """
        if not isinstance(name, str) or not _NAME.fullmatch(name) or _GOAL_ID.fullmatch(name):
            text = f"{shorten(name)} is not a name: use letters, digits, - and _, but not g and a number."
            raise self.document.fail(place, text)
        if name in self.outputs or name in self.variables:
            raise self.document.fail(place, f'the name "{name}" is taken.')
        return name

    def fill(self, value: Any, place: DocumentPath) -> Any:
        """Return a value with every ``${…}`` in its texts filled in; a text that is nothing else keeps its type.

        Raises:
            FlowError: If a name is unknown or a ``${`` is not closed.
        """
        if isinstance(value, str):
            return self._fill_text(value, place)
        if isinstance(value, dict):
            return {key: self.fill(each, (*place, key)) for key, each in value.items()}
        if isinstance(value, list):
            return [self.fill(each, (*place, index)) for index, each in enumerate(value)]
        return value

    def _fill_text(self, text: str, place: DocumentPath) -> Any:
        if whole := _SLOT.fullmatch(text):
            value = self._resolve(whole, place)
            self._count(value, place)
            return value
        parts: list[str | Reference] = []
        end = 0
        for match in _SLOT.finditer(text):
            before, value = text[end : match.start()], self._resolve(match, place)
            written = value if isinstance(value, str | Reference) else json.dumps(value)
            self._count(before, place)
            self._count(written, place)
            parts += [before, written]
            end = match.end()
        return _join([*parts, text[end:]]) if parts else text

    def _count(self, value: Scalar | Reference, place: DocumentPath) -> None:
        """Count what is filled in, before it is put together.

        Raises:
            FlowError: ``too_large`` if all of it together is more than a flow may come to.
        """
        self.filled += len(value) if isinstance(value, str) else 1
        if self.filled > MAX_FILLED:
            text = f"with its variables filled in, the flow has more than {MAX_FILLED:,} characters."
            hint = "Use shorter variables, or use them less often."
            raise self.document.fail(place, text, hint=hint, code=TOO_LARGE)

    def _resolve(self, slot: re.Match[str], place: DocumentPath) -> Scalar | Reference:
        if slot.group() == "$${":
            return "${"
        if slot.group(1) is None:
            raise self._fail("${ has no closing }.", place)
        name, dot, key = slot.group(1).strip().partition(".")
        if not dot and name in self.variables:
            return self.variables[name]
        if dot and key and name in self.outputs:
            return Reference(self.outputs[name], key)
        if not dot and name in self.outputs:
            raise self._fail(f'"{name}" is a goal; say which of its outputs, such as ${{{name}.text}}.', place)
        if dot and name == "secret":
            raise self._fail(f"a secret is written secret:{key}, as the whole value of a param.", place)
        if dot:
            raise self._fail(f'no earlier goal is called "{name}"{suggest(name, self.outputs)}.', place)
        raise self._fail(f'unknown variable "{name}"{suggest(name, self.variables)}.', place)

    def _fail(self, message: str, place: DocumentPath) -> FlowError:
        return self.document.fail(place, message, hint="To write ${ itself, write $${.", code="unknown_name")

    def _read_override(self, name: str, text: str, declared: Scalar) -> Scalar:
        value = _read_like(text, declared)
        if value is None:
            kind = "true or false" if isinstance(declared, bool) else "a number"
            whole = "a whole number" if type(declared) is int else kind
            message = f'the variable "{name}" is {whole} in the flow, and {shorten(text)} is not.'
            raise self.document.fail(("vars", name), message)
        return value


def _read_like(text: str, declared: Scalar) -> Scalar | None:
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


def _join(parts: Sequence[str | Reference]) -> str | Template:
    """Return texts and references as one text, or as a template of as few parts as there can be."""
    joined: list[str | Reference] = []
    for kind, group in itertools.groupby(parts, type):
        if kind is Reference:
            joined += group
        elif text := "".join(map(str, group)):
            joined.append(text)
    if any(isinstance(part, Reference) for part in joined):
        return Template(tuple(joined))
    return "".join(map(str, joined))
