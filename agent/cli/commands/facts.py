"""`surehand rules`, `tools` and `doctor`: what there is to do and for whom, and whether this machine can."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from actuators.verb_table import PLANNER_RULES
from agent.cli.declaring import command, make_group
from agent.cli.exits import STEP_FAILED, SUCCEEDED
from agent.cli.options import HERE, LOOKING, MACHINE, OUTPUT, AsJson, Option, Workspace
from agent.cli.screen.output import show, write_json
from agent.offers.door_tools import describe_door_tools
from agent.offers.tool_formats import TOOL_FORMATS, format_tools, read_format
from agent.rule_tables import describe_rules
from core.base.errors import InputError
from core.base.late_dataclasses import dataclass
from core.base.phrases import cut_text, escape_text
from core.rules.params import suggest

if TYPE_CHECKING:
    from agent.facts.diagnosis import Diagnosis
    from agent.sessions.unfinished import UnfinishedRun

_WIDTH = 100

app = make_group()
Domain = Annotated[str, Option("DOMAIN", "Show only the verbs of this domain.")]


@command(app, "rules", "surehand rules audio", panel=LOOKING)
def print_rules(domain: Domain = "", as_json: AsJson = False) -> int:
    """List the verbs that goals and flows can use."""
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


@dataclass(frozen=True, slots=True)
class ToolWish:
    """Which tools are printed, and how."""

    domain: Domain = ""
    form: Annotated[
        str, Option("--format FORMAT", f"Write them as a model takes them: {', '.join(TOOL_FORMATS)}.", OUTPUT)
    ] = ""
    door: Annotated[bool, Option("--door", "The tools of surehand mcp, in place of one for each verb.", OUTPUT)] = False
    as_json: AsJson = False


@command(
    app,
    "tools",
    "surehand tools --json",
    "surehand tools browser --format openai",
    "surehand tools --door --format anthropic",
    panel=LOOKING,
)
def print_tools(wish: ToolWish) -> int:
    """List the tools behind the verbs, with their JSON Schemas."""
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
    from agent.facts.flow_schema import describe_verb_tools

    tools = describe_verb_tools()
    _check_domain(wish.domain, list(dict.fromkeys(tool["domain"] for tool in tools)))
    return [tool for tool in tools if not wish.domain or tool["domain"] == wish.domain]


def _check_domain(domain: str, known: Sequence[str]) -> None:
    if domain and domain not in known:
        hint = f"Domains: {', '.join(known)}."
        raise InputError(f'Unknown domain "{domain}"{suggest(domain, known)}.', hint=hint)


@command(app, "doctor", "surehand doctor", "surehand doctor --licences", panel=MACHINE)
def diagnose_machine(
    licences: Annotated[
        bool, Option("--licences", "List what is installed with its licences, and check nothing.")
    ] = False,
    as_json: AsJson = False,
    workspace: Workspace = HERE,
) -> int:
    """Check what this machine can do, and how to fix the rest.

    A browser is started once to see that it works. Runs that were cut short are listed, too.
    """
    if licences:
        return _print_licences(as_json=as_json)
    from agent.facts.diagnosis import diagnose

    found = asyncio.run(diagnose(workspace))
    show(found.to_report(), _describe(found), as_json=as_json)
    return SUCCEEDED if found.is_well else STEP_FAILED


def _print_licences(*, as_json: bool) -> int:
    from agent.facts.licences import list_licences

    found = list_licences()
    lines = (
        f"{each.name} {each.version}: {each.licence} ({', '.join(each.extras)})"
        f"{f'  ! {each.copyleft}' if each.copyleft else ''}"
        for each in found
    )
    show({"packages": [asdict(each) for each in found]}, lines, as_json=as_json)
    return SUCCEEDED


def _describe(found: "Diagnosis") -> Iterator[str]:
    yield f"{found.machine['system']}, Python {found.machine['python']}"
    yield ""
    for name, each in found.capabilities.items():
        yield f"{'✓' if each.available else '✗'} {name}: {each.reason}"
        if each.remedy:
            yield f"    to fix: {each.remedy}"
    yield ""
    for verb in found.verbs:
        mark = ("◐" if verb["partly"] else "✓") if verb["available"] else "✗"
        yield f"{mark} {verb['verb']}  {verb['reason'] or '; '.join(verb['partly'])}".rstrip()
    for note in found.notes:
        yield from ("", f"! {note}")
    for run in found.unfinished:
        yield from ("", *_describe_unfinished(run))


def _describe_unfinished(run: "UnfinishedRun") -> Iterator[str]:
    if run.fault:
        yield f"! run {run.run_id}: {run.fault}"
        return
    asked = f" ({cut_text(escape_text(run.asked), _WIDTH)})" if run.asked else ""
    middle = f", in the middle of: {'; '.join(run.open_acts)}" if run.open_acts else ""
    hidden = "; unfinished files may lie beside it under hidden names, .surehand-…" if run.open_acts else ""
    yield f"! run {run.run_id}{asked} was cut short{middle}"
    yield f"    to continue: surehand resume {run.run_id}{hidden}"
