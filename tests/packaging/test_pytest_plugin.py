"""The plugin for pytest, as others have it: the wheel in a fresh environment, beside pytest-playwright, in a project with a `core/` of its own."""

import os
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from actuators.browser.playwright.session.discovery import find_browser
from actuators.browser.playwright.session.programs import inspect_machine
from fixtures.site_server import SiteServer
from scripts.benchmarks.environment import BUILD, find_package, prepare_environment
from tests.architecture.sources import ROOT
from tests.docs.examples import read_examples
from tests.packaging.conftest import Installed

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="there is no browser on the Windows of the tests"),
    pytest.mark.timeout(300),
]

CONFTEST = """
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {{**browser_type_launch_args, "executable_path": {executable!r}, "chromium_sandbox": {sandbox}}}

@pytest.fixture(scope="session")
def surehand_storage_state(surehand_worker):
    with surehand_worker.open() as hand:
        hand.run("open /shop/item/blue-mug")
        hand.run('click the button "Add to basket"')
        return hand.save_state()
"""
OWN_CORE = "VALUE = 17\n"
TESTS = """
import sys

import core


def test_the_core_of_the_project_is_its_own(surehand):
    surehand.run("open /shop")
    assert core.VALUE == 17
    assert not {"agent", "actuators", "core.base", "pydantic"} & set(sys.modules)


def test_every_session_begins_signed_in(surehand):
    surehand.run("open /shop/basket")
    surehand.check('the page shows "Blue mug"')
    assert "Blue mug" in surehand.look().text


def test_one_page_is_in_both_hands(page, surehand_attached):
    page.goto("/shop/item/blue-mug")
    done = surehand_attached.run('type "2" into the Quantity field and click "Add to basket"')
    assert all(step.evidence["attached"] for step in done.steps)
    assert page.get_by_test_id("total").inner_text() == "£17.00"
    page.goto("/shop/catalogue")
    surehand_attached.check(url="/shop/catalogue")
    surehand_attached.run("open /shop/basket")
    assert page.url.endswith("/shop/basket")


async def test_coroutines_have_a_hand_too(asurehand):
    await asurehand.run("open /shop")
    await asurehand.check('the title is "Fixture Shop"')
"""
FLOW = """
# marks: smoke
name: buy {count} mugs
vars: {{quantity: 2}}
goals:
  - browser.navigate: {{url: "/shop/item/blue-mug"}}
  - browser.type: {{selector: 'field "Quantity"', text: "{count}"}}
  - browser.click: {{selector: 'button "Add to basket"'}}
    expect: {{text: "{seen}"}}
"""
FAILING = """
def test_soft_expectations_are_told_together(surehand):
    surehand.run("open /shop/item/blue-mug")
    surehand.soft.check(text="3 mugs", timeout=0.1)
    surehand.soft.check(title="Nothing", timeout=0.1)
    surehand.soft.check('the page shows "Blue mug"')


def test_what_is_missing_is_named(surehand):
    surehand.run('open /shop/item/blue-mug and click the button "Buy it"')


def test_a_check_does_nothing(surehand):
    surehand.run("open /shop/item/blue-mug")
    surehand.check('click the button "Add to basket"')
"""
INI = "[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\nmarkers = smoke: quick\naddopts = -p no:cacheprovider -p no:schemathesis\n"


@pytest.fixture(scope="module")
def site() -> Iterator[SiteServer]:
    with SiteServer() as server:
        yield server


@pytest.fixture(scope="module")
def crowd(installed: Installed) -> Installed:
    """The fresh environment, with the plugins that others have beside ours."""
    BUILD.mkdir(exist_ok=True)
    with FileLock(BUILD / "plugin.lock"):
        try:
            prepare_environment("plugin")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"the packages of `plugin` can't be installed: {error}")
    beside = find_package("pytest_playwright", "plugin").parent
    (installed.site / "plugins.pth").write_text(f"{beside}\n", encoding="utf-8")
    return installed


class Project:
    """A project of somebody else."""

    def __init__(self, crowd: Installed, folder: Path, temporary: Path, site: SiteServer) -> None:
        self.folder = folder
        self.temporary = temporary
        self._crowd = crowd
        self._site = site
        browser = find_browser().require().executable
        self.write("conftest.py", CONFTEST.format(executable=browser, sandbox=not inspect_machine().is_root))
        self.write("pytest.ini", INI)
        self.write("core/__init__.py", OWN_CORE)

    def write(self, name: str, text: str) -> None:
        place = self.folder / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def test(self, *options: str) -> subprocess.CompletedProcess[str]:
        program = ("python", "-m", "pytest", f"--base-url={self._site.url}")
        return self._crowd.run(*program, *options, cwd=self.folder, TMPDIR=str(self.temporary))

    def list_workspaces(self) -> set[Path]:
        return set(self.temporary.glob("surehand-pytest-*"))


@pytest.fixture
def project(crowd: Installed, tmp_path: Path, site: SiteServer) -> Iterator[Project]:
    with tempfile.TemporaryDirectory(prefix="sh-") as temporary:  # sockets are made in it, whose paths must be short
        yield Project(crowd, tmp_path, Path(temporary), site)


def test_flows_and_tests_of_both_kinds_pass_on_two_workers(project: Project) -> None:
    project.write("test_shop.py", TESTS)
    guide = read_examples(ROOT / "docs" / "guides" / "pytest.md")
    project.write("test_guide.py", "\n\n".join(each.text for each in guide if each.kind == "python pytest"))
    project.write("flows/two.flow.yaml", FLOW.format(count=2, seen="in your basket"))
    project.write("flows/three.flow.yml", FLOW.format(count=3, seen="in your basket"))
    # Coroutines are left out: where pytest-playwright has its loop, pytest-asyncio can't have one.
    done = project.test(
        "-n", "2", "--dist", "load", "--junitxml", "junit.xml", "--surehand-html", "report", "-k", "not coroutines"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "7 passed" in done.stdout
    cases = ET.parse(project.folder / "junit.xml").getroot().iter("testcase")
    told = {case.attrib["name"]: [each.attrib["name"] for each in case.iter("property")] for case in cases}
    assert {"buy 2 mugs", "buy 3 mugs", "test_one_page_is_in_both_hands[chromium]"} <= set(told)
    assert told["buy 2 mugs"] == ["surehand_run"]
    page = (project.folder / "report" / "index.html").read_text(encoding="utf-8")
    assert "7 tests, 0 failed" in page
    assert "Add to basket" in page
    assert project.list_workspaces() == set()


def test_coroutines_and_marks_of_flows_are_taken(project: Project) -> None:
    project.write("test_shop.py", TESTS)
    project.write("two.flow.json", '{"name": "read", "goals": [{"browser.navigate": {"url": "/shop"}}]}')
    project.write("three.flow.yaml", FLOW.format(count=3, seen="in your basket"))
    smoke = project.test("-m", "smoke", "--collect-only", "-q")
    assert smoke.stdout.splitlines()[0] == "three.flow.yaml::buy 3 mugs", smoke.stdout + smoke.stderr
    done = project.test("-k", "coroutines or read")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_failures_say_what_happened_and_leave_what_was_asked_for(project: Project) -> None:
    project.write("test_failing.py", FAILING)
    project.write("five.flow.yaml", FLOW.format(count=5, seen="9 mugs"))
    options = (
        "--screenshot",
        "only-on-failure",
        "--tracing",
        "retain-on-failure",
        "--output",
        "left",
        "-p",
        "no:playwright",
    )
    done = project.test(*options)
    assert done.returncode == 1, done.stdout + done.stderr
    out = done.stdout
    assert "4 failed" in out
    assert '✓ 2. Type “5” into field "Quantity"  (five.flow.yaml:7) — ok' in out
    assert "✗ 4. Check for the text “9 mugs”  (five.flow.yaml:8) — failed" in out
    assert "These expectations do not hold (2 sub-exceptions)" in out
    assert 'Nothing matches button "Buy it"' in out
    assert "does more than check, so nothing was done. Give it to run()." in out
    left = project.folder / "left" / "five-flow-yaml-buy-5-mugs"
    assert {each.name for each in left.iterdir()} == {"test-failed-1.png", "trace.zip"}
    assert "hands.py" not in out  # the test's own line is where it failed


def test_without_other_plugins_the_options_are_there_and_no_test_pays_for_the_hand(project: Project) -> None:
    project.write(
        "test_plain.py",
        "import sys\ndef test_plain(base_url):\n    assert base_url\n    assert 'surehand.hands' not in sys.modules\n",
    )
    done = project.test("-p", "no:playwright", "-p", "no:base_url", "--tracing=on", "--browser-channel=chrome")
    assert done.returncode == 0, done.stdout + done.stderr
