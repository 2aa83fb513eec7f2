"""Videos of a session's pages, one a page, and the program that Playwright makes them with: its own, where that was downloaded, else the machine's ffmpeg.

Playwright looks for its program in one place and takes no other by name. So a driver is told of a place of its own, where
the machine's is linked under the name that it looks for.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import playwright
from playwright.async_api import BrowserContext
from playwright.async_api import Error as PlaywrightError

from actuators.child_environments import make_child_environment
from core.base.errors import UnsupportedError

PLACE = "PLAYWRIGHT_BROWSERS_PATH"
CODEC = "libvpx-vp9"
_PROGRAM = "ffmpeg"
_NAMES = {"darwin": "ffmpeg-mac", "win32": "ffmpeg-win64.exe"}
_PACKAGE = Path(playwright.__file__).parent / "driver" / "package"
_CACHES = {"darwin": "Library/Caches", "win32": "AppData/Local"}
_ANSWER_S = 20.0
_GUIDANCE = "Install ffmpeg (on Debian: apt-get install ffmpeg) or Playwright's own (playwright install ffmpeg) and start again, or ask for no video."


def lend_encoder(folder: Path) -> Mapping[str, str]:
    """Return the variables by which a driver finds the machine's ffmpeg, linked in its folder; none where it has its own, or there is none."""
    program = shutil.which(_PROGRAM)
    if sys.platform == "win32" or program is None or _find_own():
        return {}
    registry = folder / "programs"
    place = registry / f"{_PROGRAM}-{_read_revisions()[0]}" / _name_program()
    place.parent.mkdir(mode=0o700, parents=True)
    place.symlink_to(program)
    return {PLACE: str(registry)}


async def require_encoder() -> None:
    """Return if videos can be made; UnsupportedError if not (``video_unavailable``); says why and what to do."""
    if _find_own():
        return
    program = None if sys.platform == "win32" else shutil.which(_PROGRAM)
    if program is not None and await asyncio.to_thread(_knows_codec, program):
        return
    why = f"{program} can't write {CODEC}" if program else "ffmpeg is missing on this machine"
    raise UnsupportedError(f"No video can be made: {why}.", code="video_unavailable", hint=_GUIDANCE)


@lru_cache(maxsize=4)
def _knows_codec(program: str) -> bool:
    command = [program, "-hide_banner", "-encoders"]
    try:
        told = subprocess.run(
            command, capture_output=True, timeout=_ANSWER_S, check=False, env=make_child_environment()
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return CODEC.encode() in told.stdout


def _find_own() -> Path | None:
    registry = _locate_registry()
    places = (registry / f"{_PROGRAM}-{each}" / _name_program() for each in _read_revisions())
    return next((each for each in places if each.is_file()), None)


def _locate_registry() -> Path:
    chosen = os.environ.get(PLACE, "")
    if chosen == "0":
        return _PACKAGE / ".local-browsers"
    cache = os.environ.get("XDG_CACHE_HOME", "") if sys.platform == "linux" else ""
    base = Path(cache) if cache else Path.home() / _CACHES.get(sys.platform, ".cache")
    return Path(chosen) if chosen else base / "ms-playwright"


def _name_program() -> str:
    return _NAMES.get(sys.platform, "ffmpeg-linux")


@lru_cache(maxsize=1)
def _read_revisions() -> tuple[str, ...]:
    """Return which revisions of its program Playwright takes; those of old systems stand behind the usual one."""
    told: dict[str, Any] = json.loads((_PACKAGE / "browsers.json").read_bytes())
    found = next(each for each in told["browsers"] if each["name"] == _PROGRAM)
    return (str(found["revision"]), *(str(each) for each in found.get("revisionOverrides", {}).values()))


class VideoDesk:
    """Has videos made into a folder, or none where there is no folder.

    A video shows all that its page shows, and nothing can be painted over afterwards. So those of a session into which a
    secret came are removed when they are written.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    async def list_options(self) -> Mapping[str, Path]:
        """Return what a context is made with; ``video_unavailable`` if videos are wanted and can't be made."""
        if self._folder is None:
            return {}
        await require_encoder()
        return {"record_video_dir": self._folder}

    async def finish(self, *, has_secrets: bool) -> None:
        """Remove what must not be kept, once the session's contexts are closed."""
        if self._folder and has_secrets:
            await asyncio.to_thread(_remove_videos, self._folder)


def _remove_videos(folder: Path) -> None:
    for each in folder.glob("*.webm"):
        each.unlink(missing_ok=True)


class TraceDesk:
    """Records contexts into a folder, or nothing where there is no folder.

    A trace holds every text that is typed, every request, and what pages hold and look like. So a recording ends before
    the first secret comes into its session, and no other begins in it.
    """

    def __init__(self, folder: Path | None, *, failures_only: bool = False) -> None:
        self._folder = folder
        self._failures_only = failures_only
        self._failed = False
        self.is_withheld = False

    async def start(self, context: BrowserContext) -> None:
        """Begin to record a fresh context, unless a secret came into the session before."""
        if self._folder and not self.is_withheld:
            await context.tracing.start(screenshots=True, snapshots=True)

    async def withhold(self, context: BrowserContext) -> str:
        """End all recording, since a secret is about to come in; return what to say of that, empty where nothing is recorded."""
        if not self.is_withheld:
            await self.save(context)
            self.is_withheld = True
        if self._folder is None:
            return ""
        return "ended before the secret was typed"

    def note_failure(self) -> None:
        """Note that a step failed in the time of what is recorded now."""
        self._failed = True

    async def save(self, context: BrowserContext) -> Path | None:
        """End the recording of a context that is about to be closed; return its file, or None if nothing was recorded."""
        if self._folder is None or self.is_withheld:
            return None
        failed, self._failed = self._failed, False
        if self._failures_only and not failed:
            with suppress(PlaywrightError):  # it is gone already, if the browser died
                await context.tracing.stop()
            return None
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.zip"
        try:
            await context.tracing.stop(path=path)
        except PlaywrightError:
            return None  # the browser died, and the trace with it
        path.chmod(0o600)
        return path
