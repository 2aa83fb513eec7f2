"""A wheel of this tree, and a fresh environment with it, beside strangers that own our inner names."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
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

    def run(self, *command: str, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, with these variables, in the user's folder, which has a `core/` of its own."""
        program = self.folder / ("Scripts" if os.name == "nt" else "bin") / command[0]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment |= variables
        full = [str(program), *command[1:]]
        return subprocess.run(
            full, cwd=cwd or self.folder / "work", env=environment, capture_output=True, text=True, check=False
        )


def list_shipped_files() -> list[str]:
    return [name for name in list_files() if name.partition("/")[0] in SHIPPED]


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    pip = [sys.executable, "-m", "pip", "--python", str(folder), "--disable-pip-version-check", "install"]
    subprocess.run([*pip, "--quiet", "--no-deps", "--no-index", "--no-compile", str(wheel)], check=True)
    # The libraries come from the environment of the tests, so that nothing is downloaded.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    for place in (site, folder / "work"):
        for name in SHIPPED:
            (place / name).mkdir(parents=True)
            (place / name / "__init__.py").write_text(DECOY, encoding="utf-8")
    return Installed(folder, site)
