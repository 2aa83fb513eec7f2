"""What a principal's settings say of planners: values over the defaults, other templates for steps, and who does what."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.planners.templates.template_sets import TemplateNeed
from core.planning.planners.metadata import PlannerMetadata
from core.rules.params import suggest

_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "an object",
    type(None): "null",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerSettings:
    """What holds for one planner.

    Attributes:
        templates: By the id of a template that ships, the name of the one that is used in its place.
    """

    values: Mapping[str, Any]
    templates: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class PrincipalSettings:
    """What holds for one principal."""

    planners: Mapping[str, PlannerSettings] = field(default_factory=dict[str, PlannerSettings])
    capabilities: Mapping[str, str] = field(default_factory=dict[str, str])


def merge_settings(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return defaults with what is given in their place, object by object; lists are replaced whole.

    Args:
        given: As ``find_value_faults`` found it right.
    """
    merged = dict(defaults)
    for name, value in given.items():
        default: Any = defaults.get(name)
        if isinstance(default, Mapping) and isinstance(value, Mapping):
            merged[name] = merge_settings(default, value)
        else:
            merged[name] = value
    return merged


def find_value_faults(defaults: Mapping[str, Any], given: Mapping[str, Any], place: str) -> Iterator[str]:
    """Yield what is wrong with settings: unknown names, and values of another type than the default's.

    An empty object as default takes any names, null any value, and a list items of the types of its own, if it has any.
    """
    for name, value in given.items():
        where = f"{place}.{name}"
        if name not in defaults:
            yield f"{where} is unknown{suggest(name, defaults)}"
        else:
            yield from _judge(defaults[name], value, where)


def read_principal(data: Mapping[str, Any], metadata: Sequence[PlannerMetadata]) -> tuple[PrincipalSettings, list[str]]:
    """Return what a principal's settings say, and all that is wrong with them; what is wrong isn't taken."""
    faults = [f"{name} is unknown{suggest(name, _PARTS)}" for name in data if name not in _PARTS]
    given = _take_table(data, "planners", "planners", faults)
    known = {each.name: each for each in metadata}
    faults += [f"planners.{name} is not a planner{suggest(name, known)}" for name in given if name not in known]
    planners = {name: _read_planner(each, given, faults) for name, each in known.items()}
    choices = _take_table(data, "capabilities", "capabilities", faults)
    faults += _find_choice_faults(choices, metadata)
    return PrincipalSettings(planners=planners, capabilities=choices), faults


def list_template_needs(settings: PrincipalSettings) -> list[TemplateNeed]:
    """Return the templates that a principal's settings name in place of others."""
    return [
        TemplateNeed(chosen, f"planners.{name}.templates", instead_of=replaced)
        for name, planner in settings.planners.items()
        for replaced, chosen in planner.templates.items()
    ]


_PARTS = ("planners", "capabilities")
_PLANNER_PARTS = ("settings", "templates")


def _read_planner(metadata: PlannerMetadata, given: Mapping[str, Any], faults: list[str]) -> PlannerSettings:
    place, defaults = f"planners.{metadata.name}", metadata.settings
    table = _take_table(given, metadata.name, place, faults)
    faults += [
        f"{place}.{name} is unknown{suggest(name, _PLANNER_PARTS)}" for name in table if name not in _PLANNER_PARTS
    ]
    values = _take_table(table, "settings", f"{place}.settings", faults)
    faults += (found := list(find_value_faults(defaults, values, f"{place}.settings")))
    chosen = _take_table(table, "templates", f"{place}.templates", faults)
    templates = _read_templates(metadata, chosen, f"{place}.templates", faults)
    return PlannerSettings(values=merge_settings(defaults, {} if found else values), templates=templates)


def _read_templates(
    metadata: PlannerMetadata, chosen: Mapping[str, Any], place: str, faults: list[str]
) -> dict[str, str]:
    """Return the templates that stand in for others; a planner asks by template, so that steps that share one share the choice."""
    steps = {step.step_id: step.template_id for step in metadata.steps if step.template_id}
    templates: dict[str, str] = {}
    for step_id, name in chosen.items():
        if step_id not in steps:
            faults.append(f"{place}.{step_id} is not a step with a template{suggest(step_id, steps)}")
        elif not isinstance(name, str):
            faults.append(f"{place}.{step_id} is not the name of a template")
        elif templates.setdefault(steps[step_id], name) != name:
            faults.append(
                f"{place}.{step_id} shares “{steps[step_id]}” with another step, and must have the same in its place"
            )
    return templates


def _find_choice_faults(choices: Mapping[str, Any], metadata: Iterable[PlannerMetadata]) -> Iterator[str]:
    planners: dict[str, list[str]] = {}
    for each in metadata:
        for tag in each.capabilities:
            planners.setdefault(tag, []).append(each.name)
    for tag, name in choices.items():
        if tag not in planners:
            yield f"capabilities.{tag} is not a capability{suggest(tag, planners)}"
        elif name not in planners[tag]:
            yield f"capabilities.{tag} must be one of {', '.join(sorted(planners[tag]))}"


def _take_table(data: Mapping[str, Any], name: str, place: str, faults: list[str]) -> Mapping[str, Any]:
    value = data.get(name, {})
    if isinstance(value, Mapping):
        return value
    faults.append(f"{place} is not an object")
    return {}


def _judge(default: Any, value: Any, where: str) -> Iterator[str]:
    if default is None:
        return
    if isinstance(default, Mapping) and isinstance(value, Mapping):
        if default:
            yield from find_value_faults(default, value, where)
        return
    if not _fits(default, value):
        yield f"{where} is not {_WORDS[_name_type(default)]}"
    elif isinstance(value, list) and default:
        types = {_name_type(each) for each in default}
        for number, each in enumerate(value):
            if not any(_fits(sample, each) for sample in default):
                yield f"{where}[{number}] is not {' or '.join(sorted(_WORDS[each] for each in types))}"


def _fits(default: Any, value: Any) -> bool:
    """Tell whether a value may stand in place of a default: a whole number does for any number, true for none."""
    wanted, found = _name_type(default), _name_type(value)
    if found is float and not math.isfinite(value):
        return False
    return found is wanted or (wanted is float and found is int)


def _name_type(value: Any) -> type:
    if isinstance(value, Mapping):
        return dict
    return list if isinstance(value, list | tuple) else type(value)
