"""`surehand resume` and `surehand undo`: the command is killed for good, and the next one goes on or goes back."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fixtures.site_server import SiteServer
from tests.agent.conftest import PROGRAM, Command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")

ROOT = Path(__file__).resolve().parents[2]
FLOW = """
goals:
  - file.append: {{path: log.txt, content: "one more line\\n"}}
  - browser.navigate: {{url: "{url}/elements/till"}}
    scope: root
  - browser.click: {{selector: 'button "Pay"'}}
  - browser.expect: {{text: "what is never there"}}
"""

Surehand = Callable[..., tuple[int, str, str]]


@pytest.fixture
def surehand(surehand: Command) -> Surehand:
    def run(*words: str) -> tuple[int, str, str]:
        said = surehand(*words)
        return said.code, said.out, said.err

    return run


def kill_after(events: Callable[[dict[str, Any]], bool], folder: Path, *words: str) -> str:
    """Run the command until an event, kill it, and return the run's id."""
    process = subprocess.Popen(
        [str(PROGRAM), "run", *words, "--json"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    run_id = ""
    for line in process.stdout:
        event = json.loads(line)
        run_id = event["run_id"]
        if events(event):
            break
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return run_id


def test_a_killed_run_is_gone_on_with_and_its_click_is_not_done_again(tmp_path: Path, site: SiteServer) -> None:
    (tmp_path / "log.txt").write_text("start\n")
    (tmp_path / "flow.yaml").write_text(FLOW.format(url=site.url))
    ended: set[str] = set()

    def is_waiting(event: dict[str, Any]) -> bool:
        if event["event"] == "step" and event["status"] == "ok":
            ended.add(event["action_id"])
        begun = event["event"] == "step" and (event["action_id"], event["status"]) == ("g3_expect_1", "started")
        return begun or {"g0_append_1", "g2_click_1"} <= ended

    run_id = kill_after(is_waiting, tmp_path, "flow.yaml", "--yes", "apply_diff")
    assert len(site.events("paid")) == 1
    resume = [str(PROGRAM), "resume", "last", "--json"]
    done = subprocess.run(resume, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert {event["run_id"] for event in events} == {run_id}
    steps = {step["action_id"]: step["result"]["status"] for step in events[-1]["steps"]}
    assert steps == {"g0_append_1": "ok", "g1_navigate_1": "ok", "g2_click_1": "ok", "g3_expect_1": "skipped"}, (
        done.stderr
    )
    assert events[-1]["steps"][-1]["result"]["error"]["code"] == "session_lost"
    assert done.returncode == 1
    assert len(site.events("paid")) == 1
    assert (tmp_path / "log.txt").read_text() == "start\none more line\n"


def test_what_a_run_wrote_is_taken_back_once(surehand: Surehand, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("start\n")
    goals = [{"domain": "file", "verb": "append", "params": {"path": "log.txt", "content": "more\n"}}]
    (tmp_path / "goals.json").write_text(json.dumps(goals))
    assert surehand("run", "--goals", "goals.json", "--yes", "apply_diff")[0] == 0
    run_id = json.loads(surehand("sessions", "show", "last", "--json")[1])["run_id"]
    assert surehand("run", "read log.txt")[0] == 0
    code, out, _ = surehand("undo", "last", "--dry-run")
    assert (code, out.splitlines()[-1]) == (0, "Can undo 1 of 1 step.")
    assert out.splitlines()[0] == "goals"
    assert surehand("undo", "last", "--dry-run", "--verbose")[1].startswith(f"{run_id}: goals\n")
    assert f"cut {tmp_path}/log.txt back to 6 bytes" in out
    assert (tmp_path / "log.txt").read_text() == "start\nmore\n"
    assert "-more\n" in out
    code, out, _ = surehand("undo", "last")
    assert (code, out.splitlines()[-1]) == (3, "Undid 0 of 1 step; failed: 1.")
    assert (tmp_path / "log.txt").read_text() == "start\nmore\n"
    code, out, _ = surehand("undo", "last", "--yes", "apply_diff")
    assert (code, out.splitlines()[-1]) == (0, "Undid 1 of 1 step.")
    assert (tmp_path / "log.txt").read_text() == "start\n"
    (tmp_path / "log.txt").write_text("start\nmore\n")
    code, out, _ = surehand("undo", "last", "--json")
    assert (code, json.loads(out)["steps"][0]["status"]) == (0, "already")
    assert (tmp_path / "log.txt").read_text() == "start\nmore\n"


def test_an_unknown_run_is_bad_input(surehand: Surehand) -> None:
    for command in ("resume", "undo"):
        code, out, err = surehand(command, "r00")
        assert (code, out) == (2, "")
        assert "error (unknown_run)" in err


@pytest.mark.timeout(600)
def test_kills_at_every_boundary_repeat_nothing_and_lose_nothing(tmp_path: Path) -> None:
    figures = tmp_path / "kill.json"
    command = [sys.executable, str(ROOT / "scripts/chaos.py"), "kill", "--kills", "10", "--json", str(figures)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(figures.read_text())["figures"]
    assert (found["kills"], found["repeated"], found["lost"]) == (10, 0, 0)


def test_what_the_settings_deny_by_now_is_not_done_on_going_on(surehand: Surehand, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "flow.yaml").write_text(
        "goals:\n"
        "  - file.write: {path: sub/a.txt, content: a}\n"
        "  - file.copy: {source: missing.txt, destination: b.txt}\n"
        "  - file.write: {path: sub/c.txt, content: c}\n"
    )
    assert surehand("run", "flow.yaml", "--yes", "apply_diff")[0] == 1
    (tmp_path / "missing.txt").write_text("b")
    rule = '[[rules]]\n[rules.deny]\nroots = ["workspace:/sub"]\nbecause = "closed for today"\n'
    (tmp_path / ".surehand/settings.toml").write_text(rule)
    code, out, err = surehand("resume", "last", "--yes", "apply_diff", "--json")
    assert code == 1, err
    steps = json.loads(out.splitlines()[-1])["steps"]
    assert [step["result"]["status"] for step in steps] == ["ok", "ok", "refused"]
    assert "closed for today" in steps[-1]["result"]["error"]["message"]
    assert sorted(each.name for each in (tmp_path / "sub").iterdir()) == ["a.txt"]


def test_in_a_copy_of_its_folder_a_run_is_neither_gone_on_with_nor_taken_back(
    surehand: Surehand, tmp_path: Path
) -> None:
    first, copy = tmp_path / "first", tmp_path / "copy"
    first.mkdir()
    (first / "log.txt").write_text("start\n")
    goals = [{"domain": "file", "verb": "append", "params": {"path": "log.txt", "content": "more\n"}}]
    (first / "goals.json").write_text(json.dumps(goals))
    run = ("run", "--goals", str(first / "goals.json"), "--yes", "apply_diff")
    assert surehand(*run, "--workspace", str(first))[0] == 0
    shutil.copytree(first, copy)
    for command in ("undo", "resume"):
        code, _, err = surehand(command, "last", "--workspace", str(copy))
        assert (code, "error (other_workspace)" in err) == (2, True), err
    assert (first / "log.txt").read_text() == "start\nmore\n"
    assert surehand("undo", "last", "--workspace", str(first), "--yes", "apply_diff")[0] == 0
    assert (first / "log.txt").read_text() == "start\n"
