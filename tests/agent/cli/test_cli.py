"""The command line in this process: everything that needs no browser to be driven."""

import json
from pathlib import Path

import pytest

from actuators.verb_table import PLANNER_RULES
from agent.cli.commands.run import make_gate
from agent.cli.screen.prompts import is_yes
from core.approvals.approvals import ApprovalRequest
from core.base.errors import InputError
from tests.agent.conftest import Command, Said

GO = "go to http://127.0.0.1:8123/"
FLOW = "vars: {site: 'http://127.0.0.1:8123'}\ngoals:\n  - browser.navigate: {url: '${site}/'}\n"


def write(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def assert_refused(said: Said, *words: str) -> None:
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("error (")
    assert "Traceback" not in said.err
    for word in words:
        assert word in said.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--nope"], "No such option: --nope"),
        (["run", "--jsn", GO], "--json"),
        (["rnu", GO], "Did you mean 'run'?"),
        (["rnu", GO], "hint: surehand --help"),
        (["context", "shwo"], "hint: surehand context --help"),
        (["plan", "a", "b", "c"], "unexpected extra argument"),
        (["run", "--workspace"], "requires an argument"),
        (["run", "--timeout", "soon", GO], "'--timeout'"),
        (["run", "--timeout", "0", GO], "--timeout must be above 0 seconds"),
        (["run", "--timeout", "nan", GO], "--timeout must be above 0 seconds"),
        (["run", "--workspace", "nowhere", GO], 'The workspace "nowhere" is not a folder'),
        (["run", "--yes", "confirm", GO], "Only a person at the terminal can confirm"),
        (["run", "--yes", "everything", GO], '--yes takes apply_diff and run_job, not "everything"'),
        (["run"], "Give exactly one of"),
        (["run", "  "], "Give exactly one of"),
        (["plan"], "Give exactly one of"),
        (["plan", GO, "--goals", "x.json"], "Give exactly one of"),
        (["plan", GO, "--var", "a=b"], "--var sets variables of a flow file"),
        (["plan", "--goals", "x.json", "--var", "a=b"], "--var sets variables of a flow file"),
        (["plan", "x.yaml", "--var", "a"], '--var "a" is not NAME=VALUE'),
        (["plan", "--json", "--mermaid", GO], "Choose one of --json and --mermaid"),
        (["plan", "x.yaml"], "x.yaml:1:1: the file can't be read"),
        (["plan", "--goals", "x.json"], "x.json:1:1: the file can't be read"),
        (["plan", "open_the.json"], "open_the.json:1:1: the file can't be read"),
        (["interpret", "--language", "xx", GO], '--language takes en, de, not "xx"'),
        (["run", "--language", "xx", "--dry-run", GO], '--language takes en, de, not "xx"'),
        (["plan", "--host", "a.test", GO], "error (refused_by_policy)"),
        (["plan", "frobnicate the widget"], "error (no_intent_match)"),
        (["rules", "brwser"], '(did you mean "browser"?)'),
        (["plan", "--host", "http://a.test/", GO], '--host "http://a.test/" is not a host'),
        (["plan", "--host", "", GO], '--host "" is not a host'),
        (["plan", "--allow", "system.rnu", GO], '--allow "system.rnu" is not a verb that needs allowing'),
        (["plan", "--allow", "system.*", GO], "Only these do: system.run."),
        (["run", "--allow", "system.get", GO], '--allow "system.get" is not a verb that needs allowing'),
        (["plan", "--root", "", GO], "--root needs a folder"),
        (["interpret", "--jsonl", GO], "leave out the sentence, --explain"),
        (["interpret", "--jsonl", "--explain"], "leave out the sentence, --explain"),
    ],
)
def test_bad_input_is_refused_with_2_on_stderr(arguments: list[str], words: str, surehand: Command) -> None:
    assert_refused(surehand(*arguments), words)


def test_no_arguments_show_the_help_on_stderr_and_2(surehand: Command) -> None:
    said = surehand()
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("Usage: ")
    assert "interpret" in said.err


@pytest.mark.parametrize("command", ["context", "secrets", "sessions"])
def test_a_command_of_commands_shows_its_help_and_that_alone(command: str, surehand: Command) -> None:
    said = surehand(command)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"Usage: surehand {command} ")
    assert "error" not in said.err


@pytest.mark.parametrize("arguments", [(), ("context",), ("secrets",), ("sessions",)])
def test_what_a_command_does_is_told_in_one_line(arguments: tuple[str, ...], surehand: Command) -> None:
    assert "..." not in surehand(*arguments, "--help").out.partition("Commands:")[2]


@pytest.mark.parametrize("arguments", [["--help"], ["run", "-h"], ["plan", "--help"], ["--version"]])
def test_what_is_asked_for_is_a_result(arguments: list[str], surehand: Command) -> None:
    said = surehand(*arguments)
    assert (said.code, said.err) == (0, "")
    assert said.out


def test_a_sentence_is_planned_as_a_tree(surehand: Command) -> None:
    said = surehand("plan", f"{GO} and click Sign in")
    assert (said.code, said.err) == (0, "")
    assert said.out == '└─ 1 Open http://127.0.0.1:8123/\n   2 Click control "Sign in"\n'


def test_a_sentence_that_ends_like_a_file_is_a_sentence(surehand: Command) -> None:
    said = surehand("interpret", "type notes.json into the field Name")
    assert said.code == 0
    assert surehand("plan", f"{GO} and click report.json").out.endswith('Click control "report.json"\n')


def test_a_file_whose_name_has_spaces_is_a_flow(surehand: Command) -> None:
    write("my order.yaml", FLOW)
    assert surehand("plan", "my order.yaml").code == 0
    assert "error (no_intent_match)" in surehand("plan", f"my {'very ' * 100}long order.yaml").err


def test_variables_of_a_flow_can_be_set(surehand: Command) -> None:
    write("a.yaml", FLOW)
    assert surehand("plan", "a.yaml", "--var", "site=http://a.test/?x=1&y=2").out.endswith("http://a.test/?x=1&y=2/\n")
    assert_refused(surehand("plan", "a.yaml", "--var", "stie=x"), "a.yaml:1:1:", '(did you mean "site"?)')


def test_a_plan_as_json_has_goals_graph_and_digest(surehand: Command) -> None:
    plan = json.loads(surehand("plan", "--json", f"{GO} and click Sign in").out)
    assert [goal["status"] for goal in plan["goals"]] == ["success", "success"]
    assert plan["dependencies"] == {"g1": ["g0"]}
    assert plan["plan"]["edges"] == [["g0_navigate_1", "g1_click_1"]]
    assert plan["plan"]["nodes"][0]["args"] == {"url": "http://127.0.0.1:8123/", "wait_until": "load"}
    assert len(plan["plan_digest"]) == 64


def test_a_plan_names_the_files_that_it_would_change(surehand: Command) -> None:
    write("a.yaml", FLOW + "  - browser.download: {url: 'http://127.0.0.1:8123/x', path: x.txt}\n")
    said = surehand("plan", "a.yaml")
    assert "(asks first)" in said.out
    assert said.out.splitlines()[-1].startswith("Step 2 would change: Download http://127.0.0.1:8123/x to ")


def test_every_fault_of_a_flow_is_on_stderr_with_its_line(surehand: Command) -> None:
    write("a.yaml", FLOW + "  - browser.clik: {}\n  - browser.type: {selector: 'field \"A\"', text: 2}\n")
    said = surehand("run", "a.yaml")
    assert_refused(said, "a.yaml:4:5: There is no verb browser.clik.", '"click"')
    assert "a.yaml:5:" in said.err
    assert "text must be text, or secret:name, not 2" in said.err


def test_what_a_file_says_can_not_move_the_cursor(surehand: Command) -> None:
    write("a.yaml", 'goals: [{"browser.\\e[2Jclick": {}}]')
    said = surehand("plan", "a.yaml")
    assert "\x1b" not in said.err
    assert "browser.\\x1b[2Jclick" in said.err


@pytest.mark.parametrize("flag", ["--json", "--dry-run"])
def test_a_flow_that_is_refused_leaves_stdout_to_the_events(flag: str, surehand: Command) -> None:
    said = surehand("run", "none.yaml", flag)
    assert said.code == 2
    assert "none.yaml:1:1:" in said.err
    events = [json.loads(line) for line in said.out.splitlines()]
    assert [event["event"] for event in events] == (["planner.rejected", "say", "final"] if flag == "--json" else [])


def test_a_dry_run_shows_the_plan_and_does_nothing(surehand: Command) -> None:
    said = surehand("run", "--dry-run", f"{GO} and click Sign in")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("1 Open ")
    assert "2 steps planned; nothing was done." in said.out


def test_a_dry_run_as_json_is_typed_events_that_end_with_the_final_one(surehand: Command) -> None:
    events = [json.loads(line) for line in surehand("run", "--dry-run", "--json", GO).out.splitlines()]
    assert [event["event"] for event in events] == ["accepted", "say", "final"]
    assert [event["seq"] for event in events] == [0, 1, 2]


def test_a_missing_answer_is_asked_for_on_stderr(surehand: Command) -> None:
    said = surehand("run", "click")
    assert said.code == 2
    assert "  question: " in said.err


def test_rules_are_listed_for_all_domains_or_one(surehand: Command) -> None:
    lines = surehand("rules").out.splitlines()
    assert set(surehand("rules", "browser").out.splitlines()) < set(lines)
    assert len(lines) == len(PLANNER_RULES) + 1
    assert any(line.startswith("browser.click ") and "selector*" in line for line in lines)


def test_rules_as_json_are_complete(surehand: Command) -> None:
    rules = json.loads(surehand("rules", "--json").out)
    assert [(rule["domain"], rule["verb"]) for rule in rules] == list(PLANNER_RULES)
    click = next(rule for rule in rules if rule["verb"] == "click")
    assert click["params"][0] == {"name": "selector", "type": "selector, of one or several elements", "required": True}
    assert click["params"][1]["allowed"] == ["left", "right", "middle"]
    assert click["params"][1]["default"] == "left"


def test_tools_are_listed_with_their_schemas(surehand: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUREHAND_HEADED", "perhaps")  # what tools exist is no matter of settings
    tools = json.loads(surehand("tools", "--json").out)
    assert [tool["name"] for tool in tools] == sorted(f"{domain}_{verb}" for domain, verb in PLANNER_RULES)
    click = next(tool for tool in tools if tool["name"] == "browser_click")
    assert click["parameters"]["required"] == ["selector"]
    assert click["parameters"]["additionalProperties"] is False
    assert len(surehand("tools").out.splitlines()) == len(tools)


def test_the_doctor_says_for_every_verb_whether_it_can_be_done(surehand: Command) -> None:
    said = surehand("doctor", "--json")
    report = json.loads(said.out)
    assert len(report["verbs"]) == len(PLANNER_RULES)
    assert said.code == (0 if all(verb["available"] for verb in report["verbs"]) else 1)
    for name, found in report["capabilities"].items():
        assert found["available"] or (found["reason"] and found["remedy"]), name
    # It leaves no run behind.
    assert surehand("sessions", "list").out == "No saved runs in this workspace.\n"
    assert surehand("context", "show").out == "Nothing is remembered.\n"


def test_the_doctor_lists_licences_and_nothing_that_is_shared_asks_for_copyleft(surehand: Command) -> None:
    said = surehand("doctor", "--licences", "--json")
    told = json.loads(said.out)["packages"]
    shared = [each for each in told if set(each["extras"]) - {"dev"}]
    assert {"rich", "python-xlib"} <= {each["name"] for each in told}
    assert [each["name"] for each in shared if each["copyleft"] == "copyleft"] == []
    assert "python-xlib 0" in (lines := surehand("doctor", "--licences").out)
    assert "(desktop)  ! weak copyleft" in lines


def test_the_doctor_believes_no_browser_that_does_not_start(
    surehand: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setenv("SUREHAND_BROWSER_PATH", str(broken))
    said = surehand("doctor")
    assert said.code == 1
    assert "✗ browser: " in said.out
    assert "✓ browser.click" not in said.out


def test_the_doctor_says_why_a_browser_is_missing_and_what_to_do(
    surehand: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUREHAND_BROWSER_PATH", "/nowhere/chromium")
    said = surehand("doctor")
    assert said.code == 1
    assert "✗ browser: " in said.out
    assert "/nowhere/chromium" in said.out
    assert_refused(surehand("plan", GO), "error (not_supported_here)", "/nowhere/chromium")


@pytest.mark.parametrize("command", [["doctor"], ["plan", GO], ["run", GO]])
def test_settings_that_make_no_sense_are_named(command: list[str], surehand: Command) -> None:
    Path(".surehand").mkdir()
    write(".surehand/settings.toml", "browser_pat = 'x'")
    assert_refused(surehand(*command), "browser_pat", '"browser_path"', "settings.toml")


def test_a_sentence_is_interpreted_as_goals(surehand: Command) -> None:
    said = surehand("interpret", 'type "a b " into the field Name')
    assert (said.code, said.err) == (0, "")
    goal = json.loads(said.out)["goals"][0]
    assert (goal["domain"], goal["verb"], goal["params"]["text"]) == ("browser", "type", "a b ")


@pytest.mark.parametrize("options", [(), ("--language", "de"), ("--language", "en")])
@pytest.mark.parametrize("sentence", ["mach die Musik leiser", "turn the music down"])
def test_a_sentence_is_understood_in_its_language_whichever_was_chosen(
    sentence: str, options: tuple[str, ...], surehand: Command
) -> None:
    goals = json.loads(surehand("interpret", sentence, *options).out)["goals"]
    assert [goal["verb"] for goal in goals] == ["volume_down"]


def test_the_chosen_language_refuses_what_shows_no_sign_of_another(surehand: Command) -> None:
    said = surehand("interpret", "--language", "de", "öffne foo")
    assert "kann mehreres bedeuten" in json.loads(said.out)["refusal"]["message"]


def test_a_run_takes_its_language_from_the_option_or_from_the_settings(
    surehand: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert surehand("run", "--dry-run", "--language", "de", "öffne http://127.0.0.1:8123/").code == 0
    monkeypatch.setenv("SUREHAND_LANGUAGE", "de")
    assert "öffne" in surehand("run", "--dry-run", "öffne foo").err
    monkeypatch.setenv("SUREHAND_LANGUAGE", "xx")
    assert_refused(surehand("run", "--dry-run", GO), "there are en, de")


def test_a_refusal_is_a_result_with_2(surehand: Command) -> None:
    said = surehand("interpret", "frobnicate the widget")
    assert (said.code, said.err) == (2, "")
    assert json.loads(said.out)["refusal"]["code"] == "no_intent_match"


def test_lines_are_answered_one_by_one_in_order(surehand: Command) -> None:
    lines = '{"id": 1, "text": "go back"}\n\n{"id": "é", "text": "frobnicate"}\n{"text": "reload"}'
    said = surehand("interpret", "--jsonl", stdin=lines.encode())
    answers = [json.loads(line) for line in said.out.splitlines()]
    assert (said.code, said.err) == (0, "")
    assert [answer["id"] for answer in answers] == [1, "é", None]
    assert [[goal["verb"] for goal in answer["goals"]] for answer in answers] == [["back"], [], ["reload"]]
    assert [answer["refusal"] is None for answer in answers] == [True, False, True]


@pytest.mark.parametrize("line", [b"nonsense", b"[1]", b'{"id": 1}', b'{"text": 5}', b"\xff", b"[" * 100_000])
def test_a_line_that_is_no_question_is_answered_with_a_refusal_and_the_next_as_well(
    line: bytes, surehand: Command
) -> None:
    said = surehand("interpret", "--jsonl", stdin=line + b'\n{"id": 2, "text": "go back"}\n')
    first, second = (json.loads(each) for each in said.out.splitlines())
    assert said.code == 2
    assert first["refusal"]["code"] == "bad_input"
    assert "Line 1 is not" in said.err
    assert second["goals"][0]["verb"] == "back"


def test_answers_complete_what_a_sentence_lacks(surehand: Command) -> None:
    asked = json.loads(surehand("interpret", "copy a.txt").out)["refusal"]
    assert (asked["code"], asked["question"]) == ("missing_slot", "Where shall I copy it to?")
    said = surehand("interpret", "copy a.txt", "--answer", "banana", "--answer", "to Documents")
    assert (said.code, said.err) == (0, "")
    assert json.loads(said.out)["goals"][0]["params"] == {"source": "a.txt", "destination": "documents:/"}


def test_an_answer_to_no_question_and_one_that_drops_it_give_2(surehand: Command) -> None:
    said = surehand("interpret", "go back", "--answer", "x")
    assert (said.code, said.out) == (2, "")
    assert "There is no open question" in said.err
    dropped = surehand("interpret", "copy a.txt", "--answer", "never mind")
    assert (dropped.code, json.loads(dropped.out)["goals"][0]["verb"]) == (0, "stop")


def test_a_line_may_say_what_is_open_so_that_a_yes_means_something(surehand: Command) -> None:
    lines = [{"text": "yes", "open": "question"}, {"text": "stop", "open": "run"}, {"text": "yes"}, {"text": "mute"}]
    lines += [{"text": "yes", "open": "nothing"}, {"text": "x", "open": 3}]
    said = surehand("interpret", "--jsonl", stdin="\n".join(map(json.dumps, lines)).encode())
    answers = [json.loads(line) for line in said.out.splitlines()]
    verbs = [[f"{goal['domain']}.{goal['verb']}" for goal in answer["goals"]] for answer in answers]
    assert verbs == [["control.confirm"], ["control.stop"], ["control.confirm"], ["audio.mute"], [], []]
    assert [answer["refusal"]["code"] for answer in answers[4:]] == ["no_intent_match", "bad_input"]


@pytest.mark.parametrize("answer", ["y", "Y ", "yes", "Yes, please.", "go ahead", "sure, do it"])
def test_a_plain_yes_is_a_yes(answer: str) -> None:
    assert is_yes(answer)


@pytest.mark.parametrize("answer", ["", "n", "no", "yes no", "yes?", "well done", "y no", "ye", "stop", "yes and more"])
def test_anything_else_is_no(answer: str) -> None:
    assert not is_yes(answer)


def test_half_characters_in_a_sentence_are_valid_json(surehand: Command) -> None:
    said = surehand("interpret", 'type "\udcff" into the field Name')
    assert json.loads(said.out)["goals"][0]["params"]["text"] == "\udcff"


def test_nothing_in_json_can_move_the_cursor_and_the_values_stay_the_same(surehand: Command) -> None:
    text = "a\x9b31m\u202eb"
    said = surehand("interpret", f'type "{text}" into the email field')
    assert "\x9b" not in said.out
    assert "\u202e" not in said.out
    assert json.loads(said.out)["goals"][0]["params"]["text"] == text


def test_only_apply_diff_and_run_job_can_be_approved_beforehand() -> None:
    for approved in ("confirm", "none", "apply_diff,confirm", "apply-diff"):
        with pytest.raises(InputError):
            make_gate(approved, None)


async def test_what_was_approved_beforehand_is_approved_and_nothing_else() -> None:
    gate = make_gate(" apply_diff , run_job,", None)
    asked = [ApprovalRequest("a", "d", kind, "text", {}) for kind in ("apply_diff", "run_job", "confirm")]
    assert [await gate.decide(each) for each in asked] == [True, True, False]
    assert not await make_gate("", None).decide(asked[0])


def test_no_command_does_anything_in_a_program_that_hands_started(
    surehand: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUREHAND_INSIDE", "1")
    said = surehand("run", "--yes", "apply_diff", 'write "x" into granted.txt')
    assert (said.code, said.out) == (2, "")
    assert "inside_hands" in said.err
    assert not Path("granted.txt").exists()
