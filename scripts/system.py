"""What the machine offers to the bootstrap: interpreters, package managers, and a voice on standard error."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

MINIMUM = (3, 11)
NEWEST = 15  # of Python 3, among the names tried
PROBE = "import sys; print('%d.%d' % sys.version_info[:2]); import ensurepip, venv; print('venv')"


class SetupError(Exception):
    """Something that the scripts need is not there and could not be installed; the text says what to do."""


def say(text: str) -> None:
    """Tell what is being done, on standard error."""
    sys.stderr.write(f"setup: {text}\n")
    sys.stderr.flush()


def show_progress(line: str, count: int) -> None:
    """Turn a line of pip's output into progress: one line that is rewritten on a terminal, one in twenty elsewhere."""
    if line.startswith("Installing collected packages"):
        say(f"  {count} packages fetched; unpacking them")
    elif line.startswith("Collecting "):
        name = line.split()[1].split("==")[0]
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\033[Ksetup:   {count} {name}\r")
            sys.stderr.flush()
        elif count % 20 == 0:
            say(f"  {count} packages so far")


def choose_python() -> list[str]:
    """Return the command of an interpreter that is new enough and can make virtual environments.

    Raises:
        SetupError: When there is none, and none could be completed by the platform's packages.
    """
    incomplete: list[tuple[list[str], str]] = []
    for command in list_interpreters():
        version, complete = probe_interpreter(command)
        if not version or tuple(map(int, version.split("."))) < MINIMUM:
            continue
        if complete:
            return command
        incomplete.append((command, version))
    wanted = ".".join(map(str, MINIMUM))
    if not incomplete:
        raise SetupError(
            f"Python {wanted} or newer is needed; this is {sys.version.split()[0]}, and no other was found. Install one "
            f"(Debian, Ubuntu: apt install python3 python3-venv; Fedora: dnf install python3; macOS: brew install python; Windows: winget install Python.Python.3.13)."
        )
    command, version = incomplete[0]
    package = f"python{version}-venv"
    if install_packages("apt-get", [package]) and probe_interpreter(command)[1]:
        return command
    raise SetupError(f"{command[0]} can't make virtual environments: its ensurepip is missing. On Debian or Ubuntu: sudo apt install {package}")


def list_interpreters() -> list[list[str]]:
    """List commands that may start a Python, the running one first (its base, if it runs from a virtual environment)."""
    own = str(getattr(sys, "_base_executable", "") or sys.executable)
    names = [f"python3.{minor}" for minor in range(NEWEST, MINIMUM[1] - 1, -1)] + ["python3"]
    commands = [[own], *([path] for path in map(shutil.which, names) if path)]
    if shutil.which("py"):
        commands += [["py", f"-3.{minor}"] for minor in range(NEWEST, MINIMUM[1] - 1, -1)]
    return commands


def probe_interpreter(command: list[str]) -> tuple[str, bool]:
    """Return the version as `3.11` (empty when it does not start), and whether it can make virtual environments."""
    try:
        done = subprocess.run([*command, "-I", "-c", PROBE], capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return "", False
    lines = done.stdout.split()
    return (lines[0] if lines else ""), "venv" in lines


def find_privilege() -> list[str] | None:
    """Return what to put before a command that needs the administrator: nothing for root, `sudo -n` without a password; None when neither."""
    if os.name == "nt" or os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0:
        return ["sudo", "-n"]
    return None


INSTALL = {  # manager → (commands before, install command, needs the administrator)
    "apt-get": (["apt-get", "update", "-q"], ["apt-get", "install", "-y", "-q", "--no-install-recommends"], True),
    "dnf": (None, ["dnf", "install", "-y", "-q"], True),
    "pacman": (None, ["pacman", "-Sy", "--noconfirm", "--needed"], True),
    "zypper": (None, ["zypper", "--non-interactive", "install"], True),
    "brew": (None, ["brew", "install", "--cask"], False),
    "winget": (None, ["winget", "install", "--exact", "--silent", "--accept-package-agreements", "--accept-source-agreements", "--id"], False),
}


def install_packages(manager: str, packages: list[str]) -> bool:
    """Install the platform's packages; return False when the manager is missing, not allowed or fails (its last words are shown)."""
    if not shutil.which(manager):
        return False
    before, command, privileged = INSTALL[manager]
    privilege = find_privilege() if privileged else []
    if privilege is None:
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    say(f"installing {' '.join(packages)} with {manager}")
    for step in ([*privilege, *before] if before else None, [*privilege, *command, *packages]):
        done = step and subprocess.run(step, capture_output=True, text=True, check=False, env=environment, stdin=subprocess.DEVNULL)
        if done and done.returncode != 0:
            say(f"{manager} failed: " + " / ".join((done.stdout + done.stderr).strip().splitlines()[-3:]))
            if step[-1:] == packages[-1:]:
                return False
    return True


def exists_executable(path: Path) -> bool:
    """Tell whether a file is there and may be started."""
    return path.is_file() and os.access(path, os.X_OK)
