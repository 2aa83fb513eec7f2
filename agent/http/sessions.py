"""Sessions: listed, spoken to, looked at, stopped and closed."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Path

from agent.http.order_bodies import SayBody, SessionBody
from agent.http.record_bodies import ClosedAnswer, RunAnswer, StoppedAnswer
from agent.http.runs import take_on
from agent.service.gates import AccessGate
from agent.service.orders import RunOrder, RunTicket, SessionRecord
from agent.service.ports import Service
from agent.service.session_names import SESSION_PATTERN
from agent.web.answers import DataResponse
from agent.web.asking import Asker
from core.base.errors import RefusedError

SessionName = Annotated[str, Path(pattern=SESSION_PATTERN)]


class SessionRoutes:
    """What is asked about sessions."""

    def __init__(self, service: Service) -> None:
        """Ask this service."""
        self._service = service

    async def list_sessions(self, asker: Asker) -> DataResponse:
        """List your sessions."""
        return DataResponse(await self._service.list_sessions(asker))

    async def read_session(self, asker: Asker, name: SessionName) -> DataResponse:
        """Return a session."""
        found = [each for each in await self._service.list_sessions(asker) if each.name == name]
        if not found:
            raise RefusedError(f"No session “{name}”.", code="unknown_session", hint="List them: GET /v1/sessions.")
        return DataResponse(found[0])

    async def open_session(self, asker: Asker, name: SessionName, body: SessionBody) -> DataResponse:
        """Open a session that is to be like this; one that an order names opens by itself."""
        return DataResponse(await self._service.open_session(asker, name, body.make_wishes()))

    async def close_session(self, asker: Asker, name: SessionName) -> DataResponse:
        """Stop what runs in a session, and close its pages."""
        await self._service.close_session(asker, name)
        return DataResponse({"closed": name})

    async def say(self, asker: Asker, name: SessionName, body: SayBody) -> DataResponse:
        """Say something in a session: a wish, an answer, or a word to what runs."""
        order = RunOrder(text=body.text, session=name, said=True, request_id=body.request_id)
        return await take_on(self._service, asker, order, wait=body.wait)

    async def look(
        self, asker: Asker, name: SessionName, params: Annotated[dict[str, Any] | None, Body()] = None
    ) -> DataResponse:
        """Return the outline of a session's page, or of a window; takes the params of `browser.look` or `desktop.look`."""
        return DataResponse(await self._service.look(asker, name, params or {}))

    async def stop_session(self, asker: Asker, name: SessionName) -> DataResponse:
        """Stop a session's runs."""
        return DataResponse({"stopped": await self._service.stop(asker, session=name)})


def make_router(service: Service, _: AccessGate) -> APIRouter:
    """Return the routes."""
    routes, router = SessionRoutes(service), APIRouter(prefix="/v1", tags=["sessions"])
    one = "/sessions/{name}"
    ticket = {202: {"model": RunTicket, "description": "It was taken on."}}
    router.add_api_route("/sessions", routes.list_sessions, methods=["GET"], response_model=list[SessionRecord])
    router.add_api_route(one, routes.read_session, methods=["GET"], response_model=SessionRecord)
    router.add_api_route(one, routes.open_session, methods=["PUT"], response_model=SessionRecord)
    router.add_api_route(one, routes.close_session, methods=["DELETE"], response_model=ClosedAnswer)
    router.add_api_route(f"{one}/say", routes.say, methods=["POST"], response_model=RunAnswer, responses={**ticket})
    router.add_api_route(f"{one}/look", routes.look, methods=["POST"], response_model=dict[str, Any])
    router.add_api_route(f"{one}/stop", routes.stop_session, methods=["POST"], response_model=StoppedAnswer)
    return router
