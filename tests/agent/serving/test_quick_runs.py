"""The short way of a warm `surehand run` knows no option that the whole command line doesn't, and takes none otherwise."""

from typing import Any

import pytest
import typer

from agent.cli.main import app
from agent.cli.serving import quick


def list_options() -> dict[str, Any]:
    """Return the options of `surehand run` by each of their names; typer has a click of its own."""
    command: Any = typer.main.get_command(app)
    run = command.commands["run"]
    return {name: each for each in run.params if each.param_type_name == "option" for name in each.opts}


def test_every_switch_and_value_is_an_option_of_run() -> None:
    options = list_options()
    assert "-q" in quick.SWITCHES
    assert all(options[name].is_flag for name in quick.SWITCHES)
    assert not any(options[name].is_flag for name in quick.VALUES)


@pytest.mark.parametrize(
    "arguments",
    [
        ["two", "sentences"],
        ["x", "--headed"],
        ["x", "-qv"],
        ["x", "--workspace"],
        ["x", "--session="],
        ["x", "--jsn"],
        ["--", "-x"],
        [],
    ],
)
def test_what_it_does_not_know_is_left_to_the_whole_command_line(arguments: list[str]) -> None:
    assert quick.read_arguments(iter(arguments)) is None
