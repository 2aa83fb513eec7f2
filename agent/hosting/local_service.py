"""LocalService: the service in this process, over many sessions."""

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from agent.hosting.hosted_sessions import OpenSession, SessionDesk
from agent.hosting.hub import Hub, ServiceLimits
from agent.hosting.local_files import LocalFiles
from agent.hosting.local_runs import LocalRuns
from agent.hosting.local_screens import LocalScreens
from agent.hosting.local_sessions import LocalSessions
from agent.hosting.run_directory import RunDirectory
from agent.service.callers import Caller
from agent.sessions.conversation import Conversation
from agent.store.service_runs import ServiceRuns

CloseRest = Callable[[], Awaitable[None]]

_USUAL = ServiceLimits()


class LocalService(LocalRuns, LocalSessions, LocalScreens, LocalFiles):
    """Carries out what callers ask for, in sessions of this process; used on one event loop."""

    def __init__(
        self,
        open_session: OpenSession,
        limits: ServiceLimits = _USUAL,
        *,
        shelf: ServiceRuns | None = None,
        close_rest: CloseRest | None = None,
    ) -> None:
        """Open nothing yet.

        Args:
            open_session: Makes the session of a principal by its name; both may be empty.
            shelf: Keeps which runs were taken on; where absent, they are known as long as the process lives.
        """
        desk = SessionDesk(open_session, Conversation, limits.find_quota, idle_s=limits.session_idle_s)
        hub = Hub(desk, limits)
        directory = RunDirectory(hub, shelf or ServiceRuns())
        LocalRuns.__init__(self, hub, directory)
        LocalSessions.__init__(self, hub, self)
        LocalScreens.__init__(self, hub)
        LocalFiles.__init__(self, directory)
        self._close_rest = close_rest
        self._closed = False

    @property
    def idle_s(self) -> float:
        """Seconds since somebody asked for something; 0 while a run waits or goes on."""
        return 0.0 if self._hub.list_tasks() else time.monotonic() - self._hub.touched

    async def measure(self, caller: Caller) -> Mapping[str, Any]:
        """Return what the service does for a caller, in short; to the person at this machine, what it does for all."""
        caller.require("read")
        sessions = self._hub.desk.list_of(caller.principal) if caller.principal else self._hub.desk.list_all()
        runs = self._hub.list_live(caller) if caller.principal else self._hub.list_tasks()
        return {
            "status": "draining" if self._hub.is_draining else "ok",
            "sessions": len(sessions),
            "running": len(list(runs)),
            "questions": sum(each.describe().questions for each in sessions),
            "uptime_s": round(time.monotonic() - self._hub.began, 3),
        }

    async def close(self, drain_s: float = 10.0) -> None:
        """Take nothing on, let runs end within the time, stop the rest and close every session."""
        if self._closed:
            return
        self._closed = True
        await self.drain(drain_s)
        await self._hub.desk.close_all()
        await self._directory.close()
        if self._close_rest:
            await self._close_rest()
