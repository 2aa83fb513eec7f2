"""The console's own files, as a browser gets them: those of this package and no others, under a policy that lets nothing else in."""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from core.base.errors import RefusedError
from core.base.late_dataclasses import dataclass

_HOME = Path(__file__).parent
_PARTS: Mapping[str, str] = {"page": "", "styles": "styles/", "scripts": "scripts/"}
"""Folders that are shown, and the addresses below which their files are."""

_TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_RULES = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "; ".join(_RULES),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-cache",
}


router = APIRouter(include_in_schema=False)
"""Routes that tell nothing of the service, so that none needs a token."""


@dataclass(frozen=True, slots=True)
class ConsoleFile:
    """A file of the console."""

    data: bytes
    media_type: str
    etag: str


@cache
def read_files() -> Mapping[str, ConsoleFile]:
    """Return all files by their address below ``/console/``."""
    found: dict[str, ConsoleFile] = {}
    for folder, address in _PARTS.items():
        root = _HOME / folder
        for path in sorted(root.rglob("*")):
            if path.suffix in _TYPES:
                found[address + path.relative_to(root).as_posix()] = _read_file(path)
    return {**found, "": found["index.html"]}


def _read_file(path: Path) -> ConsoleFile:
    data = path.read_bytes()
    return ConsoleFile(data, _TYPES[path.suffix], f'"{hashlib.sha256(data).hexdigest()[:32]}"')


@router.api_route("/console/", methods=["GET", "HEAD"])
@router.api_route("/console/{name:path}", methods=["GET", "HEAD"])
def show_file(request: Request, name: str = "") -> Response:
    """Return a file of the console.

    Raises:
        RefusedError: ``unknown_path`` if there is no such file.
    """
    file = read_files().get(name)
    if file is None:
        raise RefusedError(f"The console has no file “{name}”.", code="unknown_path", hint="Open /console/.")
    headers = {**HEADERS, "ETag": file.etag}
    if request.headers.get("if-none-match") == file.etag:
        return Response(status_code=304, headers=headers)
    return Response(file.data, media_type=file.media_type, headers=headers)


@router.api_route("/console", methods=["GET", "HEAD"])
async def open_console() -> Response:
    """Lead to the console; browsers keep what stands behind ``#``."""
    return RedirectResponse("/console/", status_code=308)
