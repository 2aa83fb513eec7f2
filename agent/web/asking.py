"""Asker and Served: who asks, for routes, and what they answer by. The wall has recognised who asks before any route is looked for."""

from typing import Annotated, Any

from fastapi import Depends, Security
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase
from starlette.requests import HTTPConnection

from agent.service.callers import Caller
from agent.service.ports import Service

CALLER = "surehand.caller"
"""Where the wall leaves in a connection's scope who asks."""


class _TokenHeader(SecurityBase):
    """Says in the API's description that there is a token, and returns whose it is."""

    def __init__(self) -> None:
        self.model = HTTPBearer(description="A token of a 0600 file.")
        self.scheme_name = "token"

    async def __call__(self, connection: HTTPConnection) -> Caller:
        return connection.scope[CALLER]


Asker = Annotated[Caller, Security(_TokenHeader())]


def of_app(name: str) -> Any:
    """Return the dependency that gives a route what its app's state has under a name."""

    async def find(connection: HTTPConnection) -> Any:
        return getattr(connection.app.state, name)

    return Depends(find)


Served = Annotated[Service, of_app("service")]
