"""AlertFile: episodes on the disk, in the person's own state folder, so that an alert is told once across processes and restarts.

It lies outside of every workspace: a folder that came from somebody else acknowledges nothing, and silences nobody.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout
from pydantic import TypeAdapter, ValidationError

from actuators.own_folders import locate_state_folder
from actuators.platforms.device_thread import DeviceThread
from agent.planners.health.episodes import Episode
from agent.store.private_files import list_leftovers, make_private_folder, set_aside, write_whole
from core.base.errors import ActionError, SchemaError
from core.base.late_dataclasses import dataclass

VERSION = 1
MOST_EPISODES = 2000
ALERTS_FOLDER = "alerts"

Result = TypeVar("Result")
Episodes = tuple[Episode, ...]

_WAIT_S = 10.0
_MORE_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertLedger:
    """What the file holds."""

    version: int
    episodes: Episodes = ()


_LEDGER = TypeAdapter(AlertLedger)


class AlertFile:
    """Keeps the episodes of one workspace; nothing is made before there is one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = DeviceThread("alerts")
        self.notes: list[str] = []
        """What a person should know of the file."""

    async def read(self) -> Episodes:
        """Return the episodes; changes nothing.

        Raises:
            SchemaError: If a later Surehand wrote them.
            ActionError: If they can't be read.
        """
        return await self._run(self._read)

    async def change(self, change: Callable[[Episodes], tuple[Episodes, Result]]) -> Result:
        """Change the episodes, based on those that are there at that moment, while no other process does.

        Args:
            change: Returns the new ones, and what is to be returned; called on another thread.
        """
        return await self._run(lambda: self._change(change))

    async def close(self) -> None:
        """End the thread."""
        await self._thread.close()

    async def _run(self, work: Callable[[], Result]) -> Result:
        try:
            return await self._thread.run(work, timeout_s=_WAIT_S + _MORE_S)
        except (Timeout, TimeoutError):
            text = f"{self.path} is in use by another process."
            raise ActionError(text, code="alerts_unavailable", hint="Try again when it has ended.") from None
        except OSError as error:
            text = f"{self.path} can't be used: {error.strerror or error}."
            raise ActionError(text, code="alerts_unavailable", hint="Check the folder and the disk.") from None

    def _change(self, change: Callable[[Episodes], tuple[Episodes, Result]]) -> Result:
        make_private_folder(self.path.parent)
        with FileLock(self.path.with_suffix(".lock"), timeout=_WAIT_S, mode=0o600):
            for leftover in list_leftovers(self.path):
                leftover.unlink(missing_ok=True)
            before = self._read(may_set_aside=True)
            after, result = change(before)
            if after != before:
                write_whole(self.path, _LEDGER.dump_json(AlertLedger(version=VERSION, episodes=_bound(after))))
            return result

    def _read(self, *, may_set_aside: bool = False) -> Episodes:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return ()
        try:
            ledger = _LEDGER.validate_json(data)
        except ValidationError:
            if may_set_aside:
                aside = set_aside(self.path, "corrupt")
                self.notes.append(f"The alerts that were told before could not be read. They were moved to {aside}.")
            return ()
        if ledger.version != VERSION:
            text = f"{self.path} has version {ledger.version}; this Surehand uses version {VERSION}."
            raise SchemaError(text, hint="Update Surehand, or move the file away to be told of everything again.")
        return ledger.episodes


def locate_alerts(workspace: Path) -> Path:
    """Return the file of a workspace's alerts; it need not exist.

    Args:
        workspace: Absolute.
    """
    name = hashlib.sha256(str(workspace).encode("utf-8", "surrogatepass")).hexdigest()[:20]
    return locate_state_folder() / ALERTS_FOLDER / f"{name}.json"


def _bound(episodes: Episodes) -> Episodes:
    """Return no more episodes than are kept: the latest, and those that go on before those that ended."""
    if len(episodes) <= MOST_EPISODES:
        return episodes
    ordered = sorted(episodes, key=lambda each: (each.ended_at is None, each.seen_at))
    kept = {each.episode_id for each in ordered[-MOST_EPISODES:]}
    return tuple(each for each in episodes if each.episode_id in kept)
