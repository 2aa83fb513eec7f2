"""Where flows are run as tests: a new folder each, or the one that the person named."""

import asyncio
import re
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

_LONGEST_NAME = 40
_PLAIN = re.compile(r"[^a-z0-9]+")


@dataclass(slots=True)
class Workspaces:
    """Makes folders for flows, and removes those of flows that passed.

    Attributes:
        given: The folder in which all flows are run; None for a new one each.
    """

    given: Path | None = None
    keeps_all: bool = False
    _root: Path | None = None
    _made: int = field(default=0)

    async def open(self, name: str) -> Path:
        """Return the folder for one run of a flow.

        Args:
            name: Of the flow; the folder is called so, as far as every system can name a folder.
        """
        if self.given is not None:
            return self.given
        return await asyncio.to_thread(self._make, name)

    async def end(self, folder: Path, *, is_wanted: bool) -> None:
        """Remove the folder of a run that is over, unless somebody wants to look at it."""
        if self.given is None and not is_wanted and not self.keeps_all:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def close(self) -> None:
        """Remove the folder that all others lie in, if nothing was kept."""
        if self._root is not None:
            await asyncio.to_thread(_remove_empty, self._root)

    def _make(self, name: str) -> Path:
        if self._root is None:
            self._root = Path(tempfile.mkdtemp(prefix="surehand-test-"))
        self._made += 1
        folder = self._root / f"{self._made:03}-{name_folder(name)}"
        folder.mkdir()
        return folder


def name_folder(name: str) -> str:
    """Return a name for a folder or file that every system takes."""
    return _PLAIN.sub("-", name.casefold()).strip("-")[:_LONGEST_NAME].rstrip("-") or "flow"


def _remove_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
