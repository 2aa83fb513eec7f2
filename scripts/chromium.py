"""Finds a Chromium that can be started without a shell wrapper, or installs one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from system import SetupError, exists_executable, install_packages, say

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
    "win32": ("Google/Chrome/Application/chrome.exe", "Chromium/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe"),
}
WINDOWS_ROOTS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
DOWNLOADS = {"linux": ".cache/ms-playwright", "darwin": "Library/Caches/ms-playwright", "win32": "AppData/Local/ms-playwright"}
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
    steps = [lambda: any(install_packages(manager, packages) and find() for manager, packages in PACKAGES.items()), lambda: download(python)]
    for step in steps if sys.platform == "linux" else reversed(steps):
        if step() and find():
            say(f"the browser is {find()}")
            return
    raise SetupError(
        "no Chromium could be installed. Do one of these, then run this again:\n"
        "  Debian: sudo apt install chromium-headless-shell      Fedora: sudo dnf install chromium-headless\n"
        f"  anywhere: {python} -m playwright install --with-deps chromium-headless-shell\n"
        "  or install Google Chrome, Chromium or Microsoft Edge in its usual place."
    )


def find() -> Path | None:
    """Return the first Chromium, Chrome or Edge that is installed, or Playwright's own download."""
    system = "linux" if sys.platform.startswith("linux") else sys.platform
    roots = [Path(os.environ[name]) for name in WINDOWS_ROOTS if os.environ.get(name)] if system == "win32" else [Path("/")]
    installed = (root / place for place in PLACES.get(system, ()) for root in roots)
    return next((path for path in (*installed, *list_downloads(system)) if exists_executable(path)), None)


def list_downloads(system: str) -> list[Path]:
    """List the executables below Playwright's own folder, those of finished downloads only."""
    chosen = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    base = Path(chosen) if chosen and chosen != "0" else Path.home() / DOWNLOADS.get(system, DOWNLOADS["linux"])
    names = ("chrome-headless-shell", "headless_shell", "chrome", "Chromium", "Google Chrome for Testing")
    finished = sorted((mark.parent for mark in base.glob("chromium*/INSTALLATION_COMPLETE")), reverse=True)
    return [path for folder in finished for path in sorted(folder.glob("**/*")) if path.stem in names and path.suffix in ("", ".exe")]


def download(python: Path) -> bool:
    """Let Playwright download its own headless shell; with the system's libraries when that is allowed."""
    say("letting Playwright download its headless shell")
    command = [str(python), "-m", "playwright", "install", "chromium-headless-shell"]
    if sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get"):
        command.insert(4, "--with-deps")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        say("the download failed: " + " / ".join((done.stdout + done.stderr).strip().splitlines()[-2:]))
    return done.returncode == 0
