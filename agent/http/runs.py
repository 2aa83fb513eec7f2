"""Runs: begun, looked at, followed, stopped, taken back, gone on with; plans; and the files that runs made.

A run's events are server-sent events, or come by a WebSocket; both begin where the client says that it stopped.
"""

import base64
from collections.abc import AsyncIterator
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Body, Depends, Header, Query, WebSocket, WebSocketDisconnect
from fastapi.responses import Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from agent.http.order_bodies import OrderBody, UndoBody
from agent.http.record_bodies import PlanAnswer, RunAnswer, StoppedAnswer, UndoAnswer
from agent.service.callers import Caller
from agent.service.orders import Artifact, RunOrder, RunTicket
from agent.service.ports import Service
from agent.web.answers import DataResponse, answer_error, describe_error, find_kind, write_json
from agent.web.asking import Asker, Served
from core.base.errors import SurehandError

TAKEN_ON: dict[int | str, dict[str, Any]] = {202: {"model": RunTicket, "description": "It was taken on."}}
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"*/*": {"schema": {"type": "string", "format": "binary"}}}, "description": "The file."}
}
_LATEST = 2**53
LastSeen = Annotated[int, Header(alias="Last-Event-ID", ge=-1, le=_LATEST)]
After = Annotated[int, Query(ge=-1, le=_LATEST)]
_SHOWN = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
"""What a browser may show; all else is handed over as a file, for a page that came from elsewhere would run as one of ours."""

router = APIRouter(prefix="/v1", tags=["runs"])
artifacts = APIRouter(prefix="/v1", tags=["artifacts"])


async def take_on(service: Service, caller: Caller, order: RunOrder, *, wait: bool) -> DataResponse:
    """Take a run on, and answer with its ticket, or with what came of it."""
    ticket = await service.begin(caller, order)
    return DataResponse(await service.result(caller, ticket.run_id)) if wait else _tell_ticket(ticket)


def _tell_ticket(ticket: RunTicket) -> DataResponse:
    return DataResponse(ticket, 202, {"Location": f"/v1/runs/{ticket.run_id}"})


@router.post("/runs", response_model=RunAnswer, responses=TAKEN_ON)
async def begin_run(asker: Asker, service: Served, body: OrderBody) -> DataResponse:
    """Take a run on: answer with its ticket at once, or with `wait` with what came of it."""
    return await take_on(service, asker, body.make_order(), wait=body.wait)


@router.get("/runs", response_model=list[RunAnswer])
async def list_runs(
    asker: Asker,
    service: Served,
    session: Annotated[str, Query(max_length=64)] = "",
    words: Annotated[str, Query(max_length=1000)] = "",
    most: Annotated[int, Query(ge=1, le=1000)] = 50,
) -> DataResponse:
    """List runs, the latest first."""
    return DataResponse(await service.find_runs(asker, session=session, words=words, most=most))


@router.get("/runs/{run_id}", response_model=RunAnswer)
async def read_run(asker: Asker, service: Served, run_id: str, *, wait: bool = False) -> DataResponse:
    """Return what is known of a run now, or with `wait` when it has ended."""
    return DataResponse(await (service.result if wait else service.read_run)(asker, run_id))


@router.post("/runs/{run_id}/stop", response_model=StoppedAnswer)
async def stop_run(asker: Asker, service: Served, run_id: str) -> DataResponse:
    """Stop a run."""
    return DataResponse({"stopped": await service.stop(asker, run_id=run_id)})


@router.post("/runs/{run_id}/undo", response_model=UndoAnswer)
async def undo_run(
    asker: Asker, service: Served, run_id: str, body: Annotated[UndoBody | None, Body()] = None
) -> DataResponse:
    """Take back what a run did."""
    return DataResponse(await service.undo(asker, run_id, dry=bool(body and body.dry)))


@router.post("/runs/{run_id}/resume", status_code=202, response_model=RunTicket)
async def resume_run(asker: Asker, service: Served, run_id: str) -> DataResponse:
    """Go on with a run whose process ended."""
    return _tell_ticket(await service.resume(asker, run_id))


@router.post("/plan", response_model=PlanAnswer)
async def plan(asker: Asker, service: Served, body: OrderBody) -> DataResponse:
    """Plan; do nothing."""
    return DataResponse(await service.plan(asker, body.make_order()))


@router.post("/stop", response_model=StoppedAnswer)
async def stop_all(asker: Asker, service: Served) -> DataResponse:
    """Stop all your runs."""
    return DataResponse({"stopped": await service.stop(asker)})


async def _find_run(asker: Asker, service: Served, run_id: str) -> str:
    """Return a run's id where it is the caller's; asked before the answer begins, which then can't be taken back."""
    await service.read_run(asker, run_id)
    return run_id


@router.get("/runs/{run_id}/events", response_class=EventSourceResponse)
async def follow_run(
    asker: Asker,
    service: Served,
    run_id: Annotated[str, Depends(_find_run)],
    last_seen: LastSeen = -1,
    after: After = -1,
) -> AsyncIterator[ServerSentEvent]:
    """Stream a run's events; the id of each is its `seq`, and `Last-Event-ID` goes on behind one."""
    try:
        async for each in service.follow(asker, run_id, max(after, last_seen)):
            yield ServerSentEvent(raw_data=write_json(each), event=str(each["event"]), id=str(each["seq"]))
    except SurehandError as error:
        yield ServerSentEvent(raw_data=write_json(describe_error(error.info(), find_kind(error))), event="error")


@router.websocket("/runs/{run_id}/events/socket")
async def talk(asker: Asker, service: Served, socket: WebSocket, run_id: str, after: After = -1) -> None:
    """Send a run's events, one message each, and close behind the last."""
    try:
        await service.read_run(asker, run_id)
    except SurehandError as error:
        await socket.send_denial_response(answer_error(error))
        return
    await socket.accept()
    try:
        async for each in service.follow(asker, run_id, after):
            await socket.send_text(write_json(each))
        await socket.close()
    except SurehandError as error:
        await socket.close(1011, error.code)
    except WebSocketDisconnect:
        return


@artifacts.get("/runs/{run_id}/artifacts", response_model=list[Artifact])
async def list_artifacts(asker: Asker, service: Served, run_id: str) -> DataResponse:
    """List the files that a run made."""
    return DataResponse(await service.list_artifacts(asker, run_id))


@artifacts.get("/artifacts/{artifact_id}", response_class=Response, responses=_FILE)
async def read_artifact(asker: Asker, service: Served, artifact_id: str) -> Response:
    """Return a file."""
    artifact, data = await service.read_artifact(asker, artifact_id)
    digest = base64.b64encode(bytes.fromhex(artifact.sha256)).decode()
    kind = "inline" if artifact.media_type in _SHOWN else "attachment"
    headers = {
        "Content-Disposition": f"{kind}; filename*=UTF-8''{quote(artifact.name, safe='', errors='replace')}",
        "Repr-Digest": f"sha-256=:{digest}:",
        "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    }
    return Response(data, media_type=artifact.media_type, headers=headers)
