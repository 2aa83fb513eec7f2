"""The events of a run: as server-sent events, and by a WebSocket; both begin where the client says that it stopped."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, WebSocket, WebSocketDisconnect
from fastapi.sse import EventSourceResponse, ServerSentEvent

from agent.http.serving import Served
from agent.web.answers import answer_error, describe_error, find_kind, write_json
from agent.web.asking import Asker
from core.base.errors import SurehandError

_LATEST = 2**53
LastSeen = Annotated[int, Header(alias="Last-Event-ID", ge=-1, le=_LATEST)]
After = Annotated[int, Query(ge=-1, le=_LATEST)]


router = APIRouter(prefix="/v1/runs/{run_id}/events", tags=["runs"])


async def _find_run(asker: Asker, service: Served, run_id: str) -> str:
    """Return a run's id where it is the caller's; asked before the answer begins, which then can't be taken back."""
    await service.read_run(asker, run_id)
    return run_id


@router.get("", response_class=EventSourceResponse)
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


@router.websocket("/socket")
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
