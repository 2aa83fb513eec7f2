"""The events of a run: as server-sent events, and by a WebSocket; both begin where the client says that it stopped."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, WebSocket, WebSocketDisconnect
from fastapi.sse import EventSourceResponse, ServerSentEvent

from agent.service.callers import Caller
from agent.service.gates import AccessGate
from agent.service.ports import Service
from agent.web.answers import answer_error, describe_error, find_kind, write_json
from agent.web.asking import Asker
from core.base.errors import SurehandError

_LATEST = 2**53
LastSeen = Annotated[int, Header(alias="Last-Event-ID", ge=-1, le=_LATEST)]
After = Annotated[int, Query(ge=-1, le=_LATEST)]


class EventRoutes:
    """What is asked about events."""

    def __init__(self, service: Service) -> None:
        """Ask this service."""
        self._service = service

    async def find_run(self, asker: Asker, run_id: str) -> str:
        """Return a run's id where it is the caller's; asked before the answer begins, which then can't be taken back."""
        await self._service.read_run(asker, run_id)
        return run_id

    async def stream(self, caller: Caller, run_id: str, after: int) -> AsyncIterator[ServerSentEvent]:
        """Yield a run's events."""
        try:
            async for each in self._service.follow(caller, run_id, after):
                yield ServerSentEvent(raw_data=write_json(each), event=str(each["event"]), id=str(each["seq"]))
        except SurehandError as error:
            yield ServerSentEvent(raw_data=write_json(describe_error(error.info(), find_kind(error))), event="error")

    async def talk(self, asker: Asker, socket: WebSocket, run_id: str, after: After = -1) -> None:
        """Send a run's events, one message each, and close behind the last."""
        try:
            await self._service.read_run(asker, run_id)
        except SurehandError as error:
            await socket.send_denial_response(answer_error(error))
            return
        await socket.accept()
        try:
            async for each in self._service.follow(asker, run_id, after):
                await socket.send_text(write_json(each))
            await socket.close()
        except SurehandError as error:
            await socket.close(1011, error.code)
        except WebSocketDisconnect:
            return


def make_router(service: Service, _: AccessGate) -> APIRouter:
    """Return the routes."""
    routes, router = EventRoutes(service), APIRouter(prefix="/v1", tags=["runs"])

    async def follow_run(
        asker: Asker, run_id: Annotated[str, Depends(routes.find_run)], last_seen: LastSeen = -1, after: After = -1
    ) -> AsyncIterator[ServerSentEvent]:
        """Stream a run's events; the id of each is its `seq`, and `Last-Event-ID` goes on behind one."""
        async for each in routes.stream(asker, run_id, max(after, last_seen)):
            yield each

    router.add_api_route("/runs/{run_id}/events", follow_run, methods=["GET"], response_class=EventSourceResponse)
    router.add_api_websocket_route("/runs/{run_id}/events/socket", routes.talk)
    return router
