"""RunCarrier: carries a run of the service out in its session, whatever becomes of it, and keeps what came of it."""

import asyncio
import hashlib
import mimetypes
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.hosting.hosted_runs import HostedRun
from agent.hosting.hosted_sessions import HostedSession
from agent.hosting.hub import Hub
from agent.hosting.requesting import read_order
from agent.hosting.run_directory import RunDirectory
from agent.requests.requests import Request
from agent.service.orders import RunOrder
from agent.sessions.resume import ResumeRequest, SilentSettler
from core.approvals.approvals import ClassGate
from core.base.errors import ErrorInfo, GoalError, SurehandError, tell_fault
from core.base.late_dataclasses import dataclass, field, replace
from core.results.records import to_data
from core.results.tool_results import RunResult, StepLog

if TYPE_CHECKING:
    from agent.sessions.conversation import Reply

_UNKNOWN = "application/octet-stream"


async def find_files(result: RunResult) -> Sequence[Mapping[str, Any]]:
    """Return the files of a run, as far as they are there: path, name, type, size, digest and the action that made each."""
    owners = {path: log.action_id for log in result.step_logs for path in _list_paths(log, result.run_id)}
    paths = dict.fromkeys((*result.artifacts, *owners))
    return await asyncio.to_thread(_describe_all, {path: owners.get(path, "") for path in paths}) if paths else []


def _list_paths(log: StepLog, run_id: str) -> Sequence[str]:
    """Return what a step made, the pictures before and after it, and what its page said: files of its run's own folder and no others."""
    pictures = log.result.evidence.get("pictures")
    told = [str(each) for each in pictures.values()] if isinstance(pictures, Mapping) else []
    told.append(str(log.result.evidence.get("page_log", "")))
    return (*log.result.artifacts, *(each for each in told if Path(each).parent.name == run_id))


def _describe_all(owners: Mapping[str, str]) -> list[Mapping[str, Any]]:
    return [found for path, action_id in owners.items() if (found := _describe(path, action_id))]


def _describe(path: str, action_id: str) -> Mapping[str, Any] | None:
    try:
        with Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except OSError:
        return None
    media_type = mimetypes.guess_type(path)[0] or _UNKNOWN
    told = {"path": path, "name": Path(path).name, "media_type": media_type, "size": size}
    return {**told, "sha256": digest, "action_id": action_id}


_NO_ORDER = RunOrder(text="")
STOPPED = ErrorInfo("stopped", "The run was stopped before it began.")


@dataclass(slots=True)
class Outcome:
    """What came of a run.

    Attributes:
        expects_reply: Whether a question is open that what is said next may answer.
        more: What else is to be known of it, by name.
    """

    result: RunResult
    expects_reply: bool = False
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])


Work = Callable[[HostedSession], Coroutine[Any, Any, Outcome]]


@dataclass(frozen=True, slots=True)
class RunCarrier:
    """Carries runs out."""

    hub: Hub
    directory: RunDirectory

    def start(self, run: HostedRun, work: Work) -> None:
        """Begin to carry a run out; nothing that happens in it is raised anywhere."""
        run.is_stopped = self.hub.is_draining  # what was let in just before the service began to end
        run.task = asyncio.get_running_loop().create_task(self._carry(run, work), name=f"run {run.run_id}")

    async def _carry(self, run: HostedRun, work: Work) -> None:
        outcome = await self._work(run, self._enter(run, work))
        more = {**outcome.more, "files": await find_files(outcome.result)}
        run.end(outcome.result, expects_reply=outcome.expects_reply, more=more)
        await self.directory.keep(run)
        run.status = "ended"
        run.close()
        self.hub.forget_old()
        if run.place:
            self.hub.desk.end(run.place, run.run_id)
            if run.place.name == run.run_id:
                await self.hub.desk.close(run.place)

    async def _enter(self, run: HostedRun, work: Work) -> Outcome:
        """Do the work of a run in its session, which is opened where it isn't; a planner's once it is its turn."""
        if not run.order.get("planner"):
            return await self._work_in(run, work)
        async with self.hub.hold_turn(run.caller.principal, run.tell_wait):
            return await self._work_in(run, work)

    async def _work_in(self, run: HostedRun, work: Work) -> Outcome:
        session = self.hub.desk.take(run.caller.principal, run.session)
        self.hub.desk.begin(session, run.run_id)
        run.place = session
        return await work(session)

    async def _work(self, run: HostedRun, working: Coroutine[Any, Any, Outcome]) -> Outcome:
        """Return what came of a run; a fault of ours ends that run alone, and is told as ours."""
        run.work = work = asyncio.ensure_future(working)
        if run.is_stopped:
            work.cancel()
        await asyncio.wait({work})
        if work.cancelled():  # only what waits is cancelled, so that nothing was done
            return self._tell_stopped(run)
        error = work.exception()
        if error is None:
            return work.result()
        return Outcome(run.refuse(error.info() if isinstance(error, SurehandError) else tell_own_fault(error)))

    async def obey(self, run: HostedRun, order: RunOrder, session: HostedSession) -> Outcome:
        """Do what an order asks for.

        Raises:
            SurehandError: If the order makes no sense.
        """
        request = self._read(run, order, session)
        if order.said:
            return await self._say(run, request, session)
        result = await session.conversation.run(request, run.tell)
        if result is None:
            return self._tell_stopped(run)
        names = dict(request.flow.names) if request.flow else {}
        return Outcome(result, expects_reply=bool(result.question), more={"names": names} if names else {})

    async def take_up(self, run: HostedRun, order: RunOrder, session: HostedSession) -> Outcome:
        """Go on with what an earlier process took on: by the journal, or from the beginning where it did not come that far.

        Raises:
            SurehandError: If the order makes no sense, or the journal can't be read.
        """
        try:
            await session.agent.find_run(run.run_id)
        except GoalError:  # not written down, so that nothing of it was done
            return await self.obey(run, order, session)
        return await self.go_on(run, session, order)

    async def go_on(self, run: HostedRun, session: HostedSession, order: RunOrder = _NO_ORDER) -> Outcome:
        """Go on with a run by the journal.

        Args:
            order: On which terms: what was approved beforehand, what may be touched, and whether somebody can answer.

        Raises:
            SurehandError: If the order makes no sense.
        """
        terms = self._read(run, order, session)
        settler = session.make_settler(run.run_id, run.tell) if order.attended else SilentSettler()
        request = ResumeRequest(
            run_id=run.run_id, gate=terms.gate, settler=settler, policy=terms.policy, budget=terms.budget
        )
        return Outcome(await session.agent.resume(request, run.tell))

    def _read(self, run: HostedRun, order: RunOrder, session: HostedSession) -> Request:
        gate = session.make_gate(run.run_id) if order.attended else ClassGate()
        return read_order(order, run.caller, gate, run.run_id)

    async def _say(self, run: HostedRun, request: Request, session: HostedSession) -> Outcome:
        talk = session.conversation

        terms = replace(request, utterance="")
        reply = await talk.say(
            request.utterance or "", run.tell, terms=terms, may_approve=partial(self.hub.may_say_yes, run.caller)
        )
        expects = bool(talk.questions.list_open() or talk.open_choice)
        if reply.result:
            return Outcome(reply.result, expects)
        if reply.is_stopped:
            return self._tell_stopped(run)
        if reply.error:
            return Outcome(run.refuse(reply.error), expects)
        return Outcome(run.reply(reply.text, expects_reply=expects), expects, _describe_control(reply))

    def _tell_stopped(self, run: HostedRun) -> Outcome:
        return Outcome(run.refuse(STOPPED, is_stopped=True))


def tell_own_fault(error: BaseException) -> ErrorInfo:
    """Return an exception that nobody raised on purpose as an error, told as ours."""
    text = f"The run ended because of a fault in Surehand: {tell_fault(error)}"
    return ErrorInfo("internal_error", text, "Please report it. Resume the run to see what was done.")


def _describe_control(reply: "Reply") -> dict[str, Any]:
    told: dict[str, Any] = {"control": reply.control.kind if reply.control else ""}
    if reply.undone:
        told["undone"] = {**to_data(reply.undone), "reply": reply.undone.reply}
    return told
