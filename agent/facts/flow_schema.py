"""The JSON Schema of flow files, for editors: every word, and every verb with its params."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from actuators.verb_table import PLANNER_RULES
from agent.assembly import list_families, make_registry
from agent.requests.words.goal_entries import MAX_CONDITIONS, WHEN_WORDS
from agent.requests.words.policy_parts import PolicyPart
from agent.requests.words.word_parts import MAX_ATTEMPTS, MAX_GOALS, MAX_ROUNDS, MAX_WAIT_S, USUAL_ROUNDS
from agent.settings.settings import Settings
from agent.tool_schemas import describe_tool
from core.goals.step_terms import COMPARISONS
from core.rules.rule_types import PlannerRule


def describe_verb_tools() -> list[dict[str, Any]]:
    """Return the tools of all verbs as data, sorted by name; the machine is not asked what it can do."""
    registry = make_registry(list_families(Settings.model_construct(), Path()))
    return [describe_tool(spec) for spec in registry.specs()]


_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_DEFS = "#/$defs/"
_SCALAR = {"type": ["string", "number", "boolean"]}
_NAME = {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_-]*$"}
_SCOPE = {
    "type": "string",
    "description": "What it waits for: root, after:NAME, inside:FOLDER or drive:LETTER. Without one it waits for the goal before it.",
}
_REFERENCE = {"type": "string", "pattern": r"\$\{", "description": "A variable or what an earlier goal gave."}
_TYPES = {"enum": ["text", "integer", "number", "boolean"]}


def describe_flow_schema() -> dict[str, Any]:
    """Return the JSON Schema of flow files; the same every time."""
    tools = {tool["name"].replace("_", ".", 1): tool for tool in describe_verb_tools()}
    verbs = {f"{domain}.{verb}": rule for (domain, verb), rule in PLANNER_RULES.items()}
    defs: dict[str, Any] = {"reference": _REFERENCE, "goals": _list_of("entry")}
    for name, rule in verbs.items():
        defs[f"params.{name}"] = _describe_params(name, rule, tools.get(name, {}), defs)
    expects = [name for name in verbs if name.endswith(".expect")]
    looks = [name for name, rule in verbs.items() if rule.action_class == "observe"]
    defs |= {
        "expect": {"anyOf": [_ref(f"params.{name}") for name in expects]},
        "condition": _describe_condition(looks),
        "conditions": {"anyOf": [_ref("condition"), {**_list_of("condition"), "maxItems": MAX_CONDITIONS}]},
        "retry": _describe_retry(),
        "verify": {"type": "array", "items": {"anyOf": [_describe_verbs(looks), {"type": "object"}]}},
        "goal": _describe_goal(verbs),
        "group": _describe_block("group", {"type": "string", "minLength": 1, "maxLength": 200}),
        "repeat": _describe_block("repeat", _describe_repeat()),
        "include": _describe_block("include", _describe_include(), has_goals=False),
        "entry": {"anyOf": [_ref(name) for name in ("goal", "group", "repeat", "include")]},
    }
    return {**_describe_top(defs), "$defs": defs}


def _describe_top(defs: dict[str, Any]) -> dict[str, Any]:
    policy = PolicyPart.model_json_schema(ref_template=f"{_DEFS}{{model}}")
    defs |= policy.pop("$defs", {})
    return {
        "$schema": _DRAFT,
        "title": "Surehand flow",
        "type": "object",
        "additionalProperties": False,
        "required": ["goals"],
        "properties": {
            "name": {"type": "string", "description": "What the flow is called."},
            "vars": {"type": "object", "propertyNames": _NAME, "additionalProperties": _describe_variable()},
            "secrets": {"type": "array", "items": {"type": "string"}, "maxItems": 1000},
            "policy": policy,
            "budget": _closed(
                {
                    "seconds": {"type": "number", "exclusiveMinimum": 0, "maximum": 86_400},
                    "actions": {"type": "integer", "minimum": 1, "maximum": 100_000},
                }
            ),
            "goals": {**_list_of("entry"), "maxItems": MAX_GOALS, "description": "The goals, in order."},
            "finally": {**_list_of("entry"), "description": "Goals that are carried out whatever happened."},
        },
    }


def _describe_variable() -> dict[str, Any]:
    name = {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}
    return {"anyOf": [_SCALAR, _closed({"env": name, "default": _SCALAR, "type": _TYPES}, "env")]}


def _describe_goal(verbs: Mapping[str, PlannerRule]) -> dict[str, Any]:
    words = {
        "id": _NAME,
        "scope": _SCOPE,
        "object": {"type": "string", "description": "What the goal is about, for people."},
        "when": _ref("conditions"),
        "unless": _ref("conditions"),
        "retry": _ref("retry"),
        "expect": _ref("expect"),
        "verify": _ref("verify"),
    }
    described = {name: {**_ref(f"params.{name}"), "description": rule.intent} for name, rule in verbs.items()}
    return {**_closed({**words, **described}), "oneOf": [{"required": [name]} for name in verbs]}


def _describe_verbs(names: Iterable[str]) -> dict[str, Any]:
    properties = {name: _ref(f"params.{name}") for name in names}
    return {**_closed(properties), "minProperties": 1, "maxProperties": 1}


def _describe_condition(looks: Iterable[str]) -> dict[str, Any]:
    number = {"anyOf": [{"type": "number"}, _ref("reference")]}
    kinds: dict[str, Any] = {"above": number, "below": number, "empty": {"type": "boolean"}}
    comparisons = {name: kinds.get(name, _SCALAR) for name in COMPARISONS}
    value = {**_closed({"value": {}, **comparisons}, "value"), "minProperties": 2, "maxProperties": 2}
    return {"anyOf": [value, _describe_verbs(looks)]}


def _describe_retry() -> dict[str, Any]:
    times = {"type": "integer", "minimum": 1, "maximum": MAX_ATTEMPTS}
    wait = {"type": "number", "minimum": 0, "maximum": MAX_WAIT_S}
    return {"anyOf": [times, _closed({"times": times, "wait": wait}, "times")]}


def _describe_repeat() -> dict[str, Any]:
    parts = {
        "times": {"type": "integer", "minimum": 1, "maximum": MAX_ROUNDS},
        "rows": {"type": "string", "description": "A .csv or .json file, or a reference such as ${items.rows}."},
        "types": {
            "type": "object",
            "additionalProperties": _TYPES,
            "description": "Types of the columns of a CSV file.",
        },
        "as": _NAME,
        "on_failure": {"enum": ["stop", "collect"]},
        "at_most": {"type": "integer", "minimum": 1, "maximum": MAX_ROUNDS, "default": USUAL_ROUNDS},
    }
    return {**_closed(parts), "oneOf": [{"required": ["times"]}, {"required": ["rows"]}]}


def _describe_include() -> dict[str, Any]:
    flow = {"type": "string", "description": "Another flow, relative to this file."}
    given = {"type": "object", "additionalProperties": _SCALAR}
    return {"anyOf": [flow, _closed({"flow": flow, "vars": given}, "flow")]}


def _describe_block(word: str, what: Mapping[str, Any], *, has_goals: bool = True) -> dict[str, Any]:
    goals = {"goals": _ref("goals")} if has_goals else {}
    when = {each: _ref("conditions") for each in WHEN_WORDS}
    return _closed({"id": _NAME, "scope": _SCOPE, **when, word: what, **goals}, word, *goals)


def _describe_params(name: str, rule: PlannerRule, tool: Mapping[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    schema = tool.get("parameters", {})
    for key, value in schema.get("$defs", {}).items():
        defs[f"{name}.{key}"] = _loosen(value, name)
    told = schema.get("properties", {})
    properties = {param: _loosen(told.get(param, {}), name) for param in rule.declared_params}
    properties |= {param: {} for param in rule.semantic_params if param not in properties}
    found = _closed(properties)
    found["type"] = ["object", "null"]
    if rule.allow_semantic_only:
        return found
    required = [each for each in rule.required_params if each not in rule.context_consumption]
    free = set(rule.context_consumption)
    groups = [group for group in rule.choose_any if not free & set(group)]
    wanted = [{"anyOf": [{"required": [each]} for each in group]} for group in groups]
    wanted += [
        {"oneOf": [{"required": [each]} for each in group]} for group in rule.choose_one if not free & set(group)
    ]
    if required or wanted:
        found["type"] = "object"
    return {**found, "required": required, **({"allOf": wanted} if wanted else {})}


def _loosen(schema: Any, name: str) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    found: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "properties":
            found[key] = {each: _loosen(part, name) for each, part in value.items()}
        elif key in {"items", "additionalProperties"}:
            found[key] = _loosen(value, name)
        elif key in {"anyOf", "oneOf", "prefixItems"}:
            found[key] = [_loosen(each, name) for each in value]
        else:
            found[key] = f"{_DEFS}{name}.{value.rpartition('/')[2]}" if key == "$ref" else value
    if not found or (found.get("type") == "string" and not {"enum", "const", "pattern", "format"} & found.keys()):
        return found
    outer = {key: found.pop(key) for key in ("description", "default") if key in found}
    return {**outer, "anyOf": [found, _ref("reference")]}


def _closed(properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "object", "additionalProperties": False, "properties": dict(properties)}
    return {**found, "required": list(required)} if required else found


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"{_DEFS}{name}"}


def _list_of(name: str) -> dict[str, Any]:
    return {"type": "array", "items": _ref(name), "minItems": 1}
