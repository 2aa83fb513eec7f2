"""Being told of changes in a folder: by looking again and again, where nothing better is there."""

from collections.abc import Generator
from contextlib import contextmanager

from actuators.deadlines import pause
from actuators.files.ports import Folder, FolderWatch

_STEP_S = 0.1


class PollingWatch:
    """Says every tenth of a second that something may have changed."""

    async def pause(self, limit_s: float) -> None:
        """Return after a moment."""
        await pause(min(limit_s, _STEP_S))


class PollingWatcher:
    """Watches folders of any store."""

    @contextmanager
    def watch(self, folder: Folder) -> Generator[FolderWatch]:
        """Watch a folder while the context lasts."""
        folder.close()  # nothing is told through it, and what Windows holds nobody could remove meanwhile
        yield PollingWatch()
