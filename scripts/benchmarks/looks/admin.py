"""Django's admin in a process of its own: the change list of users, 100 of them, for somebody who has signed in."""

import subprocess
import tempfile
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from scripts.benchmarks.looks.installing import prepare_python, read_child_environment
from scripts.benchmarks.looks.tools import MissingToolError

SITE = Path(__file__).with_name("admin_site.py")


def serve_admin() -> AbstractContextManager[tuple[str, ...]]:
    """Serve the admin as long as the context lasts, which gives the page's address.

    Raises:
        MissingToolError: If Django can't be installed.
    """
    return _serve(prepare_python())


@contextmanager
def _serve(python: Path) -> Generator[tuple[str, ...]]:
    with tempfile.TemporaryDirectory(prefix="surehand-bench-") as folder:
        command = [str(python), str(SITE), folder]
        variables = read_child_environment()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder, env=variables) as server:
            assert server.stdout
            try:
                address = server.stdout.readline().strip()
                if not address:
                    raise MissingToolError("Django's site doesn't start; what it said is above")
                yield (f"{address}/admin/auth/user/",)
            finally:
                server.terminate()
