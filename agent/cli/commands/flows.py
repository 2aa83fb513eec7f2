"""`surehand flows`: the schema of flow files, their faults, and their usual form."""

import os
from collections.abc import Sequence
from pathlib import Path

from agent.cli.exits import BAD_INPUT, STEP_FAILED, SUCCEEDED
from agent.cli.screen.output import write_error, write_json, write_result
from core.base.errors import ErrorInfo, FlowError, SurehandError
from core.base.phrases import escape_text
from core.results.records import to_data

_OF_MACHINE = frozenset({"not_supported_here", "missing_secret"})
"""Codes of what a machine lacks, and no flow is at fault for."""


def show_schema() -> int:
    """Print the schema, and return the exit code."""
    from agent.facts.flow_schema import describe_flow_schema

    write_json(describe_flow_schema())
    return SUCCEEDED


def check_flows(files: Sequence[Path], workspace: Path, *, as_json: bool) -> int:
    """Print every fault of flow files, and return the exit code."""
    faults = [fault for file in files for fault in _find_faults(file, workspace)]
    if as_json:
        write_json({"files": [str(file) for file in files], "faults": to_data(faults)})
        return BAD_INPUT if faults else SUCCEEDED
    for fault in faults:
        write_result(f"{escape_text(fault.message)} ({fault.code})\n")
        if fault.hint:
            write_result(f"  {escape_text(fault.hint)}\n")
    count = f"{len(files)} {'flow' if len(files) == 1 else 'flows'}"
    told = f"{len(faults)} {'fault' if len(faults) == 1 else 'faults'}" if faults else "no faults"
    write_result(f"{count} checked: {told}.\n")
    return BAD_INPUT if faults else SUCCEEDED


def _find_faults(file: Path, workspace: Path) -> list[ErrorInfo]:
    """Return every fault of a flow file: of its text, or else of its plan."""
    from agent.assembly import make_session
    from agent.requests.flows import collect_faults, load_flow
    from agent.requests.requests import Request
    from agent.settings.settings import load_settings

    environment = dict(os.environ)
    if found := collect_faults(file, workspace=workspace, environment=environment):
        return found
    try:
        flow = load_flow(file, workspace=workspace, environment=environment)
        planned = make_session(load_settings(workspace), workspace).plan(Request(flow=flow, mode="plan"))
    except SurehandError as error:
        return [error.info()]
    return [error for error in planned.errors if error.code not in _OF_MACHINE]


def format_flows(files: Sequence[Path], *, dry: bool) -> int:
    """Write flow files in their usual form, and return the exit code.

    Args:
        dry: Whether only to say which would change.
    """
    from agent.requests.words.documents import read_text
    from agent.requests.words.formatting import format_flow

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
        write_result(f"{'Would change' if dry else 'Changed'} {file}\n")
        if not dry:
            file.write_bytes(after.encode())
    same = len(files) - changed - wrong
    write_result(f"{changed} {'would change' if dry else 'changed'}, {same} in form already.\n")
    if wrong:
        return BAD_INPUT
    return STEP_FAILED if dry and changed else SUCCEEDED
