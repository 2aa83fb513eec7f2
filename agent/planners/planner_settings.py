"""What a principal's settings say of planners: values over the defaults, other templates for steps, and who does what."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.planners.templates.template_files import TemplateFiles
from agent.planners.templates.template_sets import TemplateNeed
from agent.settings.folder_checks import check_folder, name_file
from agent.store.private_files import make_private_folder, write_whole
from core.base.errors import InputError
from core.base.late_dataclasses import dataclass, field
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
    """Return defaults with what is given in their place, object by object; lists are replaced whole."""
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


_LARGEST = 1 << 20


class PlannerSettingsFiles:
    """The files of all principals. All calls block."""

    def __init__(self, folder: Path, metadata: Sequence[PlannerMetadata], templates: TemplateFiles) -> None:
        """Read nothing yet; templates that settings name are held to be there from then on."""
        self._folder = folder
        self._metadata = metadata
        self._templates = templates

    def locate(self, principal: str) -> Path:
        """Return where a principal's settings are; the file need not exist."""
        return self._folder / f"planners.{name_file(principal)}.json"

    def read(self, principal: str) -> PrincipalSettings:
        """Return what holds for a principal: the defaults, with what their file says in their place.

        Raises:
            InputError: ``bad_settings`` if the file isn't JSON, or a name or value in it is wrong; names the file and each place.
            RefusedError: ``unsafe_folder`` if others may change the file.
        """
        path = self.locate(principal)
        check_folder(path)
        try:
            if path.stat().st_size > _LARGEST:
                raise _refuse(path, ["it is larger than 1 MiB"])
            text = path.read_text("utf-8")
        except FileNotFoundError:
            return self._check(path, {})
        except (OSError, UnicodeDecodeError) as error:
            raise _refuse(path, [f"it can't be read ({type(error).__name__})"]) from None
        return self._check(path, _parse(path, text))

    def write(self, principal: str, data: Mapping[str, Any]) -> None:
        """Set what holds for a principal, in place of what their file said; for the person's eyes only.

        Raises:
            InputError: ``bad_settings`` if it is wrong; nothing is written then.
            OSError: If it can't be written.
        """
        path = self.locate(principal)
        self._check(path, data)
        make_private_folder(self._folder)
        write_whole(path, json.dumps(data, indent=2, allow_nan=False).encode() + b"\n")

    def _check(self, path: Path, data: Mapping[str, Any]) -> PrincipalSettings:
        settings, faults = read_principal(data, self._metadata)
        if faults := faults or self._templates.require(list_template_needs(settings)):
            raise _refuse(path, faults)
        return settings


def _parse(path: Path, text: str) -> Mapping[str, Any]:
    try:
        data = json.loads(text, object_pairs_hook=_take_pairs, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise _refuse(path, [f"line {error.lineno}, column {error.colno}: {error.msg}"]) from None
    except (ValueError, RecursionError) as error:
        raise _refuse(path, [str(error)]) from None
    if not isinstance(data, Mapping):
        raise _refuse(path, ["it is not an object"])
    return data


def _take_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    taken = dict(pairs)
    if len(taken) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"“{next(name for name in names if names.count(name) > 1)}” is set twice")
    return taken


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number of JSON")


def _refuse(path: Path, faults: list[str]) -> InputError:
    return InputError(f"{path} can't be used: {'; '.join(faults)}.", code="bad_settings", evidence={"path": str(path)})
