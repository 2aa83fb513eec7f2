"""The search for a browser, on machines that are described as data."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from actuators.browser.playwright.session.discovery import find_browser
from actuators.browser.playwright.session.programs import Machine, follow_wrapper
from core.base.errors import UnsupportedError

ELF = b"\x7fELF"
HEADLESS = "/usr/lib/chromium/chromium-headless-shell"


def describe_machine(
    files: Mapping[str, bytes],
    links: Mapping[str, str] | None = None,
    platform: str = "linux",
    environment: Mapping[str, str] | None = None,
) -> Machine:
    links = links or {}
    home = "C:\\Users\\ada" if platform == "win32" else "/home/ada"
    return Machine(
        platform=platform,
        environment=environment or {"PATH": "/usr/bin:/snap/bin"},
        home=home,
        is_root=False,
        is_executable=lambda path: links.get(path, path) in files,
        read_head=lambda path: files.get(links.get(path, path), b""),
        follow_links=lambda path: links.get(path, path),
        list_matches=lambda pattern: sorted((path for path in files if fnmatchcase(path, pattern)), reverse=True),
    )


def test_a_headless_shell_is_preferred_to_a_full_browser():
    machine = describe_machine({"/opt/google/chrome/chrome": ELF, HEADLESS: ELF, "/usr/lib/chromium/chromium": ELF})
    found = find_browser(machine=machine).require()
    assert (found.executable, found.kind) == (HEADLESS, "headless-shell")


@pytest.mark.parametrize(
    ("channel", "place"),
    [
        ("chromium", "/usr/lib/chromium/chromium"),
        ("chrome", "/opt/google/chrome/chrome"),
        ("msedge", "/opt/microsoft/msedge/msedge"),
    ],
)
def test_a_channel_names_the_browser(channel: str, place: str):
    places = [HEADLESS, "/usr/lib/chromium/chromium", "/opt/google/chrome/chrome", "/opt/microsoft/msedge/msedge"]
    machine = describe_machine(dict.fromkeys(places, ELF))
    assert find_browser(channel=channel, machine=machine).require().executable == place


def test_a_channel_that_is_not_here_is_named():
    lookup = find_browser(channel="msedge", machine=describe_machine({HEADLESS: ELF}))
    assert lookup.problem == "No browser of the channel msedge was found on this machine."
    assert [each.verdict for each in lookup.looked_at if each.place == HEADLESS] == ["is not msedge"]


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        (HEADLESS, "headless-shell"),
        ("/usr/lib64/chromium-browser/headless_shell", "headless-shell"),
        ("/usr/lib/chromium/chromium", "chromium"),
        ("/opt/google/chrome/chrome", "chrome"),
        ("/opt/microsoft/msedge/msedge", "edge"),
    ],
)
def test_browsers_are_found_where_linux_distributions_put_them(place: str, kind: str):
    found = find_browser(machine=describe_machine({place: ELF})).require()
    assert (found.executable, found.kind) == (place, kind)


@pytest.mark.parametrize(
    "place",
    [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
        "/home/ada/Applications/Chromium.app/Contents/MacOS/Chromium",
    ],
)
def test_browsers_are_found_among_macos_applications(place: str):
    assert find_browser(machine=describe_machine({place: ELF}, platform="darwin")).require().executable == place


def test_browsers_are_found_in_every_windows_program_folder():
    edge = "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe"
    environment = {"PROGRAMFILES": "C:\\Program Files", "PROGRAMFILES(X86)": "C:\\Program Files (x86)"}
    found = find_browser(machine=describe_machine({edge: b"MZ"}, platform="win32", environment=environment)).require()
    assert (found.executable, found.kind) == (edge, "edge")


def test_a_shell_wrapper_on_the_path_is_followed_to_its_program():
    real = "/usr/libexec/chromium/chromium-headless-shell"
    script = f'#!/bin/sh -e\n\n{real} "$@"\n'.encode()
    machine = describe_machine({"/usr/bin/chromium-headless-shell": script, real: ELF})
    found = find_browser(machine=machine).require()
    assert found.executable == real
    assert "/usr/bin/chromium-headless-shell" in found.reason


def test_a_wrapper_that_keeps_the_folder_in_a_variable_is_followed():
    script = b'#!/bin/bash\nexport LIBDIR="/usr/lib/strange"\nexec "$LIBDIR/chromium" "$@"\n'
    machine = describe_machine({"/usr/bin/chromium": script, "/usr/lib/strange/chromium": ELF})
    assert find_browser(machine=machine).require().executable == "/usr/lib/strange/chromium"


def test_a_wrapper_that_starts_the_program_beside_itself_is_followed_through_its_link():
    script = b'#!/bin/bash\nHERE="`dirname "$CHROME_WRAPPER"`"\nexec -a "$0" "$HERE/chrome" "$@"\n'
    machine = describe_machine(
        {"/opt/elsewhere/google-chrome": script, "/opt/elsewhere/chrome": ELF},
        links={"/usr/bin/google-chrome-stable": "/opt/elsewhere/google-chrome"},
    )
    found = find_browser(machine=machine).require()
    assert (found.executable, found.kind) == ("/opt/elsewhere/chrome", "chrome")


@pytest.mark.parametrize(
    ("files", "links", "word"),
    [
        ({"/usr/bin/snap": ELF}, {"/snap/bin/chromium": "/usr/bin/snap"}, "snap"),
        ({"/usr/bin/chromium-browser": b'#!/bin/sh\nexec /snap/bin/chromium "$@"\n'}, {}, "snap"),
        ({"/usr/bin/chromium": b"#!/bin/sh\nexec /usr/bin/flatpak run org.chromium.Chromium\n"}, {}, "flatpak"),
        ({"/usr/bin/chromium": b"#!/bin/sh\nexec somewhere/chromium\n"}, {}, "was not found"),
    ],
)
def test_a_wrapper_that_hides_its_process_is_passed_over_and_said_so(
    files: dict[str, bytes], links: dict[str, str], word: str
):
    lookup = find_browser(machine=describe_machine(files, links))
    assert lookup.found is None
    assert any(word in entry.verdict for entry in lookup.looked_at)


def test_a_download_of_playwright_is_the_last_resort():
    download = "/home/ada/.cache/ms-playwright/chromium_headless_shell-1300/chrome-linux/headless_shell"
    alone = find_browser(machine=describe_machine({download: ELF})).require()
    assert (alone.executable, alone.version) == (download, "revision 1300")
    beside = find_browser(machine=describe_machine({download: ELF, "/opt/microsoft/msedge/msedge": ELF})).require()
    assert beside.kind == "edge"


def test_the_folder_of_playwright_downloads_can_be_set():
    download = "/data/pw/chromium-1300/chrome-linux/chrome"
    machine = describe_machine({download: ELF}, environment={"PLAYWRIGHT_BROWSERS_PATH": "/data/pw"})
    assert find_browser(machine=machine).require().executable == download


def test_the_setting_wins_over_what_is_installed():
    machine = describe_machine({HEADLESS: ELF, "/opt/own/chrome": ELF})
    assert find_browser("/opt/own/chrome", machine=machine).require().executable == "/opt/own/chrome"


def test_a_wrong_setting_is_an_error_and_never_replaced_by_another_browser():
    lookup = find_browser("/opt/own/chrome", machine=describe_machine({HEADLESS: ELF}))
    with pytest.raises(UnsupportedError, match="/opt/own/chrome, can't be used: not an executable file") as caught:
        lookup.require()
    assert caught.value.code == "browser_missing"
    assert "setting" in caught.value.hint


def test_a_window_needs_a_full_browser():
    machine = describe_machine({HEADLESS: ELF}, environment={"DISPLAY": ":0"})
    lookup = find_browser(headed=True, machine=machine)
    assert lookup.found is None
    assert "for a window" in lookup.problem
    assert [entry.verdict for entry in lookup.looked_at if entry.place == HEADLESS] == ["has no window"]
    full = describe_machine({HEADLESS: ELF, "/opt/google/chrome/chrome": ELF}, environment={"WAYLAND_DISPLAY": "w"})
    assert find_browser(headed=True, machine=full).require().kind == "chrome"


def test_a_window_needs_a_display():
    lookup = find_browser(headed=True, machine=describe_machine({"/opt/google/chrome/chrome": ELF}))
    assert lookup.found is None
    assert "DISPLAY" in lookup.problem


def test_without_any_browser_the_availability_names_reason_and_remedy():
    availability = find_browser(machine=describe_machine({})).availability()
    assert not availability.available
    assert "No Chromium, Chrome or Edge" in availability.reason
    assert "apt install chromium-headless-shell" in availability.remedy


def test_everything_that_was_looked_at_is_kept():
    lookup = find_browser(machine=describe_machine({HEADLESS: ELF}))
    places = [entry.place for entry in lookup.looked_at]
    assert places[0] == HEADLESS
    assert "/opt/google/chrome/chrome" in places
    assert "/home/ada/.cache/ms-playwright" in places


def test_a_program_itself_needs_no_following():
    assert follow_wrapper(HEADLESS, describe_machine({HEADLESS: ELF})) == (HEADLESS, "the program itself")


def test_this_machine_has_a_browser_that_is_no_script():
    found = find_browser().require()
    with Path(found.executable).open("rb") as program:
        assert program.read(2) != b"#!"
