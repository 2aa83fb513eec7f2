"""Screens: a session's page, watched live and taken over by a person.

Frames are server-sent events and input is posted, since a page can give its token in a header to both and to no WebSocket.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated, cast

from fastapi import APIRouter, Depends
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field

from actuators.browser.ports.screens import MOST_TOUCHES, Touch
from agent.http.order_bodies import ClosedBody
from agent.http.sessions import SessionName
from agent.service.callers import Caller
from agent.service.gates import AccessGate
from agent.service.ports import Service
from agent.web.answers import DataResponse, write_json
from agent.web.asking import Asker
from core.base.errors import RefusedError, SurehandError


class HoldBody(ClosedBody):
    """Whether a person takes the pages, or gives them back."""

    held: bool


class TouchBody(ClosedBody):
    """What a person does on the pages that they have."""

    events: Annotated[list[Touch], Field(max_length=MOST_TOUCHES)]


class HeldAnswer(BaseModel):
    """Who has the pages."""

    held: bool
    deeds: list[str]


class TouchedAnswer(BaseModel):
    """What was done."""

    touched: int


class ScreenRoutes:
    """What is asked about the pages of sessions."""

    def __init__(self, service: Service) -> None:
        """Ask this service."""
        self._service = service

    async def find_session(self, asker: Asker, name: SessionName) -> str:
        """Return a session's name where it is open; asked before the answer begins, which then can't be taken back."""
        if all(each.name != name for each in await self._service.list_sessions(asker)):
            raise RefusedError(
                f"No session “{name}” is open.", code="unknown_session", hint="Say something in it first."
            )
        return name

    async def stream(self, caller: Caller, name: str) -> AsyncIterator[ServerSentEvent]:
        """Yield frames."""
        frames = cast("AsyncGenerator[object]", self._service.watch_screen(caller, name))
        try:
            async with aclosing(frames):
                async for each in frames:
                    yield ServerSentEvent(raw_data=write_json(each), event="frame")
        except SurehandError as error:
            yield ServerSentEvent(raw_data=write_json({"error": error.info()}), event="error")

    async def hold(self, asker: Asker, name: SessionName, body: HoldBody) -> DataResponse:
        """Take a session's pages over, or give them back."""
        deeds = await self._service.hold_screen(asker, name, held=body.held)
        return DataResponse({"held": body.held, "deeds": list(deeds)})

    async def touch(self, asker: Asker, name: SessionName, body: TouchBody) -> DataResponse:
        """Click and type on the pages that were taken over."""
        await self._service.touch_screen(asker, name, [each.model_dump() for each in body.events])
        return DataResponse({"touched": len(body.events)})


def make_router(service: Service, _: AccessGate) -> APIRouter:
    """Return the routes."""
    routes, router = ScreenRoutes(service), APIRouter(prefix="/v1/sessions/{name}/screen", tags=["sessions"])

    async def watch(asker: Asker, name: Annotated[str, Depends(routes.find_session)]) -> AsyncIterator[ServerSentEvent]:
        """Stream what is to be seen of a session's page, one `frame` each; never ends by itself."""
        async for each in routes.stream(asker, name):
            yield each

    router.add_api_route("", watch, methods=["GET"], response_class=EventSourceResponse)
    router.add_api_route("/hold", routes.hold, methods=["POST"], response_model=HeldAnswer)
    router.add_api_route("/input", routes.touch, methods=["POST"], response_model=TouchedAnswer)
    return router
