import os
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, SHIPPED
from tests.packaging.conftest import DECOY, Installed, list_shipped_files


def test_the_wheel_holds_the_tree_unmodified_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        inside = {name: archive.read(name) for name in names}
    expected = {f"surehand/_app/{name}": (ROOT / name).read_bytes() for name in list_shipped_files()}
    public = "agent/client/"
    expected |= {
        f"surehand/{name.removeprefix(public)}": (ROOT / name).read_bytes()
        for name in list_shipped_files()
        if name.startswith(public)
    }
    assert sorted(inside) == sorted(expected)
    assert inside == expected


def test_surehand_is_the_only_name_that_is_installed(installed: Installed) -> None:
    before = {*SHIPPED, "libraries.pth", "plugins.pth"}  # what the tests put there
    added = {path.name for path in installed.site.iterdir()} - before
    assert {name for name in added if not name.endswith(".dist-info")} == {"surehand"}


def test_the_command_answers_beside_strangers_of_the_same_inner_names(installed: Installed) -> None:
    done = installed.run("surehand", "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"surehand {version('surehand')}\n", "")


def test_sentences_are_understood_from_the_files_in_the_wheel(installed: Installed) -> None:
    done = installed.run("surehand", "interpret", "go back")
    assert (done.returncode, done.stderr) == (0, "")
    assert '"back"' in done.stdout


def test_the_tree_in_the_wheel_comes_before_the_strangers(installed: Installed) -> None:
    code = "import surehand; surehand.prepare_path(); from core.base import errors; print(errors.__file__)"
    done = installed.run("python", "-c", code)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()) == installed.site / "surehand" / "_app" / "core" / "base" / "errors.py"


@pytest.mark.parametrize("name", SHIPPED)
def test_a_stranger_that_is_already_loaded_is_refused_by_name(installed: Installed, name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.py").write_text("", encoding="utf-8")
    done = installed.run("python", "-c", f"import {name}; import surehand; surehand.prepare_path()", cwd=tmp_path)
    assert done.returncode == 1
    assert f"LauncherError: A package named '{name}' from {tmp_path / name}.py is already loaded" in done.stderr


def test_the_checkout_answers_from_any_folder(tmp_path: Path) -> None:
    (tmp_path / "core.py").write_text(DECOY, encoding="utf-8")
    code = "import surehand; surehand.prepare_path(); from core.base import errors; print(errors.__file__)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == str(ROOT / "core" / "base" / "errors.py"), done.stderr


def test_the_client_imports_the_standard_library_and_itself_alone(installed: Installed) -> None:
    code = (
        "import sys; before = set(sys.modules); import surehand; [getattr(surehand, name) for name in surehand.__all__]\n"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names)))"
    )
    done = installed.run("python", "-c", code)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["surehand"], "")


def test_a_program_drives_surehand_beside_strangers_of_the_same_inner_names(installed: Installed) -> None:
    (installed.folder / "work" / "greeting.txt").write_text("good morning", encoding="utf-8")
    code = (
        "from surehand import Surehand\n"
        "with Surehand() as hand: print(hand.run('read the file greeting.txt')['greeting.txt'].text)"
    )
    done = installed.run("python", "-c", code)
    assert (done.returncode, done.stdout) == (0, "good morning\n"), done.stderr


PLANNER_TEST = """
from surehand.testing import FakeClock, PlannerTestHost, ScriptedModel, make_scripted_host
from core.planning.planners.base import PlannerBase


def test_the_kit_is_there():
    host = make_scripted_host([{"values": []}])
    assert isinstance(host, PlannerTestHost) and isinstance(host.model, ScriptedModel)
    assert host.list_event_names() == [] and FakeClock().read_monotonic_s() == 0
    assert PlannerBase.__module__ == "core.planning.planners.base"
"""


def test_planners_of_others_are_tested_in_a_process_of_surehand(installed: Installed) -> None:
    place = installed.folder / "work" / "test_planner.py"
    place.write_text(PLANNER_TEST, encoding="utf-8")
    done = installed.run("python", "-m", "surehand.testing", "-q", "-p", "no:cacheprovider", place.name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_the_kit_is_refused_by_name_where_a_stranger_is_loaded(installed: Installed) -> None:
    (installed.folder / "apart").mkdir(exist_ok=True)
    (installed.folder / "apart" / "core.py").write_text("", encoding="utf-8")
    done = installed.run("python", "-c", "import core, surehand.testing", cwd=installed.folder / "apart")
    assert done.returncode == 1
    assert "LauncherError: A package named 'core'" in done.stderr


TYPED = """
from typing import assert_type

from surehand import AsyncSurehand, RunEnded, RunReport, StepReceipt, Surehand
from surehand.questions import AskedQuestion


def ask(question: AskedQuestion) -> bool:
    return question.kind == "confirm"


async def ask_later(question: AskedQuestion) -> str:
    return question.prompt


def use(hand: Surehand) -> None:
    done = hand.run("read the title", answer=ask, approvals=["apply_diff"], timeout_s=5)
    assert_type(done, RunReport)
    assert_type(done["title"], StepReceipt)
    assert_type(done["title"].text, str)
    for event in hand.stream(goals=[{"domain": "browser"}]):
        if isinstance(event, RunEnded):
            assert_type(event.report, RunReport)


async def use_later(hand: AsyncSurehand) -> None:
    assert_type(await hand.run("read the title", answer=ask_later), RunReport)
"""

MISTYPED = """
from surehand import Surehand

Surehand().run("read the title", aprovals=["apply_diff"])
Surehand().run("read the title", timeout_s="5")
Surehand().run("read the title")["title"].txt
"""


def test_programs_are_checked_strictly_against_the_types_of_the_wheel(installed: Installed) -> None:
    folder = installed.folder / "typed"
    folder.mkdir()
    (folder / "typed.py").write_text(TYPED, encoding="utf-8")
    (folder / "mistyped.py").write_text(MISTYPED, encoding="utf-8")
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    python = installed.folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    command = [Path(sys.executable).with_name("pyright"), "--pythonpath", python, "-p", folder]
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, check=False)
    errors = [line.strip() for line in done.stdout.splitlines() if " error:" in line]
    told = {":".join(Path(line.partition(" - ")[0]).name.split(":")[:2]) for line in errors}
    assert told == {"mistyped.py:4", "mistyped.py:5", "mistyped.py:6"}, done.stdout
