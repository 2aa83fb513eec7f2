"""A folder with a service's settings, beside which the planners of another package are installed."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.remote.service_file import read_service_file
from tests.agent.conftest import Said
from tests.agent.serving.conftest import Place, place

__all__ = ["place"]
ROOT = Path(__file__).parents[3]
SETTINGS = """
[service.backlog]
minutes = 0.05
look_every_s = 0.05
tries = 6
[health]
stuck_after_s = 0.5
most_flips = 1
"""


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The other package, installed into a folder of its own; nothing is fetched for that."""
    folder = tmp_path_factory.mktemp("installed")
    source = ROOT / "fixtures/planner_package"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    build = tmp_path_factory.mktemp("source") / "package"
    subprocess.run(
        [sys.executable, "-c", f"import shutil; shutil.copytree({str(source)!r}, {str(build)!r})"], check=True
    )
    subprocess.run([*command, "--target", str(folder), str(build)], check=True, capture_output=True)
    return folder


@pytest.fixture
def errands(place: Place, package: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Place:
    """A folder with a service's settings, beside which the other package is installed."""
    monkeypatch.setenv("PYTHONPATH", f"{package}:{ROOT}")
    monkeypatch.setenv("ERRANDS", str(tmp_path))
    monkeypatch.syspath_prepend(str(package))
    config = tmp_path / "config"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(config))
    (config / "surehand").mkdir(parents=True)
    (config / "surehand/settings.toml").write_text(SETTINGS)
    return place


def read(place: Place, *arguments: str) -> Any:
    said = place.run(*arguments)
    return json.loads(said.out) if said.out else said.err


def add(place: Place, item_id: str, capability: str, **data: str) -> Said:
    return place.run("backlog", "add", item_id, "--for", capability, "--data", json.dumps(data))


def wait_for(holds: Callable[[], bool], within_s: float = 60.0) -> None:
    """Ask again and again; each asking is a command, so that it takes its time."""
    ends = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < ends


def list_states(place: Place) -> dict[str, list[str]]:
    items = read(place, "backlog", "list", "--json")["items"]
    kinds = {item["consumed_by"] for item in items}
    return {kind: [item["state"] for item in items if item["consumed_by"] == kind] for kind in kinds}


def change_settings(text: str) -> None:
    """Let the person have other settings."""
    (Path(os.environ["XDG_CONFIG_HOME"]) / "surehand/settings.toml").write_text(text)


def reach(place: Place) -> RemoteService:
    """Return the service that runs there."""
    found = read_service_file(place.folder / ".surehand")
    assert found
    return RemoteService(ServiceClient(found))
