import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from scripts.setup import locks
from tests.architecture.sources import ROOT

SCRIPTS = ("setup/bootstrap.py", "setup/system.py", "setup/locks.py")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout that holds only what the bootstrap reads, in a folder whose name has a space."""
    root = tmp_path / "my checkout"
    for name in (*(f"scripts/{script}" for script in SCRIPTS), "pyproject.toml", "setup.py", "package-lock.json"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, root / name)
    shutil.copytree(ROOT / "requirements", root / "requirements")
    return root


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], ModuleType]:
    """Load the bootstrap of a checkout, the way a script beside it does."""

    def load_bootstrap(root: Path) -> ModuleType:
        spec = importlib.util.spec_from_file_location("bootstrap", root / "scripts" / "setup" / "bootstrap.py")
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load_bootstrap


def make_environment(bootstrap: ModuleType, level: str) -> None:
    """Put in place what an installation would: an interpreter, the command and the stamp."""
    bootstrap.BIN.mkdir(parents=True)
    bootstrap.PYTHON.symlink_to(sys.executable)
    bootstrap.COMMAND.write_text("", encoding="utf-8")
    bootstrap.write_stamp(level)


@pytest.mark.parametrize(
    ("held", "wanted", "ready"),
    [("dev", "dev", True), ("dev", "base", True), ("base", "base", True), ("base", "dev", False), ("", "base", False)],
)
def test_an_environment_serves_its_level_and_those_below(
    checkout: Path, load: Callable[[Path], ModuleType], held: str, wanted: str, ready: bool
) -> None:
    bootstrap = load(checkout)
    make_environment(bootstrap, held)
    assert bootstrap.is_ready(wanted) == ready


def test_nothing_is_ready_in_an_empty_checkout(checkout: Path, load: Callable[[Path], ModuleType]) -> None:
    assert not load(checkout).is_ready("base")


@pytest.mark.parametrize("name", ["pyproject.toml", "package-lock.json"])
def test_a_changed_project_file_asks_for_an_installation(
    checkout: Path, load: Callable[[Path], ModuleType], name: str
) -> None:
    bootstrap = load(checkout)
    make_environment(bootstrap, "dev")
    with (checkout / name).open("a", encoding="utf-8") as handle:
        handle.write("# changed\n")
    assert not bootstrap.is_ready("base")


def test_a_changed_set_asks_for_an_installation_and_one_that_nobody_installs_here_does_not(
    checkout: Path, load: Callable[[Path], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    bootstrap = load(checkout)
    monkeypatch.setattr(locks, "SETS", checkout / "requirements" / "sets.txt")
    make_environment(bootstrap, "dev")
    text = locks.SETS.read_text(encoding="utf-8")
    locks.SETS.write_text(text.replace("\n[django]\n", "\n[django]\nmore==1\n"), encoding="utf-8")
    assert bootstrap.is_ready("base")
    locks.SETS.write_text(text.replace("\n[base]\n", "\n[base]\nmore==1\n"), encoding="utf-8")
    assert not bootstrap.is_ready("base")


def test_a_moved_checkout_is_not_ready(checkout: Path, load: Callable[[Path], ModuleType], tmp_path: Path) -> None:
    make_environment(load(checkout), "dev")
    moved = checkout.rename(tmp_path / "moved")
    assert not load(moved).is_ready("base")


@pytest.mark.parametrize("lost", ["PYTHON", "COMMAND"])
def test_an_environment_that_lost_a_program_is_not_ready(
    checkout: Path, load: Callable[[Path], ModuleType], lost: str
) -> None:
    bootstrap = load(checkout)
    make_environment(bootstrap, "dev")
    getattr(bootstrap, lost).unlink()
    assert not bootstrap.is_ready("base")


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"level": 3}'])
def test_a_damaged_stamp_counts_as_none(checkout: Path, load: Callable[[Path], ModuleType], content: str) -> None:
    bootstrap = load(checkout)
    make_environment(bootstrap, "dev")
    bootstrap.STAMP.write_text(content, encoding="utf-8")
    assert not bootstrap.is_ready("base")


def test_an_environment_that_was_not_made_here_is_moved_aside(
    checkout: Path, load: Callable[[Path], ModuleType]
) -> None:
    bootstrap = load(checkout)
    bootstrap.VENV.mkdir()
    (bootstrap.VENV / "precious").write_text("kept", encoding="utf-8")
    bootstrap.make_venv(ours=False)
    assert (checkout / ".venv.old1" / "precious").read_text(encoding="utf-8") == "kept"
    assert bootstrap.read_venv_version() == sys.version


def test_a_half_made_environment_is_made_again(checkout: Path, load: Callable[[Path], ModuleType]) -> None:
    bootstrap = load(checkout)
    bootstrap.VENV.mkdir()
    bootstrap.write_stamp("")
    (bootstrap.VENV / "rest").write_text("", encoding="utf-8")
    bootstrap.make_venv(ours=bool(bootstrap.read_stamp()))
    assert not (bootstrap.VENV / "rest").exists()
    assert json.loads(bootstrap.STAMP.read_text(encoding="utf-8"))["level"] == ""
    assert bootstrap.read_venv_version() == sys.version


def test_a_second_run_waits_for_the_first(
    checkout: Path, load: Callable[[Path], ModuleType], capfd: pytest.CaptureFixture[str]
) -> None:
    bootstrap = load(checkout)
    order: list[str] = []
    waiting = threading.Event()

    def run_second() -> None:
        waiting.set()
        with bootstrap.hold_lock():
            order.append("second")

    with bootstrap.hold_lock():
        second = threading.Thread(target=run_second)
        second.start()
        waiting.wait()
        while "waiting for it" not in capfd.readouterr().err:
            assert second.is_alive()
        order.append("first")
    second.join()
    assert order == ["first", "second"]


def test_the_lock_of_a_killed_run_is_free(checkout: Path, load: Callable[[Path], ModuleType]) -> None:
    code = "import os; from scripts.setup import bootstrap; held = bootstrap.hold_lock(); held.__enter__(); os.abort()"
    killed = subprocess.run([sys.executable, "-c", code], cwd=checkout, capture_output=True, check=False)
    assert killed.returncode != 0
    assert (checkout / ".venv.lock").exists()
    with load(checkout).hold_lock():
        pass


@pytest.mark.parametrize(
    ("output", "start"),
    [
        ("Failed to establish a new connection: Name or service not known", "the package index can't be reached"),
        (
            "THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE",
            "a package is not the one that was locked",
        ),
        ("error: disk full", "packages can't be installed"),
    ],
)
def test_a_failed_installation_says_what_to_do(
    checkout: Path, load: Callable[[Path], ModuleType], output: str, start: str
) -> None:
    text = load(checkout).explain_pip_failure([output])
    assert text.startswith(start)
    assert output in text


def test_without_a_reachable_index_the_script_says_so_and_ends(checkout: Path) -> None:
    environment = {
        **os.environ,
        "PIP_INDEX_URL": "http://127.0.0.1:1/",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_FIND_LINKS": "",
    }
    code = "from scripts.setup import bootstrap, system\ntry: bootstrap.prepare('base')\nexcept system.SetupError as error: print(error)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("the package index can't be reached. Check the network"), done.stderr
    assert json.loads((checkout / ".venv" / "surehand-stamp.json").read_text(encoding="utf-8"))["level"] == ""


@pytest.mark.skipif(os.name == "nt", reason="on Windows no lock is inherited")
def test_the_lock_outlives_its_holder_while_a_program_it_started_runs(
    checkout: Path, load: Callable[[Path], ModuleType]
) -> None:
    code = (
        "import os, subprocess; from scripts.setup import bootstrap; held = bootstrap.hold_lock(); held.__enter__()\n"
        "child = subprocess.Popen(['cat'], close_fds=False); print(child.pid, flush=True); os.abort()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as starter:
        assert starter.stdin
        assert starter.stdout
        assert int(starter.stdout.readline())
        starter.wait()
        bootstrap = load(checkout)
        with bootstrap.LOCK.open("a+") as handle:
            assert not bootstrap.try_lock(handle.fileno(), wait=False)
            starter.stdin.close()  # `cat` ends
            assert bootstrap.try_lock(handle.fileno(), wait=True)
