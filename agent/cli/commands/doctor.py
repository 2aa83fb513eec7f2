"""`surehand doctor`: per verb, whether this machine can do it, why not, and how to fix it."""

import asyncio
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from agent.cli.exits import STEP_FAILED, SUCCEEDED
from agent.cli.screen.output import show
from agent.sessions.unfinished import UnfinishedRun
from core.base.phrases import cut_text, escape_text

if TYPE_CHECKING:
    from agent.facts.diagnosis import Diagnosis

_WIDTH = 100


def print_diagnosis(workspace: Path, *, as_json: bool) -> int:
    """Print what this machine can do, and which runs were cut short; return 0 if all verbs work here, else 1."""
    from agent.facts.diagnosis import diagnose

    found = asyncio.run(diagnose(workspace))
    show(found.to_report(), _describe(found), as_json=as_json)
    return SUCCEEDED if found.is_well else STEP_FAILED


def print_licences(*, as_json: bool) -> int:
    """Print the licences of what is installed, and return 0."""
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


def _describe_unfinished(run: UnfinishedRun) -> Iterator[str]:
    if run.fault:
        yield f"! run {run.run_id}: {run.fault}"
        return
    asked = f" ({cut_text(escape_text(run.asked), _WIDTH)})" if run.asked else ""
    middle = f", in the middle of: {'; '.join(run.open_acts)}" if run.open_acts else ""
    hidden = "; unfinished files may lie beside it under hidden names, .surehand-…" if run.open_acts else ""
    yield f"! run {run.run_id}{asked} was cut short{middle}"
    yield f"    to continue: surehand resume {run.run_id}{hidden}"
