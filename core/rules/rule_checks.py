"""The checks that every row of the rules table passes, alone and against the tools, before the program starts."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from pydantic_core import ValidationError

from core.base.errors import TableError
from core.base.phrases import is_template, name_fields
from core.results.provenance import ORIGIN_KINDS
from core.rules.rule_types import FromWorld, PlannerRule, RuleKey

if TYPE_CHECKING:
    from core.tools.registry import ToolSpec


def check_table(rules: Mapping[RuleKey, PlannerRule], tools: "Collection[ToolSpec]") -> None:
    """Check every row, alone and against the tools; refuse to start on drift, by a TableError that lists all of it."""
    by_name = {(tool.domain, tool.verb): tool for tool in tools}
    made = [rule.context_production for rule in rules.values() if rule.context_production]
    produced = {(each.domain, key) for each in made for key in each.keys}
    faults = [f"{domain}.{verb} has a tool but no rule" for domain, verb in by_name.keys() - rules.keys()]
    for (domain, verb), rule in rules.items():
        found = find_faults(rule) + _find_tool_faults(rule, by_name.get((domain, verb)))
        orphans = sorted(set(rule.context_consumption.values()) - produced)
        found += [f"it consumes {'.'.join(orphan)}, which no rule produces" for orphan in orphans]
        faults += [f"{domain}.{verb}: {fault}" for fault in found]
    if faults:
        raise TableError("The rules table is inconsistent: " + "; ".join(sorted(faults)))


def find_faults(rule: PlannerRule) -> list[str]:
    """Return what is wrong with a row, in words; empty if nothing is."""
    if broken := [each for each in (rule.description_template, rule.summary, *rule.resource) if not is_template(each)]:
        return [f"{', '.join(map(repr, broken))} can't be read as a template"]
    declared = set(rule.declared_params)
    consumed = set(rule.context_consumption)
    produced = set(rule.context_production.keys if rule.context_production else ())
    grouped = {name for group in rule.choose_one + rule.choose_any for name in group}
    uses = {
        "param_types": set(rule.param_types),
        "allowed_values": set(rule.allowed_values),
        "default_params": set(rule.default_params),
        "semantic_params": set(rule.semantic_params),
        "destroys": set(rule.destroys),
        "context_consumption": consumed,
        "context_production": produced,
        "choose_one or choose_any": grouped,
        "description_template": name_fields(rule.description_template),
        "summary": name_fields(rule.summary),
        "command": {rule.command.program, rule.command.arguments} if rule.command else set[str](),
        "resource": {name for each in rule.resource for name in name_fields(each)} - {"lane"},
    }
    faults = [
        f"{where} names {', '.join(sorted(names - declared))}, which the rule doesn't declare"
        for where, names in uses.items()
        if names - declared
    ]
    if len(declared) != len(rule.declared_params):
        faults.append("a param is declared twice")
    if untyped := declared - set(rule.param_types):
        faults.append(f"{', '.join(sorted(untyped))} has no type")
    if guessed := consumed & set(rule.destroys):
        faults.append(f"{', '.join(sorted(guessed))} names what is destroyed, and may not come from context")
    if both := set(rule.required_params) & set(rule.default_params):
        faults.append(f"{', '.join(sorted(both))} is required and has a default")
    return faults + _find_class_faults(rule)


def _find_class_faults(rule: PlannerRule) -> list[str]:
    faults: list[str] = []
    if rule.action_class == "observe" and rule.repeat != "safe":
        faults.append("an observing verb must be safe to repeat")
    if rule.action_class == "observe" and (rule.makes or rule.holds_seat or rule.ends_programs):
        faults.append("an observing verb makes nothing, ends nothing and holds no seat")
    if rule.session_bootstraps and not rule.provides_substrate:
        faults.append("it opens sessions but doesn't provide its substrate")
    if rule.reads and rule.reads not in ORIGIN_KINDS:
        faults.append(
            f"it reads from {rule.reads}, which is not a kind of thing; there are {', '.join(sorted(ORIGIN_KINDS))}"
        )
    if not 0 < rule.timeout_s <= 3600:
        faults.append("timeout_s must be above 0 and at most 3600")
    for name, allowed in rule.allowed_values.items():
        default = rule.default_params.get(name)
        if default is not None and not isinstance(allowed, FromWorld) and default not in allowed:
            faults.append(f"the default of {name} is not an allowed value")
    return faults + _find_default_faults(rule)


def _find_default_faults(rule: PlannerRule) -> list[str]:
    known = {name: value for name, value in rule.default_params.items() if name in rule.param_types}
    try:
        rule.validator.validate_python(known)
    except ValidationError as error:
        return [f"the default of {each['loc'][0]} is ill-typed: {each['msg']}" for each in error.errors()]
    return []


def _find_tool_faults(rule: PlannerRule, tool: "ToolSpec | None") -> list[str]:
    if tool is None or tool.intent != rule.intent:
        return [f"no tool of intent {rule.intent} exists for it"]
    arguments = set(rule.declared_params) - set(rule.semantic_params)
    faults = [f"its tool has no parameter {name}" for name in sorted(arguments - set(tool.params))]
    return faults + [f"its tool's parameter {name} is undeclared" for name in sorted(set(tool.params) - arguments)]
