"""Metrics of the service, for Prometheus."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from agent.service.ports import Service
from agent.web.asking import Asker
from agent.web.metrics import Metrics


class MeasureRoutes:
    """What is asked about numbers."""

    def __init__(self, service: Service, metrics: Metrics) -> None:
        """Ask this service."""
        self._service = service
        self._metrics = metrics

    async def tell_metrics(self, asker: Asker, request: Request) -> Response:
        """Return the metrics as Prometheus reads them."""
        asker.require("read")
        measured, metrics = await self._service.measure(asker), self._metrics.choose(asker.principal)
        metrics.take_measures(measured)
        text, media_type = metrics.write(request.headers.get("accept", ""))
        return Response(text, media_type=media_type)


def make_measures(service: Service, metrics: Metrics) -> APIRouter:
    """Return the routes."""
    routes, router = MeasureRoutes(service, metrics), APIRouter(tags=["health"])
    text = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "The metrics."}}
    router.add_api_route("/metrics", routes.tell_metrics, methods=["GET"], response_class=Response, responses={**text})
    return router
