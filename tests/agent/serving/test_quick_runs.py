"""The short ways of a warm `surehand run` and of `surehand plan` know no option that the whole command line doesn't, and take none otherwise."""

from typing import Any

import pytest
import typer

from agent.cli.main import app
from agent.cli.serving import quick


def list_options(name: str) -> dict[str, Any]:
    """Return the options of a command by each of their names; typer has a click of its own."""
    whole: Any = typer.main.get_command(app)
    found = whole.get_command(None, name)
    return {name: each for each in found.params if each.param_type_name == "option" for name in each.opts}


@pytest.mark.parametrize("name", ["plan", "run"])
def test_every_switch_and_value_is_an_option_of_the_command(name: str) -> None:
    options = list_options(name)
    assert "-v" in quick.SWITCHES[name]
    assert all(options[each].is_flag for each in quick.SWITCHES[name])
    assert not any(options[each].is_flag for each in quick.VALUES[name])


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
@pytest.mark.parametrize("name", ["plan", "run"])
def test_what_it_does_not_know_is_left_to_the_whole_command_line(name: str, arguments: list[str]) -> None:
    assert quick.read_arguments(name, iter(arguments)) is None


@pytest.mark.parametrize("name", ["plan", "run"])
def test_what_the_hands_started_has_no_short_way(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUREHAND_INSIDE", "1")
    assert quick.run_quickly([name, "go back", "--session", "any"]) is None
