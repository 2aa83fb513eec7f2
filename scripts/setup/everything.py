"""Sets up all that the tests need, several parts at a time: packages come over the network, and two package managers don't wait for each other."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

from scripts.setup import bootstrap, chromium, kits, machine

# Test files are left out: pytest compiles them in a way of its own.
TREE = ("core", "actuators", "agent", "fixtures", "scripts")


def prepare_tests(*, with_kits: bool = True) -> None:
    """Make everything ready that the tests need.

    Args:
        with_kits: Whether pages of others are tested as well; their packages are 50,000 files.

    Raises:
        SetupError: When something can't be had: what no test can do without; under `CI=true` whatever it is.
    """
    with ThreadPoolExecutor() as pool:
        system = pool.submit(machine.ensure)
        if bootstrap.prepare("dev") and not os.environ.get("PYTHONDONTWRITEBYTECODE"):
            compile_tree()
        packages = pool.submit(kits.ensure, bootstrap.PYTHON) if with_kits else None
        system.result()  # apt serves one at a time, and the browser may be one of its packages
        chromium.ensure(bootstrap.PYTHON)
        if packages:
            packages.result()


def compile_tree() -> None:
    """Compile the sources once, so that no two workers do the same."""
    command = [str(bootstrap.PYTHON), "-m", "compileall", "-q", "-j", "0", *TREE]
    subprocess.run(command, cwd=bootstrap.ROOT, capture_output=True, check=False)
