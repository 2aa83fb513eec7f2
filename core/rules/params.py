"""validate_params: required, unknown, types, allowed values and defaults, for any rule."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic_core import ErrorDetails, ValidationError

from core.addresses.urls import mask_credentials
from core.base.late_dataclasses import dataclass
from core.base.phrases import escape_text
from core.goals.references import has_reference
from core.goals.secret_values import PREFIX, Secret, find_written_handles, is_misspelt_handle, read_handle
from core.goals.world import WorldState
from core.rules.rule_types import FromWorld, PlannerRule

ProblemKind = Literal["missing", "conflict", "unknown", "type", "not_allowed"]


@dataclass(frozen=True, slots=True)
class ParamProblem:
    """What is wrong with one parameter.

    Attributes:
        kind: ``missing``, ``conflict`` (of several params only one may be given), ``unknown``, ``type`` or
            ``not_allowed``.
    """

    kind: ProblemKind
    param: str
    message: str


@dataclass(frozen=True, slots=True)
class ParamReport:
    """Validated params, or what is wrong with them.

    Attributes:
        params: Validated params with defaults filled in; complete only if there are no problems.
    """

    params: Mapping[str, Any]
    problems: tuple[ParamProblem, ...] = ()


def validate_params(rule: PlannerRule, params: Mapping[str, Any], world: WorldState) -> ParamReport:
    """Check params against a rule.

    A value that holds a reference is left as it is; ``validate_bound`` checks it once its value is known. A param that
    is null counts as absent. ``secret:name``, written where a secret may stand, becomes a handle; what a reference stands
    for never does.

    Returns:
        All problems at once, never just the first.
    """
    given = {name: params[name] for name in rule.declared_params if params.get(name) is not None}
    deferred = {name: value for name, value in given.items() if has_reference(value)}
    handles = {name: handle for name, value in given.items() if (handle := _take_handle(rule, name, value))}
    plain = {name: value for name, value in given.items() if name not in deferred and name not in handles}
    checked, problems = _check_types(rule, plain)
    problems = _find_unknown(rule, params) + problems + _find_misplaced(rule, plain)
    problems += _check_presence(rule, set(given))
    problems += _check_allowed(rule, checked, world)
    merged = {**rule.default_params, **checked, **deferred, **handles}
    return ParamReport({name: merged[name] for name in rule.declared_params if name in merged}, tuple(problems))


def validate_bound(rule: PlannerRule, args: Mapping[str, Any], world: WorldState) -> ParamReport:
    """Check arguments whose references have been replaced by values."""
    handles = {
        name: value for name, value in args.items() if isinstance(value, Secret) and rule.param_types[name].secret
    }
    checked, problems = _check_types(rule, {name: value for name, value in args.items() if name not in handles})
    return ParamReport({**checked, **handles}, (*problems, *_check_allowed(rule, checked, world)))


def _take_handle(rule: PlannerRule, name: str, value: object) -> Secret | None:
    """Return the handle that an author wrote, or that was planned before, where a secret may stand."""
    if not rule.param_types[name].secret:
        return None
    return value if isinstance(value, Secret) else read_handle(value)


def _find_misplaced(rule: PlannerRule, params: Mapping[str, Any]) -> list[ParamProblem]:
    """Return handles where no secret may stand, and those that are written wrong, so that neither is taken for a text."""
    problems = [
        ParamProblem("type", name, f"{name} can't hold a secret, so {handle} is not allowed there")
        for name, value in params.items()
        for handle in find_written_handles(value)
    ]
    hint = f"after {PREFIX} comes a name of letters, digits and _"
    return problems + [
        ParamProblem("type", name, f"{name} is not a secret handle: {hint}, not {shorten(value)}")
        for name, value in params.items()
        if rule.param_types[name].secret and is_misspelt_handle(value)
    ]


def _find_unknown(rule: PlannerRule, params: Mapping[str, Any]) -> list[ParamProblem]:
    known = rule.declared_params
    return [
        ParamProblem("unknown", str(name), f"there is no param {shorten(name)}{suggest(str(name), known)}")
        for name in params
        if name not in rule.param_types
    ]


def _check_types(rule: PlannerRule, params: Mapping[str, Any]) -> tuple[dict[str, Any], list[ParamProblem]]:
    try:
        return rule.validator.validate_python(dict(params)), []
    except ValidationError as error:
        by_param: dict[str, list[ErrorDetails]] = {}
        for each in error.errors(include_url=False):
            by_param.setdefault(str(each["loc"][0]), []).append(each)
        problems = [_describe(rule, name, details, params[name]) for name, details in by_param.items()]
        good = {name: value for name, value in params.items() if name not in by_param}
        return good, problems


def _describe(rule: PlannerRule, name: str, details: list[ErrorDetails], value: object) -> ParamProblem:
    reasons = " or ".join(
        dict.fromkeys(each["msg"].rstrip(".")[:1].lower() + each["msg"].rstrip(".")[1:] for each in details)
    )
    label = rule.param_types[name].label
    shown = mask_credentials(value) if isinstance(value, str) else value
    return ParamProblem("type", name, f"{name} must be {label}, not {shorten(shown)}: {reasons}")


def _check_presence(rule: PlannerRule, present: set[str]) -> list[ParamProblem]:
    problems = [
        ParamProblem("missing", name, f"{name} is missing (it takes: {rule.param_types[name].label})")
        for name in rule.required_params
        if name not in present
    ]
    for group in rule.choose_one:
        found = [name for name in group if name in present]
        if len(found) != 1:
            got = f"{' and '.join(found)} were given" if found else "none was given"
            text = f"exactly one of {', '.join(group)} is needed; {got}"
            problems.append(ParamProblem("conflict" if found else "missing", group[0], text))
    problems += [
        ParamProblem("missing", group[0], f"at least one of {', '.join(group)} is needed")
        for group in rule.choose_any
        if not present & set(group)
    ]
    return problems


def _check_allowed(rule: PlannerRule, params: Mapping[str, Any], world: WorldState) -> list[ParamProblem]:
    problems: list[ParamProblem] = []
    for name, source in rule.allowed_values.items():
        if name not in params:
            continue
        allowed = world.values.get(source.name, ()) if isinstance(source, FromWorld) else source
        value = params[name]
        foreign = [each for each in (value if isinstance(value, tuple) else (value,)) if each not in allowed]
        if foreign:
            text = f"{name} must be one of {', '.join(allowed)}, not {shorten(foreign[0])}{suggest(str(foreign[0]), allowed)}"
            problems.append(ParamProblem("not_allowed", name, text))
    return problems


def suggest(word: str, known: Iterable[str]) -> str:
    """Return `` (did you mean "…"?)`` for the nearest known word, or an empty text."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f' (did you mean "{near[0]}"?)' if near else ""


def shorten(value: object, limit: int = 80) -> str:
    """Return a value as text of at most ``limit`` characters, for messages; invisible characters are escaped."""
    text = f'"{escape_text(value[:limit])}"' if isinstance(value, str) else repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
