"""Planners, and what they have to do: listed, added to, set, worked off. One is carried out as a run: POST /v1/runs."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Path
from pydantic import Field

from agent.http.order_bodies import Name
from agent.web.answers import DataResponse
from agent.web.asking import Asker, Served
from agent.web.bodies import ClosedBody
from core.planning.planners.ports import BacklogItem, BacklogState, Transition

ItemId = Annotated[str, Path(min_length=1, max_length=200)]

router = APIRouter(prefix="/v1", tags=["planners"])


class ItemBody(ClosedBody):
    """Something that is to be done.

    Attributes:
        title: What is to be done; the id where absent.
        capability: Which planners may take it up; none where absent, so that it is a person's to do.
    """

    item_id: Name
    title: Annotated[str, Field(max_length=1000)] = ""
    capability: Annotated[str, Field(max_length=100)] = ""
    data: Annotated[dict[str, Any], Field(default_factory=dict)]
    priority: Annotated[int, Field(ge=-100, le=100)] = 0
    plan: Annotated[str, Field(max_length=200)] = ""


class StateBody(ClosedBody):
    """Where an item stands from now on, and why."""

    state: Literal["pending", "active", "blocked", "done", "failed"]
    because: Annotated[str, Field(max_length=1000)] = "set by hand"


class WorkBody(ClosedBody):
    """What is worked off.

    Attributes:
        capability: Only what is for this one.
        most: Items at most; null for all.
    """

    capability: Annotated[str, Field(max_length=100)] = ""
    most: Annotated[int, Field(ge=1, le=1000)] | None = None


@router.get("/planners", response_model=list[dict[str, Any]])
async def list_planners(asker: Asker, service: Served) -> DataResponse:
    """List all planners, with what they can do, what they take, and their settings."""
    return DataResponse(await service.list_planners(asker))


@router.get("/backlog", response_model=list[BacklogItem])
async def list_backlog(asker: Asker, service: Served, state: BacklogState | None = None) -> DataResponse:
    """List what planners have to do, the oldest first."""
    return DataResponse(await service.list_backlog(asker, state=state))


@router.post("/backlog", response_model=dict[str, str], status_code=201)
async def add_to_backlog(asker: Asker, service: Served, body: ItemBody) -> DataResponse:
    """Add something to do; it is worked off as soon as a planner that can is free."""
    item = BacklogItem(
        item_id=body.item_id,
        title=body.title or body.item_id,
        consumed_by=body.capability,
        plan_id=body.plan,
        priority=body.priority,
        data=body.data,
    )
    await service.add_to_backlog(asker, item)
    return DataResponse({"item_id": body.item_id, "state": "pending"}, 201)


@router.post("/backlog/work", response_model=list[dict[str, Any]])
async def work(asker: Asker, service: Served, body: Annotated[WorkBody | None, Body()] = None) -> DataResponse:
    """Work the backlog off, and return what came of each item."""
    wished = body or WorkBody()
    return DataResponse(await service.work(asker, capability=wished.capability, most=wished.most))


@router.post("/backlog/{item_id}", response_model=Transition)
async def set_backlog(asker: Asker, service: Served, item_id: ItemId, body: StateBody) -> DataResponse:
    """Set where an item stands."""
    return DataResponse(await service.set_backlog(asker, item_id, body.state, body.because))
