"""Health: whether the service answers, and how it does."""

from importlib.metadata import version

from fastapi import APIRouter

from agent.http.record_bodies import HealthAnswer, LiveAnswer
from agent.service.gates import AccessGate
from agent.service.ports import Service
from agent.web.answers import DataResponse
from agent.web.asking import Asker


class HealthRoutes:
    """What is asked about the service itself."""

    def __init__(self, service: Service) -> None:
        """Ask this service."""
        self._service = service

    async def tell_live(self) -> DataResponse:
        """Say that the service answers; needs no token, and tells nothing."""
        return DataResponse({"status": "ok"})

    async def tell_health(self, asker: Asker) -> DataResponse:
        """Return how the service does."""
        asker.require("read")
        return DataResponse({**await self._service.measure(asker), "version": version("surehand")})


def make_router(service: Service, _: AccessGate) -> APIRouter:
    """Return the routes."""
    routes, router = HealthRoutes(service), APIRouter(prefix="/v1", tags=["health"])
    router.add_api_route("/live", routes.tell_live, methods=["GET"], response_model=LiveAnswer)
    router.add_api_route("/health", routes.tell_health, methods=["GET"], response_model=HealthAnswer)
    return router
