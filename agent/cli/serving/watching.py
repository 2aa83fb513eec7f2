"""Watches a run of a service: shows what occurs, asks the person here what it asks, and stops it when they say so."""

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from agent.cli.screen.stopping import stop_by_signals
from agent.service.callers import Caller
from agent.service.orders import EventRecord, RunRecord
from agent.service.ports import Service
from core.base.errors import SurehandError

if TYPE_CHECKING:
    from core.approvals.approvals import ApprovalGate, ApprovalRequest

_SETTLED = frozenset({"approval_used", "approval_expired", "approval_unknown", "unknown_question"})
"""Codes of answers that came too late: somebody else answered, or nobody waits any more."""

_AWAY = frozenset({"service_gone", "service_missing"})


class RunWatch:
    """Follows one run after another."""

    def __init__(
        self,
        service: Service,
        caller: Caller,
        show: Callable[[EventRecord], None],
        gate: "ApprovalGate | None" = None,
    ) -> None:
        """Follow nothing yet.

        Args:
            gate: Asks the person here; None where nobody is here.
        """
        self._service = service
        self._caller = caller
        self._show = show
        self._gate = gate
        self._seen: dict[str, EventRecord] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._stopping: asyncio.Task[None] | None = None

    async def watch(self, run_id: str) -> RunRecord:
        """Return what came of a run, once it has ended.

        Raises:
            SurehandError: If the service refuses or ends.
        """
        with stop_by_signals(lambda: self._stop(run_id)):
            try:
                async for record in self._service.follow(self._caller, run_id):
                    self._take(record)
                return await self._fetch_result(run_id)
            finally:
                await self._forget()

    async def _fetch_result(self, run_id: str) -> RunRecord:
        """Return what came of a run that has ended; of a service that ended right behind it, what its events said."""
        try:
            return await self._service.result(self._caller, run_id)
        except SurehandError as error:
            if error.code not in _AWAY or not self._seen.get("final"):
                raise
        rejected, final = self._seen.get("planner.rejected", {}), self._seen["final"]
        told = {"errors": rejected.get("errors", ()), "question": rejected.get("question", "")}
        return {**final, **told, "step_logs": final["steps"]}

    def _take(self, record: EventRecord) -> None:
        self._seen[str(record.get("event"))] = record
        action_id = str(record.get("action_id", ""))
        if record.get("event") == "question" and record.get("approval_id") and self._gate:
            self._asking[action_id] = asyncio.ensure_future(self._answer(record, self._gate))
        elif asking := self._asking.pop(action_id, None):  # somebody answered elsewhere, or it is too late
            asking.cancel()
        self._show(record)

    async def _answer(self, record: EventRecord, gate: "ApprovalGate") -> None:
        """Ask the person here, and pass their answer on."""
        yes = bool(await gate.decide(_read_request(record)))
        try:
            await self._service.answer(self._caller, record["approval_id"], record["approval_digest"], answer=yes)
        except SurehandError as error:
            if error.code not in _SETTLED:
                raise

    def _stop(self, run_id: str) -> None:
        async def stop() -> None:
            await self._service.stop(self._caller, run_id=run_id)

        self._stopping = asyncio.ensure_future(stop())

    async def _forget(self) -> None:
        tasks = [*self._asking.values(), *([self._stopping] if self._stopping else [])]
        self._asking.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _read_request(record: Mapping[str, Any]) -> "ApprovalRequest":
    """Return a question as a process has it that asks itself."""
    from core.approvals.approvals import ApprovalRequest
    from core.tools.previews import Preview

    shows = any(record.get(name) for name in ("operation", "diff", "target"))
    preview = Preview(record["operation"], record["diff"], target=record.get("target", {})) if shows else None
    sources = {name: tuple(steps) for name, steps in record.get("sources", {}).items()}
    return ApprovalRequest(
        record["action_id"],
        record["digest"],
        record["approval"],
        record["prompt"],
        sources,
        preview=preview,
        approval_id=record["approval_id"],
        approval_digest=record["approval_digest"],
        expires_at=record.get("expires_at", ""),
        expires_in_s=float(record.get("expires_in_s", 0)),
    )
