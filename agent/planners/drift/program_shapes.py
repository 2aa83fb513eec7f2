"""The shapes of this program: its rules, tools, templates and stores as contracts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from agent.planners.drift.shape_file import EITHER, TEMPLATES, Contract, Shapes
from agent.store.documents import CONTEXT, SESSION
from agent.store.journal.schema import VERSION
from core.planning.planners.ports import PromptTemplate
from core.rules.rule_types import FromWorld, PlannerRule
from core.rules.signatures import read_allowed
from core.rules.type_makers import ParamType
from core.tools.registry import ToolSpec

Rules = Mapping[tuple[str, str], PlannerRule]

STORES: Mapping[str, str] = {
    "journal": str(VERSION),
    CONTEXT.name: str(CONTEXT.version),
    SESSION.name: str(SESSION.version),
}
"""Version of each store beside the backlog."""


def describe_shapes(
    rules: Rules,
    tools: Iterable[ToolSpec],
    templates: Iterable[PromptTemplate],
    stores: Mapping[str, str],
) -> Shapes:
    """Return what may be relied on of a program.

    Args:
        templates: Those that ship; a person's own say words alone.
        stores: Version of each store by name; ``STORES`` and the backlog.
    """
    return {
        "rules": {f"{domain}.{verb}": _describe_rule(rule) for (domain, verb), rule in rules.items()},
        "tools": {spec.name: _describe_tool(spec) for spec in tools},
        TEMPLATES: {f"{each.template_id}@{each.version}": _describe_template(each) for each in templates},
        "stores": {name: Contract(meaning=f"version {version}") for name, version in stores.items()},
    }


def _describe_rule(rule: PlannerRule) -> Contract:
    return Contract(
        meaning=f"{rule.action_class}, approval {rule.approval}",
        takes={name: _name_param_type(rule.param_types[name]) for name in rule.declared_params},
        needs=tuple(sorted(rule.required_params)),
        choices=_list_closed(rule.allowed_values),
    )


def _list_closed(allowed: Mapping[str, Sequence[Any] | FromWorld]) -> dict[str, tuple[str, ...]]:
    closed = {name: values for name, values in allowed.items() if values and not isinstance(values, FromWorld)}
    return {name: tuple(sorted(map(str, values))) for name, values in closed.items()}


def _name_param_type(param: ParamType) -> str:
    return EITHER.join(sorted({f"{param.kind} {name}" for name in _name_schema_types(param.schema)}))


def _name_schema_types(schema: Any) -> Iterator[str]:
    if schema["type"].startswith("function-"):
        yield from _name_schema_types(schema["schema"])
    elif schema["type"] == "union":
        for choice in schema["choices"]:
            yield from _name_schema_types(choice[0] if isinstance(choice, tuple) else choice)
    else:
        yield schema["type"]


def _describe_tool(spec: ToolSpec) -> Contract:
    return Contract(
        takes={name: EITHER.join(sorted(set(_name_types(hint)))) for name, hint in spec.hints.items()},
        needs=tuple(sorted(spec.required)),
        choices=_list_closed({name: read_allowed(hint) for name, hint in spec.hints.items()}),
    )


def _describe_template(template: PromptTemplate) -> Contract:
    return Contract(meaning=" ".join(f"{{{name}}}" for name in sorted(template.placeholders)))


def _name_types(hint: Any) -> Iterator[str]:
    """Yield the plain types that a parameter may have, in words that no version of Python changes."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        yield from _name_types(args[0])
    elif origin is Literal:
        yield from (type(value).__name__ for value in args)
    elif isinstance(origin, type) and origin.__module__ not in {"types", "typing"}:
        inner = "/".join(sorted({name for each in args if each is not ... for name in _name_types(each)}))
        yield f"{origin.__name__} of {inner}"
    elif args:
        yield from (name for each in args for name in _name_types(each))
    else:
        yield "nothing" if hint is NoneType else getattr(hint, "__name__", str(hint))
