"""The commands about flow files."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from agent.cli.declaring import command, make_group
from agent.cli.exits import BAD_INPUT, STEP_FAILED, SUCCEEDED
from agent.cli.flows.wishes import MendWish
from agent.cli.options import HERE, AsJson, Option, Workspace

if TYPE_CHECKING:
    from core.base.errors import ErrorInfo

_OF_MACHINE = frozenset({"not_supported_here", "missing_secret"})
"""Codes of what a machine lacks, and no flow is at fault for."""

flows = make_group(
    "Check, format and mend flow files, or get their schema for an editor.",
    "surehand flows check order.yaml",
    "surehand flows format order.yaml --check",
    "surehand flows mend order.yaml",
)

FlowFiles = Annotated[tuple[Path, ...], Option("FILES...", "Flow files, YAML or JSON.")]


@command(flows, "schema", "surehand flows schema > flow.schema.json")
def show_schema() -> None:
    """Print the JSON Schema of flow files, with every word and every verb, for an editor."""
    from agent.cli.screen.output import write_json
    from agent.facts.flow_schema import describe_flow_schema

    write_json(describe_flow_schema())


@command(flows, "check", "surehand flows check order.yaml", "surehand flows check *.yaml --json")
def check_flows(files: FlowFiles, as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """List every fault of flow files with file, line and column; nothing is done.

    The exit code is 2 if there is any. What only this machine lacks is no fault.
    """
    from agent.cli.screen.output import show
    from core.results.records import to_data

    faults = [fault for file in files for fault in _find_faults(file, workspace)]
    lines = [line for each in faults for line in (f"{each.message} ({each.code})", each.hint and f"  {each.hint}")]
    count = f"{len(files)} {'flow' if len(files) == 1 else 'flows'}"
    told = f"{len(faults)} {'fault' if len(faults) == 1 else 'faults'}" if faults else "no faults"
    data = {"files": [str(file) for file in files], "faults": to_data(faults)}
    show(data, filter(None, (*lines, f"{count} checked: {told}.")), as_json=as_json)
    return BAD_INPUT if faults else SUCCEEDED


def _find_faults(file: Path, workspace: Path) -> "list[ErrorInfo]":
    """Return every fault of a flow file: of its text, or else of its plan."""
    from agent.assembly import make_session
    from agent.requests.flows import collect_faults, load_flow
    from agent.requests.requests import Request
    from agent.settings.settings import load_settings
    from core.base.errors import SurehandError

    environment = dict(os.environ)
    if found := collect_faults(file, workspace=workspace, environment=environment):
        return found
    try:
        flow = load_flow(file, workspace=workspace, environment=environment)
        planned = make_session(load_settings(workspace), workspace).plan(Request(flow=flow, mode="plan"))
    except SurehandError as error:
        return [error.info()]
    return [error for error in planned.errors if error.code not in _OF_MACHINE]


@command(flows, "format", "surehand flows format order.yaml", "surehand flows format order.yaml --check")
def format_flows(
    files: FlowFiles,
    dry: Annotated[bool, Option("--check", "Write nothing; exit with 1 if a file would change.")] = False,
) -> int:
    """Write flow files in their usual form: keys in order, one way of quoting. Comments and meaning stay."""
    from agent.cli.screen.output import write_error, write_lines
    from agent.requests.words.documents import read_text
    from agent.requests.words.formatting import format_flow
    from core.base.errors import FlowError

    changed = wrong = 0
    for file in files:
        try:
            before = read_text(file)
            after = format_flow(before, str(file))
        except FlowError as error:
            write_error(error)
            wrong += 1
            continue
        if after == before:
            continue
        changed += 1
        write_lines([f"{'Would change' if dry else 'Changed'} {file}"])
        if not dry:
            file.write_bytes(after.encode())
    same = len(files) - changed - wrong
    write_lines([f"{changed} {'would change' if dry else 'changed'}, {same} in form already."])
    if wrong:
        return BAD_INPUT
    return STEP_FAILED if dry and changed else SUCCEEDED


@command(flows, "mend", "surehand flows mend order.yaml", "surehand flows mend order.yaml --run")
def mend(wish: MendWish) -> int:
    """Mend a flow whose page has changed: see then and now, and accept each new selector.

    The last kept run of the flow is taken, so nothing is done to the page. Nothing is changed unless you say yes to it.
    """
    from agent.cli.flows.mender import mend_flow

    return mend_flow(wish)
