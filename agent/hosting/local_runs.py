"""LocalRuns: the runs of a service in this process."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, suppress
from typing import Any

from agent.hosting.carrying import RunCarrier
from agent.hosting.hosted_runs import HostedRun
from agent.hosting.hub import Hub
from agent.hosting.requesting import check_order, plan_order
from agent.hosting.run_directory import RunDirectory
from agent.service.callers import Caller, check_session_name
from agent.service.orders import EventRecord, RunOrder, RunRecord, RunTicket
from agent.sessions.undo import UndoRequest
from core.base.errors import GoalError, RefusedError
from core.execution.run_context import make_run_id
from core.results.records import to_data

_STOP_S = 0.2


class LocalRuns:
    """Takes runs on and tells of them, as ``RunsPort`` says."""

    def __init__(self, hub: Hub, directory: RunDirectory) -> None:
        self._hub = hub
        self._directory = directory
        self._carrier = RunCarrier(hub, directory)

    async def begin(self, caller: Caller, order: RunOrder) -> RunTicket:
        """Take a run on and return at once."""
        self._enter(caller)
        check_order(order)
        if order.session:
            check_session_name(order.session)
        self._check_quota(caller, order)
        taken = await self._directory.take_on(caller, order)
        run = taken.run
        if taken.state == "new":
            self._carrier.start(run, lambda session: self._carrier.obey(run, order, session))
        elif taken.state == "interrupted":
            self._carrier.start(run, lambda session: self._carrier.take_up(run, order, session))
        return RunTicket(run_id=run.run_id, session=run.session, is_new=taken.state == "new")

    async def plan(self, caller: Caller, order: RunOrder) -> Mapping[str, Any]:
        """Return what ``surehand plan --json`` prints of an order; nothing is done."""
        caller.require("read")
        self._hub.touch()
        self._hub.check_open()
        check_order(order)
        desk = self._hub.desk
        session = desk.take(caller.principal, order.session or make_run_id())
        desk.begin(session)
        try:
            return await plan_order(order, caller, session.agent)
        finally:
            desk.end(session)
            if not order.session:
                await desk.close(session)

    async def follow(self, caller: Caller, run_id: str, after: int = -1) -> AsyncIterator[EventRecord]:
        """Yield a run's events from the one behind ``after`` on, as they occur, and end behind ``final``."""
        caller.require("read")
        self._hub.touch()
        run = await self._directory.find(caller, run_id)
        async with aclosing(run.log.follow(after)) as events:
            async for record in events:
                yield record
        run.check_known()

    async def result(self, caller: Caller, run_id: str) -> RunRecord:
        """Wait for a run's end, and return what came of it."""
        caller.require("read")
        run = await self._directory.find(caller, run_id)
        await run.done.wait()
        self._hub.touch()
        run.check_known()
        return run.describe()

    async def find_runs(
        self, caller: Caller, *, session: str = "", words: str = "", most: int = 50
    ) -> Sequence[RunRecord]:
        """Return the caller's runs, the latest first, in short."""
        caller.require("read")
        return await self._directory.list_of(caller, session, words, most)

    async def read_run(self, caller: Caller, run_id: str) -> RunRecord:
        """Return what is known of a run now; does not wait."""
        caller.require("read")
        return (await self._directory.find(caller, run_id)).describe()

    async def stop(self, caller: Caller, *, run_id: str = "", session: str = "") -> int:
        """Stop one run, a session's runs, or all of the caller's; return how many, as soon as they have ended, else after 200 ms."""
        caller.require("run")
        self._hub.touch()
        if session:
            self._hub.desk.find(caller.principal, session)
        live = [each for each in self._hub.list_live(caller) if session in ("", each.session)]
        meant = [each for each in live if run_id in ("", each.run_id)]
        if run_id and not meant:
            if stopped := self._stop_undoing(await self._directory.find(caller, run_id, also_unkept=True)):
                return stopped
            await self._directory.find(caller, run_id)
        for each in meant:
            self._stop_one(each)
        with suppress(TimeoutError):
            async with asyncio.timeout(_STOP_S):
                for each in meant:
                    await each.done.wait()
        return len(meant)

    async def undo(self, caller: Caller, run_id: str, *, dry: bool = False) -> Mapping[str, Any]:
        """Take back what a run did; an ``UndoResult`` as data, with its ``reply``."""
        self._enter(caller)
        run = await self._directory.find(caller, run_id, also_unkept=True)
        desk = self._hub.desk
        session = desk.take(caller.principal, run.session)
        desk.begin(session)
        try:
            request = UndoRequest(run_id=run_id, dry=dry, gate=session.make_gate(run_id))
            undone = await session.agent.undo(request)
        finally:
            desk.end(session)
            if session.name == run_id and not session.users:
                await desk.close(session)
        return {**to_data(undone), "reply": undone.reply}

    async def resume(self, caller: Caller, run_id: str) -> RunTicket:
        """Go on with a run whose process ended."""
        self._enter(caller)
        run = await self._directory.find(caller, run_id, also_unkept=True)
        if not run.done.is_set() and run.status != "interrupted":
            raise GoalError(f"Run {run_id} is still running.", code="run_alive", hint="Wait until it ends, or stop it.")
        again = await self._directory.go_on(run, caller)
        self._carrier.start(again, lambda session: self._carrier.go_on(again, session))
        return RunTicket(run_id=run_id, session=again.session, is_new=False)

    def _enter(self, caller: Caller) -> None:
        """Let somebody in who wants something done."""
        caller.require("run")
        self._hub.touch()
        self._hub.check_open()

    def _stop_undoing(self, run: HostedRun) -> int:
        """Stop the taking back of a run that has ended; return how many that were."""
        found = self._hub.desk.list_of(run.caller.principal, run.session) if run.status != "waiting" else []
        return sum(each.agent.stop(run.run_id) for each in found)

    def _stop_one(self, run: HostedRun) -> None:
        found = self._hub.desk.list_of(run.caller.principal, run.session)
        if found and found[0].agent.stop(run.run_id):
            return
        if found and found[0].conversation.is_undoing:
            found[0].agent.stop()
        elif run.status == "waiting":
            run.is_stopped = True
            if run.work:
                run.work.cancel()

    def _check_quota(self, caller: Caller, order: RunOrder) -> None:
        """Refuse one run too many; a run that is asked for again is none."""
        most = self._hub.limits.find_quota(caller.principal).runs
        is_known = bool(order.request_id) and (caller.principal, order.request_id) in self._hub.requests
        if not is_known and sum(1 for _ in self._hub.list_live(caller)) >= most:
            text = f"{most} runs wait or go on already."
            raise RefusedError(text, code="over_quota", hint="Wait for one to end.", evidence={"retry_after_s": 1})

    async def drain(self, drain_s: float) -> None:
        """Take nothing on, wait for what goes on, and stop the rest."""
        self._hub.is_draining = True
        tasks = self._hub.list_tasks()
        if tasks:
            await asyncio.wait(tasks, timeout=drain_s)
        for run in [each for each in self._hub.runs.values() if not each.done.is_set()]:
            self._stop_one(run)
        if left := self._hub.list_tasks():
            await asyncio.wait(left, timeout=1.0)
