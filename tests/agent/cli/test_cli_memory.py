"""`surehand context`, `surehand sessions` and the memory verbs, from the command line to the disk."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.cli.main import main
from agent.store import documents
from tests.agent.conftest import Command

STATE = ".surehand"
CONTEXT = f"{STATE}/agent_context.json"
SESSIONS = f"{STATE}/agent_sessions"


def list_runs(surehand: Command) -> list[dict[str, str]]:
    return json.loads(surehand("sessions", "list", "--json").out)


def test_what_was_remembered_is_recalled_by_a_later_run_and_forgotten(surehand: Command) -> None:
    assert surehand("run", 'remember that the wifi code is "hunter  2!"').code == 0
    said = surehand("run", "recall the wifi code")
    assert (said.code, "“hunter 2!”" in said.out) == (0, True)
    shown = json.loads(surehand("context", "show", "--json").out)["preferences"]
    assert [(each["key"], each["value"], each["origins"]) for each in shown] == [("wifi code", "hunter  2!", [])]
    assert "wifi code: hunter" in surehand("context", "show").out
    assert surehand("run", "forget the wifi code").code == 0
    said = surehand("run", "recall the wifi code")
    assert (said.code, "not_remembered" in surehand("context", "show").out) == (1, True)


def test_what_was_read_is_remembered_only_past_a_person(surehand: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("evil", encoding="utf-8")
    assert surehand("run", "read notes.txt and remember it as the total").code == 3
    assert json.loads(surehand("context", "show", "--json").out)["preferences"] == []


def test_what_is_recalled_counts_as_read(surehand: Command, tmp_path: Path) -> None:
    surehand("run", 'remember that the greeting is "hello"')
    flow = {
        "name": "greet",
        "goals": [
            {"id": "said", "memory.recall": {"key": "greeting"}},
            {"file.write": {"path": "workspace:/a.txt", "content": "${said.text}"}},
        ],
    }
    (tmp_path / "greet.json").write_text(json.dumps(flow), encoding="utf-8")
    said = surehand("run", "greet.json", "--yes", "apply_diff")
    assert (said.code, (tmp_path / "a.txt").exists()) == (3, False)
    assert "greeting" in said.out


def test_every_run_that_was_carried_out_is_kept_and_no_other(surehand: Command) -> None:
    surehand("run", "recall the wifi code")
    surehand("run", "create a folder Mugs")
    surehand("run", "fold the laundry")
    surehand("run", "recall the wifi code", "--dry-run")
    surehand("plan", "recall the wifi code")
    runs = list_runs(surehand)
    assert [(run["asked"], run["status"]) for run in runs] == [
        ("“create a folder Mugs”", "failed"),
        ("“recall the wifi code”", "failed"),
    ]
    assert "create a folder Mugs" in surehand("sessions", "list").out


def test_a_run_is_shown_by_the_beginning_of_its_id(surehand: Command, tmp_path: Path) -> None:
    assert surehand("run", 'create a file notes.txt with the text "Hello"', "--yes", "apply_diff").code == 0
    (run,) = list_runs(surehand)
    said = surehand("sessions", "show", run["run_id"][:6])
    assert said.code == 0
    for part in (
        "success",
        "create a file notes.txt",
        "✓ Create the file",
        "To undo (surehand undo): remove",
        "step 1, apply_diff: yes",
    ):
        assert part in said.out
    document = json.loads(surehand("sessions", "show", "last", "--json").out)
    kept = json.loads((tmp_path / SESSIONS / f"{run['run_id']}.json").read_text(encoding="utf-8"))
    assert document == {name: value for name, value in kept.items() if name != "seal"} | {"is_foreign": False}
    assert [entry["kind"] for entry in document["transcript"]][:2] == ["person", "plan"]
    assert document["tool_calls"][0]["tool"] == "file_create"
    assert document["metrics"]["ok"] == 1
    assert (surehand("sessions", "show", "x").code, surehand("sessions", "show", "").code) == (2, 2)


def test_a_killed_run_is_shown_as_interrupted(
    surehand: Command, start: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    (tmp_path / "wait.json").write_text(
        json.dumps({"name": "wait", "goals": [{"file.wait": {"path": "workspace:/never.txt", "timeout": 60}}]}),
        encoding="utf-8",
    )
    process = start("run", "wait.json", "--json")
    assert process.stdout
    told = (json.loads(line) for line in process.stdout)
    assert next(event for event in told if event.get("status") == "started")
    assert [run["status"] for run in list_runs(surehand)] == ["running"]
    process.kill()
    process.wait()
    assert [(run["asked"], run["status"]) for run in list_runs(surehand)] == [("flow wait: file.wait", "interrupted")]
    assert "cut short" in surehand("sessions", "show", "last").out


def test_nothing_is_forgotten_unasked(surehand: Command) -> None:
    surehand("run", 'remember that the wifi code is "1"')
    said = surehand("context", "reset")
    assert (said.code, "--yes" in said.err) == (3, True)
    assert "wifi code" in surehand("context", "show").out


@pytest.mark.parametrize(("answer", "code", "left"), [("y\n", 0, []), ("\n", 3, ["not_remembered"])])
def test_a_person_is_asked(
    surehand: Command,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: str,
    code: int,
    left: list[str],
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    surehand("run", "recall the wifi code")
    monkeypatch.setattr(sys, "argv", ["surehand", "context", "reset"])
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    assert main() == code
    assert "[y/N]" in capsys.readouterr().err
    assert [note["kind"] for note in json.loads(surehand("context", "show", "--json").out)["failures"]] == left


def test_a_reset_keeps_what_a_person_had_remembered_unless_all_shall_go(surehand: Command) -> None:
    surehand("run", 'remember that the wifi code is "1"')
    surehand("run", "recall the door code")
    assert surehand("context", "reset", "--yes").code == 0
    assert surehand("context", "show").out == "Remembered\n  wifi code: 1\n"
    assert surehand("context", "reset", "--yes", "--all").code == 0
    assert surehand("context", "show").out == "Nothing is remembered.\n"


def test_a_memory_of_a_newer_version_stops_every_run_before_it_begins(surehand: Command, tmp_path: Path) -> None:
    surehand("run", 'remember that the wifi code is "1"')
    document = json.loads((tmp_path / CONTEXT).read_text(encoding="utf-8"))
    content = documents.CONTEXT.write(document | {"schema_version": 2}).decode()
    (tmp_path / CONTEXT).write_text(content, encoding="utf-8", newline="\n")
    said = surehand("run", "create a folder Mugs", "--yes", "apply_diff")
    assert (said.code, "schema_drift" in said.err, "context reset" in said.err) == (2, True, True)
    assert not (tmp_path / "Mugs").exists()
    assert surehand("context", "show").code == 2
    assert surehand("migrate").code == 1
    assert (tmp_path / CONTEXT).read_text(encoding="utf-8") == content
    assert "could not be read" in surehand("context", "reset", "--yes").out
    assert surehand("run", "create a folder Mugs", "--yes", "apply_diff").code == 0


def test_a_damaged_memory_is_moved_aside_and_the_run_says_so(surehand: Command, tmp_path: Path) -> None:
    surehand("run", 'remember that the wifi code is "1"')
    (tmp_path / CONTEXT).write_text("{ torn", encoding="utf-8")
    said = surehand("run", "recall the wifi code")
    assert said.code == 1
    assert "note: " in said.err
    assert "It was moved to" in said.err
    document = json.loads(surehand("sessions", "show", "last", "--json").out)
    assert any("moved to" in note for note in document["diagnostics"])
    (aside,) = (tmp_path / STATE).glob("agent_context.json.corrupt-*")
    assert aside.read_text(encoding="utf-8") == "{ torn"


def test_a_run_that_can_not_be_kept_says_so_at_the_terminal(surehand: Command, tmp_path: Path) -> None:
    (tmp_path / STATE).mkdir()
    (tmp_path / STATE / "agent_sessions").write_text("in the way", encoding="utf-8")
    said = surehand("run", 'remember that the wifi code is "1"')
    assert said.code == 0
    assert "note: This run could not be saved: " in said.err


def test_commands_that_look_make_nothing(surehand: Command, tmp_path: Path) -> None:
    assert surehand("context", "show").out == "Nothing is remembered.\n"
    assert surehand("sessions", "list").out == "No saved runs in this workspace.\n"
    assert surehand("migrate", "--dry-run").out == "Everything is up to date.\n"
    assert not (tmp_path / STATE).exists()
    assert surehand("sessions", "list", "--workspace", "nowhere").code == 2
