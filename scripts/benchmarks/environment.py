"""What benchmarks measure with or on, in an environment of its own beside the project's, which is left as it is."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from scripts.setup.locks import read_pins, write_requirements

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"

_PYTHON = Path("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
_DONE = "done"
_FIND = "from importlib.util import find_spec; print(find_spec({name!r}).submodule_search_locations[0])"


def prepare_environment(name: str = "bench") -> Path:
    """Return a Python that has a set of packages; it is installed where need be.

    Args:
        name: Of the set, in `requirements/sets.txt`.

    Raises:
        CalledProcessError: If it can't be installed.
    """
    folder = _name_folder(name)
    if not (folder / _DONE).exists():
        shutil.rmtree(folder, ignore_errors=True)
        print("installing what is measured with into an environment of its own", flush=True)
        venv.create(folder, with_pip=True)
        # No dependencies: the lock names them all, and some in a way that pip takes for a second, unlocked wish.
        options = ["--quiet", "--disable-pip-version-check", "--require-hashes", "--no-deps"]
        with write_requirements(name) as file:
            subprocess.run([str(folder / _PYTHON), "-m", "pip", "install", *options, "-r", file], check=True)
        (folder / _DONE).touch()
    return folder / _PYTHON


def find_environment(name: str = "bench") -> Path | None:
    """Return a Python that has a set of packages, if it is installed already.

    Args:
        name: Of the set, in `requirements/sets.txt`.
    """
    folder = _name_folder(name)
    return folder / _PYTHON if (folder / _DONE).exists() else None


def _name_folder(name: str) -> Path:
    digest = hashlib.sha256(read_pins(name).encode()).hexdigest()
    return BUILD / f"{name}-{digest[:12]}"


def find_package(name: str, lock: str = "bench") -> Path:
    """Return the folder of a package in such an environment; nothing of it is run.

    Args:
        name: Name by which it is imported.
        lock: Name of the environment's set.
    """
    command = [str(prepare_environment(lock)), "-c", _FIND.format(name=name)]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return Path(found.stdout.strip())


@contextmanager
def keep_bytecode() -> Generator[dict[str, str]]:
    """Yield variables with which Python keeps the bytecode of what it imports, as it does where somebody uses it."""
    with tempfile.TemporaryDirectory(prefix="surehand-bytecode-") as cache:
        variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        yield variables | {"PYTHONPYCACHEPREFIX": cache}
