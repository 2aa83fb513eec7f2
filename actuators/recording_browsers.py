"""The browser of a person who shows how something is done. No tool and no plan acts in it."""

from pathlib import Path
from typing import Self

from actuators.browser.playwright.live.screen import PlaywrightScreen
from actuators.browser.playwright.recording.recorder import PickFiles, PlaywrightRecorder
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.discovery import find_browser
from actuators.browser.playwright.session.launching import BrowserSettings
from actuators.browser.ports.recordings import TellEvent
from core.base.late_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RecordingWish:
    """How the browser is wanted: which one, and the hosts it may reach although they aren't on the open internet."""

    artifacts_dir: Path
    headed: bool = False
    executable: str | None = None
    hosts: tuple[str, ...] = ()


def can_show_window(executable: str | None) -> bool:
    """Tell whether there is a display, and a browser (a good one, where none is named) with a window for it."""
    return find_browser(executable, headed=True).found is not None


class RecordingBrowser:
    """A browser that is in a person's hands, by its own window or by its picture."""

    def __init__(self, wish: RecordingWish, tell: TellEvent, pick_files: PickFiles | None = None) -> None:
        """Start nothing; paths are asked for by ``pick_files`` where the browser's own window can't be seen."""
        settings = BrowserSettings(
            headed=wish.headed, executable=wish.executable, artifacts_dir=wish.artifacts_dir, named_hosts=wish.hosts,
            failure_pictures=False,
        )  # fmt: skip
        self._session = PlaywrightSession(settings)
        self.recorder = PlaywrightRecorder(self._session, tell, pick_files)
        self.screen = PlaywrightScreen(self._session)

    async def __aenter__(self) -> Self:
        """Return the browser."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        await self.close()

    async def close(self) -> None:
        """Notice nothing any more, and close the browser."""
        await self.recorder.close()
        await self.screen.close()
        await self._session.close()
