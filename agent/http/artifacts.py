"""Artifacts: the files that runs made, each with its type and digest."""

import base64
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter
from fastapi.responses import Response

from agent.http.serving import Served
from agent.service.orders import Artifact
from agent.web.answers import DataResponse
from agent.web.asking import Asker

_SHOWN = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
"""What a browser may show; all else is handed over as a file, for a page that came from elsewhere would run as one of ours."""


_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"*/*": {"schema": {"type": "string", "format": "binary"}}}, "description": "The file."}
}

router = APIRouter(prefix="/v1", tags=["artifacts"])


@router.get("/runs/{run_id}/artifacts", response_model=list[Artifact])
async def list_artifacts(asker: Asker, service: Served, run_id: str) -> DataResponse:
    """List the files that a run made."""
    return DataResponse(await service.list_artifacts(asker, run_id))


@router.get("/artifacts/{artifact_id}", response_class=Response, responses=_FILE)
async def read_artifact(asker: Asker, service: Served, artifact_id: str) -> Response:
    """Return a file."""
    artifact, data = await service.read_artifact(asker, artifact_id)
    digest = base64.b64encode(bytes.fromhex(artifact.sha256)).decode()
    kind = "inline" if artifact.media_type in _SHOWN else "attachment"
    headers = {
        "Content-Disposition": f"{kind}; filename*=UTF-8''{quote(artifact.name, safe='', errors='replace')}",
        "Repr-Digest": f"sha-256=:{digest}:",
        "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    }
    return Response(data, media_type=artifact.media_type, headers=headers)
