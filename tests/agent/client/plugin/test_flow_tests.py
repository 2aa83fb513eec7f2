"""The plugin for pytest without a wheel: what is collected, what is told, and what each worker has for itself."""

import os
from pathlib import Path

import pytest

from actuators.browser.playwright.session.discovery import find_browser
from fixtures.site_server import SiteServer
from tests.agent.client.plugin.conftest import PluginProject
from tests.thoroughness import spread

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="the plugin is a link here, and links need rights on Windows"),
    pytest.mark.timeout(240),
]

READING = """# marks: slow, quick
name: read the notes
goals:
  - file.read: {path: notes.txt}
"""
MISSING = """name: read what is missing
goals:
  - file.read: {path: notes.txt}
  # What stands between goals moves their lines.
  - file.read: {path: missing.txt}
  - file.read: {path: notes.txt}
"""
HAND = """
import sys

import core


def test_run_check_and_look_are_one_hand(surehand):
    surehand.run("open /shop/item/blue-mug")
    surehand.check('the page shows "Blue mug"')
    assert "Add to basket" in surehand.look().text
    assert core.VALUE == 17
    assert not {"agent", "actuators", "core.base", "pydantic", "playwright"} & set(sys.modules)


def test_soft_ones_go_on(surehand):
    surehand.run("open /shop/item/blue-mug")
    assert not surehand.soft.check(text="3 mugs", timeout=0.1)
    assert not surehand.soft.check(title="Nothing", timeout=0.1)
    assert surehand.soft.check('the page shows "Blue mug"')
"""
WORKERS = """
import os
from pathlib import Path

import pytest


@pytest.mark.parametrize("number", range(2))
def test_own(surehand_worker, number):
    place = Path(os.environ["KEPT"]) / os.environ["PYTEST_XDIST_WORKER"]
    place.write_text(str(surehand_worker.workspace))
    assert (surehand_worker.workspace / "notes.txt").is_file()
"""


def test_flow_files_are_tests_with_their_names_and_marks(project: PluginProject) -> None:
    project.write("tests/read.flow.yaml", READING)
    project.write("tests/other.flow.json", '{"name": "other", "goals": [{"file.read": {"path": "a"}}]}')
    project.write("tests/plain.yaml", READING)
    found = project.test("--collect-only", "-q", "-o", "markers=slow\nquick").stdout.splitlines()
    assert found[:2] == ["other.flow.json::other", "read.flow.yaml::read the notes"]
    assert "2 tests collected" in found[-1]
    quick = project.test("--collect-only", "-q", "-o", "markers=slow\nquick", "-m", "quick")
    assert quick.stdout.splitlines()[0] == "read.flow.yaml::read the notes"


@pytest.mark.parametrize("ci", spread(["", "1"], 1))
def test_a_failure_tells_every_step_with_its_line(project: PluginProject, ci: str) -> None:
    project.write("tests/files/notes.txt", "buy milk\n")
    project.write("tests/missing.flow.yaml", MISSING)
    done = project.test("-o", "surehand_files=files", "--surehand-html", "report", CI=ci)
    assert done.returncode == 1, done.stdout + done.stderr
    told = [line for line in done.stdout.splitlines() if line[:1] in set("✓✗–")]
    assert [line[:4] for line in told] == ["✓ 1.", "✗ 2.", "– 3."], done.stdout
    assert [line.partition("(")[2].partition(")")[0] for line in told] == [f"missing.flow.yaml:{n}" for n in (3, 5, 6)]
    assert "missing.txt" in told[1]
    assert "Traceback" not in done.stdout
    page = (project.folder / "tests" / "report" / "index.html").read_text(encoding="utf-8")
    assert "1 test, 1 failed" in page


@pytest.mark.skipif(find_browser().found is None, reason="there is no browser")
def test_a_hand_runs_checks_and_looks_and_loads_nothing_of_surehands_own(
    project: PluginProject, site: SiteServer
) -> None:
    project.write("tests/core/__init__.py", "VALUE = 17\n")
    project.write("tests/test_hand.py", HAND)
    done = project.test(f"--base-url={site.url}", "--import-mode=prepend")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "These expectations do not hold (2 sub-exceptions)" in done.stdout
    assert "Expected: text = 3 mugs" in done.stdout


def test_every_worker_has_a_workspace_of_its_own_that_goes_with_it(project: PluginProject) -> None:
    (project.folder / "kept").mkdir()
    project.write("tests/files/notes.txt", "buy milk\n")
    project.write("tests/test_workers.py", WORKERS)
    done = project.test("-n", "2", "--dist=each", "-o", "surehand_files=files", KEPT=str(project.folder / "kept"))
    assert done.returncode == 0, done.stdout + done.stderr
    places = {each.name: Path(each.read_text(encoding="utf-8")) for each in (project.folder / "kept").iterdir()}
    assert set(places) == {"gw0", "gw1"}
    assert len(set(places.values())) == 2
    assert not [each for each in places.values() if each.exists()]


def test_a_service_that_does_not_start_says_why_in_the_test(project: PluginProject) -> None:
    project.write("tests/read.flow.yaml", READING.partition("\n")[2])
    done = project.test(SUREHAND_HEADED="perhaps")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 error" in done.stdout
    assert "headed" in done.stdout
    assert "INTERNALERROR" not in done.stdout


def test_a_headed_run_without_a_display_says_so(project: PluginProject, site: SiteServer) -> None:
    project.write("tests/open.flow.yaml", 'name: open\ngoals:\n  - browser.navigate: {url: "/shop"}\n')
    done = project.test("--headed", f"--base-url={site.url}", DISPLAY="", WAYLAND_DISPLAY="")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "there is no display" in done.stdout
