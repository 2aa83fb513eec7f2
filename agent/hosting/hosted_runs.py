"""HostedRun: a run of the service, from when it was taken on until it is told what came of it."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from agent.service.callers import Caller
from agent.service.orders import EventRecord, RunRecord
from agent.sessions.runs import RunRecorder, scope_unplanned
from core.base.errors import ErrorInfo, RefusedError
from core.base.late_dataclasses import dataclass, field
from core.results.events import Accepted, Event, Final, Say, to_record
from core.results.planner_events import PlannerThrottled
from core.results.records import to_data
from core.results.tool_results import RunResult

if TYPE_CHECKING:
    from agent.hosting.hosted_sessions import HostedSession

MOST_EVENTS = 5000


class EventLog:
    """Keeps the last events of a run and tells them to followers; used on one event loop."""

    def __init__(self, first: int = 0, most: int = MOST_EVENTS) -> None:
        """Begin without events.

        Args:
            first: Number of the first event; above 0 where a run goes on that another process began.
            most: How many are kept; the oldest beyond go.
        """
        self._records: deque[EventRecord] = deque(maxlen=most)
        self._next = first
        self._ended = False
        self._changed = asyncio.Event()

    @property
    def last(self) -> int:
        """Number of the last event; one below the first where there is none."""
        return self._next - 1

    @property
    def is_ended(self) -> bool:
        """Whether nothing comes any more."""
        return self._ended

    def append(self, record: dict[str, Any]) -> EventRecord:
        """Take an event on, give it its number and wake whoever follows; return it."""
        record["seq"] = self._next
        self._next += 1
        self._records.append(record)
        self._wake()
        return record

    def end(self) -> None:
        """Say that nothing comes any more; whoever follows is let go when all is told."""
        self._ended = True
        self._wake()

    def read(self, after: int = -1) -> tuple[EventRecord, ...]:
        """Return the events behind a number that are kept."""
        return tuple(islice(self._records, max(0, after + 1 - (self._next - len(self._records))), None))

    async def follow(self, after: int = -1) -> AsyncGenerator[EventRecord, None]:
        """Yield the events behind a number, as they come, until there are no more.

        Args:
            after: Number of the last event that is known already.
        """
        while True:
            found = self.read(after)
            for record in found:
                after = record["seq"]
                yield record
            if not found and self._ended:
                return
            if not found:
                await self._changed.wait()

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


RunStatus = Literal["waiting", "running", "ended", "interrupted"]

A_GENERATION = 1_000_000
"""Numbers of events that each going on with a run has for itself, so that they rise beyond a restart."""


def tell_now() -> str:
    """Return the time in UTC (ISO 8601); for people and for order."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(slots=True)
class HostedRun:
    """A run.

    Attributes:
        request_id: What the caller calls it; may be empty.
        began_at: When it was taken on, in UTC.
        status: Whether it waits for its turn, goes on, has ended, or was cut short with its process.
        record: What came of it; known once it has ended.
        final: Its last event, until that is told.
        claimed: Set once it is known that this is the run that its request id stands for.
        order: What was asked for, whole, so that it can be asked for again.
    """

    run_id: str
    caller: Caller
    session: str
    request: Mapping[str, Any]
    request_id: str = ""
    began_at: str = field(default_factory=tell_now)
    log: EventLog = field(default_factory=EventLog)
    status: RunStatus = "waiting"
    generation: int = 0
    plan: Mapping[str, Any] = field(default_factory=dict[str, Any])
    record: RunRecord = field(default_factory=dict[str, Any])
    task: asyncio.Task[None] | None = None
    work: asyncio.Future[Any] | None = None
    place: "HostedSession | None" = None
    is_stopped: bool = False
    final: dict[str, Any] = field(default_factory=dict[str, Any])
    claimed: asyncio.Event = field(default_factory=asyncio.Event)
    order_digest: str = ""
    order: Mapping[str, Any] = field(default_factory=dict[str, Any])
    done: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, event: Event) -> None:
        """Take an event on; the last one is told once what came of the run is kept."""
        self.status = "running"
        record = to_data(to_record(event))
        if isinstance(event, Accepted):
            self.plan = record["plan"]
        if isinstance(event, Final):
            self.final = record
        else:
            self.log.append(record)

    def tell_wait(self) -> None:
        """Tell that it waits for its turn."""
        reason = "other planners go on"
        waiting = PlannerThrottled(run_id=self.run_id, planner_id=str(self.request.get("planner", "")), reason=reason)
        self.log.append(to_data(to_record(waiting)))

    def refuse(self, error: ErrorInfo, *, is_stopped: bool = False) -> RunResult:
        """Tell why nothing is done, and return the result that says so."""
        recorder = RunRecorder(scope_unplanned(self.run_id), self.tell)
        return recorder.refuse((error,), "", "cancelled" if is_stopped else "failed")

    def reply(self, text: str, *, expects_reply: bool) -> RunResult:
        """Tell what is replied to a word that began no run, and return the result that says so."""
        scope = str(scope_unplanned(self.run_id))
        self.tell(Say(run_id=self.run_id, scope=scope, text=text))
        self.tell(Final(run_id=self.run_id, scope=scope, outcome="success", reply=text, expects_reply=expects_reply))
        return RunResult(run_id=self.run_id, outcome="success", reply=text, scope=scope)

    def end(self, result: RunResult, *, expects_reply: bool, more: Mapping[str, Any]) -> RunRecord:
        """Write down what came of it; it is told once it is kept."""
        self.record = {
            **to_data(result),
            **self._describe(),
            "status": "ended",
            "ended_at": tell_now(),
            "expects_reply": expects_reply,
            "plan": self.plan,
            **more,
        }
        return self.record

    def go_on(self, caller: Caller) -> "HostedRun":
        """Return the run as it is gone on with, for whoever asks for that."""
        generation = self.generation + 1
        return HostedRun(
            run_id=self.run_id,
            caller=caller,
            session=self.session,
            request=self.request,
            request_id=self.request_id,
            began_at=self.began_at,
            log=EventLog(generation * A_GENERATION),
            generation=generation,
            order_digest=self.order_digest,
            order=self.order,
        )

    def check_known(self) -> None:
        """Refuse to wait for what nobody is at work on.

        Raises:
            RefusedError: ``run_interrupted``.
        """
        if self.status == "interrupted":
            text = f"Run {self.run_id} was cut short: the process that carried it out ended."
            raise RefusedError(text, code="run_interrupted", hint="Resume it; nothing is done twice.")

    def restore(self, record: RunRecord | None, *, is_alive: bool) -> None:
        """Be as an earlier process left it: with what came of it, or interrupted."""
        if record is None:
            self.status = "running" if is_alive else "interrupted"
        else:
            self.record = record
            told = {"run_id": self.run_id, "scope": str(record.get("scope", "")), "at_ms": 0.0}
            reply, outcome = record.get("reply", ""), record.get("outcome", "failed")
            self.log = EventLog(self.generation * A_GENERATION)
            self.log.append({"event": "say", **told, "text": reply})
            steps, expects = record.get("step_logs", []), bool(record.get("expects_reply"))
            self.final = (
                to_data(to_record(Final(outcome=outcome, reply=reply, steps=tuple(steps), expects_reply=expects)))
                | told
            )
            self.status = "ended"
        self.close()

    def close(self) -> None:
        """Tell the last event, and let go of whoever follows or waits."""
        if self.final:
            self.log.append(self.final)
        self.log.end()
        self.done.set()

    def describe(self) -> RunRecord:
        """Return what is known of it now."""
        if self.done.is_set() and self.record:
            return self.record
        return {**self._describe(), "outcome": "", "reply": "", "expects_reply": False}

    def _describe(self) -> dict[str, Any]:
        return {
            "run_id": self.run_id,
            "session": self.session,
            "status": self.status,
            "began_at": self.began_at,
            "request": dict(self.request),
            "door": self.caller.door,
            "order": dict(self.order),
        }
