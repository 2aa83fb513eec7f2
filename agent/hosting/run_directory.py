"""RunDirectory: which run is meant, also one that an earlier process took on; and that one request id is one run."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Literal

from agent.hosting.hosted_runs import HostedRun
from agent.hosting.hub import Hub
from agent.hosting.requesting import describe_order
from agent.service.callers import Caller, Door
from agent.service.orders import RunOrder, RunRecord
from agent.store.service_runs import ServedRun, ServiceRuns
from core.base.errors import InputError, RefusedError
from core.base.late_dataclasses import dataclass, fields
from core.execution.run_context import make_run_id
from core.results.records import to_data

_SHORT = ("run_id", "session", "status", "outcome", "reply", "question", "expects_reply", "began_at", "ended_at")
_UNBOUND = ("request_id", "attended", "name")
"""What an order may have different when it is sent again."""


@dataclass(frozen=True, slots=True)
class TakenRun:
    """A run for an order.

    Attributes:
        state: ``new``, ``known`` (it goes on or has ended) or ``interrupted`` (it has to be gone on with).
    """

    run: HostedRun
    state: Literal["new", "known", "interrupted"]


class RunDirectory:
    """Finds runs, and takes new ones on."""

    def __init__(self, hub: Hub, shelf: ServiceRuns) -> None:
        self._hub = hub
        self._shelf = shelf

    async def take_on(self, caller: Caller, order: RunOrder) -> TakenRun:
        """Return the run for an order: a new one, unless its request id stands for one already.

        Raises:
            InputError: ``request_id_reused`` if that one was asked for something else.
            RefusedError: ``request_elsewhere`` if another process is at work on it; ``runs_unavailable`` if nothing can be kept.
        """
        whole = _describe_whole(order)
        digest = _digest(whole)
        while known := self._hub.requests.get((caller.principal, order.request_id)) if order.request_id else None:
            await known.claimed.wait()
            if self._hub.requests.get((caller.principal, order.request_id)) is known:
                _check_same(known.order_digest, digest)
                return TakenRun(known, "known")
        run = _make_run(caller, order)
        run.order_digest, run.order = digest, whole
        self._hub.add(run)
        if not order.request_id:
            self._shelf.note(_describe_served(run))
            return TakenRun(run, "new")
        try:
            return await self._claim(run)
        finally:
            run.claimed.set()

    async def _claim(self, run: HostedRun) -> TakenRun:
        try:
            earlier = await self._shelf.claim(_describe_served(run))
            if earlier is None:
                return TakenRun(run, "new")
            self._hub.drop(run)
            _check_same(earlier.order_digest, run.order_digest)
            if earlier.is_alive:
                text = "Another process is carrying this request out."
                raise RefusedError(text, code="request_elsewhere", hint="Ask that one, or wait until it has ended.")
            found = revive(earlier, run.caller)
            if earlier.record is not None:
                self._hub.add(found)
                return TakenRun(found, "known")
            return TakenRun(await self.go_on(found, run.caller), "interrupted")
        except BaseException:
            self._hub.drop(run)
            raise

    async def go_on(self, run: HostedRun, caller: Caller) -> HostedRun:
        """Return a run as it is gone on with; nothing of it is done yet.

        Raises:
            RefusedError: ``runs_unavailable``.
        """
        again = run.go_on(caller)
        again.claimed.set()
        self._hub.add(again)
        try:
            await self._shelf.begin_again(run.caller.principal, run.run_id)
        except BaseException:
            self._hub.drop(again)
            raise
        return again

    async def find(self, caller: Caller, run_id: str, *, also_unkept: bool = False) -> HostedRun:
        """Return one of the caller's runs.

        Args:
            also_unkept: Whether the person at this machine may mean one of the journal that no service took on.

        Raises:
            RefusedError: ``unknown_run``.
        """
        found = self._hub.runs.get(run_id)
        if found is None and (served := await self._shelf.find(caller.principal, run_id)):
            found = revive(served, caller)
        elif found is None and also_unkept and not caller.principal:
            found = HostedRun(run_id, caller, run_id, {}, status="interrupted")
        if found and self._hub.owns(caller, found):
            return found
        raise RefusedError(f"No run “{run_id}”.", code="unknown_run", hint="List your runs to see their ids.")

    async def list_of(self, caller: Caller, session: str, words: str, most: int) -> list[RunRecord]:
        """Return the caller's runs, the latest first, in short."""
        found = await self._shelf.list_of(caller.principal, session=session, words=words, most=most)
        runs = (self._hub.runs.get(each.run_id) or revive(each, caller) for each in found)
        return [shorten_record(each.describe()) for each in runs]

    async def keep(self, run: HostedRun) -> None:
        """Keep what came of a run; where that fails it is known as long as this process lives."""
        try:
            await self._shelf.end((run.caller.principal, run.run_id), shorten_record(run.record), run.record)
        except RefusedError as error:
            told = f"What came of this run could not be saved: {error.message}"
            run.record = {**run.record, "diagnostics": [*run.record.get("diagnostics", ()), told]}

    async def close(self) -> None:
        """Let go of what keeps runs."""
        await self._shelf.close()


def revive(served: ServedRun, caller: Caller) -> HostedRun:
    """Return a run that an earlier process took on, as one of this: ended, or interrupted where nothing came of it."""
    door: Door = served.asked.get("door", "cli")
    run = HostedRun(
        run_id=served.run_id,
        caller=Caller(principal=caller.principal, scopes=caller.scopes, door=door),
        session=served.session,
        request=served.asked.get("request", {}),
        request_id=served.request_id,
        began_at=served.began_at,
        generation=served.generation,
        order_digest=served.order_digest,
        order=served.asked.get("order", {}),
    )
    run.claimed.set()
    run.restore(served.record, is_alive=served.is_alive)
    return run


def shorten_record(record: RunRecord) -> RunRecord:
    """Return what a list tells of a run."""
    return {name: record[name] for name in (*_SHORT, "request", "door") if name in record}


def digest_order(order: RunOrder) -> str:
    """Return what tells an order from every other."""
    return _digest(_describe_whole(order))


def _digest(whole: Mapping[str, Any]) -> str:
    parts = {name: value for name, value in whole.items() if name not in _UNBOUND}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("ascii")).hexdigest()


def _describe_whole(order: RunOrder) -> dict[str, Any]:
    return {each.name: to_data(getattr(order, each.name)) for each in fields(order)}


def _make_run(caller: Caller, order: RunOrder) -> HostedRun:
    run_id = make_run_id()
    return HostedRun(run_id, caller, order.session or run_id, describe_order(order), order.request_id)


def _describe_served(run: HostedRun) -> ServedRun:
    return ServedRun(
        run_id=run.run_id,
        principal=run.caller.principal,
        session=run.session,
        request_id=run.request_id,
        order_digest=run.order_digest,
        began_at=run.began_at,
        asked={"request": run.request, "door": run.caller.door, "order": run.order},
    )


def _check_same(known: str, digest: str) -> None:
    if known != digest:
        text = "This request id stands for another request already."
        raise InputError(text, code="request_id_reused", hint="Give a new request a new id.")
