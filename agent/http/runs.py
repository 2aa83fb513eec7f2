"""Runs: begun, looked at, stopped, taken back, gone on with; and plans."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from agent.http.order_bodies import OrderBody, UndoBody
from agent.http.record_bodies import PlanAnswer, RunAnswer, StoppedAnswer, UndoAnswer
from agent.service.callers import Caller
from agent.service.gates import AccessGate
from agent.service.orders import RunOrder, RunTicket
from agent.service.ports import Service
from agent.web.answers import DataResponse
from agent.web.asking import Asker


async def take_on(service: Service, caller: Caller, order: RunOrder, *, wait: bool) -> DataResponse:
    """Take a run on, and answer with its ticket, or with what came of it."""
    ticket = await service.begin(caller, order)
    if wait:
        return DataResponse(await service.result(caller, ticket.run_id))
    return DataResponse(ticket, 202, {"Location": f"/v1/runs/{ticket.run_id}"})


class RunRoutes:
    """What is asked about runs."""

    def __init__(self, service: Service) -> None:
        """Ask this service."""
        self._service = service

    async def begin_run(self, asker: Asker, body: OrderBody) -> DataResponse:
        """Take a run on: answer with its ticket at once, or with `wait` with what came of it."""
        return await take_on(self._service, asker, body.make_order(), wait=body.wait)

    async def plan(self, asker: Asker, body: OrderBody) -> DataResponse:
        """Plan; do nothing."""
        return DataResponse(await self._service.plan(asker, body.make_order()))

    async def list_runs(
        self,
        asker: Asker,
        session: Annotated[str, Query(max_length=64)] = "",
        words: Annotated[str, Query(max_length=1000)] = "",
        most: Annotated[int, Query(ge=1, le=1000)] = 50,
    ) -> DataResponse:
        """List runs, the latest first."""
        return DataResponse(await self._service.find_runs(asker, session=session, words=words, most=most))

    async def read_run(self, asker: Asker, run_id: str, *, wait: bool = False) -> DataResponse:
        """Return what is known of a run now, or with `wait` when it has ended."""
        if wait:
            return DataResponse(await self._service.result(asker, run_id))
        return DataResponse(await self._service.read_run(asker, run_id))

    async def stop_run(self, asker: Asker, run_id: str) -> DataResponse:
        """Stop a run."""
        return DataResponse({"stopped": await self._service.stop(asker, run_id=run_id)})

    async def stop_all(self, asker: Asker) -> DataResponse:
        """Stop all your runs."""
        return DataResponse({"stopped": await self._service.stop(asker)})

    async def undo_run(
        self, asker: Asker, run_id: str, body: Annotated[UndoBody | None, Body()] = None
    ) -> DataResponse:
        """Take back what a run did."""
        return DataResponse(await self._service.undo(asker, run_id, dry=bool(body and body.dry)))

    async def resume_run(self, asker: Asker, run_id: str) -> DataResponse:
        """Go on with a run whose process ended."""
        ticket = await self._service.resume(asker, run_id)
        return DataResponse(ticket, 202, {"Location": f"/v1/runs/{ticket.run_id}"})


def make_router(service: Service, _: AccessGate) -> APIRouter:
    """Return the routes."""
    routes, router = RunRoutes(service), APIRouter(prefix="/v1", tags=["runs"])
    ticket = {202: {"model": RunTicket, "description": "It was taken on."}}
    router.add_api_route("/runs", routes.begin_run, methods=["POST"], response_model=RunAnswer, responses={**ticket})
    router.add_api_route("/runs", routes.list_runs, methods=["GET"], response_model=list[RunAnswer])
    router.add_api_route("/runs/{run_id}", routes.read_run, methods=["GET"], response_model=RunAnswer)
    router.add_api_route("/runs/{run_id}/stop", routes.stop_run, methods=["POST"], response_model=StoppedAnswer)
    router.add_api_route("/runs/{run_id}/undo", routes.undo_run, methods=["POST"], response_model=UndoAnswer)
    router.add_api_route(
        "/runs/{run_id}/resume", routes.resume_run, methods=["POST"], status_code=202, response_model=RunTicket
    )
    router.add_api_route("/plan", routes.plan, methods=["POST"], response_model=PlanAnswer)
    router.add_api_route("/stop", routes.stop_all, methods=["POST"], response_model=StoppedAnswer)
    return router
