"""Help texts: options and commands in groups, and an example at the end, word for word."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

from typer import Context, TyperException
from typer.core import TyperCommand, TyperGroup


class Formatter(Protocol):
    """What a help text is written with."""

    def write(self, string: str) -> None:
        """Write a text as it is."""
        ...

    def write_paragraph(self) -> None:
        """Begin a new paragraph."""
        ...

    def write_dl(self, rows: list[tuple[str, str]]) -> None:
        """Write names with what they mean beside them."""
        ...

    def section(self, name: str) -> AbstractContextManager[None]:
        """Write a heading, and what follows indented below it."""
        ...


class CommandHelp(TyperCommand):
    """A command whose options stand in the groups that they name."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, group by group."""
        write_groups(formatter, group_params(self, ctx))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the example."""
        del ctx
        write_example(formatter, self.epilog)


class GroupHelp(TyperGroup):
    """A command of commands, which stand in the groups that they name."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, group by group, and the options."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            panel = getattr(command, "rich_help_panel", None) or "Commands"
            groups.setdefault(str(panel), []).append((name, command.get_short_help_str(limit=200)))
        write_groups(formatter, groups)
        write_groups(formatter, group_params(self, ctx))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the example."""
        del ctx
        write_example(formatter, self.epilog)


def group_params(command: Any, ctx: Context) -> dict[str, list[tuple[str, str]]]:
    """Return what is told of arguments and options, by their groups; those of no group come last."""
    groups: dict[str, list[tuple[str, str]]] = {}
    rest: list[tuple[str, str]] = []
    for param in command.get_params(ctx):
        if record := _tell_param(param, ctx):
            panel = getattr(param, "rich_help_panel", None)
            groups.setdefault(panel, []).append(record) if panel else rest.append(record)
    return {**groups, **({"Options": rest} if rest else {})}


def _tell_param(param: Any, ctx: Context) -> tuple[str, str] | None:
    """Return how a param is written, and what it means."""
    record: tuple[str, str] | None = param.get_help_record(ctx)
    if record and param.param_type_name == "argument":
        return param.metavar, record[1]
    return (record[0], "Show this help.") if record and param.name == "help" else record


def write_groups(formatter: Formatter, groups: dict[str, list[tuple[str, str]]]) -> None:
    """Write each group below its heading."""
    for title, rows in groups.items():
        with formatter.section(title):
            formatter.write_dl(rows)


def write_example(formatter: Formatter, example: str | None) -> None:
    """Write the lines of an example, none of them broken.

    Args:
        example: One command a line; None for none.
    """
    if example:
        formatter.write_paragraph()
        formatter.write("".join(_indent(example)))


def _indent(example: str) -> Iterator[str]:
    lines = example.split("\n")
    yield f"Example{'s' if len(lines) > 1 else ''}:\n"
    yield from (f"  {line}\n" for line in lines)


def tell_usage(error: TyperException) -> str:
    """Return what is wrong with the arguments and where to look; where only a command of commands was named, its help."""
    message = error.format_message()
    if message.startswith("Usage: "):
        return message
    place = getattr(error, "ctx", None)
    command = place.command_path if place else "surehand"
    return f"error (bad_usage): {message}\n  hint: {command} --help lists the options."
