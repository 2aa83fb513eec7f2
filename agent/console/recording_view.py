"""The page that shows a recording's browser to a person who has no window for it, and takes their clicks and keys.

On this machine's own address, and for those who have its token.
"""

import base64
import secrets
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import Field

from agent.access.token_gate import Principal, TokenGate
from agent.console.pages import show_file
from agent.recording.desk import RecordingDesk
from agent.web.answers import ON_ERRORS, DataResponse, write_json
from agent.web.asking import Asker
from agent.web.bodies import ClosedBody, TouchBody
from agent.web.server import DoorServer, listen_on
from agent.web.wall import Wall, WallRules
from core.addresses.spelled_addresses import complete_address
from core.base.errors import InputError, RefusedError, SurehandError

HOST = "127.0.0.1"


class RecordingAnswer(ClosedBody):
    """What a person answers: an expectation, a dialog, files that a page wants, where to go, that they are done."""

    expect: bool | None = None
    accept: bool | None = None
    text: Annotated[str, Field(max_length=10_000)] | None = None
    files: Annotated[list[str], Field(max_length=100)] | None = None
    url: Annotated[str, Field(max_length=4000)] | None = None
    done: bool = False


def _find_desk(request: Request, asker: Asker) -> RecordingDesk:
    if not asker.may_approve:
        raise RefusedError("Only the person who records may do that.", code="approval_needs_a_person")
    return request.app.state.desk


Desk = Annotated[RecordingDesk, Depends(_find_desk)]
router = APIRouter(prefix="/v1/recording", include_in_schema=False)


@router.get("")
async def read_state(desk: Desk) -> DataResponse:
    """Return the steps so far, and what is asked."""
    return DataResponse(desk.describe())


@router.get("/screen", response_class=EventSourceResponse)
async def watch(desk: Desk) -> AsyncIterator[ServerSentEvent]:
    """Yield pictures."""
    try:
        async with aclosing(desk.watch()) as frames:
            async for each in frames:
                told = {**asdict(each), "data": base64.b64encode(each.data).decode("ascii")}
                yield ServerSentEvent(raw_data=write_json(told), event="frame")
    except SurehandError as error:
        yield ServerSentEvent(raw_data=write_json({"error": error.info()}), event="error")


@router.post("/input")
async def touch(desk: Desk, body: TouchBody) -> DataResponse:
    """Click and type on the page."""
    await desk.touch([each.model_dump() for each in body.events])
    return DataResponse({"touched": len(body.events)})


@router.post("/answer")
async def answer(desk: Desk, body: RecordingAnswer) -> DataResponse:
    """Take an answer."""
    if body.expect is not None:
        desk.answer(accept=body.expect)
    if body.accept is not None:
        await desk.answer_dialog(accept=body.accept, text=body.text)
    if body.files is not None:
        desk.give_files(body.files)
    if body.url is not None:
        address = complete_address(body.url)
        if address is None:
            raise InputError(f"“{body.url}” is not an address.", hint="Write it with https://.")
        await desk.go(address)
    if body.done:
        desk.ended.set()
    return DataResponse(desk.describe())


def make_view(desk: RecordingDesk, token: str) -> FastAPI:
    """Return the page's app.

    Args:
        token: What whoever comes must show.
    """
    app = FastAPI(
        openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False, exception_handlers=dict(ON_ERRORS)
    )
    app.state.desk = desk
    app.include_router(router)
    app.add_api_route("/console/{name:path}", show_file, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_middleware(Wall, gate=TokenGate([Principal(name="", token=token)]), rules=WallRules())
    return app


class RecordingView:
    """The page, served for as long as a recording lasts.

    Attributes:
        address: What a person opens; it holds the token behind ``#``, which is never sent.
    """

    def __init__(self, desk: RecordingDesk) -> None:
        """Listen on a free port of this machine, nothing answered yet; an OSError if no port can be had."""
        token = secrets.token_urlsafe(24)
        listener = listen_on(HOST, 0)
        self._server = DoorServer(make_view(desk, token), [listener])
        self.address = f"http://{HOST}:{listener.getsockname()[1]}/console/record.html#token={token}"

    def start(self) -> None:
        """Begin to answer."""
        self._server.start()

    async def stop(self) -> None:
        """Answer no longer. Calling it again does nothing."""
        await self._server.stop()
