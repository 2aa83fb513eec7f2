"""LocalService: the service in this process, over many sessions."""

import asyncio
import gc
import hashlib
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.hosting.hosted_sessions import OpenSession, SessionDesk
from agent.hosting.hub import Hub, ServiceLimits
from agent.hosting.local_planners import LocalPlanners, PlannerOffice
from agent.hosting.local_runs import LocalRuns
from agent.hosting.local_sessions import LocalScreens, LocalSessions
from agent.hosting.run_directory import RunDirectory
from agent.hosting.warming import warm_up
from agent.service.callers import Caller
from agent.service.orders import Artifact
from agent.sessions.conversation import Conversation
from agent.store.service_runs import ServiceRuns
from core.base.errors import RefusedError

_FACTS = ("name", "media_type", "size", "sha256", "action_id")


class LocalFiles:
    """Tells of files and gives them out, as ``FilesPort`` says; a file's id is its run's with its number."""

    def __init__(self, directory: RunDirectory) -> None:
        self._directory = directory

    async def list_artifacts(self, caller: Caller, run_id: str) -> Sequence[Artifact]:
        """Return the files that a run made."""
        caller.require("read")
        record = (await self._directory.find(caller, run_id)).describe()
        return [_describe(run_id, number, each) for number, each in enumerate(record.get("files", ()))]

    async def read_artifact(self, caller: Caller, artifact_id: str) -> tuple[Artifact, bytes]:
        """Return a file whole; its digest was checked."""
        caller.require("read")
        run_id, _, number = artifact_id.partition(".")
        found = [each for each in await self._try_list(caller, run_id) if each.artifact_id == artifact_id]
        if not found:
            raise RefusedError("No such file.", code="unknown_artifact", hint="List the files of the run.")
        record = (await self._directory.find(caller, run_id)).describe()
        try:
            content = await asyncio.to_thread(Path(record["files"][int(number)]["path"]).read_bytes)
        except OSError:
            raise RefusedError("The file is gone.", code="unknown_artifact") from None
        if hashlib.sha256(content).hexdigest() != found[0].sha256:
            raise RefusedError("The file has changed since the run.", code="artifact_changed", hint="Open it yourself.")
        return found[0], content

    async def _try_list(self, caller: Caller, run_id: str) -> Sequence[Artifact]:
        try:
            return await self.list_artifacts(caller, run_id)
        except RefusedError as error:
            if error.code != "unknown_run":
                raise
            return ()


def _describe(run_id: str, number: int, facts: Mapping[str, Any]) -> Artifact:
    return Artifact(artifact_id=f"{run_id}.{number}", run_id=run_id, **{name: facts[name] for name in _FACTS})


CloseRest = Callable[[], Awaitable[None]]

_USUAL = ServiceLimits()


class LocalService(LocalRuns, LocalSessions, LocalScreens, LocalPlanners, LocalFiles):
    """Carries out what callers ask for, in sessions of this process; used on one event loop."""

    def __init__(
        self,
        open_session: OpenSession,
        limits: ServiceLimits = _USUAL,
        *,
        shelf: ServiceRuns | None = None,
        office: PlannerOffice | None = None,
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
        LocalPlanners.__init__(self, hub, self, office)
        LocalFiles.__init__(self, directory)
        self._open_session, self._close_rest = open_session, close_rest
        self._warming: asyncio.Task[None] | None = None
        self._closed = False

    def warm_up(self) -> None:
        """Read and compile what sentences need from now on, as long as there is nothing else to do.

        What was loaded by now stays, so that no run waits while it is looked through for what nobody has any more.
        """
        gc.freeze()
        self._warming = asyncio.create_task(warm_up(self._open_session, lambda: self.idle_s), name="warming")

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
        if self._warming:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        await self.close_planners()
        await self.drain(drain_s)
        await self.close_backlogs()
        await self._hub.desk.close_all()
        await self._directory.close()
        if self._close_rest:
            await self._close_rest()
