import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.architecture.sources import ROOT, SHIPPED, list_files

BUILD_FILES = ("pyproject.toml", "setup.py", "LICENSE", "README.md")
DECOY = "raise RuntimeError('a stranger took this name')\n"


class Installed(NamedTuple):
    """A fresh environment with the wheel in it, beside strangers that own our inner names, and a user's folder."""

    folder: Path
    site: Path

    def run(self, *command: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment in the user's folder, which has a `core/` of its own."""
        program = self.folder / ("Scripts" if os.name == "nt" else "bin") / command[0]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        full = [str(program), *command[1:]]
        return subprocess.run(
            full, cwd=cwd or self.folder / "work", env=environment, capture_output=True, text=True, check=False
        )


def list_shipped_files() -> list[str]:
    return [name for name in list_files() if name.partition("/")[0] in SHIPPED]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    for name in (*list_shipped_files(), *(name for name in BUILD_FILES if (ROOT / name).is_file())):
        target = folder / "tree" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(folder),
        str(folder / "tree"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    pip = [sys.executable, "-m", "pip", "--python", str(folder), "--disable-pip-version-check", "install"]
    subprocess.run([*pip, "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
    # The libraries come from the environment of the tests, so that nothing is downloaded.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    for place in (site, folder / "work"):
        for name in SHIPPED:
            (place / name).mkdir(parents=True)
            (place / name / "__init__.py").write_text(DECOY, encoding="utf-8")
    return Installed(folder, site)


def test_the_wheel_holds_the_tree_unmodified_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        inside = {name: archive.read(name) for name in names}
    expected = {f"surehand/_app/{name}": (ROOT / name).read_bytes() for name in list_shipped_files()}
    launcher = "agent/launcher/"
    expected |= {
        f"surehand/{name.removeprefix(launcher)}": (ROOT / name).read_bytes()
        for name in list_shipped_files()
        if name.startswith(launcher)
    }
    assert sorted(inside) == sorted(expected)
    assert inside == expected


def test_surehand_is_the_only_name_that_is_installed(installed: Installed) -> None:
    before = {*SHIPPED, "libraries.pth"}
    added = {path.name for path in installed.site.iterdir()} - before
    assert {name for name in added if not name.endswith(".dist-info")} == {"surehand"}


def test_the_command_answers_beside_strangers_of_the_same_inner_names(installed: Installed) -> None:
    done = installed.run("surehand", "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"surehand {version('surehand')}\n", "")


def test_the_command_line_starts_from_the_tree_in_the_wheel(installed: Installed) -> None:
    done = installed.run("surehand", "--help")
    assert done.returncode == 0, done.stderr
    assert "surehand" in done.stdout


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
