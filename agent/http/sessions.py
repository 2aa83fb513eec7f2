"""Sessions: listed, spoken to, looked at, stopped and closed; their pages, watched live and taken over; and what waits for an answer.

Frames are server-sent events and input is posted, since a page can give its token in a header to both and to no WebSocket.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, cast

from fastapi import APIRouter, Body, Depends, Path, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel

from agent.http.order_bodies import AnswerBody, SayBody, SessionBody
from agent.http.record_bodies import AnsweredAnswer, ClosedAnswer, RunAnswer, StoppedAnswer
from agent.http.runs import TAKEN_ON, take_on
from agent.service.callers import SESSION_PATTERN
from agent.service.orders import OpenQuestion, RunOrder, SessionRecord
from agent.web.answers import DataResponse, write_json
from agent.web.asking import Asker, Served
from agent.web.bodies import ClosedBody, TouchBody
from core.base.errors import RefusedError, SurehandError

SessionName = Annotated[str, Path(pattern=SESSION_PATTERN)]

router = APIRouter(prefix="/v1/sessions", tags=["sessions"])
questions = APIRouter(prefix="/v1/questions", tags=["questions"])


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


@router.get("", response_model=list[SessionRecord])
async def list_sessions(asker: Asker, service: Served) -> DataResponse:
    """List your sessions."""
    return DataResponse(await service.list_sessions(asker))


@router.get("/{name}", response_model=SessionRecord)
async def read_session(asker: Asker, service: Served, name: SessionName) -> DataResponse:
    """Return a session."""
    found = [each for each in await service.list_sessions(asker) if each.name == name]
    if not found:
        raise RefusedError(f"No session “{name}”.", code="unknown_session", hint="List them: GET /v1/sessions.")
    return DataResponse(found[0])


@router.put("/{name}", response_model=SessionRecord)
async def open_session(asker: Asker, service: Served, name: SessionName, body: SessionBody) -> DataResponse:
    """Open a session that is to be like this; one that an order names opens by itself."""
    return DataResponse(await service.open_session(asker, name, body.make_wishes()))


@router.delete("/{name}", response_model=ClosedAnswer)
async def close_session(asker: Asker, service: Served, name: SessionName) -> DataResponse:
    """Stop what runs in a session, and close its pages."""
    await service.close_session(asker, name)
    return DataResponse({"closed": name})


@router.post("/{name}/say", response_model=RunAnswer, responses=TAKEN_ON)
async def say(asker: Asker, service: Served, name: SessionName, body: SayBody) -> DataResponse:
    """Say something in a session: a wish, an answer, or a word to what runs."""
    order = RunOrder(text=body.text, session=name, said=True, request_id=body.request_id)
    return await take_on(service, asker, order, wait=body.wait)


@router.post("/{name}/look", response_model=dict[str, Any])
async def look(
    asker: Asker, service: Served, name: SessionName, params: Annotated[dict[str, Any] | None, Body()] = None
) -> DataResponse:
    """Return the outline of a session's page, or of a window; takes the params of `browser.look` or `desktop.look`."""
    return DataResponse(await service.look(asker, name, params or {}))


@router.post("/{name}/stop", response_model=StoppedAnswer)
async def stop_session(asker: Asker, service: Served, name: SessionName) -> DataResponse:
    """Stop a session's runs."""
    return DataResponse({"stopped": await service.stop(asker, session=name)})


async def _find_session(asker: Asker, service: Served, name: SessionName) -> str:
    """Return a session's name where it is open; asked before the answer begins, which then can't be taken back."""
    if all(each.name != name for each in await service.list_sessions(asker)):
        raise RefusedError(f"No session “{name}” is open.", code="unknown_session", hint="Say something in it first.")
    return name


@router.get("/{name}/screen", response_class=EventSourceResponse)
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


@router.post("/{name}/screen/hold", response_model=HeldAnswer)
async def hold(asker: Asker, service: Served, name: SessionName, body: HoldBody) -> DataResponse:
    """Take a session's pages over, or give them back."""
    deeds = await service.hold_screen(asker, name, held=body.held)
    return DataResponse({"held": body.held, "deeds": list(deeds)})


@router.post("/{name}/screen/input", response_model=TouchedAnswer)
async def touch(asker: Asker, service: Served, name: SessionName, body: TouchBody) -> DataResponse:
    """Click and type on the pages that were taken over."""
    await service.touch_screen(asker, name, [each.model_dump() for each in body.events])
    return DataResponse({"touched": len(body.events)})


@questions.get("", response_model=list[OpenQuestion])
async def list_questions(
    asker: Asker, service: Served, session: Annotated[str, Query(max_length=64)] = ""
) -> DataResponse:
    """List what waits for an answer."""
    return DataResponse(await service.list_questions(asker, session=session))


@questions.post("/{question_id}", response_model=AnsweredAnswer)
async def answer_question(asker: Asker, service: Served, question_id: str, body: AnswerBody) -> DataResponse:
    """Answer a question; the digest says that it is still the one that was shown."""
    ticket = await service.answer(asker, question_id, body.digest, answer=body.answer)
    return DataResponse({"answered": question_id, "run": ticket})
