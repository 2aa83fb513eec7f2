"""Values in flows: ``${name}`` stands for a variable, ``${id.output}`` for what an earlier goal gives."""

import itertools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from agent.requests.words.documents import TOO_LARGE, Document, DocumentPath
from agent.requests.words.variables import Scalar, find_like, name_type, read_declared, read_like
from core.base.errors import FlowError
from core.base.late_dataclasses import dataclass, field
from core.goals.references import Reference, Template
from core.rules.params import shorten, suggest

_SLOT = re.compile(r"\$\$\{|\$\{([^{}]*)\}|\$\{")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_GOAL_ID = re.compile(r"g[0-9]+")

MAX_FILLED = 10_000_000
"""Characters of all texts of a flow that variables stand in, once those are filled in."""

_NOTHING: Mapping[str, str] = {}


@dataclass(slots=True)
class FlowValues:
    """The names that a flow knows at some point, and what they stand for.

    Attributes:
        rows: By what a loop calls its row, the row; a reference where it is only read while the run goes on.
        filled: Characters of all texts that something was filled in, so far.
    """

    document: Document
    variables: dict[str, Scalar] = field(default_factory=dict[str, Scalar])
    outputs: dict[str, str] = field(default_factory=dict[str, str])
    rows: dict[str, Any] = field(default_factory=dict[str, Any])
    filled: int = 0

    def declare(
        self,
        declared: Mapping[str, Any],
        overrides: Mapping[str, str],
        environment: Mapping[str, str] | None = _NOTHING,
    ) -> None:
        """Take the variables, in order; each may use those above it.

        Args:
            overrides: Other values for some of them, as text; read as the type that the flow declares.
            environment: Variables of the environment; None where they may not be looked at.

        Raises:
            FlowError: If a name or value makes no sense, or one has none.
        """
        for name in overrides:
            if name not in declared:
                raise self.document.fail(("vars",), f'unknown variable "{name}"{suggest(name, declared)}.')
        for name, value in read_declared(declared, environment, self.document).items():
            self.check_name(name, ("vars", name))
            place = ("vars", name)
            if name in overrides:
                self.variables[name] = self._read_override(name, overrides[name], find_like(declared[name]))
            elif value is None:
                raise self._report_missing(name, declared[name]["env"], environment)
            elif isinstance(declared[name], Mapping):  # what the environment says is taken byte for byte
                self.variables[name] = value
            else:
                self.variables[name] = self.fill(value, place)

    def take(
        self,
        declared: Mapping[str, Any],
        given: Mapping[str, Any],
        environment: Mapping[str, str] | None,
        refuse: Callable[[str, str], FlowError],
    ) -> None:
        """Take the variables of a flow that another one includes.

        Args:
            environment: Variables of the environment; None where they may not be looked at.
            refuse: Returns the error about one that was given: its name, and what is wrong.

        Raises:
            FlowError: If a name or value makes no sense, or one has none.
        """
        for name, value in given.items():
            if name not in declared:
                raise refuse(name, f'the flow has no variable "{name}"{suggest(name, declared)}.')
            like = find_like(declared[name])
            if not isinstance(value, Reference | Template) and type(value) is not type(like):
                raise refuse(
                    name, f'the variable "{name}" is {name_type(like)} in the flow, and {shorten(value)} is not.'
                )
        self.variables |= given
        self.declare({name: value for name, value in declared.items() if name not in given}, {}, environment)

    def make_round(self, name: str, row: Any) -> "FlowValues":
        """Return what is known within one round of a loop: all of this, and its row."""
        return FlowValues(
            self.document, dict(self.variables), dict(self.outputs), {**self.rows, name: row}, self.filled
        )

    def _report_missing(self, name: str, variable: str, environment: Mapping[str, str] | None) -> FlowError:
        hint = f"Set it, write a default, or give --var {name}=VALUE."
        if environment is None:
            hint = f"A flow that was sent can't look at the environment here: send the variable {name}, or write a default."
        text = f'the variable "{name}" comes from {variable}, which is not set, and has no default.'
        return self.document.fail(("vars", name), text, hint=hint)

    def check_name(self, name: object, place: DocumentPath) -> str:
        """Return a name that the author chose.

        Raises:
            FlowError: If it is no name, or taken.
        """
        if not isinstance(name, str) or not _NAME.fullmatch(name) or _GOAL_ID.fullmatch(name):
            text = f"{shorten(name)} is not a name: use letters, digits, - and _, but not g and a number."
            raise self.document.fail(place, text)
        if name in self.outputs or name in self.variables or name in self.rows:
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
            written = value if isinstance(value, str | Reference | Template) else json.dumps(value)
            self._count(before, place)
            self._count(written, place)
            parts += [before, *(written.parts if isinstance(written, Template) else (written,))]
            end = match.end()
        return _join([*parts, text[end:]]) if parts else text

    def _count(self, value: Any, place: DocumentPath) -> None:
        """Count what is filled in, before it is put together."""
        self.filled += len(value) if isinstance(value, str) else 1
        if self.filled > MAX_FILLED:
            text = f"with its variables filled in, the flow has more than {MAX_FILLED:,} characters."
            hint = "Use shorter variables, or use them less often."
            raise self.document.fail(place, text, hint=hint, code=TOO_LARGE)

    def _resolve(self, slot: re.Match[str], place: DocumentPath) -> Any:
        if slot.group() == "$${":
            return "${"
        if slot.group(1) is None:
            raise self._fail("${ has no closing }.", place)
        name, dot, key = slot.group(1).strip().partition(".")
        if not dot and name in self.variables:
            return self.variables[name]
        if name in self.rows:
            return self._read_column(name, key, place)
        return self._find_output(slot.group(1).strip()) or self._refuse(name, dot, key, place)

    def _refuse(self, name: str, dot: str, key: str, place: DocumentPath) -> NoReturn:
        """Say why nothing is called so."""
        if not dot and name in self.outputs:
            raise self._fail(f'"{name}" is a goal; say which of its outputs, such as ${{{name}.text}}.', place)
        if dot and name == "secret":
            raise self._fail(f"a secret is written secret:{key}, as the whole value of a param.", place)
        if dot:
            raise self._fail(f'no earlier goal is called "{name}"{suggest(name, self.outputs)}.', place)
        raise self._fail(f'unknown variable "{name}"{suggest(name, self.variables)}.', place)

    def _find_output(self, text: str) -> Reference | None:
        """Return what a name and a key refer to; of several names that it may begin with, the longest."""
        parts = text.split(".")
        for count in range(len(parts) - 1, 0, -1):
            goal_id, key = self.outputs.get(".".join(parts[:count])), ".".join(parts[count:])
            if goal_id and key:
                return Reference(goal_id, key)
        return None

    def _read_column(self, name: str, key: str, place: DocumentPath) -> Any:
        """Return a column of a row; nested ones have dots."""
        found = self.rows[name]
        if isinstance(found, Reference):
            return Reference(found.goal_id, f"{found.key}.{key}") if key else found
        for step in key.split(".") if key else ():
            if isinstance(found, Mapping) and step in found:
                found = found[step]
            elif isinstance(found, list) and step.isdigit() and int(step) < len(found):
                found = found[int(step)]
            else:
                known = list(found) if isinstance(found, Mapping) else []
                raise self._fail(f'the row has no "{step}"{suggest(step, map(str, known))}.', place)
        return found

    def _fail(self, message: str, place: DocumentPath) -> FlowError:
        return self.document.fail(place, message, hint="To write ${ itself, write $${.", code="unknown_name")

    def _read_override(self, name: str, text: str, declared: Scalar) -> Scalar:
        value = read_like(text, declared)
        if value is None:
            message = f'the variable "{name}" is {name_type(declared)} in the flow, and {shorten(text)} is not.'
            raise self.document.fail(("vars", name), message)
        return value


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
