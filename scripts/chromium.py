"""Finds a Chromium that can be started without a shell wrapper, or installs one."""

from __future__ import annotations

import itertools
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from system import SetupError, install_packages, run_aloud, say

# Real executables: a distribution's `chromium` on the path is often a shell script, which hides the browser's process.
PLACES = {
    "linux": (
        "/usr/lib/chromium/chromium-headless-shell",
        "/usr/lib64/chromium-browser/headless_shell",
        "/usr/lib/chromium/chromium",
        "/usr/lib64/chromium-browser/chromium-browser",
        "/usr/lib64/chromium/chromium",
        "/opt/google/chrome/chrome",
        "/opt/microsoft/msedge/msedge",
    ),
    "darwin": (
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ),
    "win32": (
        "Google/Chrome/Application/chrome.exe",
        "Chromium/Application/chrome.exe",
        "Microsoft/Edge/Application/msedge.exe",
    ),
}
WINDOWS_ROOTS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
DOWNLOADS = {
    "linux": ".cache/ms-playwright",
    "darwin": "Library/Caches/ms-playwright",
    "win32": "AppData/Local/ms-playwright",
}
EXECUTABLES = (
    "chrome-headless-shell",
    "headless_shell",
    "chrome",
    "Chromium",
    "Google Chrome for Testing",
    "chrome-headless-shell.exe",
    "chrome.exe",
)
PACKAGES = {
    "apt-get": ["chromium-headless-shell"],
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
        python: The interpreter that has Playwright.

    Raises:
        SetupError: When there is none and none can be installed; the text says what to do.
    """
    if find():
        return
    say("no Chromium found")
    steps = [install_package, lambda: download(python)]
    for step in steps if sys.platform == "linux" else reversed(steps):
        step()
        found = find()
        if found:
            say(f"the browser is {found}")
            return
    raise SetupError(
        "no Chromium could be installed. Do one of these, then run this again:\n"
        "  Debian: sudo apt install chromium-headless-shell      Fedora: sudo dnf install chromium-headless\n"
        f"  anywhere: {python} -m playwright install --with-deps chromium-headless-shell\n"
        "  or install Google Chrome, Chromium or Microsoft Edge in its usual place."
    )


def find() -> Path | None:
    """Return the first Chromium, Chrome or Edge that is installed, or Playwright's own download."""
    windows = [Path(os.environ[name]) for name in WINDOWS_ROOTS if os.environ.get(name)]
    roots = windows or [Path("/")]
    installed = (root / place for place in PLACES.get(sys.platform, ()) for root in roots)
    candidates = itertools.chain(installed, list_downloads())
    return next((path for path in candidates if path.is_file() and os.access(path, os.X_OK)), None)


def list_downloads() -> Iterator[Path]:
    """List the executables below Playwright's own folder, those of finished downloads only, the newest first."""
    chosen = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    base = Path(chosen) if chosen else Path.home() / DOWNLOADS.get(sys.platform, DOWNLOADS["linux"])
    for folder in sorted((mark.parent for mark in base.glob("chromium*/INSTALLATION_COMPLETE")), reverse=True):
        yield from (path for path in sorted(folder.rglob("*")) if path.name in EXECUTABLES)


def install_package() -> None:
    """Try the platform's package managers until one has brought a browser."""
    for manager, packages in PACKAGES.items():
        if install_packages(manager, packages) and find():
            return


def download(python: Path) -> None:
    """Let Playwright download its own headless shell; with the system's libraries where that is allowed."""
    say("letting Playwright download its headless shell")
    complete = ["--with-deps"] if sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") else []
    run_aloud([str(python), "-m", "playwright", "install", *complete, "chromium-headless-shell"])
