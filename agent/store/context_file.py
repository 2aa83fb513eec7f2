"""ContextFile: the ContextMemory on the disk, in ``agent_context.json``.

Whoever changes it holds a lock, reads what is there at that moment, and writes the whole anew, so that of two processes
at once neither loses what the other kept. Reading needs no lock.
"""

import contextlib
import sys
from collections.abc import Callable, Generator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from filelock import FileLock, Timeout
from pydantic_core import ValidationError

from actuators.base import Availability
from actuators.platforms.device_thread import DeviceThread
from agent.store.documents import (
    CONTEXT,
    DAMAGED,
    FOREIGN,
    DocumentKind,
    StoredDocument,
    bind_document,
    check_version,
    parse_document,
    read_document,
    report_damage,
)
from agent.store.private_files import list_leftovers, make_private_folder, set_aside, write_whole
from core.base.errors import ActionError, SchemaError
from core.memory.facts import ContextMemory, clear_notes
from core.results.records import to_data

if TYPE_CHECKING:
    from pydantic import TypeAdapter

CONTEXT_FILE = "agent_context.json"
CONTEXT_LOCK = "agent_context.lock"

Result = TypeVar("Result")
_MORE_S = 10.0
_ASIDE = {DAMAGED: "corrupt", FOREIGN: "foreign"}


class ContextFile:
    """Keeps one ContextMemory in a folder; nothing is made before something is to be kept."""

    def __init__(self, folder: Path, *, wait_s: float = 10.0, kind: DocumentKind = CONTEXT) -> None:
        """Remember where; touch nothing."""
        self.path = folder / CONTEXT_FILE
        self._folder = folder
        self._lock = FileLock(folder / CONTEXT_LOCK, timeout=wait_s, mode=0o600)
        self._wait_s = wait_s
        self._kind = kind
        self._thread = DeviceThread("context memory")

    def assess(self) -> Availability:
        """Say where it is kept."""
        return Availability("memory", available=True, reason=f"Saved in {self.path}.")

    async def read(self) -> ContextMemory:
        """Return what this person kept; an empty memory where there is none yet, or another's.

        Raises:
            SchemaError: ``schema_drift`` if it is of another version, ``file_damaged`` if it can't be understood.
            ActionError: ``memory_unavailable`` if it can't be read.
        """
        return await self._run(self._read)

    async def look(self) -> tuple[ContextMemory, bool]:
        """Return what lies there, whoever wrote it, and whether that was this person on this machine; to be shown only.

        Raises:
            SchemaError: As for ``read``.
            ActionError: As for ``read``.
        """
        return await self._run(self._look)

    async def change(self, change: Callable[[ContextMemory], ContextMemory]) -> ContextMemory:
        """Change what is kept, based on what is there at that moment, and return it as it was before.

        Args:
            change: Returns the new memory; called on another thread, while the lock is held.

        Raises:
            SchemaError: As for ``read``.
            ActionError: ``memory_unavailable`` if it can't be written, ``memory_busy`` if another process holds it.
        """
        return await self._run(lambda: self._change(change))

    async def check(self) -> tuple[str, ...]:
        """Make sure that it can be used; move it aside if it is damaged or another's, and say so.

        Raises:
            SchemaError: ``schema_drift`` if it is of another version.
            ActionError: As for ``change``.
        """
        return await self._run(self._check)

    async def reset(self, *, preferences: bool = False) -> str:
        """Forget what rolls, and the preferences if they shall go too.

        A file that is damaged or of another version is moved aside, and all of it is forgotten.

        Returns:
            Where that file lies now; empty otherwise.

        Raises:
            ActionError: As for ``change``.
        """
        return await self._run(lambda: self._reset(preferences=preferences))

    async def close(self) -> None:
        """End the thread; calling it again does nothing."""
        await self._thread.close()

    async def _run(self, work: Callable[[], Result]) -> Result:
        try:
            return await self._thread.run(work, timeout_s=self._wait_s + _MORE_S)
        except (Timeout, TimeoutError):
            text = f"{self.path} is in use by another process."
            raise ActionError(text, code="memory_busy", hint="Try again when it has ended.") from None
        except OSError as error:
            raise ActionError(f"{self.path} can't be used: {error}.", code="memory_unavailable") from None

    def _read(self) -> ContextMemory:
        if not self.path.exists():
            return ContextMemory()
        with self._lock if sys.platform == "win32" else contextlib.nullcontext():  # where who reads is in the way
            try:
                return self._load_own()
            except FileNotFoundError:  # somebody moved it aside meanwhile
                return ContextMemory()
            except SchemaError as error:
                if error.code != FOREIGN:
                    raise
                return ContextMemory()

    def _look(self) -> tuple[ContextMemory, bool]:
        if not self.path.exists():
            return ContextMemory(), True
        document, is_own = parse_document(self.path, self._kind)
        check_version(self.path, self._kind, document["schema_version"])
        return _load(self.path, document), is_own

    def _load_own(self) -> ContextMemory:
        return _load(self.path, read_document(self.path, self._kind))

    @contextlib.contextmanager
    def _hold(self) -> Generator[None]:
        make_private_folder(self._folder)
        with self._lock:
            for leftover in list_leftovers(self.path):
                leftover.unlink(missing_ok=True)
            yield

    def _change(self, change: Callable[[ContextMemory], ContextMemory]) -> ContextMemory:
        with self._hold():
            found = self._load_or_set_aside()
            before = found or ContextMemory()
            after = change(before)
            if after is not before or found is None:
                self._write(after)
            return before

    def _check(self) -> tuple[str, ...]:
        if not self.path.exists():
            return ()
        try:
            self._load_own()
        except SchemaError as error:
            if error.code not in _ASIDE:
                raise
        else:
            return ()
        with self._hold():
            try:
                self._load_own()
            except SchemaError as error:
                if error.code not in _ASIDE:
                    raise
                aside = set_aside(self.path, _ASIDE[error.code])
                return (f"{error.message} It was moved to {aside}, and the memory begins empty.",)
        return ()

    def _load_or_set_aside(self) -> ContextMemory | None:
        """Return what this person kept; None where there is nothing, or where another's was moved aside."""
        with contextlib.suppress(FileNotFoundError):
            try:
                return self._load_own()
            except SchemaError as error:
                if error.code != FOREIGN:
                    raise
                set_aside(self.path, _ASIDE[FOREIGN])
        return None

    def _reset(self, *, preferences: bool) -> str:
        with self._hold():
            if not self.path.exists():
                return ""
            try:
                memory = self._load_own()
            except SchemaError:
                aside = str(set_aside(self.path, "replaced"))
                memory = ContextMemory()
            else:
                aside = ""
            self._write(clear_notes(memory, preferences=preferences))
            return aside

    def _write(self, memory: ContextMemory) -> None:
        write_whole(
            self.path, self._kind.write(bind_document(self._kind.stamp({"memory": to_data(memory)}), self.path))
        )


@cache
def _adapter() -> "TypeAdapter[ContextMemory]":
    return import_module("pydantic").TypeAdapter(ContextMemory)


def _load(path: Path, document: StoredDocument) -> ContextMemory:
    try:
        return _adapter().validate_python(document.get("memory"))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, ("memory", *first["loc"])))
        raise report_damage(path, f"{place}: {first['msg']}") from None
