import os
import shlex
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from actuators.verb_table import PLANNER_RULES
from agent.assembly import make_session
from agent.requests.flows import Flow, parse_flow
from agent.requests.goal_files import parse_goals
from agent.requests.requests import Request
from agent.requests.words.policy_parts import load_policy
from agent.sessions.planned_requests import PlannedRequest
from agent.settings.settings import Settings, load_settings
from agent.simulation.machines import build_simulation
from core.addresses.platforms import SEARCH_PLATFORMS
from core.base.errors import FlowError
from core.goals.scopes import build_meta_goal
from core.planning.context import PlanningContext
from core.planning.orchestrator import GoalOrchestrator
from core.planning.planner import GoalPlanner
from core.policy.policy import Policy
from fixtures.site_server import SiteServer
from tests.agent.conftest import Command, Said
from tests.cases import each_case
from tests.core.samples import WORLD
from tests.docs.examples import Example, list_documents, list_examples, matches_output, read_examples

SITES = "127.0.0.1:8123"
KINDS = {
    "yaml flow",
    "yaml bad",
    "yaml goal",
    "json goals",
    "toml settings",
    "toml own",
    "toml prompts",  # tried in tests/agent/planners
    "json planners",  # there as well
    "json mcp",  # tried in tests/docs/test_model_guides.py
    "yaml policy",
    "yaml machine",
    "yaml home-assistant",  # tried in tests/docs/test_home_assistant_guide.py
    "console",
}


def plan(flow: Flow, folder: Path) -> PlannedRequest:
    return make_session(Settings.model_construct(), folder).plan(Request(flow=flow))


@each_case("example", list_examples("yaml flow"), ids=str)
def test_every_flow_can_be_planned(example: Example, tmp_path: Path) -> None:
    assert plan(parse_flow(example.text), tmp_path).errors == ()


@each_case("example", list_examples("json goals"), ids=str)
def test_every_goals_file_can_be_planned(example: Example, tmp_path: Path) -> None:
    assert plan(parse_goals(example.text), tmp_path).errors == ()


@each_case("example", list_examples("yaml goal"), ids=str)
def test_every_goal_can_be_planned_on_a_machine_that_can_do_everything(example: Example) -> None:
    goals = build_meta_goal(parse_flow("goals:\n" + example.text).goals)
    world = replace(WORLD, values={"platforms": tuple(SEARCH_PLATFORMS)})
    policy = Policy(roots=tuple(f"{name}:/" for name in WORLD.anchors), extra_verbs=("system.run",))
    planned = GoalOrchestrator(GoalPlanner(PLANNER_RULES)).orchestrate(goals, PlanningContext(world, policy))
    assert [result.reason for _, result in planned.failures] == []


@each_case("example", list_examples("yaml bad"), ids=str)
def test_every_bad_flow_is_refused(example: Example, tmp_path: Path) -> None:
    try:
        errors = plan(parse_flow(example.text), tmp_path).errors
    except FlowError as error:
        errors = (error.info(),)
    assert len(errors) == 1
    assert errors[0].evidence["line"] > 1


@each_case("example", list_examples("yaml policy"), ids=str)
def test_a_policy_file_is_understood(example: Example, tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(example.text, encoding="utf-8")
    assert load_policy(tmp_path / "policy.yaml").rules


@each_case("example", list_examples("yaml machine"), ids=str)
def test_a_machine_file_is_understood(example: Example, tmp_path: Path) -> None:
    (tmp_path / "machine.yaml").write_text(example.text, encoding="utf-8")
    assert len(build_simulation(tmp_path / "machine.yaml", {}).pages) == 2


@each_case("example", list_examples("toml settings"), ids=str)
def test_every_settings_file_can_be_read(example: Example, tmp_path: Path) -> None:
    (tmp_path / ".surehand").mkdir(exist_ok=True)
    (tmp_path / ".surehand" / "settings.toml").write_text(example.text, encoding="utf-8")
    load_settings(tmp_path)


@each_case("example", list_examples("toml own"), ids=str)
def test_every_settings_file_of_a_person_can_be_read(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "surehand").mkdir(exist_ok=True)
    (tmp_path / "surehand" / "settings.toml").write_text(example.text, encoding="utf-8")
    assert load_settings(tmp_path) != Settings.model_construct()


def test_every_verb_has_an_example() -> None:
    examples = "\n".join(example.text for example in list_examples("yaml goal"))
    assert [f"{domain}.{verb}" for domain, verb in PLANNER_RULES if f"- {domain}.{verb}:" not in examples] == []


def write_files(example: Example, folder: Path) -> None:
    """Write the named flows of the example's document into a folder."""
    document = next(path for path in list_documents() if path.as_posix().endswith(example.file))
    for each in read_examples(document):
        words = each.kind.split()
        if words[:2] == ["yaml", "flow"] and len(words) > 2:
            (folder / words[2]).write_text(each.text, encoding="utf-8")


def make_harmless(command: str) -> str:
    """Return a command that drives no browser: a run is only planned."""
    return f"{command} --dry-run" if shlex.split(command)[:2] == ["surehand", "run"] else command


@contextmanager
def serve(example: Example) -> Generator[str]:
    """Yield where the fixture sites are: somewhere for commands that look at them, else where documents say that they are."""
    looking = (["surehand", "look"], ["surehand", "test"])
    if not any(shlex.split(command)[:2] in looking for command, _ in example.commands):
        yield SITES
        return
    with SiteServer() as site:
        yield site.url.removeprefix("http://")


@pytest.mark.parametrize("example", [*list_examples("console"), *list_examples("sh")], ids=str)
def test_every_command_does_what_is_shown(example: Example, tmp_path: Path, surehand: Command) -> None:
    write_files(example, tmp_path)
    with serve(example) as place:
        run_commands(example, place, surehand)


def run_commands(example: Example, place: str, surehand: Command) -> None:
    """Run the commands of an example, and compare what each says with what is shown."""
    code = 0
    for number, (command, shown) in enumerate(example.commands):
        script = command.replace("echo $?", f"echo {code}") if command == "echo $?" else make_harmless(command)
        done = run_command(script.replace(SITES, place), surehand)
        code = done.code
        tells_code = number + 1 < len(example.commands) and example.commands[number + 1][0] == "echo $?"
        assert code == 0 or tells_code or shown.startswith("error "), done.err
        said = (done.out + done.err).replace(place, SITES)
        assert not shown or matches_output(said, shown), said


def run_command(script: str, surehand: Command) -> Said:
    """Run a command here; by a shell where it takes one."""
    program, *arguments = shlex.split(script)
    if program == "surehand" and not {"|", "||"}.intersection(arguments):
        return surehand(*arguments)
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-c", script], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    return Said(done.returncode, done.stdout, done.stderr)


def test_every_block_of_data_or_commands_is_of_a_kind_that_is_tried() -> None:
    found = [(str(each), each.kind.split()) for path in list_documents() for each in read_examples(path)]
    data = [(place, words) for place, words in found if words and words[0] in {"yaml", "json", "toml", "console"}]
    assert [(place, words) for place, words in data if " ".join(words[:2]) not in KINDS] == []
    assert len(data) > len(PLANNER_RULES)


@each_case(
    ("actual", "shown", "matches"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb", "a\n…\n", True),
        ("a b c", "a … c", True),
        ("ab", "a", False),
        ("a", "b", False),
    ],
)
def test_an_output_is_compared_with_what_is_shown(actual: str, shown: str, matches: bool) -> None:
    assert matches_output(actual, shown) == matches
