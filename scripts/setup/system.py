"""What the machine offers to the bootstrap: interpreters, package managers, and a voice on standard error."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass

MINIMUM = (3, 11)
NEWEST = 15  # of Python 3, among the names tried
FETCHING = ("Collecting ", "Processing ")  # how pip begins its line for each package
FEW = 5  # packages that arrive without a word
# What apt and dpkg say while another program uses them.
LOCK_SIGNS = ("Could not get lock", "Unable to lock", "Unable to acquire", "lock was locked by another process")
LOCK_LIMIT_S = 600.0
LOCK_RETRY_S = 2.0
PROBE = "import sys; print('%d.%d' % sys.version_info[:2]); import ensurepip, venv; print('venv')"


class SetupError(Exception):
    """Something that the scripts need is not there and could not be installed; the text says what to do."""


def say(text: str) -> None:
    """Tell what is being done, on standard error."""
    sys.stderr.write(f"setup: {text}\n")
    sys.stderr.flush()


def report_missing(what: str, advice: str) -> None:
    """Say that tests are skipped, since something isn't there.

    Raises:
        SetupError: Under `CI=true`, where nothing may go missing.
    """
    if os.environ.get("CI") == "true":
        raise SetupError(f"not there, and under CI=true nothing may be missing: {what}. {advice}")
    say(f"not there, so that tests of it are skipped: {what}. {advice}")


def show_progress(line: str, count: int) -> None:
    """Turn a line of pip's output into progress: one line that is rewritten on a terminal, one in twenty elsewhere."""
    if line.startswith("Installing collected packages") and count > FEW:
        say(f"  {count} packages fetched; unpacking them")
    elif line.startswith(FETCHING):
        name = line.split()[1].rpartition("/")[2].partition("==")[0]
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
            "(Debian, Ubuntu: apt install python3 python3-venv; Fedora: dnf install python3; macOS: brew install python; "
            "Windows: winget install Python.Python.3.13), then run this again."
        )
    command, version = incomplete[0]
    package = f"python{version}-venv"
    if install_packages("apt-get", [package]) and probe_interpreter(command)[1]:
        return command
    raise SetupError(
        f"{command[0]} can't make virtual environments: its ensurepip is missing. "
        f"On Debian or Ubuntu: sudo apt install {package}; then run this again."
    )


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


@dataclass(frozen=True)
class Manager:
    """How a package manager of the platform is called."""

    install: tuple[str, ...]
    refresh: tuple[str, ...] = ()
    privileged: bool = True


MANAGERS = {
    "apt-get": Manager(
        ("apt-get", "install", "-y", "-q", "--no-install-recommends"), refresh=("apt-get", "update", "-q")
    ),
    "dnf": Manager(("dnf", "install", "-y", "-q")),
    "pacman": Manager(("pacman", "-Sy", "--noconfirm", "--needed")),
    "zypper": Manager(("zypper", "--non-interactive", "install")),
    "brew": Manager(("brew", "install", "--cask"), privileged=False),
    "winget": Manager(
        ("winget", "install", "--silent", "--accept-package-agreements", "--accept-source-agreements", "--exact"),
        privileged=False,
    ),
}


def install_packages(manager: str, packages: list[str]) -> bool:
    """Install the platform's packages; False when the manager is missing, not allowed, or failed (it says why)."""
    if not shutil.which(manager):
        return False
    calls = MANAGERS[manager]
    privilege = find_privilege() if calls.privileged else []
    if privilege is None:
        say(f"{manager} would need the administrator, or sudo without a password: not using it")
        return False
    say(f"installing {' '.join(packages)} with {manager}")
    if calls.refresh:
        run_aloud([*privilege, *calls.refresh])  # with stale lists the installation may still work
    return run_aloud([*privilege, *calls.install, *packages])


def find_privilege() -> list[str] | None:
    """Return what makes a command the administrator's: nothing for root, else `sudo -n`; None when neither is allowed."""
    if os.name == "nt" or os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0:
        return [sudo, "-n"]
    return None


def run_aloud(command: list[str]) -> bool:
    """Run a command without input; when it fails, say its last words and return False. While apt is in use elsewhere, wait for it."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    end_s = 0.0
    while True:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, stdin=subprocess.DEVNULL
        )
        words = (done.stdout + done.stderr).strip()
        if done.returncode == 0 or not any(sign in words for sign in LOCK_SIGNS):
            break
        if not end_s:
            end_s = time.monotonic() + LOCK_LIMIT_S
            say(f"another program is using {command[0]}; waiting for it, at most {LOCK_LIMIT_S / 60:.0f} minutes")
        if time.monotonic() > end_s:
            break
        time.sleep(LOCK_RETRY_S)
    if done.returncode != 0:
        say(f"`{' '.join(command)}` failed: " + " / ".join(words.splitlines()[-3:]))
    return done.returncode == 0
