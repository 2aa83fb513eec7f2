"""`surehand rules` and `surehand tools`: the table of verbs, and the tools with their JSON Schemas."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent.cli.exits import BAD_INPUT, SUCCEEDED
from agent.cli.screen.output import write_error, write_json, write_result
from agent.offers.door_tools import describe_door_tools
from agent.offers.tool_formats import format_tools, read_format
from agent.rule_tables import describe_rules
from core.base.errors import InputError
from core.planner_rules import VERB_ROWS
from core.rules.params import suggest


def print_rules(domain: str, *, as_json: bool) -> int:
    """Print the rules of all domains or of one; return the exit code."""
    domains = list(dict.fromkeys(name for name, _ in VERB_ROWS))
    if domain and domain not in domains:
        write_error(_refuse_domain(domain, domains))
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


@dataclass(frozen=True, slots=True)
class ToolWish:
    """Which tools are printed, and how.

    Attributes:
        domain: Only those of this domain; empty for all.
        form: As whose model takes them; empty as they are.
        door: Whether those of the service are meant, and not one for each verb.
    """

    domain: str = ""
    form: str = ""
    door: bool = False
    as_json: bool = False


def print_tools(wish: ToolWish) -> int:
    """Print the tools that are wished for, sorted by name; return the exit code."""
    try:
        tools = _choose_tools(wish)
        shown = format_tools(tools, read_format(wish.form)) if wish.form else tools
    except InputError as error:
        write_error(error)
        return BAD_INPUT
    if wish.form or wish.as_json:
        write_json(shown)
        return SUCCEEDED
    for tool in tools:
        write_result(f"{tool['name']:<24} {tool['description']}\n")
    return SUCCEEDED


def _choose_tools(wish: ToolWish) -> list[dict[str, Any]]:
    if wish.form and wish.as_json:
        raise InputError("Choose one of --format and --json.")
    if wish.door and wish.domain:
        raise InputError("Choose one of --door and a domain.")
    tools = describe_door_tools() if wish.door else describe_machine_tools()
    domains = () if wish.door else tuple(dict.fromkeys(tool["domain"] for tool in tools))
    if wish.domain and wish.domain not in domains:
        raise _refuse_domain(wish.domain, domains)
    return [tool for tool in tools if not wish.domain or tool["domain"] == wish.domain]


def describe_machine_tools() -> list[dict[str, Any]]:
    """Return the tools of all verbs as data."""
    from agent.facts.verb_tools import describe_verb_tools

    return describe_verb_tools()


def _refuse_domain(domain: str, domains: Sequence[str]) -> InputError:
    hint = f"Domains: {', '.join(domains)}."
    return InputError(f'Unknown domain "{domain}"{suggest(domain, domains)}.', hint=hint)


def _name_param(param: dict[str, Any]) -> str:
    return f"{param['name']}*" if param["required"] else param["name"]
