"""VideoDesk: videos of a session's pages, one a page."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from actuators.browser.playwright.filming.encoders import require_encoder


class VideoDesk:
    """Has videos made into a folder, or none where there is no folder.

    A video shows all that its page shows, and nothing can be painted over afterwards. So those of a session into which a
    secret came are removed when they are written.
    """

    def __init__(self, folder: Path | None) -> None:
        """Remember where videos go.

        Args:
            folder: Playwright makes it; None makes no videos.
        """
        self._folder = folder

    async def list_options(self) -> Mapping[str, Path]:
        """Return what a context is made with.

        Raises:
            UnsupportedError: If videos are wanted and can't be made (``video_unavailable``).
        """
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
