"""Makes or reuses `.venv`, for `run.py` and `test.py`. Standard library only, on Linux, macOS and Windows.

A stamp in `.venv` says what was installed and where. When it fits, nothing is done; otherwise packages are installed from the lock in
`requirements/`, checked by their hashes. All progress goes to standard error, since standard output belongs to the command that follows.
This file must stay readable for old interpreters (3.8): it is what tells them that they are too old.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

from scripts.setup.locks import read_pins, write_requirements
from scripts.setup.system import FETCHING, SetupError, choose_python, report_missing, say, show_progress

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
STAMP = VENV / "surehand-stamp.json"
LOCK = ROOT / ".venv.lock"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
COMMAND = BIN / ("surehand.exe" if os.name == "nt" else "surehand")
LEVELS = ("base", "dev")  # each holds the one before it
DECIDING_FILES = (
    "pyproject.toml",
    "setup.py",
    "package-lock.json",
)
# Where packages come from and how, as pip is told; uv doesn't read it.
PIP_ONLY = frozenset({"index-url", "no-index", "proxy", "client-cert", "trusted-host", "only-binary", "no-binary"})
NETWORK_SIGNS = (
    "Name or service not known",
    "name resolution",
    "NewConnectionError",
    "ConnectTimeout",
    "Network is unreachable",
    "getaddrinfo",
)


def prepare(level: str) -> bool:
    """Make `.venv` ready for use.

    Args:
        level: `base` for running the program, `dev` for running its tests and checks.

    Returns:
        True when something had to be installed, False when all was there.

    Raises:
        SetupError: When no usable Python is found, or packages can't be installed; the text says what to do.
    """
    if is_ready(level):
        return False
    with hold_lock():
        if is_ready(level):  # another run did it while this one waited
            return False
        install(level)
    return True


def is_ready(level: str) -> bool:
    """Tell whether the stamp fits: made here, from these lock files, by an interpreter that is still the same."""
    stamp = read_stamp()
    return (
        stamp.get("root") == str(ROOT)
        and stamp.get("files") == hash_files()
        and stamp.get("level") in LEVELS[LEVELS.index(level) :]
        and COMMAND.exists()
        and stamp.get("python") == read_venv_version()
    )


def read_stamp() -> dict[str, str]:
    """Return the stamp, or an empty one when it is missing or damaged."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(level: str) -> None:
    """Write what `.venv` now holds; an empty level means that it is being worked on."""
    stamp = {"root": str(ROOT), "level": level, "files": hash_files(), "python": read_venv_version()}
    STAMP.write_text(json.dumps(stamp, indent=1) + "\n", encoding="utf-8")


def hash_files() -> str:
    """Return one digest of all files that decide what gets installed."""
    digest = hashlib.sha256()
    for name in DECIDING_FILES:
        digest.update((ROOT / name).read_bytes())
    for name in ("build", *LEVELS):
        digest.update(read_pins(name).encode())
    return digest.hexdigest()


def read_venv_version() -> str:
    """Ask the interpreter in `.venv` for its version; empty when it does not start."""
    try:
        # -I -S: no site, no environment; this is on the path of every start.
        done = subprocess.run(
            [str(PYTHON), "-I", "-S", "-c", "import sys; print(sys.version)"],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


@contextlib.contextmanager
def hold_lock() -> Generator[None]:
    """Let one run at a time change `.venv`. The system drops the lock when its holder, and the pip it started, are gone."""
    with LOCK.open("a+") as handle:
        os.set_inheritable(handle.fileno(), True)
        if not try_lock(handle.fileno(), wait=False):
            say("another run is setting up .venv; waiting for it")
            while not try_lock(handle.fileno(), wait=True):
                continue
        yield


def try_lock(descriptor: int, *, wait: bool) -> bool:
    """Take the lock; return False when another process holds it and this call did not outlast that."""
    try:
        if os.name == "nt":
            import msvcrt  # on Windows only

            msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # LK_LOCK gives up after 10 s
        else:
            import fcntl  # elsewhere only

            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def install(level: str) -> None:
    """Bring `.venv` to the level, from nothing when it can't be built upon."""
    stamp = read_stamp()
    if stamp.get("root") != str(ROOT) or not stamp.get("level") or stamp.get("python") != read_venv_version():
        make_venv(ours=bool(stamp))
    elif stamp["level"] == "dev":
        level = "dev"  # a lock file changed: what was there is brought up to date, not reduced
    write_stamp("")
    say(f"installing the {level} packages into {VENV}")
    with write_requirements("build") as file:
        run_pip("--no-deps", "--require-hashes", "-r", file)
    with write_requirements(level) as file:
        # Tests import half of the modules that are there; what they do is compiled then.
        install_packages(["--require-hashes", "-r", file], ["--compile-bytecode"] if level == "base" else [])
    install_packages(["--editable", "."], [])
    if level == "dev":
        install_javascript_tools()
    write_stamp(level)
    say("packages are in place")


def install_packages(what: list[str], for_uv: list[str]) -> None:
    """Install by uv, which takes a third of pip's time; by pip where pip is set up in a way that uv may not know, or uv fails."""
    # No isolation: a source distribution is built with the locked setuptools, not with one fetched unchecked.
    # No dependencies: the lock names them all.
    options = ["--no-build-isolation", "--no-deps", *what]
    if PIP_ONLY.isdisjoint(read_pip_settings()) and run_uv([*options, *for_uv]):
        return
    run_pip(*options)


def read_pip_settings() -> set[str]:
    """Return the names of what pip is told by its files and variables."""
    command = [str(PYTHON), "-m", "pip", "config", "list"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=make_pip_environment())
    return {line.partition("=")[0].rpartition(".")[2] for line in done.stdout.splitlines()}


def run_uv(options: list[str]) -> bool:
    """Install with the uv of `.venv`; say its last words and return False when it can't."""
    command = [str(BIN / "uv"), "pip", "install", "--quiet", "--python", str(PYTHON), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, close_fds=False)
    if done.returncode:
        say("uv can't install them, so that pip does: " + " / ".join(done.stderr.strip().splitlines()[-3:]))
    return done.returncode == 0


def install_javascript_tools() -> None:
    """Install what checks and builds the engine's JavaScript. No test needs it: without it only these checks can't run."""
    say("installing the tools for JavaScript into node_modules")
    done = subprocess.run(
        [str(PYTHON), str(ROOT / "scripts" / "engine.py"), "install"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        words = (done.stderr or done.stdout).strip().splitlines()
        report_missing("the tools for JavaScript", "Check npm's registry settings. " + (words[-1] if words else ""))


def make_venv(*, ours: bool) -> None:
    """Make an empty `.venv`; one that we made is replaced, a stranger's is moved aside."""
    if ours:
        say(".venv is unfinished, was moved or has lost its Python; making it again")
        shutil.rmtree(VENV)
    elif VENV.is_dir() and any(VENV.iterdir()):
        aside = next(path for path in (ROOT / f".venv.old{n}" for n in range(1, 1000)) if not path.exists())
        say(f".venv holds something not made here; moving it to {aside.name}")
        VENV.rename(aside)
    python = choose_python()
    VENV.mkdir(exist_ok=True)
    write_stamp("")
    say(f"making .venv with {' '.join(python)}")
    done = subprocess.run([*python, "-m", "venv", str(VENV)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SetupError(f"`{' '.join(python)} -m venv` failed:\n{done.stdout}{done.stderr}")


def run_pip(*arguments: str) -> None:
    """Install with the pip of `.venv`, showing how far it is."""
    command = [str(PYTHON), "-m", "pip", "install", "--no-input", "--retries", "2", "--progress-bar", "off", *arguments]
    lines: list[str] = []
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=make_pip_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        close_fds=False,  # pip inherits the lock: when this process is killed, nobody else starts before pip has ended
    )
    with process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            show_progress(line, sum(1 for kept in lines if kept.startswith(FETCHING)))
    if process.returncode != 0:
        raise SetupError(explain_pip_failure(lines))


def make_pip_environment() -> dict[str, str]:
    """Return this environment, less what would make pip install elsewhere."""
    added = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_USER": "0", "PIP_TARGET": "", "PYTHONUNBUFFERED": "1"}
    variables = {**os.environ, **added}
    return {name: value for name, value in variables.items() if value and name not in ("PYTHONHOME", "PYTHONPATH")}


def explain_pip_failure(lines: list[str]) -> str:
    """Say why pip failed: first what to do, then its own last words."""
    output = "".join(lines)
    if any(sign in output for sign in NETWORK_SIGNS):
        reason = "the package index can't be reached. Check the network (or pip's proxy and index settings), then run this again."
    elif "DO NOT MATCH THE HASHES" in output:
        reason = "a package is not the one that was locked. Don't install it; find out which side changed."
    else:
        reason = "packages can't be installed. pip's own words follow; when they are mended, run this again."
    return reason + "\n" + "".join(lines[-15:]).rstrip()


def hand_over(command: list[str]) -> int:
    """Go on as another program, so that signals and the exit code are its own; where that can't be done, wait for it.

    Args:
        command: The program's path and its arguments.

    Returns:
        The exit code, on Windows only: elsewhere this call does not come back.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execv(command[0], command)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the program as well; it decides
    return subprocess.call(command)
