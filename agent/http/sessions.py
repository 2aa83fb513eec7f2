"""Sessions: listed, spoken to, looked at, stopped and closed."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Path

from agent.http.order_bodies import SayBody, SessionBody
from agent.http.record_bodies import ClosedAnswer, RunAnswer, StoppedAnswer
from agent.http.runs import TAKEN_ON, take_on
from agent.http.serving import Served
from agent.service.orders import RunOrder, SessionRecord
from agent.service.session_names import SESSION_PATTERN
from agent.web.answers import DataResponse
from agent.web.asking import Asker
from core.base.errors import RefusedError

SessionName = Annotated[str, Path(pattern=SESSION_PATTERN)]

router = APIRouter(prefix="/v1/sessions", tags=["sessions"])


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
