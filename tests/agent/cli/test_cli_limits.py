"""What options come to: wishes, exit codes, and what they let a run do: verbs that are off, folders by path or by anchor."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from actuators.catalog import ALL_CAPABILITIES
from actuators.verb_table import PLANNER_RULES
from agent.cli.declaring import command
from agent.cli.limits import PolicyOptions
from agent.cli.options import Option
from agent.cli.serving.ordering import describe_policy
from agent.facts.diagnosis import diagnose_verb
from agent.requests.words.policy_parts import parse_policy
from core.base.errors import ActionError, ApprovalError, InputError, SurehandError
from core.goals.world import Capability
from tests.agent.conftest import Command, Said

RUN = "goals:\n  - system.run: {argv: ['true']}\n"


def write(text: str, name: str = "flow.yaml") -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def assert_refused(said: Said, *words: str) -> None:
    assert (said.code, said.out) == (2, "")
    for word in words:
        assert word in said.err


def is_refused_by_policy(said: Said) -> bool:
    """Tell whether it was; whether this machine can do it otherwise is another question."""
    return said.code == 2 and "off by default" in said.err


# --- verbs that are off


def test_a_verb_that_is_off_is_refused_with_how_to_allow_it(surehand: Command) -> None:
    for name in ("plan", "run"):
        assert "--allow system.run" in surehand(name, write(RUN)).err
        assert is_refused_by_policy(surehand(name, write(RUN)))


def test_a_verb_that_is_off_is_allowed_by_name(surehand: Command) -> None:
    assert not is_refused_by_policy(surehand("plan", write(RUN), "--allow", "system.run"))


def test_no_file_of_a_workspace_can_allow_a_verb_that_is_off(
    surehand: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".surehand").mkdir()
    (tmp_path / ".surehand" / "settings.toml").write_text('allow = ["system.run"]\n', encoding="utf-8")
    assert_refused(surehand("plan", write(RUN), "--workspace", str(tmp_path)), "allow", "")


def test_a_flow_can_t_allow_a_verb_that_is_off(surehand: Command) -> None:
    assert is_refused_by_policy(surehand("plan", write(f"policy: {{verbs: [system.run, 'system.*']}}\n{RUN}")))
    assert_refused(surehand("plan", write(f"policy: {{extra_verbs: [system.run]}}\n{RUN}")), "extra_verbs")


def test_a_verb_that_is_allowed_still_takes_its_approval(surehand: Command) -> None:
    said = surehand("run", write(RUN), "--allow", "system.run")
    assert said.code in {2, 3}  # 2 where this machine can't do it


def test_the_tables_say_which_verbs_are_off(surehand: Command) -> None:
    off = {f"{domain}.{verb}" for (domain, verb), rule in PLANNER_RULES.items() if rule.opt_in}
    lines = surehand("rules").out.splitlines()
    assert {line.split()[0] for line in lines if "[off unless allowed by name]" in line} == off
    rules = json.loads(surehand("rules", "--json").out)
    assert {f"{rule['domain']}.{rule['verb']}" for rule in rules if rule["opt_in"]} == off
    (get,) = (rule for rule in rules if (rule["domain"], rule["verb"]) == ("system", "get"))
    assert get["params"][0]["needs"]["battery"] == ["battery"]


# --- what the machine lacks


def diagnose(name: str, *lacking: str) -> tuple[bool, int]:
    """Return what the doctor says of a verb where the machine lacks something: whether it can be done, and exceptions."""
    domain, verb = name.split(".")
    found = {each: Capability(each not in lacking, "it is broken", "Mend it.") for each in ALL_CAPABILITIES}
    answer = diagnose_verb(name, PLANNER_RULES[domain, verb], found)
    return answer["available"], len(answer["partly"])


@pytest.mark.parametrize(
    ("name", "lacking", "answer"),
    [
        ("system.set", (), (True, 0)),
        ("system.set", ("clipboard",), (True, 1)),
        ("system.set", ("clipboard", "brightness"), (False, 0)),
        ("system.get", ("clipboard", "brightness", "battery", "windows"), (True, 4)),
        ("desktop.find", ("vision",), (True, 2)),
        ("desktop.find", ("vision", "accessibility"), (False, 0)),
        ("desktop.wait", ("vision", "accessibility"), (True, 4)),
        ("desktop.wait", ("vision", "accessibility", "windows"), (False, 0)),
        ("desktop.click", ("vision", "accessibility", "windows"), (True, 4)),
        ("desktop.click", ("input",), (False, 0)),
        ("desktop.focus_window", ("windows",), (False, 0)),
    ],
)
def test_a_verb_of_which_every_form_lacks_something_can_not_be_done(
    name: str, lacking: tuple[str, ...], answer: tuple[bool, int]
) -> None:
    assert diagnose(name, *lacking) == answer


# --- folders


def plan_pdf(surehand: Command, path: str, *options: str) -> str:
    """Return where a PDF would be written, or what is told instead."""
    write(f"goals:\n  - browser.navigate: {{url: 'http://127.0.0.1/'}}\n  - browser.pdf: {{path: '{path}'}}\n")
    said = surehand("plan", "flow.yaml", "--json", *options)
    return json.loads(said.out)["plan"]["nodes"][1]["args"]["path"] if said.code == 0 else said.err


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of its own, outside the workspace."""
    home = tmp_path_factory.mktemp("people")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    return home


def test_a_root_by_anchor_lets_files_of_that_folder_be_used(surehand: Command, home: Path) -> None:
    assert "path_refused" in plan_pdf(surehand, "home:/a.pdf")
    assert plan_pdf(surehand, "home:/a.pdf", "--root", "home:/") == str(home / "a.pdf")
    assert plan_pdf(surehand, "home:/b/a.pdf", "--root", "home:/b") == str(home / "b" / "a.pdf")
    assert "path_refused" in plan_pdf(surehand, "home:/a.pdf", "--root", "home:/b")


def test_a_root_that_is_named_takes_the_place_of_the_workspace(surehand: Command, home: Path, tmp_path: Path) -> None:
    assert plan_pdf(surehand, "a.pdf") == str(tmp_path / "a.pdf")
    assert "path_refused" in plan_pdf(surehand, "a.pdf", "--root", "home:/")
    assert plan_pdf(surehand, "a.pdf", "--root", "home:/", "--root", ".") == str(tmp_path / "a.pdf")


@pytest.mark.parametrize("root", ["cellar:/", "drive:Q:/", "home:/../.."])
def test_a_root_that_is_none_is_refused(root: str, surehand: Command, home: Path) -> None:
    assert plan_pdf(surehand, "a.pdf", "--root", root).startswith("error (path_refused)")


def test_a_flow_can_t_reach_beyond_the_roots_of_the_command(surehand: Command, home: Path) -> None:
    goal = "goals:\n  - browser.navigate: {url: 'http://127.0.0.1/'}\n  - browser.pdf: {path: 'home:/a.pdf'}\n"
    write(f"policy: {{roots: ['home:/']}}\n{goal}")
    assert "path_refused" in surehand("plan", "flow.yaml", "--root", ".").err
    assert surehand("plan", "flow.yaml", "--root", "home:/").code == 0


def test_all_that_a_policy_file_says_goes_to_a_service_as_well(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(
        "hosts: ['shop.example']\nroots: [documents]\nverbs: ['browser.*']\nwindows: [Notes]\n"
        "rules:\n  - deny: {verbs: ['file.*'], because: not now}\n  - private: {hosts: ['bank.example']}\n",
        encoding="utf-8",
    )
    policy = PolicyOptions((), (), (), path).read_policy()
    assert parse_policy(describe_policy(policy), may_allow=True) == policy


@dataclass(frozen=True)
class Bulbs:
    names: Annotated[tuple[str, ...], Option("--bulb NAME", "Which. Repeatable.")] = ()


@dataclass(frozen=True)
class LampWish:
    room: Annotated[str, Option("ROOM", "Where.")]
    bulbs: Bulbs = field(default_factory=Bulbs)
    watts: Annotated[int, Option("--watts -w N", "How bright.", least=1)] = 5
    off: Annotated[bool, Option("--off", "Turn it off.")] = False
    note: str = "its own"


def test_a_wish_is_made_from_the_options_that_its_fields_declare_and_those_of_wishes_within() -> None:
    seen: list[object] = []
    app = typer.Typer()

    @command(app, "light", "surehand light kitchen")
    def light(wish: LampWish, dry: Annotated[bool, Option("--dry", "Only say it.")] = False) -> int:
        seen.append((wish, dry))
        return 4

    run = CliRunner().invoke
    assert run(app, ["kitchen", "--bulb", "a", "--bulb", "b", "-w", "7", "--off", "--dry"]).exit_code == 4
    assert run(app, ["hall"]).exit_code == 4
    assert run(app, ["hall", "-w", "0"]).exit_code == 2
    assert seen == [(LampWish("kitchen", Bulbs(("a", "b")), 7, off=True), True), (LampWish("hall"), False)]


@pytest.mark.parametrize(
    ("error", "code"),
    [(InputError("No."), 2), (ActionError("No."), 1), (ApprovalError("No."), 3), (SurehandError("No."), 2)],
)
def test_an_error_that_ends_a_command_is_told_and_chooses_the_exit_code(
    error: SurehandError, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    app = typer.Typer()

    @command(app, "fail", "surehand fail")
    def fail() -> int:
        raise error

    with pytest.raises(SystemExit) as ended:
        app([])
    assert (ended.value.code, capsys.readouterr().err) == (code, f"error ({error.code}): No.\n")
