"""`surehand rules` and `surehand tools`: the table of verbs, and the tools with their JSON Schemas."""

from pathlib import Path
from typing import Any

from agent.cli.exits import BAD_INPUT, SUCCEEDED
from agent.cli.screen.output import write_error, write_json, write_result
from agent.rule_tables import describe_rules
from core.base.errors import InputError
from core.planner_rules import PLANNER_RULES
from core.rules.params import suggest


def print_rules(domain: str, *, as_json: bool) -> int:
    """Print the rules of all domains or of one; return the exit code."""
    domains = list(dict.fromkeys(name for name, _ in PLANNER_RULES))
    if domain and domain not in domains:
        hint = f"Domains: {', '.join(domains)}."
        write_error(InputError(f'Unknown domain "{domain}"{suggest(domain, domains)}.', hint=hint))
        return BAD_INPUT
    rules = describe_rules(domain)
    if as_json:
        write_json(rules)
        return SUCCEEDED
    for rule in rules:
        params = " ".join(map(_name_param, rule["params"]))
        approval = f"  [{rule['approval']}]" if rule["approval"] != "none" else ""
        off = "  [off unless allowed by name]" if rule["opt_in"] else ""
        write_result(f"{rule['domain']}.{rule['verb']:<14} {rule['action_class']:<8} {params}{approval}{off}\n")
    write_result("* marks a required param. surehand rules --json shows types, allowed values and defaults.\n")
    return SUCCEEDED


def print_tools(*, as_json: bool) -> int:
    """Print every tool, sorted by name; return the exit code."""
    from agent.assembly import list_families, make_registry
    from agent.settings.settings import Settings
    from agent.tool_schemas import describe_tool

    registry = make_registry(list_families(Settings.model_construct(), Path()))
    described = [describe_tool(spec) for spec in registry.specs()]
    if as_json:
        write_json(described)
        return SUCCEEDED
    for tool in described:
        write_result(f"{tool['name']:<24} {tool['description']}\n")
    return SUCCEEDED


def _name_param(param: dict[str, Any]) -> str:
    return f"{param['name']}*" if param["required"] else param["name"]
