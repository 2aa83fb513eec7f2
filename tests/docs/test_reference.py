"""The documents of the command line and of its events name everything that there is, and nothing else."""

import re
from dataclasses import fields
from typing import Any

from typer.core import TyperGroup
from typer.main import get_command

from agent.cli.declaring import LateProgram
from agent.cli.main import app
from core.base.errors import ErrorInfo
from core.results.events import Event
from core.results.planner_events import PlannerEvent
from core.results.tool_results import StepLog, ToolResult
from tests.cases import each_case
from tests.docs.examples import ROOT

GROUP = get_command(app)
assert isinstance(GROUP, TyperGroup)
SECTIONS = {"rules": "rules and tools", "tools": "rules and tools"}
EVENTS = {each.event_name: each for each in Event.__subclasses__() if each.__name__ != "PlannerEvent"}
PLANNER_EVENTS = {each.event_name: each for each in PlannerEvent.__subclasses__()}


def list_options(command: Any) -> set[str]:
    """Return the long options of a command and of the commands below it."""
    own = {option for param in command.params for option in param.opts if option.startswith("--")}
    return own.union(*map(list_options, list_below(command).values()))


def list_below(command: Any) -> dict[str, Any]:
    """Return the commands below a command, also those that are imported late."""
    if not isinstance(command, TyperGroup):
        return {}
    context: Any = command.context_class(command)
    return {name: command.get_command(context, name) for name in command.list_commands(context)}


COMMANDS = list_below(GROUP)


def read_section(document: str, title: str) -> str:
    """Return the text of a document below a heading, up to the next one."""
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def read_fields(text: str) -> list[str]:
    """Return the first column of the tables in a text."""
    return re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)


@each_case("name", COMMANDS)
def test_every_option_of_a_command_is_described_and_no_other(name: str) -> None:
    section = read_section("guides/cli.md", SECTIONS.get(name, name))
    named = set(re.findall(r"`(--[a-z-]+)", section))
    assert list_options(COMMANDS[name]) - {"--help"} <= named
    assert named <= list_options(GROUP)


def test_the_overview_says_of_each_command_what_its_own_help_says_first() -> None:
    assert isinstance(GROUP, LateProgram)
    assert len(GROUP.late) > 20
    for name, (_, _, meaning) in GROUP.late.items():
        assert " ".join((COMMANDS[name].help or "").split()).startswith(meaning), name


def test_every_command_below_a_command_is_described() -> None:
    below = [(name, each) for name, command in COMMANDS.items() for each in list_below(command)]
    assert below
    assert [
        (name, each) for name, each in below if f"| `{name} {each}" not in read_section("guides/cli.md", name)
    ] == []


def test_the_options_of_run_are_listed_in_a_table_with_their_values() -> None:
    listed = re.findall(r"^\| `(--[a-z-]+)(?: ([A-Z=]+))?` \|", read_section("guides/cli.md", "run"), re.MULTILINE)
    params = [param for param in COMMANDS["run"].params if param.opts[0].startswith("--")]
    assert set(listed) == {(param.opts[0], param.metavar or "") for param in params if param.name != "help"}


def test_every_event_has_a_section_and_no_other() -> None:
    text = (ROOT / "docs" / "internals" / "events.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^## (.+)$", text, re.MULTILINE)) == set(EVENTS)


@each_case("kind", EVENTS)
def test_every_field_of_an_event_is_described_and_no_other(kind: str) -> None:
    common = [each.name for each in fields(Event)]
    own = [each.name for each in fields(EVENTS[kind]) if each.name not in common]
    assert read_fields(read_section("internals/events.md", kind)) == own


def test_every_event_of_planners_has_a_section_and_no_other() -> None:
    text = (ROOT / "docs" / "internals" / "planner-events.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^## (.+)$", text, re.MULTILINE)) == set(PLANNER_EVENTS)
    shared = [each.name for each in fields(PlannerEvent) if each.name not in {field.name for field in fields(Event)}]
    assert read_fields(text.partition("\n## ")[0]) == shared


@each_case("kind", PLANNER_EVENTS)
def test_every_field_of_an_event_of_planners_is_described_and_no_other(kind: str) -> None:
    shared = {each.name for each in fields(PlannerEvent)}
    own = [each.name for each in fields(PLANNER_EVENTS[kind]) if each.name not in shared]
    assert read_fields(read_section("internals/planner-events.md", kind)) == own


def test_what_all_events_have_is_described_with_errors_and_receipts() -> None:
    text = (ROOT / "docs" / "internals" / "events.md").read_text(encoding="utf-8")
    head = text.partition("\n## ")[0]
    assert read_fields(head) == [each.name for each in fields(Event)]
    assert all(f"`{each.name}`" in head for each in fields(ErrorInfo))
    final = read_section("internals/events.md", "final")
    assert all(f"`{each.name}`" in final for kind in (StepLog, ToolResult) for each in fields(kind))
