"""Finds a browser by its real executable.

A distribution's ``chromium`` is often a shell script: killing the script leaves the browser. So wrappers are followed to
the program behind them, and those that can't be (snap, flatpak) are passed over and named. What the machine looks like
comes in as a ``Machine``, so that the search itself touches nothing.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PureWindowsPath

from actuators.base import Availability
from actuators.browser.playwright.session.programs import (
    BrowserKind,
    Machine,
    classify_program,
    follow_wrapper,
    inspect_machine,
)
from core.base.errors import UnsupportedError
from core.base.late_dataclasses import dataclass

PLACES: Mapping[str, tuple[tuple[BrowserKind, str], ...]] = {
    "linux": (
        ("headless-shell", "/usr/lib/chromium/chromium-headless-shell"),
        ("headless-shell", "/usr/lib64/chromium-browser/headless_shell"),
        ("chromium", "/usr/lib/chromium/chromium"),
        ("chromium", "/usr/lib64/chromium-browser/chromium-browser"),
        ("chromium", "/usr/lib64/chromium/chromium"),
        ("chrome", "/opt/google/chrome/chrome"),
        ("edge", "/opt/microsoft/msedge/msedge"),
    ),
    "darwin": (
        ("chromium", "/Applications/Chromium.app/Contents/MacOS/Chromium"),
        ("chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("edge", "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
        ("chromium", "~/Applications/Chromium.app/Contents/MacOS/Chromium"),
        ("chrome", "~/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("edge", "~/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
    ),
    "win32": (
        ("chromium", "Chromium/Application/chrome.exe"),
        ("chrome", "Google/Chrome/Application/chrome.exe"),
        ("edge", "Microsoft/Edge/Application/msedge.exe"),
    ),
}
COMMANDS: tuple[tuple[BrowserKind, str], ...] = (
    ("headless-shell", "chromium-headless-shell"),
    ("headless-shell", "chrome-headless-shell"),
    ("chromium", "chromium"),
    ("chromium", "chromium-browser"),
    ("chrome", "google-chrome-stable"),
    ("chrome", "google-chrome"),
    ("edge", "microsoft-edge-stable"),
    ("edge", "microsoft-edge"),
)
PREFERENCE: tuple[BrowserKind, ...] = ("headless-shell", "chromium", "chrome", "edge")
CHANNELS: Mapping[str, BrowserKind] = {"chromium": "chromium", "chrome": "chrome", "msedge": "edge"}
WINDOWS_ROOTS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
DOWNLOADS = {
    "linux": ".cache/ms-playwright",
    "darwin": "Library/Caches/ms-playwright",
    "win32": "AppData/Local/ms-playwright",
}
DOWNLOADED = {
    "linux": ("chromium_headless_shell-*/*/*headless*shell", "chromium-*/chrome-linux*/chrome"),
    "darwin": ("chromium_headless_shell-*/*/*headless*shell", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*"),
    "win32": ("chromium_headless_shell-*/*/*headless*shell.exe", "chromium-*/chrome-win*/chrome.exe"),
}
REMEDY = {
    "linux": "Debian and Ubuntu: sudo apt install chromium-headless-shell. Fedora: sudo dnf install chromium-headless. Anywhere: "
    "playwright install --with-deps chromium-headless-shell",
    "darwin": "Run playwright install chromium-headless-shell, or brew install --cask google-chrome",
    "win32": "Run playwright install chromium-headless-shell, or winget install Google.Chrome",
}
HEADED_REMEDY = "Install Chromium, Google Chrome or Microsoft Edge, or run playwright install chromium"


@dataclass(frozen=True, slots=True)
class FoundBrowser:
    """A browser by its own program, never a wrapper; its version only where the path tells it, as asking is slow."""

    executable: str
    kind: BrowserKind
    reason: str
    version: str = ""


@dataclass(frozen=True, slots=True)
class LookedAt:
    """One place that was looked at, and what was found there."""

    place: str
    verdict: str


@dataclass(frozen=True, slots=True)
class BrowserLookup:
    """What the search came to: the browser, or why none can be used; and all places in the order in which they were looked at."""

    found: FoundBrowser | None
    looked_at: tuple[LookedAt, ...]
    problem: str = ""
    remedy: str = ""

    def require(self) -> FoundBrowser:
        """Return the browser; UnsupportedError if there is none."""
        if self.found is None:
            places = {entry.place: entry.verdict for entry in self.looked_at}
            raise UnsupportedError(
                self.problem, code="browser_missing", hint=self.remedy, evidence={"looked_at": places}
            )
        return self.found

    def availability(self) -> Availability:
        """Return the same as data about the capability ``browser``."""
        if self.found is None:
            return Availability("browser", available=False, reason=self.problem, remedy=self.remedy)
        reason = f"{self.found.executable} ({self.found.kind}): {self.found.reason}"
        return Availability("browser", available=True, reason=reason)


def find_browser(
    executable: str | None = None, *, headed: bool = False, channel: str = "", machine: Machine | None = None
) -> BrowserLookup:
    """Find the browser to use: as set, else installed, else Playwright's own download.

    Args:
        executable: Path that the settings name; it wins, and if it is wrong nothing else is tried.
        headed: Whether a window is wanted, which needs a full browser and a display.
        channel: Which browser, as Playwright names it; any where empty.
    """
    machine = machine or inspect_machine()
    if headed and (problem := _find_display_problem(machine)):
        return BrowserLookup(None, (), problem, "Run it without a window, in a desktop session, or under xvfb-run.")
    if executable:
        return _judge_setting(executable, machine, headed=headed)
    looked_at: list[LookedAt] = []
    best: FoundBrowser | None = None
    for found, entry in (*_search_installed(machine), *_search_downloads(machine)):
        unfit = _find_unfitness(found, headed=headed, channel=channel) if found else ""
        looked_at.append(LookedAt(entry.place, unfit) if unfit else entry)
        if found and not unfit and (best is None or _rank(found) < _rank(best)):
            best = found
    if best:
        return BrowserLookup(best, tuple(looked_at))
    remedy = HEADED_REMEDY if headed or channel else REMEDY.get(machine.platform, REMEDY["linux"])
    problem = f"{_name_wanted(channel, headed=headed)} was found on this machine."
    return BrowserLookup(None, tuple(looked_at), problem, remedy)


def _find_unfitness(found: FoundBrowser, *, headed: bool, channel: str) -> str:
    if channel and found.kind != CHANNELS.get(channel):
        return f"is not {channel}"
    return "has no window" if headed and found.kind == "headless-shell" else ""


def _name_wanted(channel: str, *, headed: bool) -> str:
    if channel:
        return f"No browser of the channel {channel}"
    return "No full Chromium, Chrome or Edge for a window" if headed else "No Chromium, Chrome or Edge"


def _find_display_problem(machine: Machine) -> str:
    if machine.platform != "linux" or machine.environment.get("DISPLAY") or machine.environment.get("WAYLAND_DISPLAY"):
        return ""
    return "You asked for a window, but there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set."


def _judge_setting(executable: str, machine: Machine, *, headed: bool) -> BrowserLookup:
    path = str(machine.make_path(executable))
    remedy = "Correct or remove the setting; without it Surehand looks for an installed browser."
    real, remark = follow_wrapper(path, machine) if machine.is_executable(path) else (None, "not an executable file")
    looked_at = (LookedAt(path, remark),)
    if real is None:
        return BrowserLookup(None, looked_at, f"The browser in the settings, {path}, can't be used: {remark}.", remedy)
    kind = classify_program(real)
    if headed and kind == "headless-shell":
        problem = f"The browser in the settings, {path}, has no window: it is a headless shell."
        return BrowserLookup(None, looked_at, problem, HEADED_REMEDY)
    return BrowserLookup(FoundBrowser(real, kind, f"named in the settings; {remark}"), looked_at)


def _search_installed(machine: Machine) -> Iterator[tuple[FoundBrowser | None, LookedAt]]:
    for kind, place in _list_places(machine):
        if machine.is_executable(place):
            yield FoundBrowser(place, kind, "installed on this machine"), LookedAt(place, kind)
        else:
            yield None, LookedAt(place, "not there")
    for kind, command in _list_commands(machine):
        real, remark = follow_wrapper(command, machine)
        found = FoundBrowser(real, kind, f"{command} on the PATH, {remark}") if real else None
        yield found, LookedAt(command, remark)


def _list_places(machine: Machine) -> list[tuple[BrowserKind, str]]:
    places = PLACES.get(machine.platform, ())
    if machine.platform != "win32":
        return [(kind, str(machine.make_path(place))) for kind, place in places]
    roots = [machine.environment[name] for name in WINDOWS_ROOTS if machine.environment.get(name)]
    return [(kind, str(PureWindowsPath(root, place))) for kind, place in places for root in roots]


def _list_commands(machine: Machine) -> list[tuple[BrowserKind, str]]:
    if machine.platform == "win32":
        return []  # programs there are started by place; the PATH holds none of them
    folders = [folder for folder in machine.environment.get("PATH", "").split(":") if folder.startswith("/")]
    paths: list[tuple[BrowserKind, str]] = [
        (kind, f"{folder.rstrip('/')}/{name}") for kind, name in COMMANDS for folder in folders
    ]
    return [(kind, path) for kind, path in paths if machine.is_executable(path)]


def _search_downloads(machine: Machine) -> Iterator[tuple[FoundBrowser | None, LookedAt]]:
    chosen = machine.environment.get("PLAYWRIGHT_BROWSERS_PATH", "")
    base = (
        chosen
        if chosen not in {"", "0"}
        else str(machine.make_path(f"~/{DOWNLOADS.get(machine.platform, DOWNLOADS['linux'])}"))
    )
    matches = [
        path
        for pattern in DOWNLOADED.get(machine.platform, DOWNLOADED["linux"])
        for path in machine.list_matches(str(machine.make_path(base) / pattern))
        if machine.is_executable(path)
    ]
    if not matches:
        yield None, LookedAt(base, "no browser downloaded by Playwright")
    for path in matches:
        kind: BrowserKind = "headless-shell" if "headless" in path else "chromium"
        revision = re.search(r"chromium[a-z_]*-(\d+)", path)
        version = f"revision {revision[1]}" if revision else ""
        yield FoundBrowser(path, kind, "downloaded by Playwright", version), LookedAt(path, kind)


def _rank(found: FoundBrowser) -> tuple[bool, int]:
    return found.reason.startswith("downloaded"), PREFERENCE.index(found.kind)
