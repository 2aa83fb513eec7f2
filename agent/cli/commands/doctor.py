"""`surehand doctor`: per verb, whether this machine can do it, why not, and how to fix it."""

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from agent.cli.exits import BAD_INPUT, STEP_FAILED, SUCCEEDED
from agent.cli.screen.output import write_error, write_json, write_result
from agent.sessions.unfinished import UnfinishedRun
from core.base.errors import SurehandError
from core.base.phrases import cut_text, escape_text

if TYPE_CHECKING:
    from agent.facts.diagnosis import Diagnosis

_WIDTH = 100


def print_diagnosis(workspace: Path, *, as_json: bool) -> int:
    """Print what this machine can do, and which runs were cut short; return 0 if all verbs work here, else 1."""
    from agent.facts.diagnosis import diagnose

    try:
        found = asyncio.run(diagnose(workspace))
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    if as_json:
        write_json(found.to_report())
        return SUCCEEDED if found.is_well else STEP_FAILED
    _print_text(found)
    write_result("".join(f"\n! {escape_text(note)}\n" for note in found.notes))
    write_result("".join(f"\n{_describe_unfinished(run)}" for run in found.unfinished))
    return SUCCEEDED if found.is_well else STEP_FAILED


def print_licences(*, as_json: bool) -> int:
    """Print the licences of what is installed, and return 0."""
    from agent.facts.licences import list_licences

    found = list_licences()
    if as_json:
        write_json({"packages": [asdict(each) for each in found]})
        return SUCCEEDED
    for each in found:
        mark = f"  ! {each.copyleft}" if each.copyleft else ""
        write_result(f"{each.name} {each.version}: {each.licence} ({', '.join(each.extras)}){mark}\n")
    return SUCCEEDED


def _describe_unfinished(run: UnfinishedRun) -> str:
    if run.fault:
        return f"! run {run.run_id}: {escape_text(run.fault)}\n"
    asked = f" ({cut_text(escape_text(run.asked), _WIDTH)})" if run.asked else ""
    acts = "; ".join(escape_text(act) for act in run.open_acts)
    middle = f", in the middle of: {acts}" if acts else ""
    hidden = "; unfinished files may lie beside it under hidden names, .surehand-…" if acts else ""
    return f"! run {run.run_id}{asked} was cut short{middle}\n    to continue: surehand resume {run.run_id}{hidden}\n"


def _print_text(found: "Diagnosis") -> None:
    write_result(f"{found.machine['system']}, Python {found.machine['python']}\n\n")
    for name, each in found.capabilities.items():
        write_result(f"{'✓' if each.available else '✗'} {name}: {each.reason}\n")
        if each.remedy:
            write_result(f"    to fix: {each.remedy}\n")
    write_result("\n")
    for verb in found.verbs:
        mark = ("◐" if verb["partly"] else "✓") if verb["available"] else "✗"
        reason = verb["reason"] or "; ".join(verb["partly"])
        write_result(f"{mark} {verb['verb']}{'  ' if reason else ''}{reason}\n")
