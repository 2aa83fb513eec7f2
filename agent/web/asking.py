"""Asker: who asks, for routes; the wall has recognised them before any route is looked for."""

from typing import Annotated

from fastapi import Security
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase
from starlette.requests import HTTPConnection

from agent.service.callers import Caller

CALLER = "surehand.caller"
"""Where the wall leaves in a connection's scope who asks."""


class _TokenHeader(SecurityBase):
    """Says in the API's description that there is a token, and returns whose it is."""

    def __init__(self) -> None:
        self.model = HTTPBearer(description="A token of a 0600 file.")
        self.scheme_name = "token"

    async def __call__(self, connection: HTTPConnection) -> Caller:
        """Return who asks."""
        return connection.scope[CALLER]


Asker = Annotated[Caller, Security(_TokenHeader())]
