"""Sees to it that there is a browser. The program's own search says whether there is one, so that the two never disagree."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.setup.system import SetupError, install_packages, run_aloud, say

SEARCH = """
import surehand
surehand.prepare_path()
from actuators.browser.playwright.session.discovery import find_browser
found = find_browser().found
print(found.executable if found else "")
"""
PACKAGES = {
    # The sandbox as a package is for users whose system gives them no namespaces of their own, as in many containers.
    "apt-get": ["chromium-headless-shell", "chromium-sandbox"],
    "dnf": ["chromium-headless"],
    "pacman": ["chromium"],
    "zypper": ["chromium"],
    "brew": ["google-chrome"],
    "winget": ["Google.Chrome"],
}


def ensure(python: Path) -> None:
    """Install a Chromium unless there is one.

    On Linux the distribution's package comes first (it brings the libraries it needs), elsewhere Playwright's own download
    (it changes nothing outside its folder).

    Args:
        python: The interpreter that has Surehand and Playwright.

    Raises:
        SetupError: When there is none and none can be installed; the text says what to do.
    """
    if find(python):
        return
    say("no Chromium found")
    steps = [install_package, download]
    for step in steps if sys.platform == "linux" else reversed(steps):
        step(python)
        found = find(python)
        if found:
            say(f"the browser is {found}")
            return
    raise SetupError(
        "no Chromium could be installed. Do one of these, then run this again:\n"
        "  Debian: sudo apt install chromium-headless-shell chromium-sandbox      Fedora: sudo dnf install chromium-headless\n"
        f"  anywhere: {python} -m playwright install --with-deps chromium-headless-shell\n"
        "  or install Google Chrome, Chromium or Microsoft Edge in its usual place."
    )


def find(python: Path) -> str:
    """Return the browser that the program would use, or nothing.

    Raises:
        SetupError: When the search itself fails.
    """
    done = subprocess.run([str(python), "-P", "-c", SEARCH], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SetupError(f"the search for a browser failed:\n{done.stderr.rstrip()}")
    return done.stdout.strip()


def install_package(python: Path) -> None:
    """Try the platform's package managers until one has brought a browser."""
    for manager, packages in PACKAGES.items():
        if install_packages(manager, packages) and find(python):
            return


def download(python: Path) -> None:
    """Let Playwright download its own headless shell; with the system's libraries where that is allowed."""
    say("letting Playwright download its headless shell")
    complete = ["--with-deps"] if sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") else []
    run_aloud([str(python), "-m", "playwright", "install", *complete, "chromium-headless-shell"])
