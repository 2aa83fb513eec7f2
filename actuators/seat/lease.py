"""SeatLease: the keyboard, pointer, focus and clipboard of one display, held by one run at a time on the whole machine.

The lock is one of the operating system's on a file of the person's own, so that the end of its owner, by whatever signal,
lets it go. Between two steps that belong together it is kept for a moment, so that nobody comes between a click into a field
and what is typed there; nobody waits for anything else meanwhile, so that nobody waits for ever.
"""

import asyncio
import json
import os
import re
import tempfile
import threading
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from filelock import FileLock, Timeout

from actuators.deadlines import Deadline, pause
from core.base.errors import DeviceError
from core.tools.ports import ActionContext

KEPT_S = 2.0
"""Seconds that the lease is kept for the step that follows."""

_STEP_S = 0.05
_PRIVATE = 0o700
_LOCAL = re.compile(r"^(?:unix)?:(\d+)(?:\.\d+)?$")
T = TypeVar("T")


class SeatLease:
    """The lease of one display. Every family of a process shares one, so that a run doesn't wait for itself."""

    def __init__(self, seat: str, folder: Path) -> None:
        """Remember a seat such as ``display :0`` and the folder for its files; lock and make nothing."""
        name = "".join(each if each.isalnum() else "_" for each in seat)
        self.seat = seat
        self._folder = folder
        self._holder = folder / f"{name}.json"
        self._lock = FileLock(folder / f"{name}.lock", mode=0o600, thread_local=False)
        self._changing = threading.Lock()
        self._acting = False
        self._kept_for = ""
        self._kept_until_s = 0.0
        self._letting_go: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def hold(self, context: ActionContext, *, keep: bool = False) -> AsyncGenerator[dict[str, Any]]:
        """Hold it for an act, or, if kept, for the run's next step, else ``seat_taken``; yield what the receipt says."""
        notes: dict[str, Any] = {"on": self.seat}
        notes |= await self._wait(context)
        kept = False
        try:
            yield notes
            kept = keep
        finally:
            self._acting = False
            if kept:
                self._keep(context.run_id)
            else:
                await _finish(self._give_back)

    async def close(self) -> None:
        """Let go of what is kept; calling it again does nothing."""
        if not self._acting:
            self._kept_for = ""
            await _finish(self._give_back)

    async def _wait(self, context: ActionContext) -> dict[str, Any]:
        deadline, other = Deadline(context.timeout_s), dict[str, Any]()
        while not await self._try(context.run_id):
            other = await asyncio.to_thread(self._read_holder) or other
            if deadline.is_over:
                raise _taken(self.seat, other, deadline.elapsed_s)
            await pause(min(_STEP_S, deadline.remaining_s))
        return {"waited_s": round(deadline.elapsed_s, 2), "waited_for": other} if other else {}

    async def _try(self, run_id: str) -> bool:
        if self._acting:
            return False
        if self._is_kept and self._kept_for != run_id:
            return False
        self._acting, self._kept_for = True, ""
        if self._letting_go:
            self._letting_go.cancel()
        taken = False
        try:
            taken = await _finish(lambda: self._take(run_id), on_stop=self._drop)
        finally:
            self._acting = taken
        return taken

    @property
    def _is_kept(self) -> bool:
        return bool(self._kept_for) and time.monotonic() < self._kept_until_s

    def _keep(self, run_id: str) -> None:
        self._kept_for, self._kept_until_s = run_id, time.monotonic() + KEPT_S
        loop = asyncio.get_running_loop()
        self._letting_go = loop.call_later(KEPT_S, lambda: loop.create_task(self.close()))

    def _take(self, run_id: str) -> bool:
        """Lock the file, if nobody else has; whoever waits can read who has."""
        with self._changing:
            if not self._lock.is_locked:
                self._folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
                try:
                    self._lock.acquire(timeout=0)
                except Timeout:
                    return False
            since = datetime.now(UTC).isoformat(timespec="seconds")
            self._holder.write_text(json.dumps({"pid": os.getpid(), "run": run_id, "since": since}))
            return True

    def _give_back(self) -> None:
        """Let the file go, unless another act of this process has it by now."""
        with self._changing:
            if not self._acting:
                self._lock.release(force=True)

    def _drop(self) -> None:
        self._acting = False
        self._give_back()

    def _read_holder(self) -> dict[str, Any]:
        with suppress(OSError, ValueError):
            found: dict[str, Any] = json.loads(self._holder.read_text())
            return {name: found.get(name) for name in ("pid", "run", "since")}
        return {}


async def _finish(work: Callable[[], T], on_stop: Callable[[], None] | None = None) -> T:
    """Do something short on a thread to its end, even if who waits for it is stopped; then do something more."""
    task = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        if on_stop:
            await asyncio.to_thread(on_stop)
        raise


def find_lease(platform: str, variables: Mapping[str, str]) -> SeatLease | None:
    """Return the lease of the display of a process on ``sys.platform``; None where it has none."""
    if platform == "win32":
        seat = f"session {variables.get('SESSIONNAME', 'Console')}"
    elif display := variables.get("DISPLAY", ""):
        seat = "display " + _LOCAL.sub(r":\1", display)
    else:
        return None
    return SeatLease(seat, _find_folder(variables))


def _find_folder(variables: Mapping[str, str]) -> Path:
    """Return a folder of the person's own that every program of theirs finds, and that is empty after a restart."""
    if runtime := variables.get("XDG_RUNTIME_DIR"):
        return Path(runtime, "surehand")
    getuid = getattr(os, "getuid", None)
    user = getuid() if getuid else variables.get("USERNAME", "")
    common = Path("/run/user", str(user))
    return common / "surehand" if common.is_dir() else Path(tempfile.gettempdir(), f"surehand-seats-{user}")


def _taken(seat: str, other: Mapping[str, Any], waited_s: float) -> DeviceError:
    which = (
        f"process {other['pid']}, run {other.get('run') or 'without a name'}, since {other.get('since')}"
        if other
        else ""
    )
    who = f"Another run uses keyboard and pointer of {seat}" + (f": {which}." if which else ".")
    return DeviceError(
        f"{who} After {waited_s:.1f} s it still uses them, so nothing was done.",
        code="seat_taken",
        hint="Wait until it ends, or stop it.",
        evidence={"seat": seat, "held_by": dict(other), "waited_s": round(waited_s, 2)},
    )
