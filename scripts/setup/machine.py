"""Sees to it that the tests have a sound server, a desktop, a browser with a window and programs to act on. What is missing makes tests skip, or the set-up fail under CI."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from scripts.setup.system import install_packages, report_missing

# What is looked for, and the Debian package that brings it.
PROGRAMS = {
    "pulseaudio": "pulseaudio",
    "parec": "pulseaudio-utils",
    "pipewire": "pipewire",
    "pipewire-pulse": "pipewire-pulse",
    "wireplumber": "wireplumber",
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "xprop": "x11-utils",
    "xdotool": "xdotool",
    "xclip": "xclip",
    "xdg-open": "xdg-utils",
    "dbus-daemon": "dbus",
    "dbus-send": "dbus-bin",
    "dunst": "dunst",
    "notify-send": "libnotify-bin",
    "setpriv": "util-linux",
    "strace": "strace",
    "openssl": "openssl",
    "busybox": "busybox",
    "xterm": "xterm",
    "mousepad": "mousepad",
    "galculator": "galculator",
    "gnome-calculator": "gnome-calculator",
    "featherpad": "featherpad",
    "qt6ct": "qt6ct",
    "php": "php-cli",
    # Videos of pages are made by it where Playwright's own is not there.
    "ffmpeg": "ffmpeg",
    # A wiki asks for PHP; with this one no web server is installed that would start by itself.
    "php-cgi": "php-cgi",
}
FILES = {
    "/usr/lib/chromium/chromium": "chromium",
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
    "/usr/share/doc/gir1.2-gtk-4.0": "gir1.2-gtk-4.0",
    "/usr/lib/python3/dist-packages/pyatspi/__init__.py": "python3-pyatspi",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf": "fonts-dejavu-core",
    "/usr/share/dokuwiki/doku.php": "dokuwiki",
}


def ensure() -> None:
    """Install what the tests act on, on Debian and its kin; elsewhere report what is missing."""
    if not sys.platform.startswith("linux"):
        return
    packages = list_missing()
    if packages:
        install_packages("apt-get", packages)
    if missing := " ".join(list_missing()):
        report_missing(missing, f"On Debian: sudo apt install {missing}")


def list_missing() -> list[str]:
    """Return the packages of what isn't here."""
    missing = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    return missing + [package for path, package in FILES.items() if not Path(path).exists()]
