"""Artifacts: the files that runs made, each with its type and digest."""

import base64
from urllib.parse import quote

from fastapi import APIRouter
from fastapi.responses import Response

from agent.service.gates import AccessGate
from agent.service.orders import Artifact
from agent.service.ports import Service
from agent.web.answers import DataResponse
from agent.web.asking import Asker

_SHOWN = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
"""What a browser may show; all else is handed over as a file, for a page that came from elsewhere would run as one of ours."""


class ArtifactRoutes:
    """What is asked about artifacts."""

    def __init__(self, service: Service) -> None:
        """Ask this service."""
        self._service = service

    async def list_artifacts(self, asker: Asker, run_id: str) -> DataResponse:
        """List the files that a run made."""
        return DataResponse(await self._service.list_artifacts(asker, run_id))

    async def read_artifact(self, asker: Asker, artifact_id: str) -> Response:
        """Return a file."""
        artifact, data = await self._service.read_artifact(asker, artifact_id)
        digest = base64.b64encode(bytes.fromhex(artifact.sha256)).decode()
        kind = "inline" if artifact.media_type in _SHOWN else "attachment"
        headers = {
            "Content-Disposition": f"{kind}; filename*=UTF-8''{quote(artifact.name, safe='', errors='replace')}",
            "Repr-Digest": f"sha-256=:{digest}:",
            "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
        }
        return Response(data, media_type=artifact.media_type, headers=headers)


def make_router(service: Service, _: AccessGate) -> APIRouter:
    """Return the routes."""
    routes, router = ArtifactRoutes(service), APIRouter(prefix="/v1", tags=["artifacts"])
    file = {200: {"content": {"*/*": {"schema": {"type": "string", "format": "binary"}}}, "description": "The file."}}
    router.add_api_route(
        "/runs/{run_id}/artifacts", routes.list_artifacts, methods=["GET"], response_model=list[Artifact]
    )
    router.add_api_route(
        "/artifacts/{artifact_id}", routes.read_artifact, methods=["GET"], response_class=Response, responses={**file}
    )
    return router
