"""Served: what routes answer by; the app that they are part of has it."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from agent.service.ports import Service


async def _find_service(connection: HTTPConnection) -> Service:
    return connection.app.state.service


Served = Annotated[Service, Depends(_find_service)]
"""The service."""
