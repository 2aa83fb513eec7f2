"""LocalPlanners: the planners and the backlog of a service in this process."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from agent.hosting.backlog_work import BacklogWorker, WorkTerms
from agent.hosting.hub import Hub
from agent.service.callers import Caller
from agent.service.ports import RunsPort
from core.base.errors import GoalError, InputError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.scope_paths import begin_scope
from core.planning.planners.ports import Backlog, BacklogItem, BacklogState, Transition

_DOOR = Caller(door="backlog")


@dataclass(frozen=True, slots=True)
class PlannerOffice:
    """What a workspace has of planners beside its sessions.

    Attributes:
        open_backlog: Opens a principal's backlog; whoever asked closes it.
    """

    describe: Callable[[], Sequence[Mapping[str, Any]]]
    open_backlog: Callable[[str], "OpenBacklog"]
    terms: WorkTerms = field(default_factory=WorkTerms)
    principals: tuple[str, ...] = ("",)


class OpenBacklog(Backlog, Protocol):
    """A backlog that has to be closed."""

    async def close(self) -> None:
        """Let go of files."""
        ...


class LocalPlanners:
    """Tells of planners and keeps what they have to do, as ``PlannersPort`` says."""

    def __init__(self, hub: Hub, runs: RunsPort, office: PlannerOffice | None) -> None:
        """Begin without planners."""
        self._hub = hub
        self._runs = runs
        self._office = office
        self._backlogs: dict[str, OpenBacklog] = {}
        self._workers: dict[str, BacklogWorker] = {}
        self._watching: list[asyncio.Task[None]] = []

    async def list_planners(self, caller: Caller) -> Sequence[Mapping[str, Any]]:
        """Return all planners, with what they can do and take."""
        caller.require("read")
        return await asyncio.to_thread(self._find_office().describe)

    async def list_backlog(self, caller: Caller, *, state: BacklogState | None = None) -> Sequence[BacklogItem]:
        """Return the caller's items, the oldest first."""
        caller.require("read")
        return await self._find_backlog(caller).list_items(begin_scope(caller.principal), state)

    async def add_to_backlog(self, caller: Caller, item: BacklogItem) -> None:
        """Add an item; it is worked off as soon as a planner of its capability is free."""
        self._enter(caller)
        if item.state != "pending":
            raise InputError("A new item is pending.", hint="Add it, and set its state then.")
        await self._find_backlog(caller).add(begin_scope(caller.principal), item)

    async def set_backlog(self, caller: Caller, item_id: str, state: BacklogState, because: str) -> Transition:
        """Set where an item stands."""
        self._enter(caller)
        return await self._find_backlog(caller).flip(begin_scope(caller.principal), item_id, state, because)

    async def work(
        self, caller: Caller, *, capability: str = "", most: int | None = None
    ) -> Sequence[Mapping[str, Any]]:
        """Work the caller's backlog off, and return what came of each item."""
        self._enter(caller)
        return await self._find_worker(caller).work_off(capability, most)

    def watch_backlogs(self) -> None:
        """Work all backlogs off from now on, until the service ends."""
        office = self._find_office()
        for principal in office.principals:
            worker = self._find_worker(replace(_DOOR, principal=principal))
            self._watching.append(asyncio.create_task(worker.watch(), name=f"backlog of {principal or 'the person'}"))

    async def close_planners(self) -> None:
        """Take nothing up any more, and let go of backlogs."""
        for task in self._watching:
            task.cancel()
        for task in self._watching:
            with suppress(asyncio.CancelledError):
                await task

    async def close_backlogs(self) -> None:
        """Let go of files, once no run works on an item any more."""
        for worker in self._workers.values():
            await worker.end()
        for backlog in self._backlogs.values():
            await backlog.close()

    def _enter(self, caller: Caller) -> None:
        caller.require("run")
        self._hub.touch()
        self._hub.check_open()

    def _find_office(self) -> PlannerOffice:
        if self._office is None:
            raise GoalError("There are no planners here.", code="planner_missing")
        return self._office

    def _find_backlog(self, caller: Caller) -> Backlog:
        if caller.principal not in self._backlogs:
            self._backlogs[caller.principal] = self._find_office().open_backlog(caller.principal)
        return self._backlogs[caller.principal]

    def _find_worker(self, caller: Caller) -> BacklogWorker:
        if caller.principal not in self._workers:
            backlog, terms = self._find_backlog(caller), self._find_office().terms
            self._workers[caller.principal] = BacklogWorker(
                self._runs, replace(_DOOR, principal=caller.principal), backlog, terms
            )
        return self._workers[caller.principal]
