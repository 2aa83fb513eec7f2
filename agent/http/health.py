"""Health: whether the service answers, how it does, and its metrics for Prometheus."""

from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from agent.http.record_bodies import HealthAnswer, LiveAnswer
from agent.web.answers import DataResponse
from agent.web.asking import Asker, Served
from agent.web.metrics import Metrics

_METRICS: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "The metrics."}
}

router = APIRouter(tags=["health"])


@router.get("/v1/live", response_model=LiveAnswer)
async def tell_live() -> DataResponse:
    """Say that the service answers; needs no token, and tells nothing."""
    return DataResponse({"status": "ok"})


@router.get("/v1/health", response_model=HealthAnswer)
async def tell_health(asker: Asker, service: Served) -> DataResponse:
    """Return how the service does."""
    asker.require("read")
    return DataResponse({**await service.measure(asker), "version": version("surehand")})


@router.get("/metrics", response_class=Response, responses=_METRICS)
async def tell_metrics(asker: Asker, service: Served, request: Request) -> Response:
    """Return the metrics as Prometheus reads them."""
    asker.require("read")
    whole: Metrics = request.app.state.metrics
    metrics = whole.choose(asker.principal)
    metrics.take_measures(await service.measure(asker))
    text, media_type = metrics.write(request.headers.get("accept", ""))
    return Response(text, media_type=media_type)
