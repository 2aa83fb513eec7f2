"""From options to requests: a command's params, and the fields of the dataclasses among them, are what a person can type."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from typing import Annotated, Any, get_args, get_origin

import typer
from typer.main import get_group

from agent.cli.exits import choose_error_code
from agent.cli.help_pages import CommandHelp, GroupHelp
from agent.cli.options import HERE, Option, find_option
from agent.cli.screen.output import write_error
from core.base.errors import SurehandError
from core.base.shortages import explain_system_error

Work = Callable[..., int | None]
_UNTOLD: tuple[Any, ...] = (None, "", (), HERE)
"""Defaults that say nothing to a person."""


def make_group(help_text: str, *examples: str, **more: Any) -> typer.Typer:
    """Return a command of commands."""
    more = {"cls": GroupHelp, "no_args_is_help": True, **more}
    return typer.Typer(help=help_text, epilog="\n".join(examples), **more)


class _LateGroup(GroupHelp):
    """A command of commands that are imported once one of them is asked for."""

    source = ""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands."""
        self._load()
        return super().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; None where it has none of that name."""
        self._load()
        return super().get_command(ctx, cmd_name)

    def _load(self) -> None:
        if not self.commands:
            app: typer.Typer = import_module(self.source).app
            app.rich_markup_mode = None
            self.commands = get_group(app).commands


def make_late_group(source: str, help_text: str, *examples: str, **more: Any) -> typer.Typer:
    """Return a command of commands that the ``app`` of a module has, which is imported late."""
    return make_group(help_text, *examples, cls=type("Late", (_LateGroup,), {"source": source}), **more)


def command(app: typer.Typer, name: str, *examples: str, panel: str = "") -> Callable[[Work], Work]:
    """Add a function to a program as a command: it gets what was typed, and returns the exit code.

    Args:
        examples: Command lines that are shown below its help.
    """

    def declare(work: Work) -> Work:
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
    """Yield the options of a param: its own, or those of the fields of a dataclass."""
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
    """Return an option as typer has it."""
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
    """Tell whether a field is an option, or has some below it."""
    return any(each == path or each.startswith(f"{path}_") for each in given)
