"""RemoteService: the service of another process of this person, spoken to over HTTP."""

import json
from collections.abc import AsyncIterable, AsyncIterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from agent.remote.http_exchange import ServiceCall, ServiceClient, refuse_gone
from agent.remote.service_file import RunningService
from agent.remote.told_errors import read_told_error
from agent.requests.session_wishes import SessionWishes
from agent.service.callers import Caller
from agent.service.orders import Artifact, EventRecord, OpenQuestion, RunOrder, RunRecord, RunTicket, SessionRecord
from core.base.errors import RefusedError, SurehandError
from core.planning.planners.ports import BacklogItem, BacklogState, Transition
from core.results.records import from_data

Record = TypeVar("Record", Artifact, BacklogItem, OpenQuestion, RunTicket, SessionRecord, Transition)


DOOR_HEADER = "X-Surehand-Door"
_DATA = b"data:"
_LAST_EVENT = "Last-Event-ID"
_ENDED = frozenset({"service_gone", "service_missing"})
_USUAL = RunOrder()
_TRIES = 3
"""How often a stream of events that breaks off is asked for again before the service counts as gone."""


class _RemoteBase:
    """How all calls are sent: with the door that the caller came through."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client

    @property
    def service(self) -> RunningService:
        """The service that is spoken to."""
        return self._client.service

    async def _ask(self, caller: Caller, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Return the answer to a question; what is only asked for needs another scope than what is done."""
        caller.require("read" if method == "GET" else "run")
        return await self._client.fetch(
            ServiceCall(method=method, path=path, headers={DOOR_HEADER: caller.door}, body=body)
        )

    async def _list(self, caller: Caller, path: str, kind: type[Record], name: str) -> list[Record]:
        """Return the records of a list, which may be sent under a name."""
        return [_read(kind, each) for each in list_told(await self._ask(caller, "GET", path), name)]

    async def _stream(self, caller: Caller, path: str, more: Mapping[str, str]) -> AsyncIterator[dict[str, Any]]:
        """Yield the records of a stream, to the one that tells of an error."""
        headers = {DOOR_HEADER: caller.door, "accept": "text/event-stream", **more}
        async with self._client.open(ServiceCall(method="GET", path=path, headers=headers)) as answer:
            async for record in read_records(answer.read_parts()):
                if "error" in record and "event" not in record:
                    raise read_told_error(record)
                yield record


class _RemoteRuns(_RemoteBase):
    """Runs of another process."""

    async def begin(self, caller: Caller, order: RunOrder) -> RunTicket:
        """As the port says."""
        return _read(RunTicket, await self._ask(caller, "POST", "/v1/runs", _tell_order(order)))

    async def plan(self, caller: Caller, order: RunOrder) -> Mapping[str, Any]:
        """As the port says."""
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
                more = {_LAST_EVENT: str(seen)} if seen >= 0 else {}
                async for record in self._stream(caller, f"/v1/runs/{_name(run_id)}/events", more):
                    seen, tries = int(record.get("seq", seen)), 0
                    yield record
                return
            except SurehandError as error:
                tries += 1
                if error.code not in _ENDED:
                    raise
                if tries >= _TRIES:
                    raise refuse_gone() from error

    async def result(self, caller: Caller, run_id: str) -> RunRecord:
        """As the port says."""
        return await self._ask(caller, "GET", f"/v1/runs/{_name(run_id)}?wait=true")

    async def find_runs(
        self, caller: Caller, *, session: str = "", words: str = "", most: int = 50
    ) -> Sequence[RunRecord]:
        """As the port says."""
        query = urlencode({"session": session, "words": words, "most": most})
        return list_told(await self._ask(caller, "GET", f"/v1/runs?{query}"), "runs")

    async def read_run(self, caller: Caller, run_id: str) -> RunRecord:
        """As the port says."""
        return await self._ask(caller, "GET", f"/v1/runs/{_name(run_id)}")

    async def stop(self, caller: Caller, *, run_id: str = "", session: str = "") -> int:
        """As the port says."""
        path = f"/v1/runs/{_name(run_id)}/stop" if run_id else "/v1/stop"
        if session and not run_id:
            path = f"/v1/sessions/{_name(session)}/stop"
        told = await self._ask(caller, "POST", path)
        return int(told["stopped"])

    async def undo(self, caller: Caller, run_id: str, *, dry: bool = False) -> Mapping[str, Any]:
        """As the port says."""
        return await self._ask(caller, "POST", f"/v1/runs/{_name(run_id)}/undo", {"dry": dry})

    async def resume(self, caller: Caller, run_id: str) -> RunTicket:
        """As the port says."""
        return _read(RunTicket, await self._ask(caller, "POST", f"/v1/runs/{_name(run_id)}/resume"))


class _RemoteSessions(_RemoteBase):
    """Sessions of another process, and what they made."""

    async def list_questions(self, caller: Caller, *, session: str = "") -> Sequence[OpenQuestion]:
        """As the port says."""
        query = f"?{urlencode({'session': session})}" if session else ""
        return await self._list(caller, f"/v1/questions{query}", OpenQuestion, "questions")

    async def answer(self, caller: Caller, question_id: str, digest: str, *, answer: bool | str) -> RunTicket | None:
        """As the port says."""
        body = {"digest": digest, "answer": answer}
        told = await self._ask(caller, "POST", f"/v1/questions/{_name(question_id)}", body)
        return _read(RunTicket, told["run"]) if told.get("run") else None

    async def list_sessions(self, caller: Caller) -> Sequence[SessionRecord]:
        """As the port says."""
        return await self._list(caller, "/v1/sessions", SessionRecord, "sessions")

    async def open_session(self, caller: Caller, session: str, wishes: SessionWishes) -> SessionRecord:
        """As the port says."""
        return _read(SessionRecord, await self._ask(caller, "PUT", f"/v1/sessions/{_name(session)}", asdict(wishes)))

    async def close_session(self, caller: Caller, session: str) -> None:
        """As the port says."""
        await self._ask(caller, "DELETE", f"/v1/sessions/{_name(session)}")

    async def look(self, caller: Caller, session: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """As the port says."""
        return await self._ask(caller, "POST", f"/v1/sessions/{_name(session)}/look", dict(params))

    async def list_artifacts(self, caller: Caller, run_id: str) -> Sequence[Artifact]:
        """As the port says."""
        return await self._list(caller, f"/v1/runs/{_name(run_id)}/artifacts", Artifact, "artifacts")

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
        async for record in self._stream(caller, f"/v1/sessions/{_name(session)}/screen", {}):
            yield record

    async def hold_screen(self, caller: Caller, session: str, *, held: bool) -> Sequence[str]:
        """As the port says."""
        told = await self._ask(caller, "POST", f"/v1/sessions/{_name(session)}/screen/hold", {"held": held})
        return [str(each) for each in told["deeds"]]

    async def touch_screen(self, caller: Caller, session: str, events: Sequence[Mapping[str, Any]]) -> None:
        """As the port says."""
        body = {"events": [dict(each) for each in events]}
        await self._ask(caller, "POST", f"/v1/sessions/{_name(session)}/screen/input", body)


class _RemotePlanners(_RemoteBase):
    """Planners of another process."""

    async def list_planners(self, caller: Caller) -> Sequence[Mapping[str, Any]]:
        """As the port says."""
        return list_told(await self._ask(caller, "GET", "/v1/planners"), "planners")

    async def list_backlog(self, caller: Caller, *, state: BacklogState | None = None) -> Sequence[BacklogItem]:
        """As the port says."""
        query = f"?{urlencode({'state': state})}" if state else ""
        return await self._list(caller, f"/v1/backlog{query}", BacklogItem, "items")

    async def add_to_backlog(self, caller: Caller, item: BacklogItem) -> None:
        """As the port says."""
        names = {"item_id": "item_id", "title": "title", "consumed_by": "capability", "plan_id": "plan"}
        body = {told: getattr(item, name) for name, told in names.items()}
        await self._ask(caller, "POST", "/v1/backlog", {**body, "data": dict(item.data), "priority": item.priority})

    async def set_backlog(self, caller: Caller, item_id: str, state: BacklogState, because: str) -> Transition:
        """As the port says."""
        body = {"state": state, "because": because}
        return _read(Transition, await self._ask(caller, "POST", f"/v1/backlog/{_name(item_id)}", body))

    async def work(
        self, caller: Caller, *, capability: str = "", most: int | None = None
    ) -> Sequence[Mapping[str, Any]]:
        """As the port says."""
        body = {"capability": capability, "most": most}
        return list_told(await self._ask(caller, "POST", "/v1/backlog/work", body), "items")


class RemoteService(_RemoteRuns, _RemoteSessions, _RemoteScreens, _RemotePlanners):
    """The service of another process."""

    async def measure(self, caller: Caller) -> Mapping[str, Any]:
        """As the port says."""
        return await self._ask(caller, "GET", "/v1/health")

    async def close(self, drain_s: float = 10.0) -> None:
        """Leave the service as it is: it is another process's."""
        del drain_s


def _tell_order(order: RunOrder) -> dict[str, Any]:
    """Return an order as data, without what it leaves as usual."""
    values = {each.name: getattr(order, each.name) for each in fields(RunOrder)}
    told = {name: value for name, value in values.items() if value != getattr(_USUAL, name)}
    if order.planner:
        wish = {
            name: value for name, value in asdict(order.planner).items() if name != "settings" and value is not None
        }
        told["planner"] = wish
    return told


def _name(part: str) -> str:
    return quote(part, safe="")


def list_told(told: Any, name: str) -> Sequence[Mapping[str, Any]]:
    """Return the entries of a list that is sent as it is, or under its name.

    Raises:
        SurehandError: If there is none.
    """
    found = told.get(name) if isinstance(told, Mapping) else told
    if not isinstance(found, list):
        raise _refuse()
    return found


def _read(kind: type[Record], told: Any) -> Record:
    """Return a record; what a later version sends besides is left out."""
    try:
        return from_data(kind, told)
    except TypeError:
        raise _refuse() from None


def _refuse() -> SurehandError:
    text = "The service gave an answer that this Surehand does not understand."
    return SurehandError(
        text, code="internal_error", hint="surehand service stop, then try again: it may be an older one."
    )


async def read_records(parts: AsyncIterable[bytes]) -> AsyncIterator[dict[str, Any]]:
    """Yield the data of each event; comments, names and ids are left out, since the data says the same."""
    waiting, data = b"", b""
    async for part in parts:
        *lines, waiting = (waiting + part).replace(b"\r\n", b"\n").split(b"\n")
        for line in lines:
            if line.startswith(_DATA):
                data += line[len(_DATA) :].strip()
            elif not line and data:
                yield json.loads(data)
                data = b""
