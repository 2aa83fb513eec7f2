"""From options to requests: a command's params, and the fields of the dataclasses among them, are what a person can type.

Below it how help looks: options and commands in groups, and examples at the end, word for word.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from typing import Annotated, Any, ClassVar, TypeVar, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from agent.cli.exits import choose_error_code
from agent.cli.options import HERE, PANELS, Option, find_option
from agent.cli.screen.output import write_error
from core.base.errors import SurehandError
from core.base.shortages import explain_system_error

Work = Callable[..., int | None]
Declared = TypeVar("Declared", bound=Work)
Row = tuple[str, tuple[str, str]]
"""A heading of a help page, and below it what is typed and what that means."""

_UNTOLD: tuple[Any, ...] = (None, "", (), HERE)
"""Defaults that say nothing to a person."""

_REST = "Options"


def make_group(help_text: str = "", *examples: str, **more: Any) -> typer.Typer:
    """Return a command of commands."""
    more = {"cls": GroupHelp, "no_args_is_help": True, "rich_markup_mode": None, **more}
    return typer.Typer(help=help_text, epilog="\n".join(examples), **more)


def command(app: typer.Typer, name: str, *examples: str, panel: str = "") -> Callable[[Declared], Declared]:
    """Add a function to a program as a command: it gets what was typed, and returns the exit code.

    Args:
        examples: Command lines that are shown below its help.
    """

    def declare(work: Declared) -> Declared:
        app.command(name, cls=CommandHelp, rich_help_panel=panel or None, epilog="\n".join(examples))(
            take_options(work)
        )
        return work

    return declare


def take_options(work: Work) -> Callable[..., None]:
    """Return a function as typer takes it: with an option for each that its params and their fields declare.

    What it raises on purpose is told, and becomes the exit code.
    """
    params = list(inspect.signature(work).parameters.values())

    def call(**given: Any) -> None:
        try:
            code = work(**{each.name: _fold(each.name, each.annotation, given) for each in params})
        except (SurehandError, OSError) as error:
            write_error(explain_system_error(error) if isinstance(error, OSError) else error)
            code = choose_error_code(error)
        if code is not None:
            raise typer.Exit(code)

    options = [option for each in params for option in _unfold(each.name, each.annotation, each.default)]
    call.__doc__ = work.__doc__
    call.__signature__ = inspect.Signature(options)
    call.__annotations__ = {each.name: each.annotation for each in options}
    return call


def _unfold(path: str, hint: Any, default: Any) -> Iterator[inspect.Parameter]:
    if is_dataclass(hint):
        for each in fields(hint):
            usual = inspect.Parameter.empty if each.default is MISSING else each.default
            yield from _unfold(f"{path}_{each.name}", each.type, usual)
    elif option := find_option(hint):
        kind, usual = get_args(hint)[0], default
        if get_origin(kind) is tuple:
            kind = list[get_args(kind)[0]]
            kind, usual = (kind | None, None) if default == () else (kind, default)
        yield _make_param(path, usual, Annotated[kind, _describe(option, default)])
    elif hint is typer.Context:
        yield _make_param(path, inspect.Parameter.empty, hint)


def _make_param(name: str, default: Any, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _describe(option: Option, default: Any) -> Any:
    told: dict[str, Any] = {"help": option.help, "rich_help_panel": option.panel or None, "metavar": option.metavar}
    told |= {"min": option.least, "max": option.most, "show_default": default not in _UNTOLD and default is not False}
    return typer.Option(*option.names, **told) if option.names else typer.Argument(**told)


def _fold(path: str, hint: Any, given: Mapping[str, Any]) -> Any:
    """Return what was typed for a param: a value, or a dataclass of such."""
    if is_dataclass(hint):
        known = ((each.name, f"{path}_{each.name}", each.type) for each in fields(hint))
        typed = {name: _fold(below, kind, given) for name, below, kind in known if _is_typed(below, given)}
        return hint(**typed) if isinstance(hint, type) else None
    value = given[path]
    return tuple(value or ()) if find_option(hint) and get_origin(get_args(hint)[0]) is tuple else value


def _is_typed(path: str, given: Mapping[str, Any]) -> bool:
    return any(each == path or each.startswith(f"{path}_") for each in given)


class CommandHelp(TyperCommand):
    """A command whose options stand in the groups that they name."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, group by group."""
        _write_rows(formatter, _list_params(self, ctx))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples."""
        del ctx
        _write_examples(formatter, self.epilog)


class GroupHelp(TyperGroup):
    """A command of commands, which stand in the groups that they name."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, group by group, and the options."""
        known = ((getattr(each, "rich_help_panel", None), name, each) for name, each in self.commands.items())
        _write_rows(formatter, ((panel or "Commands", (n, each.get_short_help_str(200))) for panel, n, each in known))
        _write_rows(formatter, _list_params(self, ctx))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples."""
        del ctx
        _write_examples(formatter, self.epilog)


class LateProgram(GroupHelp):
    """A program whose commands are imported once they are asked for; help needs none of them.

    Attributes:
        late: By name of the command its group in help, the module in ``agent.cli`` whose ``app`` has it or is it, and the first sentence of its help.
    """

    late: ClassVar[Mapping[str, tuple[str, str, str]]] = {}

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        for name, (panel, _, meaning) in self.late.items():
            self.add_command(TyperCommand(name, help=meaning, rich_help_panel=panel))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; None where there is none of that name."""
        if cmd_name not in self.late:
            return super().get_command(ctx, cmd_name)
        found = get_group(import_module(f"agent.cli.{self.late[cmd_name][1]}").app)
        return found.commands.get(cmd_name, found)


def _list_params(command: Any, ctx: Any) -> Iterator[Row]:
    for param in command.get_params(ctx):
        written, meant = param.get_help_record(ctx) or ("", "")
        if written:
            written = param.metavar if param.param_type_name == "argument" else written
            told = "Show this help." if param.name == "help" else meant
            yield getattr(param, "rich_help_panel", None) or _REST, (written, told)


def _write_rows(formatter: Any, rows: Iterable[Row]) -> None:
    """Write each group below its heading; what is in none comes last."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for panel, row in rows:
        groups.setdefault(panel, []).append(row)
    for title in sorted(groups, key=(*PANELS, "Commands", _REST).index):
        with formatter.section(title):
            formatter.write_dl(groups[title])


def _write_examples(formatter: Any, examples: str | None) -> None:
    if examples:
        lines = examples.split("\n")
        formatter.write_paragraph()
        formatter.write(f"Example{'s' if len(lines) > 1 else ''}:\n" + "".join(f"  {line}\n" for line in lines))


def tell_usage(error: typer.TyperException) -> str:
    """Return what is wrong with the arguments and where to look; where only a command of commands was named, its help."""
    message = error.format_message()
    if message.startswith("Usage: "):
        return message
    place = getattr(error, "ctx", None)
    name = place.command_path if place else "surehand"
    return f"error (bad_usage): {message}\n  hint: {name} --help lists the options."
