"""Signing in to the console: a one-time code, which only the person sees, for a key that their browser keeps."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from agent.access.console_keys import CONSOLE_KEY_S
from agent.access.token_gate import TokenGate
from agent.web.answers import DataResponse
from agent.web.asking import of_app
from agent.web.wall import name_cookie, read_console, recognise
from core.base.errors import RefusedError

ShowCode = Callable[[str], Awaitable[str]]
"""Shows a code to the person at this machine, and returns where: ``terminal``, ``notification``, or nothing where it can't."""


class CodeBody(BaseModel, extra="forbid", strict=True):
    """A code, as somebody typed it."""

    code: str = Field(min_length=1, max_length=40)


async def show_nowhere(_code: str) -> str:
    """Have no place to show a code."""
    return ""


router = APIRouter(prefix="/v1/console", include_in_schema=False)


Gate = Annotated[TokenGate, of_app("gate")]


@router.post("/code", response_model=None)
async def make_code(request: Request, gate: Gate, show: Annotated[ShowCode, of_app("show_code")]) -> DataResponse:
    """Make a code. Whoever shows a token gets it told, at any door but the console of the person at this machine.

    Whoever shows none is told where the person at this machine finds it.
    """
    if "authorization" not in request.headers:
        code = await asyncio.to_thread(gate.consoles.make_code, "", unasked=True)
        return DataResponse({"shown": await show(code)})
    caller = recognise(gate, request.headers, request.scope)
    if not caller.principal and request.client:
        text = "The person at this machine signs in by a code from the terminal."
        raise RefusedError(text, code="code_unknown", hint="Type surehand console there.")
    return DataResponse({"code": await asyncio.to_thread(gate.consoles.make_code, caller.principal)})


@router.post("/key", response_model=None)
async def make_key(request: Request, gate: Gate, body: CodeBody) -> DataResponse:
    """Let this browser in for a code: it gets a cookie, and a word that it shows with it."""
    cookie, word = await asyncio.to_thread(gate.consoles.make_key, body.code)
    answer = DataResponse({"word": word})
    answer.set_cookie(
        name_cookie(request.scope), cookie, max_age=CONSOLE_KEY_S, path="/", httponly=True, samesite="strict",
        secure=request.url.scheme == "https",
    )  # fmt: skip
    return answer


@router.delete("/key", response_model=None)
async def drop_key(request: Request, gate: Gate) -> Response:
    """Let this browser in no longer."""
    await asyncio.to_thread(gate.consoles.end, *read_console(request.headers, request.scope))
    answer = Response(status_code=204)
    answer.delete_cookie(name_cookie(request.scope), path="/", httponly=True, samesite="strict")
    return answer
