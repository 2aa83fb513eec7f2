"""Traces: what Playwright's trace viewer shows of a session, one file per browser context."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from playwright.async_api import BrowserContext
from playwright.async_api import Error as PlaywrightError


class TraceDesk:
    """Records contexts into a folder, or nothing where there is no folder.

    A trace holds every text that is typed, every request, and what pages hold and look like. So a recording ends before
    the first secret comes into its session, and no other begins in it.
    """

    def __init__(self, folder: Path | None, *, failures_only: bool = False) -> None:
        """Remember where traces go, all or only those in whose time a step failed; the folder is made with the first, None records nothing."""
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
