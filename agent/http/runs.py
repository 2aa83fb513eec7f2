"""Runs: begun, looked at, stopped, taken back, gone on with; and plans."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query

from agent.http.order_bodies import OrderBody, UndoBody
from agent.http.record_bodies import PlanAnswer, RunAnswer, StoppedAnswer, UndoAnswer
from agent.http.serving import Served
from agent.service.callers import Caller
from agent.service.orders import RunOrder, RunTicket
from agent.service.ports import Service
from agent.web.answers import DataResponse
from agent.web.asking import Asker

TAKEN_ON: dict[int | str, dict[str, Any]] = {202: {"model": RunTicket, "description": "It was taken on."}}

router = APIRouter(prefix="/v1", tags=["runs"])


async def take_on(service: Service, caller: Caller, order: RunOrder, *, wait: bool) -> DataResponse:
    """Take a run on, and answer with its ticket, or with what came of it."""
    ticket = await service.begin(caller, order)
    return DataResponse(await service.result(caller, ticket.run_id)) if wait else _tell_ticket(ticket)


def _tell_ticket(ticket: RunTicket) -> DataResponse:
    return DataResponse(ticket, 202, {"Location": f"/v1/runs/{ticket.run_id}"})


@router.post("/runs", response_model=RunAnswer, responses=TAKEN_ON)
async def begin_run(asker: Asker, service: Served, body: OrderBody) -> DataResponse:
    """Take a run on: answer with its ticket at once, or with `wait` with what came of it."""
    return await take_on(service, asker, body.make_order(), wait=body.wait)


@router.get("/runs", response_model=list[RunAnswer])
async def list_runs(
    asker: Asker,
    service: Served,
    session: Annotated[str, Query(max_length=64)] = "",
    words: Annotated[str, Query(max_length=1000)] = "",
    most: Annotated[int, Query(ge=1, le=1000)] = 50,
) -> DataResponse:
    """List runs, the latest first."""
    return DataResponse(await service.find_runs(asker, session=session, words=words, most=most))


@router.get("/runs/{run_id}", response_model=RunAnswer)
async def read_run(asker: Asker, service: Served, run_id: str, *, wait: bool = False) -> DataResponse:
    """Return what is known of a run now, or with `wait` when it has ended."""
    return DataResponse(await (service.result if wait else service.read_run)(asker, run_id))


@router.post("/runs/{run_id}/stop", response_model=StoppedAnswer)
async def stop_run(asker: Asker, service: Served, run_id: str) -> DataResponse:
    """Stop a run."""
    return DataResponse({"stopped": await service.stop(asker, run_id=run_id)})


@router.post("/runs/{run_id}/undo", response_model=UndoAnswer)
async def undo_run(
    asker: Asker, service: Served, run_id: str, body: Annotated[UndoBody | None, Body()] = None
) -> DataResponse:
    """Take back what a run did."""
    return DataResponse(await service.undo(asker, run_id, dry=bool(body and body.dry)))


@router.post("/runs/{run_id}/resume", status_code=202, response_model=RunTicket)
async def resume_run(asker: Asker, service: Served, run_id: str) -> DataResponse:
    """Go on with a run whose process ended."""
    return _tell_ticket(await service.resume(asker, run_id))


@router.post("/plan", response_model=PlanAnswer)
async def plan(asker: Asker, service: Served, body: OrderBody) -> DataResponse:
    """Plan; do nothing."""
    return DataResponse(await service.plan(asker, body.make_order()))


@router.post("/stop", response_model=StoppedAnswer)
async def stop_all(asker: Asker, service: Served) -> DataResponse:
    """Stop all your runs."""
    return DataResponse({"stopped": await service.stop(asker)})
