"""What is told of a run beside its steps, and how much; light, so that a command that only asks a service can begin at once."""

import sys
from typing import Literal

from agent.cli.screen.output import write_error, write_error_text, write_notes
from core.base.errors import InputError
from core.results.tool_results import RunResult

Detail = Literal["quiet", "normal", "verbose"]


def choose_detail(*, quiet: bool, verbose: bool, as_json: bool = False) -> Detail:
    """Return how much is told.

    Args:
        quiet: Whether only the reply is wanted.
        as_json: Whether events are written instead.

    Raises:
        InputError: If more than one is wanted.
    """
    if quiet + verbose + as_json > 1:
        raise InputError("Choose one of --json, --quiet and --verbose.", code="bad_usage")
    return "quiet" if quiet else "verbose" if verbose else "normal"


def report(result: RunResult, detail: Detail) -> None:
    """Write to stderr why a run was refused, what it lacks, and what else is to be known of it."""
    for error in result.errors:
        write_error(error)
    if result.question:
        write_error_text(f"  question: {result.question}\n")
    if detail != "quiet":
        write_notes(result.diagnostics)


def is_at_terminal() -> bool:
    """Tell whether a person can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()
