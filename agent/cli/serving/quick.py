"""`surehand plan`, and `surehand run` where a service runs: answered before anything is imported that only the whole command line needs.

What is written here as a table is a part of what `agent.cli.main` declares. Anything else, a slip of the pen too, is left to that.
"""

import gc
import os
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path

from actuators.child_environments import INSIDE
from agent.cli.asking import Asked, PlanShowing, RunOptions
from agent.cli.exits import STOPPED, choose_error_code
from agent.cli.options import find_option
from agent.cli.screen.output import prepare_streams, write_error
from agent.cli.serving.choosing import ServiceChoice
from core.base.errors import SurehandError


def _list_switches(kind: type[RunOptions | PlanShowing], known: frozenset[str]) -> dict[str, str]:
    """Return the names of fields by how they are typed."""
    marked = ((each.name, find_option(each.type)) for each in fields(kind) if each.name in known)
    return {name: field for field, option in marked if option for name in option.names}


SWITCHES = {
    "plan": _list_switches(PlanShowing, frozenset({"as_json", "mermaid", "verbose"})),
    "run": _list_switches(RunOptions, frozenset({"as_json", "quiet", "verbose", "full", "dry_run"})),
}
VALUES = {"plan": frozenset({"--session", "--workspace"}), "run": frozenset({"--session", "--workspace", "--yes"})}


USUAL_GARBAGE = gc.get_threshold()
_MADE_AT_START = 500_000
"""Objects after which garbage is looked for: modules make many, none of which is, and looking after each 700 takes a tenth of the time."""


def run_quickly(arguments: Sequence[str]) -> int | None:
    """Carry out a command in the service of the folder and return the exit code; None where it is left to the whole command line."""
    gc.set_threshold(_MADE_AT_START)
    carry_out = _COMMANDS.get(arguments[0]) if arguments and INSIDE not in os.environ else None
    return carry_out(arguments[1:]) if carry_out else None


def _plan(arguments: Sequence[str]) -> int | None:
    if (read := read_arguments("plan", iter(arguments))) is None:
        return None
    from agent.cli.serving.plans import print_plan

    what, switches, values = read
    asked = Asked(what, None, Path(values.get("--workspace", "")))
    showing = replace(PlanShowing(), **dict.fromkeys(switches, True))
    prepare_streams()
    try:
        return print_plan(asked, showing, ServiceChoice(session=values.get("--session", "")))
    except OSError as error:
        from core.base.shortages import explain_system_error

        write_error(explain_system_error(error))
        return choose_error_code(error)


def _run(arguments: Sequence[str]) -> int | None:
    if (read := read_arguments("run", iter(arguments))) is None:
        return None
    what, switches, values = read
    workspace = Path(values.get("--workspace", ""))
    choice = ServiceChoice(session=values.get("--session", ""))
    if not choice.may_find(workspace):
        return None
    from agent.cli.serving.through import run_through

    prepare_streams()
    options = replace(RunOptions(approved=values.get("--yes", "")), **dict.fromkeys(switches, True))
    try:
        return run_through(Asked(what, None, workspace), options, choice)
    except SurehandError as error:
        write_error(error)
        return choose_error_code(error)
    except KeyboardInterrupt:
        return STOPPED


_COMMANDS = {"plan": _plan, "run": _run}


def read_arguments(name: str, arguments: Iterator[str]) -> tuple[str, frozenset[str], dict[str, str]] | None:
    """Return what is asked, the switches and the values; None where there is anything else among them.

    Args:
        name: Of the command.
        arguments: Behind it.
    """
    said: list[str] = []
    switches: set[str] = set()
    values: dict[str, str] = {}
    for each in arguments:
        option, equals, value = each.partition("=")
        if each in SWITCHES[name]:
            switches.add(SWITCHES[name][each])
        elif option in VALUES[name]:
            values[option] = value if equals else next(arguments, "")
        elif each.startswith("-"):
            return None
        else:
            said.append(each)
    is_whole = len(said) == 1 and all(values.values())
    return (said[0], frozenset(switches), values) if is_whole else None
