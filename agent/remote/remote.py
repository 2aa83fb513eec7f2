"""RemoteService: the service of another process of this person, spoken to over HTTP."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any
from urllib.parse import quote, urlencode

from agent.remote.event_streams import read_records
from agent.remote.http_exchange import ServiceCall, ServiceClient, refuse_gone
from agent.remote.service_file import RunningService
from agent.remote.told_errors import read_told_error
from agent.remote.told_records import (
    list_told,
    read_artifact_record,
    read_question,
    read_session_record,
    read_ticket,
)
from agent.requests.session_wishes import SessionWishes
from agent.service.callers import Caller
from agent.service.orders import Artifact, EventRecord, OpenQuestion, RunOrder, RunRecord, RunTicket, SessionRecord
from core.base.errors import RefusedError, SurehandError

DOOR_HEADER = "X-Surehand-Door"
_LAST_EVENT = "Last-Event-ID"
_ENDED = frozenset({"service_gone", "service_missing"})
_USUAL = RunOrder()
_TRIES = 3
"""How often a stream of events that breaks off is asked for again before the service counts as gone."""


class _RemoteBase:
    """How all calls are sent: with the door that the caller came through."""

    def __init__(self, client: ServiceClient) -> None:
        """Speak to one service."""
        self._client = client

    @property
    def service(self) -> RunningService:
        """The service that is spoken to."""
        return self._client.service

    async def _ask(self, caller: Caller, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        return await self._client.fetch(
            ServiceCall(method=method, path=path, headers={DOOR_HEADER: caller.door}, body=body)
        )


class _RemoteRuns(_RemoteBase):
    """Runs of another process."""

    async def begin(self, caller: Caller, order: RunOrder) -> RunTicket:
        """As the port says."""
        caller.require("run")
        return read_ticket(await self._ask(caller, "POST", "/v1/runs", _tell_order(order)))

    async def plan(self, caller: Caller, order: RunOrder) -> Mapping[str, Any]:
        """As the port says."""
        caller.require("run")
        return await self._ask(caller, "POST", "/v1/plan", _tell_order(order))

    async def follow(self, caller: Caller, run_id: str, after: int = -1) -> AsyncIterator[EventRecord]:
        """As the port says; a stream that breaks off is gone on with where it broke.

        Raises:
            RefusedError: ``service_gone`` if the service ended before the run did.
        """
        caller.require("read")
        seen, tries = after, 0
        while True:
            try:
                async for record in self._stream(caller, run_id, seen):
                    seen, tries = int(record.get("seq", seen)), 0
                    yield record
                return
            except SurehandError as error:
                tries += 1
                if error.code not in _ENDED:
                    raise
                if tries >= _TRIES:
                    raise refuse_gone() from error

    async def _stream(self, caller: Caller, run_id: str, after: int) -> AsyncIterator[EventRecord]:
        headers = {DOOR_HEADER: caller.door, "accept": "text/event-stream"}
        if after >= 0:
            headers[_LAST_EVENT] = str(after)
        call = ServiceCall(method="GET", path=f"/v1/runs/{_name(run_id)}/events", headers=headers)
        async with self._client.open(call) as answer:
            async for record in read_records(answer.read_parts()):
                if "event" not in record:
                    raise read_told_error(record)
                yield record

    async def result(self, caller: Caller, run_id: str) -> RunRecord:
        """As the port says."""
        caller.require("read")
        return await self._ask(caller, "GET", f"/v1/runs/{_name(run_id)}?wait=true")

    async def find_runs(
        self, caller: Caller, *, session: str = "", words: str = "", most: int = 50
    ) -> Sequence[RunRecord]:
        """As the port says."""
        caller.require("read")
        query = urlencode({"session": session, "words": words, "most": most})
        return list_told(await self._ask(caller, "GET", f"/v1/runs?{query}"), "runs")

    async def read_run(self, caller: Caller, run_id: str) -> RunRecord:
        """As the port says."""
        caller.require("read")
        return await self._ask(caller, "GET", f"/v1/runs/{_name(run_id)}")

    async def stop(self, caller: Caller, *, run_id: str = "", session: str = "") -> int:
        """As the port says."""
        caller.require("run")
        path = f"/v1/runs/{_name(run_id)}/stop" if run_id else "/v1/stop"
        if session and not run_id:
            path = f"/v1/sessions/{_name(session)}/stop"
        told = await self._ask(caller, "POST", path)
        return int(told["stopped"])

    async def undo(self, caller: Caller, run_id: str, *, dry: bool = False) -> Mapping[str, Any]:
        """As the port says."""
        caller.require("run")
        return await self._ask(caller, "POST", f"/v1/runs/{_name(run_id)}/undo", {"dry": dry})

    async def resume(self, caller: Caller, run_id: str) -> RunTicket:
        """As the port says."""
        caller.require("run")
        return read_ticket(await self._ask(caller, "POST", f"/v1/runs/{_name(run_id)}/resume"))


class _RemoteSessions(_RemoteBase):
    """Sessions of another process, and what they made."""

    async def list_questions(self, caller: Caller, *, session: str = "") -> Sequence[OpenQuestion]:
        """As the port says."""
        caller.require("read")
        query = f"?{urlencode({'session': session})}" if session else ""
        told = await self._ask(caller, "GET", f"/v1/questions{query}")
        return [read_question(each) for each in list_told(told, "questions")]

    async def answer(self, caller: Caller, question_id: str, digest: str, *, answer: bool | str) -> RunTicket | None:
        """As the port says."""
        caller.require("run")
        body = {"digest": digest, "answer": answer}
        told = await self._ask(caller, "POST", f"/v1/questions/{_name(question_id)}", body)
        return read_ticket(told["run"]) if told.get("run") else None

    async def list_sessions(self, caller: Caller) -> Sequence[SessionRecord]:
        """As the port says."""
        caller.require("read")
        return [
            read_session_record(each) for each in list_told(await self._ask(caller, "GET", "/v1/sessions"), "sessions")
        ]

    async def open_session(self, caller: Caller, session: str, wishes: SessionWishes) -> SessionRecord:
        """As the port says."""
        caller.require("run")
        return read_session_record(await self._ask(caller, "PUT", f"/v1/sessions/{_name(session)}", asdict(wishes)))

    async def close_session(self, caller: Caller, session: str) -> None:
        """As the port says."""
        caller.require("run")
        await self._ask(caller, "DELETE", f"/v1/sessions/{_name(session)}")

    async def look(self, caller: Caller, session: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """As the port says."""
        caller.require("run")
        return await self._ask(caller, "POST", f"/v1/sessions/{_name(session)}/look", dict(params))

    async def list_artifacts(self, caller: Caller, run_id: str) -> Sequence[Artifact]:
        """As the port says."""
        caller.require("read")
        told = await self._ask(caller, "GET", f"/v1/runs/{_name(run_id)}/artifacts")
        return [read_artifact_record(each) for each in list_told(told, "artifacts")]

    async def read_artifact(self, caller: Caller, artifact_id: str) -> tuple[Artifact, bytes]:
        """As the port says."""
        caller.require("read")
        call = ServiceCall(method="GET", path=f"/v1/artifacts/{_name(artifact_id)}", headers={DOOR_HEADER: caller.door})
        async with self._client.open(call) as answer:
            content = await answer.read_all()
        files = await self.list_artifacts(caller, artifact_id.partition(".")[0])  # the file comes without its record
        if record := next((each for each in files if each.artifact_id == artifact_id), None):
            return record, content
        raise RefusedError("No such file.", code="unknown_artifact", hint="List the files of the run.")


class _RemoteScreens(_RemoteBase):
    """Pages of another process's sessions."""

    async def watch_screen(self, caller: Caller, session: str) -> AsyncIterator[Mapping[str, Any]]:
        """As the port says."""
        caller.require("read")
        headers = {DOOR_HEADER: caller.door, "accept": "text/event-stream"}
        call = ServiceCall(method="GET", path=f"/v1/sessions/{_name(session)}/screen", headers=headers)
        async with self._client.open(call) as answer:
            async for record in read_records(answer.read_parts()):
                if "error" in record:
                    raise read_told_error(record)
                yield record

    async def hold_screen(self, caller: Caller, session: str, *, held: bool) -> Sequence[str]:
        """As the port says."""
        caller.require("run")
        told = await self._ask(caller, "POST", f"/v1/sessions/{_name(session)}/screen/hold", {"held": held})
        return [str(each) for each in told["deeds"]]

    async def touch_screen(self, caller: Caller, session: str, events: Sequence[Mapping[str, Any]]) -> None:
        """As the port says."""
        caller.require("run")
        body = {"events": [dict(each) for each in events]}
        await self._ask(caller, "POST", f"/v1/sessions/{_name(session)}/screen/input", body)


class RemoteService(_RemoteRuns, _RemoteSessions, _RemoteScreens):
    """The service of another process."""

    async def measure(self, caller: Caller) -> Mapping[str, Any]:
        """As the port says."""
        caller.require("read")
        return await self._ask(caller, "GET", "/v1/health")

    async def close(self, drain_s: float = 10.0) -> None:
        """Leave the service as it is: it is another process's."""
        del drain_s


def _tell_order(order: RunOrder) -> dict[str, Any]:
    """Return an order as data, without what it leaves as usual."""
    values = {each.name: getattr(order, each.name) for each in fields(RunOrder)}
    return {name: value for name, value in values.items() if value != getattr(_USUAL, name)}


def _name(part: str) -> str:
    """Return an id or a name as one part of a path."""
    return quote(part, safe="")
