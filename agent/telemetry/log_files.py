"""LogFile: lines in a file that only its owner may read, and that never grows beyond a bound.

Several processes may write to one file: lines are appended whole, and who finds that the file was put aside opens the new
one. A thread of its own writes, so that a slow disk delays nothing else.
"""

import os
import queue
import threading
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

MOST_BYTES = 4 * 1024 * 1024
KEPT_FILES = 3
_WAITING_LINES = 10_000
_GATHER_S = 0.05
"""Seconds for which lines gather behind one before all are written: the thread that writes is woken once for a run, and does nothing while it goes on."""
_PATIENCE_S = 5.0
"""Seconds that another process has to put a file aside that is twice as long as it may be; lines wait meanwhile."""


class LogFile:
    """Appends lines to a file, and puts it aside when it is full."""

    def __init__(self, path: Path, *, most_bytes: int = MOST_BYTES, kept: int = KEPT_FILES) -> None:
        """Remember where to write; make nothing.

        Args:
            path: The file. Full ones get ``.1``, ``.2`` and so on at the end of their name, the latest ``.1``.
        """
        self._path = path
        self._most_bytes = most_bytes
        self._kept = kept
        self._lines: queue.Queue[str | None] = queue.Queue(_WAITING_LINES)
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()
        self._descriptor = -1
        self.dropped = 0
        """Lines that could not be written."""

    def write(self, line: str) -> None:
        """Hand a line over; it is dropped where the disk doesn't take them as fast as they come."""
        if self._thread is None:
            self._ending.clear()
            self._thread = threading.Thread(target=self._write_all, name="surehand-log", daemon=True)
            self._thread.start()
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            self.dropped += 1

    def close(self, timeout_s: float = 1.0) -> None:
        """Write what waits and let go of the file; give up when the time is over."""
        thread, self._thread = self._thread, None
        self._ending.set()
        if thread:
            with suppress(queue.Full):
                self._lines.put(None, timeout=timeout_s)
            thread.join(timeout_s)

    def _write_all(self) -> None:
        while (line := self._take()) is not None:
            try:
                self._write_one(line.encode("ascii", "backslashreplace") + b"\n")
            except OSError:  # a full disk or a missing right must not end the work that is told of
                self.dropped += 1
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _take(self) -> str | None:
        is_first = self._lines.empty()
        line = self._lines.get()
        if is_first:
            self._ending.wait(_GATHER_S)
        return line

    def _write_one(self, line: bytes) -> None:
        self._open()
        if self._would_hold(line) > self._most_bytes:
            self._put_aside()
            self._open()
        if self._would_hold(line) > 2 * self._most_bytes:  # another process is at it, and takes long
            self._put_aside(_PATIENCE_S)
            self._open()
            if self._would_hold(line) > 2 * self._most_bytes:
                raise OSError("The log is full and can't be moved aside.")
        os.write(self._descriptor, line)

    def _would_hold(self, line: bytes) -> int:
        return os.fstat(self._descriptor).st_size + len(line)

    def _open(self) -> None:
        if self._descriptor >= 0:
            with suppress(OSError):
                if self._is_current():
                    return
            os.close(self._descriptor)
            self._descriptor = -1
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        self._descriptor = os.open(self._path, flags, 0o600)

    def _is_current(self) -> bool:
        return os.path.samestat(os.fstat(self._descriptor), self._path.stat())

    def _put_aside(self, wait_s: float = 0) -> None:
        try:
            with FileLock(self._path.with_suffix(".lock"), timeout=wait_s):
                if not self._is_current():
                    return
                os.close(self._descriptor)
                self._descriptor = -1
                for number in range(self._kept, 1, -1):
                    with suppress(FileNotFoundError):
                        self._name(number - 1).replace(self._name(number))
                self._path.replace(self._name(1))
        except (Timeout, PermissionError):  # another process is at it, or, on Windows, has the file open
            return

    def _name(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")
