"""A project of somebody else with the plugin of this tree in it: `surehand` is a link to the package that the wheel has under that name."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures.site_server import SiteServer
from tests.architecture.sources import ROOT

INI = "[pytest]\naddopts = -p no:cacheprovider -p no:schemathesis -p no:playwright -p no:base_url -p no:asyncio\n"


class PluginProject:
    """A project of somebody else."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "lib").mkdir()
        (folder / "lib" / "surehand").symlink_to(ROOT / "agent" / "client")
        self.write("tests/pytest.ini", INI)

    def write(self, name: str, text: str) -> None:
        place = self.folder / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def test(self, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run its tests, and return what pytest said."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "SUREHAND"))}
        environment |= {"PYTHONPATH": str(self.folder / "lib"), **variables}
        command = [sys.executable, "-m", "pytest", "-W", "error::pytest.PytestRemovedIn10Warning", *options]
        return subprocess.run(
            command, cwd=self.folder / "tests", env=environment, capture_output=True, text=True, check=False
        )


@pytest.fixture
def project(tmp_path: Path) -> PluginProject:
    return PluginProject(tmp_path)


@pytest.fixture(scope="module")
def site() -> Iterator[SiteServer]:
    with SiteServer() as server:
        yield server
