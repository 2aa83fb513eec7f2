"""Flow files as we write them: goals that were carried out, so that they can be carried out again without whoever found them."""

import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import ScalarString

from agent.requests.flows import parse_flow
from agent.requests.words.formatting import put_quotes
from agent.requests.words.policy_parts import LIMITS
from core.base.errors import GoalError
from core.base.late_dataclasses import dataclass, field
from core.base.phrases import fold_text
from core.goals.meta_goals import Goal
from core.goals.references import Reference, Template, find_references
from core.goals.secret_values import Secret, find_written_handles
from core.policy.policy import Policy

_OPENING = "${"
_ESCAPED = "$${"
_DOLLAR = ("dollar", "$")
"""A variable for the sign in front of a reference, which would make no reference of it."""
_WIDTH = 120
_NO_NAMES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenStep:
    """A step of a flow.

    Attributes:
        step_id: What later steps call it that refer to what it gave; written where one does.
    """

    goal: Goal
    expect: Mapping[str, Any] = field(default_factory=dict[str, Any])
    step_id: str = ""


def write_flow(name: str, steps: Sequence[WrittenStep], policy: Policy, remarks: Sequence[str] = ()) -> str:
    """Return a flow file that does the steps one after the other, and reads back as just that.

    Raises:
        GoalError: ``flow_not_writable`` if a step holds what no flow can say, such as a reference to another run.
    """
    wanted = _check_references(steps)
    limits = {key: list(entries) for key in LIMITS if (entries := getattr(policy, key)) is not None}
    data: dict[str, Any] = {"name": _say(fold_text(name))}
    if secrets := sorted({handle.name for each in steps for handle in _list_handles(each.goal.params)}):
        data["secrets"] = secrets
    if limits:
        data["policy"] = _write_value(limits)
    data["goals"] = [_write_step(each, is_named=each.step_id in wanted) for each in steps]
    if any(_has_dollar(each.goal.params) for each in steps):
        data["vars"] = dict([_DOLLAR])
    text = "".join(f"# {fold_text(line)}\n" for line in remarks) + _dump(data)
    _check(text, steps)
    return text


def _check_references(steps: Sequence[WrittenStep]) -> set[str]:
    """Return the ids of the steps that later ones refer to."""
    known, wanted = set[str](), set[str]()
    for step in steps:
        wanted |= {each.goal_id for each in find_references(step.goal.params)}
        if wanted - known:
            raise GoalError("A step refers to another run, which a flow can't.", code="flow_not_writable")
        known.add(step.step_id)
    return wanted


def _write_step(step: WrittenStep, *, is_named: bool) -> dict[str, Any]:
    name = {"id": step.step_id} if is_named else {}
    written = {**name, step.goal.name: _write_value(step.goal.params)}
    return written | {"expect": _write_value(step.expect)} if step.expect else written


def _write_value(value: Any) -> Any:
    """Return a value as a flow says it: every text in quotes, and nothing in it stands for anything else."""
    if isinstance(value, Secret):
        return _say(str(value))
    if isinstance(value, Reference):
        return put_quotes(str(value))
    if isinstance(value, Template):
        return put_quotes("".join(map(_write_part, value.parts, [*value.parts[1:], ""])))
    if isinstance(value, str):
        return _say(value)
    if isinstance(value, Mapping):
        return {str(key): _write_value(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_write_value(each) for each in value]
    return value


def _write_part(part: str | Reference, following: str | Reference) -> str:
    if isinstance(part, str) and part.endswith(_DOLLAR[1]) and isinstance(following, Reference):
        name, sign = _DOLLAR
        text = part.rstrip(sign)
        return _say(text) + f"${{{name}}}" * (len(part) - len(text))
    return str(_write_value(part))


def _has_dollar(value: Any) -> bool:
    """Tell whether a text somewhere in a value ends with the sign right in front of a reference."""
    if isinstance(value, Template):
        pairs = zip(value.parts, value.parts[1:], strict=False)
        return any(
            isinstance(one, str) and one.endswith(_DOLLAR[1]) and isinstance(two, Reference) for one, two in pairs
        )
    if isinstance(value, Mapping):
        return any(map(_has_dollar, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_dollar, value))


def _say(text: str) -> ScalarString:
    return put_quotes(text.replace(_OPENING, _ESCAPED))


def _list_handles(value: Any) -> Iterator[Secret]:
    if isinstance(value, Secret):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _list_handles(each)
    else:
        yield from find_written_handles(value)


def _dump(data: Mapping[str, Any]) -> str:
    text = io.StringIO()
    writer = YAML()
    writer.default_flow_style = False
    writer.width = _WIDTH
    writer.dump(data, text)
    return text.getvalue()


def _check(text: str, steps: Sequence[WrittenStep]) -> None:
    """Make sure that what was written says what was meant."""
    read = parse_flow(text).goals
    wanted = [each for step in steps for each in _list_goals(step)]
    names = {goal.goal_id: step_id for goal, (_, _, step_id) in zip(read, wanted, strict=False)}
    if [(goal.name, _plain(goal.params, names)) for goal in read] != [(name, params) for name, params, _ in wanted]:
        raise GoalError("The steps can't be said in a flow without a change.", code="flow_not_writable")


def _list_goals(step: WrittenStep) -> Iterator[tuple[str, Any, str]]:
    yield step.goal.name, _plain(step.goal.params), step.step_id
    if step.expect:
        yield f"{step.goal.domain}.expect", _plain(step.expect), ""


def _plain(value: Any, names: Mapping[str, str] = _NO_NAMES) -> Any:
    """Return a value as it is once it was written and read, with steps called by their names."""
    if isinstance(value, Secret):
        return str(value)
    if isinstance(value, Reference):
        return ("reference", names.get(value.goal_id, value.goal_id), value.key)
    if isinstance(value, Template):
        parts = [_plain(part, names) for part in value.parts if part]
        return parts[0] if len(parts) == 1 else ("template", *_join_texts(parts))
    if isinstance(value, Mapping):
        return {str(key): _plain(each, names) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each, names) for each in value]
    return value


def _join_texts(parts: Sequence[Any]) -> Iterator[Any]:
    """Yield the parts of a template as reading makes them: no text beside another."""
    for is_text, group in groupby(parts, lambda part: isinstance(part, str)):
        members = list(group)
        yield from ["".join(members)] if is_text else members
