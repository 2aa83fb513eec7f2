"""Flow files as we write them: goals that were carried out, so that they can be carried out again without whoever found them."""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from agent.requests.flows import parse_flow
from core.base.errors import GoalError
from core.base.phrases import fold_text
from core.goals.meta_goals import Goal
from core.goals.references import has_reference
from core.goals.secret_values import Secret, find_written_handles
from core.policy.policy import Policy

_OPENING = "${"
_ESCAPED = "$${"
_WIDTH = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenStep:
    """A step of a flow.

    Attributes:
        goal: What it does.
        expect: Params of what is expected afterwards; empty for nothing.
    """

    goal: Goal
    expect: Mapping[str, Any] = field(default_factory=dict[str, Any])


def write_flow(name: str, steps: Sequence[WrittenStep], policy: Policy, remarks: Sequence[str] = ()) -> str:
    """Return a flow file that does the steps one after the other, and reads back as just that.

    Args:
        name: Of the flow.
        steps: What was done, in order.
        policy: What it may touch: hosts, roots and verbs.
        remarks: Lines that stand above it, for people.

    Raises:
        GoalError: ``flow_not_writable`` if a step holds what no flow can say, such as a reference to another run.
    """
    if any(has_reference(each.goal.params) for each in steps):
        raise GoalError("A step refers to another run, which a flow can't.", code="flow_not_writable")
    limits = {
        key: list(entries) for key in ("hosts", "roots", "verbs") if (entries := getattr(policy, key)) is not None
    }
    data: dict[str, Any] = {"name": _say(fold_text(name))}
    if secrets := sorted({handle.name for each in steps for handle in _list_handles(each.goal.params)}):
        data["secrets"] = secrets
    if limits:
        data["policy"] = _write_value(limits)
    data["goals"] = [_write_step(each) for each in steps]
    text = "".join(f"# {fold_text(line)}\n" for line in remarks) + _dump(data)
    _check(text, steps)
    return text


def _write_step(step: WrittenStep) -> dict[str, Any]:
    written = {step.goal.name: _write_value(step.goal.params)}
    return written | {"expect": _write_value(step.expect)} if step.expect else written


def _write_value(value: Any) -> Any:
    """Return a value as a flow says it: every text in quotes, and nothing in it stands for anything else."""
    if isinstance(value, Secret):
        return _say(str(value))
    if isinstance(value, str):
        return _say(value)
    if isinstance(value, Mapping):
        return {str(key): _write_value(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_write_value(each) for each in value]
    return value


def _say(text: str) -> DoubleQuotedScalarString:
    return DoubleQuotedScalarString(text.replace(_OPENING, _ESCAPED))


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
    """Make sure that what was written says what was meant.

    Raises:
        GoalError: ``flow_not_writable`` if it doesn't.
        FlowError: If it isn't even a flow.
    """
    read = parse_flow(text).goals
    wanted = [each for step in steps for each in _list_goals(step)]
    if [(goal.name, _plain(goal.params)) for goal in read] != wanted:
        raise GoalError("The steps can't be said in a flow without a change.", code="flow_not_writable")


def _list_goals(step: WrittenStep) -> Iterator[tuple[str, Any]]:
    yield step.goal.name, _plain(step.goal.params)
    if step.expect:
        yield f"{step.goal.domain}.expect", _plain(step.expect)


def _plain(value: Any) -> Any:
    """Return a value as it is once it was written and read."""
    if isinstance(value, Secret):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
