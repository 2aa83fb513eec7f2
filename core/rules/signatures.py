"""What the signature of a tool says of a verb's params, and how it is joined with the row of the verb.

The signature is the only place where params are declared. One without a default is required; a default of None means that the
param may be left out, any other is filled in, and is as authoritative as what was given. The type of a param is

- what stands in ``Annotated[…]``: a ``ParamType``, and ``FromWorld`` where configuration may add values;
- else the type itself: ``str`` is text that isn't empty, ``bool`` true or false, a ``Literal`` one of its values.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from core.base.errors import TableError
from core.rules.param_types import BOOLEAN, WORD
from core.rules.rule_types import FromWorld, PlannerRule, RuleKey, VerbRow
from core.rules.type_makers import ParamType

if TYPE_CHECKING:
    from core.tools.registry import ToolSpec

_PLAIN: Mapping[Any, ParamType] = {str: WORD, bool: BOOLEAN}


class JoinedRules(Mapping[RuleKey, PlannerRule]):
    """The rules of a table; those of a domain are joined with its tools when the first of them is asked for."""

    def __init__(self, rows: Mapping[RuleKey, VerbRow], list_tools: Callable[[str], "Collection[ToolSpec]"]) -> None:
        self._rows = rows
        self._list_tools = list_tools
        self._joined: dict[RuleKey, PlannerRule] = {}

    def __getitem__(self, key: RuleKey) -> PlannerRule:
        """Return the rule of a domain and verb."""
        if key not in self._joined and key in self._rows:
            own = {each: row for each, row in self._rows.items() if each[0] == key[0]}
            self._joined |= join_rows(own, self._list_tools(key[0]))
        return self._joined[key]

    def __iter__(self) -> Iterator[RuleKey]:
        """Go through the domains and verbs in the order of the table; that joins none."""
        return iter(self._rows)

    def __len__(self) -> int:
        """Count the rows."""
        return len(self._rows)


def join_rows(rows: Mapping[RuleKey, VerbRow], tools: "Collection[ToolSpec]") -> dict[RuleKey, PlannerRule]:
    """Return the rules: each row with the params of its tool in their order, those without a default first.

    A row without a tool has no params; ``check_table`` tells. A TableError for a type of which nothing is known here.
    """
    by_verb = {(tool.domain, tool.verb): tool for tool in tools}
    return {key: _join(row, by_verb.get(key)) for key, row in rows.items()}


def _join(row: VerbRow, tool: "ToolSpec | None") -> PlannerRule:
    hints = {**(tool.hints if tool else {}), **row.semantic_params}
    required = tool.required if tool else ()
    allowed = {name: read_allowed(hint) for name, hint in hints.items()}
    return PlannerRule(
        **{each.name: getattr(row, each.name) for each in fields(row)},
        required_params=required,
        optional_params=tuple(name for name in hints if name not in required),
        param_types={name: read_type(name, hint) for name, hint in hints.items()},
        allowed_values={name: values for name, values in allowed.items() if values},
        default_params={name: value for name, value in tool.defaults.items() if value is not None} if tool else {},
    )


def read_type(name: str, hint: Any) -> ParamType:
    """Return the type of a param by its hint in a signature; TableError if it is one of which nothing is known here."""
    parts = [each for each in get_args(hint) if each is not type(None)]
    if get_origin(hint) in (Union, UnionType) and len(parts) == 1:
        return read_type(name, parts[0])
    if get_origin(hint) is Annotated:
        found = next((each for each in parts[1:] if isinstance(each, ParamType)), None)
        return found or read_type(name, parts[0])
    if get_origin(hint) is Literal:
        return WORD
    if hint in _PLAIN:
        return _PLAIN[hint]
    raise TableError(f"The type of {name} is {hint}, which says too little: use Annotated with a ParamType.")


def read_allowed(hint: Any) -> tuple[Any, ...] | FromWorld:
    """Return the closed set of values of a param, or of the items of a list; empty if there is none."""
    world = next((each for each in get_args(hint) if isinstance(each, FromWorld)), None)
    return world or tuple(dict.fromkeys(_list_choices(hint)))


def _list_choices(hint: Any) -> Iterator[Any]:
    parts = get_args(hint)
    if get_origin(hint) is Literal:
        yield from parts
    else:
        yield from (value for part in parts for value in _list_choices(part))
