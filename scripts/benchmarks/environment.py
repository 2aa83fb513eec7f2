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

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
LOCK = ROOT / "requirements" / "bench.txt"

_FIND = "from importlib.util import find_spec; print(find_spec({name!r}).submodule_search_locations[0])"


def prepare_environment() -> Path:
    """Return a Python that has what is in `requirements/bench.txt`; it is installed where need be."""
    folder = BUILD / f"bench-{hashlib.sha256(LOCK.read_bytes()).hexdigest()[:12]}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    done = folder / "done"
    if not done.exists():
        shutil.rmtree(folder, ignore_errors=True)
        print("installing what is measured with into an environment of its own", flush=True)
        venv.create(folder, with_pip=True)
        options = ["--quiet", "--disable-pip-version-check", "--require-hashes"]
        subprocess.run([str(python), "-m", "pip", "install", *options, "-r", str(LOCK)], check=True)
        done.touch()
    return python


def find_package(name: str) -> Path:
    """Return the folder of a package in that environment; nothing of it is run.

    Args:
        name: Name by which it is imported.
    """
    command = [str(prepare_environment()), "-c", _FIND.format(name=name)]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return Path(found.stdout.strip())


@contextmanager
def keep_bytecode() -> Generator[dict[str, str]]:
    """Yield variables with which Python keeps the bytecode of what it imports, as it does where somebody uses it."""
    with tempfile.TemporaryDirectory(prefix="surehand-bytecode-") as cache:
        variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        yield variables | {"PYTHONPYCACHEPREFIX": cache}
