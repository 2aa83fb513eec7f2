"""AgentSession: the one door that every front end uses."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Self

from agent.models.guarding import Tell
from agent.requests.requests import Request
from agent.sessions.live_runs import choose_run, make_run_context
from agent.sessions.model_help import guard_model, understand_request
from agent.sessions.planned_requests import PlannedRequest, describe_changes
from agent.sessions.planner_port import SentenceRequest
from agent.sessions.request_runs import RequestRuns
from agent.sessions.resume import ResumeRequest
from agent.sessions.runs import RunRecorder, scope_unplanned
from agent.sessions.session_parts import SessionParts
from agent.sessions.undo import UndoRequest, UndoResult
from agent.telemetry.observing import NO_TELEMETRY, Telemetry, WatchedJournal
from core.base.errors import ActionError, ErrorInfo, SurehandError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.shortages import explain_system_error
from core.execution.run_context import make_run_id
from core.goals.secret_values import Vault
from core.language.meanings.interpretation import GoalInterpreter
from core.planning.context import ContextFrame
from core.planning.planners.ports import Model
from core.policy.policy import Policy
from core.results.events import Emit
from core.results.tool_results import RunResult

_KEPT_FRAMES = 50
_KEPT_RESULTS = 200

_CLOSED = ErrorInfo("session_closed", "The session is closed.", "Open a new one.")


@dataclass(slots=True)
class _SessionMemory:
    frames: tuple[ContextFrame, ...] = ()
    results: dict[str, asyncio.Future[RunResult]] = field(default_factory=dict[str, "asyncio.Future[RunResult]"])
    forgotten: set[str] = field(default_factory=set[str])

    def keep(self, request_id: str, run: asyncio.Future[RunResult]) -> None:
        self.results[request_id] = run
        ended = [each for each, result in self.results.items() if result.done()]
        for stale in ended[: max(0, len(self.results) - _KEPT_RESULTS)]:
            del self.results[stale]
            self.forgotten.add(stale)


class AgentSession:
    """Plans and runs requests one after another or side by side, and remembers context in between.

    Use it as an async context manager, so that browsers and files are gone afterwards.
    """

    def __init__(self, parts: SessionParts) -> None:
        self.screen = parts.screen
        self._parts = parts
        self._memory = _SessionMemory()
        self._stops: dict[asyncio.Event, str] = {}
        self._idle = asyncio.Event()
        self._idle.set()
        self._closed = False
        self._releasing: asyncio.Future[None] | None = None
        self._telemetry: Telemetry = NO_TELEMETRY
        self._runs = RequestRuns(parts, NO_TELEMETRY)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def interpreter(self) -> GoalInterpreter:
        """What understands utterances, for conversations."""
        return self._parts.interpreter

    @property
    def vault(self) -> Vault:
        """The person's secrets, for those who keep or tell what was done in this session."""
        return self._parts.vault

    @property
    def parts(self) -> SessionParts:
        """What it is put together from, for those who tell of it."""
        return self._parts

    def observe(self, telemetry: Telemetry) -> None:
        """Let somebody observe the runs that begin from now on; closing the session closes that too."""
        self._telemetry = telemetry
        self._parts = replace(self._parts, journal=WatchedJournal(self._parts.journal, telemetry))
        self._runs = RequestRuns(self._parts, telemetry)

    def use_model(self, make: Callable[[Vault], Model]) -> None:
        """Let a model help with sentences of which nothing is understood; closing the session closes it too.

        Args:
            make: Makes the model; it is given the session's vault, so that its key is redacted like any other secret.
        """
        self._parts = replace(self._parts, model=make(self._parts.vault))
        self._runs = RequestRuns(self._parts, self._telemetry)

    def guard_model(self, policy: Policy, tell: Tell) -> Model | None:
        """Return the model for whoever plans with one: told nothing private or secret; None where none is used.

        Raises:
            PolicyError: If a folder of the policy can't be resolved.
        """
        return guard_model(self._parts, policy, tell)

    async def understand(self, request: Request, tell: Tell) -> Request:
        """Return a request with how its sentence is understood, by a model where one helps and it takes one.

        Raises:
            ModelError: If the model fails.
        """
        wanted = SentenceRequest(parts=self._parts, request=request, run_id="", stop=asyncio.Event(), tell=tell)
        return await understand_request(wanted)

    def plan(self, request: Request, run_id: str = "") -> PlannedRequest:
        """Interpret and plan a request; nothing is done."""
        try:
            return self._runs.plan(request, self._memory.frames, run_id)
        except OSError as error:
            return PlannedRequest(None, (explain_system_error(error),))

    async def preview(self, planned: PlannedRequest, request: Request) -> tuple[Mapping[str, Any], ...]:
        """Return what a planned request would change, one operation each; nothing is done.

        Raises:
            ActionError: If the system refuses what it takes to look.
        """
        if planned.errors or planned.orchestration is None:
            return ()
        graph, run = planned.orchestration.graph, make_run_context(planned, request)
        try:
            return describe_changes(graph, await self._parts.executor.preview(graph, run))
        except OSError as error:
            told = explain_system_error(error)
            raise ActionError(told.message, code=told.code, hint=told.hint, evidence=told.evidence) from error

    async def run(self, request: Request, emit: Emit | None = None) -> RunResult:
        """Plan a request and carry it out.

        Args:
            emit: Told every event as it occurs; must not block.

        Returns:
            What came of it; a request that can't be planned is a result with errors, not an exception.
        """
        if known := self._memory.results.get(request.request_id):
            return await asyncio.shield(known)
        if self._closed:
            return _refuse(_CLOSED, emit)
        if request.request_id in self._memory.forgotten:
            text = f'Request "{request.request_id}" was carried out before, and its result is no longer saved.'
            return _refuse(ErrorInfo("already_executed", text, "Give a new request a new id."), emit)
        request = replace(request, run_id=request.run_id or make_run_id())
        stop = self._begin(request.run_id)
        if not request.request_id:
            return await self._run_once(request, emit, stop)
        run = asyncio.ensure_future(self._run_once(request, emit, stop))
        self._memory.keep(request.request_id, run)
        return await asyncio.shield(run)

    async def resume(self, request: ResumeRequest, emit: Emit | None = None) -> RunResult:
        """Go on with a run whose process ended; nothing that was done is done again.

        Args:
            emit: Told every event as it occurs; must not block.

        Returns:
            The receipts of the whole run; a run that can't be gone on with is a result with errors, not an exception.
        """
        if self._closed:
            return _refuse(_CLOSED, emit)
        stop = self._begin(request.run_id)
        try:
            return await self._runs.resume(request, emit, stop)
        finally:
            await self._end(stop)

    async def find_run(self, named: str) -> str:
        """Return the id of a run that is written down.

        Args:
            named: Its id, the beginning of it, or ``last``.

        Raises:
            GoalError: If there is none or several of that name.
            JournalError: If the journal can't be read.
        """
        return choose_run(await self._parts.journal.list_runs(), named)

    async def undo(self, request: UndoRequest) -> UndoResult:
        """Take back what a run did, the last act first, where there is a way back and nothing was changed since."""
        if self._closed:
            return UndoResult(request.run_id, errors=(_CLOSED,))
        stop = self._begin(request.run_id)
        try:
            return await self._runs.undo(request, stop)
        finally:
            await self._end(stop)

    def stop(self, run_id: str = "") -> int:
        """Stop a run of this session, or all of them where none is named; each ends within 200 ms. Return how many."""
        meant = [stop for stop, each in self._stops.items() if run_id in ("", each)]
        for stop in meant:
            stop.set()
        return len(meant)

    async def close(self) -> None:
        """Stop what runs, wait for its end and close every family; calling it again does nothing."""
        self._closed = True
        self.stop()
        await self._idle.wait()
        await self._parts.executor.close()
        if self._releasing:
            self._releasing.cancel()
        for family in self._parts.families:
            await family.close()
        await self._parts.journal.close()
        await self._telemetry.close()
        await self._parts.planners.close()
        await self._parts.keeper.close()
        if self._parts.model:
            await self._parts.model.close()

    def _begin(self, run_id: str) -> asyncio.Event:
        stop = asyncio.Event()
        self._stops[stop] = run_id
        self._idle.clear()
        return stop

    async def _end(self, stop: asyncio.Event) -> None:
        self._stops.pop(stop, None)
        if self._stops:
            return
        leftovers = self._parts.executor.list_leftovers()
        if leftovers:
            self._releasing = asyncio.ensure_future(self._release_after(leftovers))
        else:
            await self._release()
        self._idle.set()

    async def _release_after(self, leftovers: Sequence[asyncio.Task[Any]]) -> None:
        """Let other processes write once nothing goes on that they don't know of, unless something has begun since."""
        await asyncio.wait(leftovers)
        if not self._stops:
            await self._release()

    async def _release(self) -> None:
        # What could not be written now was told by the run itself; an end that isn't written is found out on resuming.
        with suppress(SurehandError):
            await self._parts.journal.release()

    async def _run_once(self, request: Request, emit: Emit | None, stop: asyncio.Event) -> RunResult:
        try:
            result, frames = await self._runs.carry_out(request, self._memory.frames, emit, stop)
            self._memory.frames = (frames + self._memory.frames)[:_KEPT_FRAMES]
            return result
        finally:
            await self._end(stop)


def _refuse(error: ErrorInfo, emit: Emit | None) -> RunResult:
    return RunRecorder(scope_unplanned(make_run_id()), emit).refuse((error,), "")
