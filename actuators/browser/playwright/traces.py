"""Traces: what Playwright's trace viewer shows of a session, one file per browser context."""

from datetime import UTC, datetime
from pathlib import Path

from playwright.async_api import BrowserContext
from playwright.async_api import Error as PlaywrightError


class TraceDesk:
    """Records contexts into a folder, or nothing where there is no folder.

    A trace holds every text that is typed, every request, and what pages hold and look like. So a recording ends before
    the first secret comes into its session, and no other begins in it.
    """

    def __init__(self, folder: Path | None) -> None:
        """Remember where traces go.

        Args:
            folder: Made when the first trace is saved; None records nothing.
        """
        self._folder = folder
        self._withheld = False

    async def start(self, context: BrowserContext) -> None:
        """Begin to record a fresh context, unless a secret came into the session before."""
        if self._folder and not self._withheld:
            await context.tracing.start(screenshots=True, snapshots=True)

    async def withhold(self, context: BrowserContext) -> str:
        """End all recording, since a secret is about to come in; return what to say of that, empty where nothing is recorded."""
        if self._folder is None:
            return ""
        if not self._withheld:
            await self.save(context)
            self._withheld = True
        return "ended before the secret was typed"

    async def save(self, context: BrowserContext) -> Path | None:
        """End the recording of a context that is about to be closed; return its file, or None if nothing was recorded."""
        if self._folder is None or self._withheld:
            return None
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.zip"
        try:
            await context.tracing.stop(path=path)
        except PlaywrightError:
            return None  # the browser died, and the trace with it
        path.chmod(0o600)
        return path
