"""The `surehand` command: puts the program's own tree first on the path, then starts it.

An installed Surehand keeps its tree in `surehand/_app`, so that `core`, `agent` and `actuators` never stand in anyone's site-packages under
those names. In a checkout the same file is `agent/client/launcher.py`, and the tree is the checkout. It imports nothing of ours at its top, so
that it also runs as a file: that is how a client starts the service, whatever its own path looks like.
"""

import atexit
import os
import sys
from pathlib import Path

__all__ = ["LauncherError", "main", "prepare_path"]

TREES = ("core", "agent", "actuators")
_STOPPED = 130
_CODES: list[int] = []
"""The exit code, once there is one."""


class LauncherError(RuntimeError):
    """A stranger's package holds a name that Surehand's own tree needs."""


def find_app_root() -> Path:
    """Return the folder that holds `core`, `agent` and `actuators`."""
    here = Path(__file__).resolve()
    shipped = here.parent / "_app"
    return shipped if shipped.is_dir() else here.parents[2]


def prepare_path() -> Path:
    """Put the tree first on `sys.path` and return it.

    Raises:
        LauncherError: When a `core`, `agent` or `actuators` from elsewhere is already loaded in this process.
    """
    root = find_app_root()
    for name in TREES:
        module = sys.modules.get(name)
        if module is None:
            continue
        origin = str(
            getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", ())), "an unknown place")
        )
        if not Path(origin).resolve().is_relative_to(root):
            message = (
                f"A package named '{name}' from {origin} is already loaded, and Surehand needs that name for its own ({root / name}). "
                "Start Surehand as a command of its own (`surehand …`), or talk to it over HTTP or MCP."
            )
            raise LauncherError(message)
    sys.path[:] = [str(root), *(entry for entry in sys.path if entry != str(root))]
    return root


def read_version() -> str:
    """Return the version of the installed distribution."""
    # Here and below imports wait for their use: `surehand --version` and `--help` must answer at once.
    from importlib.metadata import version

    return version("surehand")


def main() -> int:
    """Run the command line and return its exit code; the process that calls this ends with that, and without freeing what it has."""
    atexit.register(_end_at_once)  # what comes first is called last
    _CODES.append(run_command_line() or 0)
    return _CODES[-1]


def _end_at_once() -> None:
    """Leave memory to the system: freeing what a plan has made, piece by piece, takes a sixth of its time."""
    if not _CODES:
        return
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream:
                stream.flush()
    except (OSError, ValueError):  # Python has a code of its own for this
        return
    os._exit(_CODES[-1])


def run_command_line() -> int | None:
    """Run the command line and return its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        sys.stdout.write(f"surehand {read_version()}\n")
        return 0
    prepare_path()
    try:
        from agent.cli.serving.quick import run_quickly

        if (code := run_quickly(sys.argv[1:])) is not None:
            return code
        from agent.cli.main import main as run_whole

        return run_whole()
    except KeyboardInterrupt:  # before anything began that could be stopped in order
        return _STOPPED


if __name__ == "__main__":
    sys.exit(main())
