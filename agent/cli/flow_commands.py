"""The commands about flow files."""

from pathlib import Path
from typing import Annotated

from agent.cli.declaring import command, make_group
from agent.cli.limits import NO_LIMITS, Limits
from agent.cli.options import (
    HERE,
    OUTPUT,
    AsJson,
    Headed,
    Option,
    Timeout,
    Vars,
    Workspace,
    Yes,
)

flows = make_group(
    "Check, format and mend flow files, or get their schema for an editor.",
    "surehand flows check order.yaml",
    "surehand flows format order.yaml --check",
    "surehand flows mend order.yaml",
)

FlowFiles = Annotated[tuple[Path, ...], Option("FILES...", "Flow files, YAML or JSON.")]


@command(flows, "schema", "surehand flows schema > flow.schema.json")
def show_schema() -> int:
    """Print the JSON Schema of flow files, with every word and every verb, for an editor."""
    from agent.cli.commands.flows import show_schema as print_schema

    return print_schema()


@command(flows, "check", "surehand flows check order.yaml", "surehand flows check *.yaml --json")
def check(files: FlowFiles, as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """List every fault of flow files with file, line and column; nothing is done.

    The exit code is 2 if there is any. What only this machine lacks is no fault.
    """
    from agent.cli.commands.flows import check_flows

    return check_flows(files, workspace, as_json=as_json)


@command(flows, "format", "surehand flows format order.yaml", "surehand flows format order.yaml --check")
def format_files(
    files: FlowFiles,
    check: Annotated[bool, Option("--check", "Write nothing; exit with 1 if a file would change.")] = False,
) -> int:
    """Write flow files in their usual form: keys in order, one way of quoting. Comments and meaning stay."""
    from agent.cli.commands.flows import format_flows

    return format_flows(files, dry=check)


@command(flows, "mend", "surehand flows mend order.yaml", "surehand flows mend order.yaml --run")
def mend(
    flow: Annotated[str, Option("FLOW", "The path of a flow file.")],
    run: Annotated[bool, Option("--run", "Run the flow now, and go on past a miss with what you accept.")] = False,
    page: Annotated[Path | None, Option("--page FILE", "Write the page with the pictures here.", OUTPUT)] = None,
    as_json: AsJson = False,
    var: Vars = (),
    yes: Yes = "",
    workspace: Workspace = HERE,
    limits: Limits = NO_LIMITS,
    timeout: Timeout = None,
    headed: Headed = False,
) -> int:
    """Mend a flow whose page has changed: see then and now, and accept each new selector.

    The last kept run of the flow is taken, so nothing is done to the page. Nothing is changed unless you say yes to it.
    """
    from agent.cli.asking import Asked
    from agent.cli.commands.flows_mend import MendWish, mend_flow

    asked = Asked(flow, None, workspace, var, limits, timeout)
    return mend_flow(asked, MendWish(as_json, run, page, yes, headed))
