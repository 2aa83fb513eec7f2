"""`surehand test`: what it prints, which files it writes, and its exit codes."""

import json
import os
import re
import signal
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.cli.main import main
from fixtures.machine.processes import wait_until
from fixtures.site_server import SiteServer
from tests.agent.conftest import Command
from tests.agent.suites.test_running import NOTES, READING, WAITING

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture(autouse=True)
def flows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for flows, in the one that commands run in."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "flows").mkdir()
    return tmp_path / "flows"


def write(flows: Path, **texts: str) -> None:
    for name, text in texts.items():
        (flows / f"{name}.flow.yaml").write_text(text, encoding="utf-8")


def test_flows_that_pass_are_a_line_each_and_the_code_is_0(surehand: Command, flows: Path) -> None:
    write(flows, a=NOTES, b=NOTES)
    said = surehand("test", "flows", "-n", "2", "--yes", "apply_diff")
    lines = said.out.splitlines()
    assert (said.code, said.err) == (0, "")
    assert [line[:5] for line in lines[:2]] == ["[1/2]", "[2/2]"]
    assert sorted(line[6:26] for line in lines[:2]) == ["✓ flows/a.flow.yaml ", "✓ flows/b.flow.yaml "]
    assert lines[2].startswith("2 passed in ")


def test_a_failure_says_step_line_cause_and_remedy_and_where_its_run_is_kept(surehand: Command, flows: Path) -> None:
    write(flows, c=READING.replace("goals:", "# a remark\ngoals:"))
    said = surehand("test", "flows")
    lines = said.out.splitlines()
    assert said.code == 1
    assert lines[0].startswith("[1/1] ✗ flows/c.flow.yaml (")
    assert lines[1].startswith("    Step 1 (line 3): Read ")
    assert lines[-1].startswith("1 failed in ")
    (kept,) = [line for line in lines if line.startswith("Kept: flows/c.flow.yaml: surehand sessions show ")]
    shown = surehand(*kept.partition("surehand ")[2].split())
    assert shown.code == 0
    assert "✗" in shown.out


def test_one_faulty_flow_among_others_is_named_with_its_place_and_the_code_is_1(surehand: Command, flows: Path) -> None:
    write(flows, a="goals:\n  - browser.clik: {}\n", b=NOTES)
    said = surehand("test", "flows", "--yes", "apply_diff")
    assert said.code == 1
    assert "flows/a.flow.yaml:2:5: There is no verb browser.clik." in said.out
    assert said.out.splitlines()[-1].startswith("1 could not be run, 1 passed in ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nothing",), "There is no file or folder"),
        (("flows", "-k", "none"), "No flow has"),
        (("flows", "-n", "0"), "-n takes 1 to 64"),
        (("flows", "--retries", "99"), "--retries takes 0 to 10"),
        (("flows", "--shard", "3/2"), "is not a part of a suite"),
        (("flows", "--update", "--retries", "1"), "Choose one of"),
        (("flows", "--var", "x"), "is not NAME=VALUE"),
        (("flows", "--yes", "confirm"), "--yes takes"),
        (("flows", "--trace=often"), "--trace takes"),
        (("flows", "--workspace", "nowhere"), "is not a folder"),
        (("flows", "--timeout", "0"), "--timeout must be above"),
        (("flows",), None),
    ],
)
def test_what_can_not_be_run_at_all_is_code_2(
    surehand: Command, flows: Path, arguments: tuple[str, ...], told: str | None
) -> None:
    write(flows, a="goals: [\n")
    said = surehand("test", *arguments)
    assert said.code == 2
    assert "Traceback" not in said.err
    assert (told or "1 could not be run") in said.err + said.out


def test_every_part_of_a_suite_runs_others_and_an_empty_one_passes(surehand: Command, flows: Path) -> None:
    write(flows, a=NOTES, b=NOTES)
    names: list[str] = []
    for part in ("1/3", "2/3", "3/3"):
        said = surehand("test", "flows", "--yes", "apply_diff", "--shard", part, "--json")
        assert said.code == 0
        names += [flow["path"] for flow in json.loads(said.out)["flows"]]
    assert names == ["flows/a.flow.yaml", "flows/b.flow.yaml"]


def test_results_are_written_for_ci_systems_and_as_json(surehand: Command, flows: Path, tmp_path: Path) -> None:
    write(flows, a=NOTES, c=READING)
    said = surehand("test", "flows", "--yes", "apply_diff", "--junit", "out/results.xml", "--json")
    told = json.loads(said.out)
    assert (said.code, told["counts"], told["stopped"]) == (1, {"failed": 1, "passed": 1}, False)
    assert [bool(flow["workspace"]) for flow in told["flows"]] == [False, True]
    top = ET.parse(tmp_path / "out" / "results.xml").getroot()
    assert (top.attrib["tests"], top.attrib["failures"]) == ("2", "1")


def test_the_index_of_reports_shows_a_picture_of_the_failure_and_leads_to_each_run(
    surehand: Command, flows: Path, site: SiteServer, tmp_path: Path
) -> None:
    page = f'goals:\n  - browser.navigate: {{url: "{site.url}/shop/item/blue-mug"}}\n'
    write(flows, a=page, c=page + '  - browser.expect: {text: "£9.00", timeout: 0.2}\n')
    said = surehand("test", "flows", "--html", "out", "--json")
    runs = [flow["run_id"] for flow in json.loads(said.out)["flows"]]
    index = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert (said.code, "but the page shows" in index) == (1, True)
    assert "data:image/jpeg;base64," in index
    assert sorted(re.findall(r'href="(r[^"]+)\.html"', index)) == sorted(runs)
    assert all((tmp_path / "out" / f"{run}.html").is_file() for run in runs)


def test_folders_of_flows_that_passed_stay_where_that_is_asked(surehand: Command, flows: Path, tmp_path: Path) -> None:
    write(flows, a=NOTES)
    said = surehand("test", "flows", "--yes", "apply_diff", "--keep")
    assert (said.code, "Kept: flows/a.flow.yaml" in said.out) == (0, True)
    assert [each.name for each in tmp_path.glob("surehand-test-*/*/notes.txt")] == ["notes.txt"]


def test_limits_of_the_command_line_hold_for_every_flow(surehand: Command, flows: Path, site: SiteServer) -> None:
    write(flows, a=f'goals:\n  - browser.navigate: {{url: "{site.url}/shop/"}}\n')
    said = surehand("test", "flows", "--host", "shop.example")
    assert said.code == 2
    assert "hosts" in said.out


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_ctrl_c_stops_in_order_and_the_summary_tells_what_did_not_run(start: Start, flows: Path) -> None:
    write(flows, a=WAITING, b=WAITING)
    process = start("test", "flows", "--workspace", ".")
    sessions = flows.parent / ".surehand" / "agent_sessions"
    wait_until(lambda: process.poll() is not None or bool(list(sessions.glob("r*.json"))), 60.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    lines = out.decode().splitlines()
    assert (process.returncode, err) == (130, b""), (lines, err)
    assert "    Not run: the tests were stopped before." in lines
    assert lines[-1].startswith("Stopped. 2 not run to the end in ")
    assert any(line.startswith("    Stopped: ") for line in lines)


def test_help_is_there_without_what_only_tests_need(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["surehand", "test", "--help"])
    assert main() == 0
    assert "--shard" in capsys.readouterr().out
