"""Help texts: options and commands in groups, and an example at the end, word for word."""

from collections.abc import Iterable
from typing import Any

from typer import TyperException
from typer.core import TyperCommand, TyperGroup

from agent.cli.options import PANELS

_REST = "Options"


class CommandHelp(TyperCommand):
    """A command whose options stand in the groups that they name."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, group by group."""
        _write_groups(formatter, _list_params(self, ctx))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the example."""
        del ctx
        _write_example(formatter, self.epilog)


class GroupHelp(TyperGroup):
    """A command of commands, which stand in the groups that they name."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, group by group, and the options."""
        known = ((getattr(each, "rich_help_panel", None), name, each) for name, each in self._list_below(ctx))
        rows = ((str(panel or "Commands"), (name, each.get_short_help_str(limit=200))) for panel, name, each in known)
        _write_groups(formatter, rows)
        _write_groups(formatter, _list_params(self, ctx))

    def _list_below(self, ctx: Any) -> Iterable[tuple[str, Any]]:
        return ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the example."""
        del ctx
        _write_example(formatter, self.epilog)


def _list_params(command: Any, ctx: Any) -> Iterable[tuple[str, tuple[str, str]]]:
    """Yield the group of each argument and option, how it is written, and what it means."""
    for param in command.get_params(ctx):
        written, meant = param.get_help_record(ctx) or ("", "")
        if written:
            written = param.metavar if param.param_type_name == "argument" else written
            told = "Show this help." if param.name == "help" else meant
            yield getattr(param, "rich_help_panel", None) or _REST, (written, told)


def _write_groups(formatter: Any, rows: Iterable[tuple[str, tuple[str, str]]]) -> None:
    """Write each group below its heading; what is in none comes last."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for panel, row in rows:
        groups.setdefault(panel, []).append(row)
    for title in sorted(groups, key=(*PANELS, "Commands", _REST).index):
        with formatter.section(title):
            formatter.write_dl(groups[title])


def _write_example(formatter: Any, example: str | None) -> None:
    """Write the lines of an example, none of them broken."""
    if example:
        lines = example.split("\n")
        formatter.write_paragraph()
        formatter.write(f"Example{'s' if len(lines) > 1 else ''}:\n" + "".join(f"  {line}\n" for line in lines))


def tell_usage(error: TyperException) -> str:
    """Return what is wrong with the arguments and where to look; where only a command of commands was named, its help."""
    message = error.format_message()
    if message.startswith("Usage: "):
        return message
    place = getattr(error, "ctx", None)
    command = place.command_path if place else "surehand"
    return f"error (bad_usage): {message}\n  hint: {command} --help lists the options."
