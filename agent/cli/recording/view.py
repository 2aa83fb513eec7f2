"""The page that shows a recording's browser to a person who has no window for it, and takes their clicks and keys.

On this machine's own address, and for those who have its token.
"""

import base64
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from actuators.browser.ports.screens import MOST_TOUCHES, ScreenFrame, Touch
from agent.access.token_gate import Principal, TokenGate
from agent.console.pages import show_file
from agent.recording.desk import RecordingDesk
from agent.service.callers import Caller
from agent.web.answers import DataResponse, on_bad_input, on_fault, on_http_error, on_our_error, write_json
from agent.web.asking import Asker
from agent.web.server import DoorServer, listen_on
from agent.web.wall import Wall, WallRules
from core.addresses.spelled_addresses import complete_address
from core.base.errors import InputError, RefusedError, SurehandError

HOST = "127.0.0.1"


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class RecordingTouches(_Body):
    """What a person does on the picture, in order."""

    events: Annotated[list[Touch], Field(max_length=MOST_TOUCHES)]


class RecordingAnswer(_Body):
    """What a person answers: an expectation, a dialog, files that a page wants, where to go, that they are done."""

    expect: bool | None = None
    accept: bool | None = None
    text: Annotated[str, Field(max_length=10_000)] | None = None
    files: Annotated[list[str], Field(max_length=100)] | None = None
    url: Annotated[str, Field(max_length=4000)] | None = None
    done: bool = False


class RecordingRoutes:
    """What the page asks."""

    def __init__(self, desk: RecordingDesk) -> None:
        """Ask this desk."""
        self._desk = desk

    async def read_state(self, asker: Asker) -> DataResponse:
        """Return the steps so far, and what is asked."""
        _require_person(asker)
        return DataResponse(self._desk.describe())

    async def touch(self, asker: Asker, body: RecordingTouches) -> DataResponse:
        """Click and type on the page."""
        _require_person(asker)
        await self._desk.touch([each.model_dump() for each in body.events])
        return DataResponse({"touched": len(body.events)})

    async def answer(self, asker: Asker, body: RecordingAnswer) -> DataResponse:
        """Take an answer."""
        _require_person(asker)
        if body.expect is not None:
            self._desk.answer(accept=body.expect)
        if body.accept is not None:
            await self._desk.answer_dialog(accept=body.accept, text=body.text)
        if body.files is not None:
            self._desk.give_files(body.files)
        if body.url is not None:
            await self._desk.go(_complete(body.url))
        if body.done:
            self._desk.ended.set()
        return DataResponse(self._desk.describe())

    async def stream(self) -> AsyncIterator[ServerSentEvent]:
        """Yield pictures."""
        frames = self._desk.watch()
        try:
            async with aclosing(frames):
                async for each in frames:
                    yield ServerSentEvent(raw_data=write_json(_describe(each)), event="frame")
        except SurehandError as error:
            yield ServerSentEvent(raw_data=write_json({"error": error.info()}), event="error")


def _describe(frame: ScreenFrame) -> Mapping[str, Any]:
    return {**asdict(frame), "data": base64.b64encode(frame.data).decode("ascii")}


def _require_person(caller: Caller) -> None:
    if not caller.may_approve:
        raise RefusedError("Only the person who records may do that.", code="approval_needs_a_person")


def _complete(url: str) -> str:
    address = complete_address(url)
    if address is None:
        raise InputError(f"“{url}” is not an address.", hint="Write it with https://.")
    return address


def make_view(desk: RecordingDesk, token: str) -> FastAPI:
    """Return the page's app.

    Args:
        token: What whoever comes must show.
    """
    routes, router = RecordingRoutes(desk), APIRouter(prefix="/v1/recording", include_in_schema=False)

    async def watch(asker: Asker) -> AsyncIterator[ServerSentEvent]:
        _require_person(asker)
        async for each in routes.stream():
            yield each

    router.add_api_route("", routes.read_state, methods=["GET"])
    router.add_api_route("/screen", watch, methods=["GET"], response_class=EventSourceResponse)
    router.add_api_route("/input", routes.touch, methods=["POST"])
    router.add_api_route("/answer", routes.answer, methods=["POST"])
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    app.include_router(router)
    app.add_api_route("/console/{name:path}", show_file, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_exception_handler(SurehandError, on_our_error)
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(RequestValidationError, on_bad_input)
    app.add_exception_handler(Exception, on_fault)
    app.add_middleware(Wall, gate=TokenGate([Principal(name="", token=token)]), rules=WallRules())
    return app


class RecordingView:
    """The page, served for as long as a recording lasts.

    Attributes:
        address: What a person opens; it holds the token behind ``#``, which is never sent.
    """

    def __init__(self, desk: RecordingDesk) -> None:
        """Listen on a free port of this machine; nothing is answered yet.

        Raises:
            OSError: If no port can be had.
        """
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
