"""One graph over browser, files, sound and desktop, on a private desktop with a private sound server."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fixtures.machine.desktop import PrivateDesktop
from fixtures.machine.sound import PrivatePulse
from fixtures.site_server import SiteServer
from tests.e2e.receipts import FLOWS

COMMAND = str(Path(sys.prefix) / ("Scripts" if sys.platform == "win32" else "bin") / "surehand")
DISPLAYLESS = ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "PULSE_SERVER", "XDG_RUNTIME_DIR")


@pytest.fixture
def surroundings(desk: PrivateDesktop, pulse: PrivatePulse) -> Mapping[str, str]:
    """Return the environment of programs on the private desktop."""
    return {**desk.environ, "PULSE_SERVER": pulse.server}


def ask(environ: Mapping[str, str], folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a surehand command in a folder."""
    return subprocess.run([COMMAND, *arguments], cwd=folder, env=environ, capture_output=True, text=True, check=False)


def read_final(said: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """Return the last event of a run."""
    assert said.stdout, said.stderr
    return [json.loads(line) for line in said.stdout.splitlines()][-1]


def test_one_flow_goes_from_a_page_to_files_sound_and_an_editor(
    surroundings: Mapping[str, str], desk: PrivateDesktop, site: SiteServer, tmp_path: Path
) -> None:
    flow = ("run", str(FLOWS / "desk.yaml"), "--json", "--yes", "apply_diff,run_job", "--var", f"site={site.url}")
    final = read_final(ask(surroundings, tmp_path, *flow))
    steps = {step["action_id"]: step for step in final["steps"]}
    faults = {name: step["result"]["error"] for name, step in steps.items() if step["result"]["status"] != "ok"}
    assert faults == {}
    assert final["outcome"] == "success"
    orders = desk.home / "Documents" / "Orders"
    assert (orders / "note.txt").read_text(encoding="utf-8") == "Blue mug, three of them: żółć 日本 😀\n"
    assert (orders / "draft.txt").read_text(encoding="utf-8").rstrip().endswith("Paid: żółć 日本 😀")
    changed = [
        step for step in steps.values() if step["name"].startswith(("file.", "audio.")) and step["result"]["undo"]
    ]
    assert all(step["result"]["effect"] == "confirmed" for step in changed)
    assert all(step["result"]["undo_record"] for step in changed)
    volume = next(step for step in steps.values() if step["name"] == "audio.set_volume")
    assert volume["result"]["output"]["level"] == pytest.approx(20, abs=1)


def test_the_doctor_finds_a_display_and_a_sound_server(surroundings: Mapping[str, str], tmp_path: Path) -> None:
    report = json.loads(ask(surroundings, tmp_path, "doctor", "--json").stdout)
    found = {name: each["available"] for name, each in report["capabilities"].items()}
    here = ("files", "trash", "launcher", "clipboard", "notifications", "input", "windows", "screen", "accessibility")
    assert {name: found[name] for name in (*here, "audio", "media")} == dict.fromkeys((*here, "audio", "media"), True)


def test_without_display_and_sound_the_doctor_says_so_and_planning_refuses(
    surroundings: Mapping[str, str], tmp_path: Path
) -> None:
    bare = {name: value for name, value in surroundings.items() if name not in DISPLAYLESS}
    report = json.loads(ask(bare, tmp_path, "doctor", "--json").stdout)
    lacking = {name for name, each in report["capabilities"].items() if not each["available"]}
    assert {"input", "windows", "screen", "accessibility", "audio", "media"} <= lacking
    verbs = {verb["verb"]: verb for verb in report["verbs"]}
    assert verbs["file.write"]["available"]
    assert verbs["desktop.click"]["reason"]
    assert verbs["desktop.click"]["remedy"]
    goals = tmp_path / "goals.json"
    goals.write_text(
        json.dumps(
            [
                {"domain": "file", "verb": "create", "params": {"object_type": "file", "name": "a.txt"}},
                {"domain": "audio", "verb": "mute", "params": {}},
            ]
        ),
        encoding="utf-8",
    )
    said = ask(bare, tmp_path, "run", "--goals", str(goals), "--yes", "apply_diff")
    assert said.returncode == 2
    assert "not_supported_here" in said.stderr
    assert not (tmp_path / "a.txt").exists()
