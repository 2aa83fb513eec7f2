"""`surehand run` where a service runs: answered before anything is imported that only the whole command line needs.

What is written here as a table is a part of what `agent.cli.main` declares. Anything else, a slip of the pen too, is left to that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path

from agent.cli.asking import Asked, RunOptions
from agent.cli.exits import STOPPED, choose_error_code
from agent.cli.options import find_option
from agent.cli.screen.output import prepare_streams, write_error
from agent.cli.serving.choosing import ServiceChoice
from core.base.errors import SurehandError

_SERVED = frozenset({"as_json", "quiet", "verbose", "full", "dry_run"})
SWITCHES = {
    name: each.name
    for each in fields(RunOptions)
    if each.name in _SERVED and (option := find_option(each.type))
    for name in option.names
}
VALUES = frozenset({"--session", "--workspace", "--yes"})


def run_quickly(arguments: Sequence[str]) -> int | None:
    """Carry out a command in the service of the folder and return the exit code; None where it is left to the whole command line."""
    if arguments[:1] != ["run"] or (read := read_arguments(iter(arguments[1:]))) is None:
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


def read_arguments(arguments: Iterator[str]) -> tuple[str, frozenset[str], dict[str, str]] | None:
    """Return what is asked, the switches and the values; None where there is anything else among them.

    Args:
        arguments: Behind `run`.
    """
    said: list[str] = []
    switches: set[str] = set()
    values: dict[str, str] = {}
    for each in arguments:
        name, equals, value = each.partition("=")
        if each in SWITCHES:
            switches.add(SWITCHES[each])
        elif name in VALUES:
            values[name] = value if equals else next(arguments, "")
        elif each.startswith("-"):
            return None
        else:
            said.append(each)
    is_whole = len(said) == 1 and all(values.values())
    return (said[0], frozenset(switches), values) if is_whole else None
