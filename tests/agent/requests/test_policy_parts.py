import sys
from pathlib import Path

import pytest

from agent.requests.flows import parse_flow
from agent.requests.words.policy_parts import load_policy, read_standing_policy
from agent.settings.settings import load_settings
from core.base.errors import FlowError, InputError
from core.policy.policy_rules import PolicyRule
from tests.agent.conftest import Command

GOALS = "goals:\n  - file.list: {}\n"


def write(folder: Path, text: str) -> Path:
    path = folder / "policy.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_flow_may_ask_and_deny(tmp_path: Path) -> None:
    text = (
        'vars: {place: "a.example"}\npolicy:\n  rules:\n'
        "    - ask: {verbs: ['file.*'], effects: [irreversible]}\n"
        '    - deny: {hosts: ["${place}"], roots: ["workspace:/x"], because: "no"}\n'
    )
    assert parse_flow(text + GOALS).policy.rules == (
        PolicyRule(verdict="ask", verbs=("file.*",), effects=("irreversible",)),
        PolicyRule(verdict="deny", hosts=("a.example",), roots=("workspace:/x",), because="no"),
    )


def test_a_flow_may_keep_places_private() -> None:
    text = "policy:\n  rules:\n    - private: {hosts: ['*.bank.example'], roots: ['documents:/tax'], because: mine}\n"
    assert parse_flow(text + GOALS).policy.rules == (
        PolicyRule(verdict="private", hosts=("*.bank.example",), roots=("documents:/tax",), because="mine"),
    )


FAULTS = [
    ("    - allow: {verbs: ['file.*']}", "3:7", "a rule here can ask, deny or keep private"),
    ("    - ask: {verbs: ['file.wirte']}", "3:21", 'is not a verb (did you mean "file.write"?)'),
    ("    - ask: {verbs: ['*']}", "3:21", "is not a verb"),
    ("    - ask: {hosts: ['http://a/']}", "3:21", "is not a host"),
    ("    - ask: {effects: [destroy]}", "3:", "effects"),
    ("    - ask: {verb: [file.read]}", "3:", 'unknown key "rules.0.ask.verb"'),
    ("    - ask: {hosts: ['bank.*']}", "3:21", "is not a host"),
    ("    - ask: {hosts: ['*']}", "3:21", "is not a host"),
    ("    - deny: {verbs: []}", "3:14", "verbs is empty, so the rule would never apply"),
    ("    - deny: {roots: ['~/.ssh']}", "3:22", "would expand (P12)"),
    ("    - deny: {roots: ['desktp:/a']}", "3:22", "unknown anchor"),
    ("    - deny: {roots: [a/../b]}", "3:22", "goes upwards"),
    ("    - ask: {}", "3:7", "a rule needs at least one of"),
    ("    - {}", "3:", "a rule needs one of ask or deny or private; this one has none"),
    ("    - private: {verbs: [file.read]}", "3:7", "private is about places: hosts and roots"),
    ("    - {ask: {verbs: [file.read]}, deny: {verbs: [file.read]}}", "3:", "this one has ask, deny"),
]


@pytest.mark.parametrize(("line", "place", "message"), FAULTS)
def test_a_fault_in_a_rule_of_a_flow_is_told_with_its_place(line: str, place: str, message: str) -> None:
    with pytest.raises(FlowError) as caught:
        parse_flow(f"policy:\n  rules:\n{line}\n{GOALS}")
    assert f":{place}" in caught.value.message
    assert message in caught.value.message


@pytest.mark.parametrize(("line", "place", "message"), FAULTS[1:])
def test_a_fault_in_a_policy_file_is_told_with_its_place(line: str, place: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FlowError) as caught:
        load_policy(write(tmp_path, f"hosts: [a.example]\nrules:\n{line}\n"))
    assert f":{place}" in caught.value.message
    assert message.replace("ask or deny or private", "ask or deny or private or allow") in caught.value.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("host: [a]\n", 'unknown key "host"'),
        ("hosts: ['http://a/']\n", "is not a host"),
        ("verbs: [file.wirte]\n", "is not a verb"),
        ("extra_verbs: [system.run]\n", 'unknown key "extra_verbs"'),
        ("[]\n", "policy.yaml:1:1: a policy must be a mapping"),
        ("roots: [workspace:/a, ~/b]\n", "policy.yaml:1:23"),
    ],
)
def test_a_policy_file_is_closed(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FlowError) as caught:
        load_policy(write(tmp_path, text))
    assert message in caught.value.message


def test_a_policy_file_may_allow(tmp_path: Path) -> None:
    path = write(
        tmp_path, "roots: ['workspace:/']\nrules:\n  - allow: {verbs: ['file.write'], roots: ['workspace:/out']}\n"
    )
    policy = load_policy(path)
    assert (policy.roots, policy.hosts) == (("workspace:/",), None)
    assert policy.rules == (PolicyRule(verdict="allow", verbs=("file.write",), roots=("workspace:/out",)),)


# --- settings of the workspace


def set_up(folder: Path, text: str) -> None:
    (folder / ".surehand").mkdir()
    (folder / ".surehand" / "settings.toml").write_text(text, encoding="utf-8")


def test_the_settings_of_a_workspace_may_ask_and_deny(tmp_path: Path) -> None:
    set_up(tmp_path, "[[rules]]\ndeny = {verbs = ['file.delete'], because = 'keep all'}\n")
    policy = read_standing_policy(load_settings(tmp_path).rules)
    assert policy.rules == (PolicyRule(verdict="deny", verbs=("file.delete",), because="keep all"),)


def test_the_settings_of_a_workspace_may_not_allow(tmp_path: Path) -> None:
    set_up(tmp_path, "[[rules]]\nallow = {verbs = ['file.delete']}\n")
    with pytest.raises(InputError, match="allow"):
        load_settings(tmp_path)


def test_a_rule_in_the_settings_with_a_slip_of_the_pen_is_refused(tmp_path: Path) -> None:
    set_up(tmp_path, "[[rules]]\ndeny = {verbs = ['file.delte']}\n")
    with pytest.raises(InputError, match=r'In the setting rules, "file\.delte" is not a verb') as caught:
        read_standing_policy(load_settings(tmp_path).rules)
    assert caught.value.code == "bad_settings"


# --- on the command line

WRITE = "goals:\n  - file.write: {path: out/a.txt, content: A}\n  - file.write: {path: b.txt, content: B}\n    scope: root\n"


def write_flow(text: str = WRITE) -> None:
    Path("flow.yaml").write_text(text, encoding="utf-8")
    Path("out").mkdir()


def test_what_a_policy_file_allows_is_done_without_a_question(surehand: Command) -> None:
    write_flow()
    Path("policy.yaml").write_text("rules: [{allow: {roots: ['workspace:/out']}}]\n", encoding="utf-8")
    said = surehand("run", "flow.yaml", "--policy", "policy.yaml")
    assert said.code == 3
    assert Path("out/a.txt").read_text(encoding="utf-8") == "A"
    assert not Path("b.txt").exists()


@pytest.mark.parametrize("where", ["policy", "flow", "settings"])
def test_what_any_source_denies_is_denied(where: str, surehand: Command) -> None:
    rule = "{deny: {verbs: [file.write], because: frozen}}"
    allow = "{allow: {verbs: ['file.*']}}"
    Path("policy.yaml").write_text(f"rules: [{rule if where == 'policy' else allow}]\n", encoding="utf-8")
    write_flow(f"policy: {{rules: [{rule}]}}\n{WRITE}" if where == "flow" else WRITE)
    if where == "settings":
        set_up(Path(), "[[rules]]\ndeny = {verbs = ['file.write'], because = 'frozen'}\n")
    said = surehand("run", "flow.yaml", "--policy", "policy.yaml", "--yes", "apply_diff")
    assert said.code == 2
    assert "A policy rule denies file.write here: frozen." in said.err
    assert not Path("b.txt").exists()


def test_what_a_rule_asks_is_not_answered_by_a_class_given_beforehand(surehand: Command) -> None:
    write_flow()
    set_up(Path(), "[[rules]]\nask = {roots = ['workspace:/out']}\n")
    assert surehand("run", "flow.yaml", "--yes", "apply_diff").code == 3
    assert not Path("out/a.txt").exists()
    assert Path("b.txt").exists()


def test_a_part_of_the_changes_is_made_on_the_command_line(surehand: Command) -> None:
    write_flow()
    said = surehand("run", "flow.yaml", "--yes", "apply_diff", "--ops", "g1_write_1")
    assert said.code == 0
    assert not Path("out/a.txt").exists()
    assert Path("b.txt").exists()
    assert surehand("run", "flow.yaml", "--yes", "apply_diff", "--ops", "g7_write_1").code == 2


def test_folders_are_named_in_one_place(surehand: Command) -> None:
    write_flow()
    Path("policy.yaml").write_text("roots: ['workspace:/out']\n", encoding="utf-8")
    said = surehand("plan", "flow.yaml", "--policy", "policy.yaml", "--root", "out")
    assert (said.code, "set the same limit" in said.err) == (2, True)
    assert surehand("plan", "flow.yaml", "--policy", "policy.yaml").code == 2


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
@pytest.mark.parametrize("named", ["secret", "way"])
@pytest.mark.parametrize("reached", ["secret", "way"])
@pytest.mark.parametrize("verdict", ["deny", "ask"])
def test_a_rule_holds_for_a_folder_whether_it_is_named_or_reached_by_a_link(
    verdict: str, reached: str, named: str, surehand: Command
) -> None:
    Path("secret").mkdir()
    Path("secret/a.txt").write_text("the key", encoding="utf-8")
    Path("way").symlink_to("secret")
    Path("policy.yaml").write_text(f"rules: [{{{verdict}: {{roots: ['workspace:/{named}']}}}}]\n", encoding="utf-8")
    Path("flow.yaml").write_text(f"goals:\n  - file.read: {{path: {reached}/a.txt}}\n", encoding="utf-8")
    said = surehand("run", "flow.yaml", "--policy", "policy.yaml", "--json")
    assert (said.code in {1, 2, 3}, "the key" in said.out) == (True, False)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_what_a_rule_allows_is_not_allowed_behind_a_link(surehand: Command) -> None:
    for name in ("inner", "outer"):
        Path(name).mkdir()
    Path("inner/way").symlink_to("../outer")
    Path("policy.yaml").write_text("rules: [{allow: {roots: ['workspace:/inner']}}]\n", encoding="utf-8")
    flow = "goals:\n  - file.write: {path: inner/way/a.txt, content: A}\n  - file.write: {path: inner/b.txt, content: B}\n    scope: root\n"
    Path("flow.yaml").write_text(flow, encoding="utf-8")
    assert surehand("run", "flow.yaml", "--policy", "policy.yaml").code == 3
    assert (Path("outer/a.txt").exists(), Path("inner/b.txt").exists()) == (False, True)
