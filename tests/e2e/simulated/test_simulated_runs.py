"""`surehand run --simulate`: a machine in memory that people declare, faults on purpose, and a real one that stays as it was."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agent.conftest import Command

MACHINE = """\
pages:
  "http://shop.test/":
    title: Shop
    elements:
      - {role: heading, name: Welcome}
      - {role: link, name: Mugs, link: /mugs}
  "http://shop.test/mugs":
    title: Mugs
    elements:
      - {role: textbox, name: Total, value: "24.00"}
files:
  notes.txt: "one\\ntwo\\n"
  "documents:/old.txt": "old"
sound: [{name: Speakers, volume: 80}]
players: [{name: Music, tracks: [One, Two], status: playing}]
windows: [{title: notes.txt - Editor, app: editor}]
"""
FLOW = """\
goals:
  - browser.navigate: {url: "http://shop.test/"}
  - browser.click: {selector: 'link "Mugs"'}
  - browser.read: {target: title}
  - file.copy: {source: notes.txt, destination: "documents:/notes.txt"}
    scope: root
  - file.read: {path: "documents:/notes.txt"}
  - audio.set_volume: {level: 20}
    scope: root
  - media.pause: {}
    scope: root
  - desktop.press: {keys: ctrl+s, window: Editor}
    scope: root
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with a flow and a machine to try it on."""
    (tmp_path / "machine.yaml").write_text(MACHINE, encoding="utf-8")
    (tmp_path / "shop.yaml").write_text(FLOW, encoding="utf-8")
    return tmp_path


@pytest.fixture
def simulate(folder: Path, surehand: Command) -> Command:
    """Runs the flow on the declared machine, with nobody to ask."""
    wanted = ("run", "shop.yaml", "--simulate", "--machine", "machine.yaml", "--yes", "apply_diff")
    return lambda *arguments: surehand(*wanted, *arguments)


def read_events(simulate: Command, *arguments: str) -> list[dict[str, Any]]:
    """Return the events of a simulated run."""
    return [json.loads(line) for line in simulate("--json", *arguments).out.splitlines()]


def test_a_flow_over_all_families_runs_on_the_declared_machine_and_says_so_first(simulate: Command) -> None:
    done = simulate()
    assert (done.code, done.err) == (0, "")
    first, *listed = done.out.splitlines()
    assert first == "Simulated: nothing real is read, changed or reached."
    assert sum("✓" in line for line in listed) == 8
    assert any("Read the title: “Mugs”" in line for line in listed)
    assert any("documents" in line.lower() and "“one two”" in line for line in listed)


def test_every_event_of_a_simulated_run_says_that_it_was_simulated(simulate: Command) -> None:
    events = read_events(simulate)
    assert {event["simulated"] for event in events} == {True}
    assert events[-1]["outcome"] == "success"


def test_nothing_is_written_to_the_real_disk(simulate: Command, folder: Path) -> None:
    simulate()
    simulate("--fault", "file.copy=no_space")
    assert sorted(each.name for each in folder.rglob("*")) == ["machine.yaml", "shop.yaml"]


def test_a_fault_fails_its_step_skips_what_follows_and_leaves_the_rest(simulate: Command) -> None:
    done = simulate("--fault", "browser.click=target_missing")
    assert done.code == 1
    assert "2 ✗ Click link" in done.out
    assert "browser.click failed on purpose (target_missing)." in done.out
    assert "Skipped: step 2 failed (no element matches)." in done.out
    assert sum("✓" in line for line in done.out.splitlines()) == 6


def test_a_fault_of_another_call_than_the_one_that_is_made_changes_nothing(simulate: Command) -> None:
    assert simulate("--fault", "browser.click=target_missing@2").code == 0


def test_what_fails_after_its_act_has_happened(simulate: Command, folder: Path) -> None:
    flow = "goals:\n  - file.copy: {source: notes.txt, destination: b.txt}\n"
    (folder / "shop.yaml").write_text(flow, encoding="utf-8")
    before = read_events(simulate, "--fault", "file.copy=no_space")[-1]["steps"][0]["result"]
    after = read_events(simulate, "--fault", "file.copy=no_space@1:after")[-1]["steps"][0]["result"]
    assert [each["error"]["code"] for each in (before, after)] == ["no_space", "no_space"]
    assert (before["effect"], after["effect"]) == ("none", "unverified")


@pytest.mark.parametrize(
    ("flow", "code"),
    [
        ('browser.navigate: {url: "http://elsewhere.test/"}', "not_simulated"),
        ('browser.navigate: {url: "http://shop.test/none"}', "not_simulated"),
        ('browser.screenshot: {path: "shop.png"}', "not_simulated"),
    ],
)
def test_what_is_not_simulated_is_refused_by_name(flow: str, code: str, simulate: Command, folder: Path) -> None:
    text = f'goals:\n  - browser.navigate: {{url: "http://shop.test/"}}\n  - {flow}\n'
    (folder / "shop.yaml").write_text(text, encoding="utf-8")
    result = read_events(simulate)[-1]["steps"][1]["result"]
    assert (result["status"], result["error"]["code"]) == ("refused", code)


@pytest.mark.parametrize(
    ("machine", "words"),
    [
        ("pagess: {}", 'machine.yaml:1:1: unknown key "pagess" (did you mean "pages"?)'),
        ("sound:\n  - {name: A, volum: 3}", 'machine.yaml:2:15: unknown key "sound.0.volum" (did you mean "volume"?)'),
        ('pages: {"http://a.test/": {elements: [{rol: button}]}}', 'unknown key "pages.http://a.test/.elements.0.rol"'),
        ("sound: [{name: A, volume: 300}]", "sound.0.volume: "),
        ("pages: {nowhere: {}}", "machine.yaml:1:9: "),
        ('pages: {"http://a.test/?q=1": {}}', "without ? and #"),
        ("files: {../../../etc/passwd: x}", "machine.yaml:1:9: "),
    ],
)
def test_a_machine_that_makes_no_sense_is_refused_with_its_line(
    machine: str, words: str, simulate: Command, folder: Path
) -> None:
    (folder / "machine.yaml").write_text(machine, encoding="utf-8")
    done = simulate()
    assert done.code == 2
    assert words in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--simulate", "--fault", "browser.click"), "can't be read"),
        (("--simulate", "--fault", "browser.clik=timed_out"), 'did you mean "browser.click"?'),
        (("--fault", "browser.click=timed_out"), "--machine and --fault need --simulate."),
    ],
)
def test_faults_that_make_no_sense_are_refused(
    arguments: tuple[str, ...], words: str, surehand: Command, folder: Path
) -> None:
    done = surehand("run", "shop.yaml", *arguments)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
