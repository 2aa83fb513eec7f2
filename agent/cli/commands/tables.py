"""`surehand rules` and `surehand tools`: the table of verbs, and the tools with their JSON Schemas."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from actuators.verb_table import PLANNER_RULES
from agent.cli.exits import SUCCEEDED
from agent.cli.screen.output import show, write_json
from agent.cli.wishes import ToolWish
from agent.offers.door_tools import describe_door_tools
from agent.offers.tool_formats import format_tools, read_format
from agent.rule_tables import describe_rules
from core.base.errors import InputError
from core.rules.params import suggest


def print_rules(domain: str, *, as_json: bool) -> int:
    """Print the rules of all domains or of one; return the exit code."""
    _check_domain(domain, list(dict.fromkeys(name for name, _ in PLANNER_RULES)))
    rules = describe_rules(domain)
    show(rules, _list_rules(rules), as_json=as_json)
    return SUCCEEDED


def _list_rules(rules: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for rule in rules:
        params = " ".join(f"{each['name']}{'*' if each['required'] else ''}" for each in rule["params"])
        approval = f"  [{rule['approval']}]" if rule["approval"] != "none" else ""
        off = "  [off unless allowed by name]" if rule["opt_in"] else ""
        yield f"{rule['domain']}.{rule['verb']:<14} {rule['action_class']:<8} {params}{approval}{off}"
    yield "* marks a required param. surehand rules --json shows types, allowed values and defaults."


def print_tools(wish: ToolWish) -> int:
    """Print the tools that are wished for, sorted by name; return the exit code."""
    tools = _choose_tools(wish)
    if wish.form:
        write_json(format_tools(tools, read_format(wish.form)))
    else:
        show(tools, (f"{tool['name']:<24} {tool['description']}" for tool in tools), as_json=wish.as_json)
    return SUCCEEDED


def _choose_tools(wish: ToolWish) -> list[dict[str, Any]]:
    if wish.form and wish.as_json:
        raise InputError("Choose one of --format and --json.")
    if wish.door and wish.domain:
        raise InputError("Choose one of --door and a domain.")
    if wish.door:
        return describe_door_tools()
    tools = describe_machine_tools()
    _check_domain(wish.domain, list(dict.fromkeys(tool["domain"] for tool in tools)))
    return [tool for tool in tools if not wish.domain or tool["domain"] == wish.domain]


def describe_machine_tools() -> list[dict[str, Any]]:
    """Return the tools of all verbs as data."""
    from agent.facts.verb_tools import describe_verb_tools

    return describe_verb_tools()


def _check_domain(domain: str, known: Sequence[str]) -> None:
    if domain and domain not in known:
        hint = f"Domains: {', '.join(known)}."
        raise InputError(f'Unknown domain "{domain}"{suggest(domain, known)}.', hint=hint)
