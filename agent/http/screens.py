"""Screens: a session's page, watched live and taken over by a person.

Frames are server-sent events and input is posted, since a page can give its token in a header to both and to no WebSocket.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated, cast

from fastapi import APIRouter, Depends
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel

from agent.http.serving import Served
from agent.http.sessions import SessionName
from agent.web.answers import DataResponse, write_json
from agent.web.asking import Asker
from agent.web.closed_bodies import ClosedBody, TouchBody
from core.base.errors import RefusedError, SurehandError


class HoldBody(ClosedBody):
    """Whether a person takes the pages, or gives them back."""

    held: bool


class HeldAnswer(BaseModel):
    """Who has the pages."""

    held: bool
    deeds: list[str]


class TouchedAnswer(BaseModel):
    """What was done."""

    touched: int


router = APIRouter(prefix="/v1/sessions/{name}/screen", tags=["sessions"])


async def _find_session(asker: Asker, service: Served, name: SessionName) -> str:
    """Return a session's name where it is open; asked before the answer begins, which then can't be taken back."""
    if all(each.name != name for each in await service.list_sessions(asker)):
        raise RefusedError(f"No session “{name}” is open.", code="unknown_session", hint="Say something in it first.")
    return name


@router.get("", response_class=EventSourceResponse)
async def watch(
    asker: Asker, service: Served, name: Annotated[str, Depends(_find_session)]
) -> AsyncIterator[ServerSentEvent]:
    """Stream what is to be seen of a session's page, one `frame` each; never ends by itself."""
    frames = cast("AsyncGenerator[object]", service.watch_screen(asker, name))
    try:
        async with aclosing(frames):
            async for each in frames:
                yield ServerSentEvent(raw_data=write_json(each), event="frame")
    except SurehandError as error:
        yield ServerSentEvent(raw_data=write_json({"error": error.info()}), event="error")


@router.post("/hold", response_model=HeldAnswer)
async def hold(asker: Asker, service: Served, name: SessionName, body: HoldBody) -> DataResponse:
    """Take a session's pages over, or give them back."""
    deeds = await service.hold_screen(asker, name, held=body.held)
    return DataResponse({"held": body.held, "deeds": list(deeds)})


@router.post("/input", response_model=TouchedAnswer)
async def touch(asker: Asker, service: Served, name: SessionName, body: TouchBody) -> DataResponse:
    """Click and type on the pages that were taken over."""
    await service.touch_screen(asker, name, [each.model_dump() for each in body.events])
    return DataResponse({"touched": len(body.events)})
