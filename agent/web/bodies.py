"""Bodies: read whole before anything is done, within a size and a time; as routes take them, closed and strict."""

import asyncio
from contextlib import suppress
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.datastructures import Headers
from starlette.types import Message, Receive

from actuators.browser.ports.touches import MOST_TOUCHES, Touch
from agent.offers.door_tools import leave_out_nulls
from core.base.errors import InputError


def _allow_null(schema: dict[str, Any]) -> None:
    for name, each in schema.get("properties", {}).items():
        if name not in schema.get("required", ()) and {"type": "null"} not in each.get("anyOf", ()):
            schema["properties"][name] = {"anyOf": [each, {"type": "null"}]}


class ClosedBody(BaseModel):
    """A body that takes nothing that it doesn't know, and nothing for something else."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra=_allow_null)
    _nulls = model_validator(mode="before")(leave_out_nulls)


class TouchBody(ClosedBody):
    """What a person does on the pages that they have."""

    events: Annotated[list[Touch], Field(max_length=MOST_TOUCHES)]


MOST_BYTES = 1024 * 1024
SLOWEST_S = 10.0
_MOST_DISCARDED = 8 * MOST_BYTES
_DISCARDING_S = 1.0


async def read_body(headers: Headers, receive: Receive, most_bytes: int, slowest_s: float) -> bytes:
    """Return a body.

    Raises:
        InputError: ``body_too_large``, ``body_slow``, or ``request_malformed`` where it ends too early.
    """
    length = headers.get("content-length", "")
    body, has_more = b"", True
    if not (length.isdecimal() and int(length) > most_bytes):
        try:
            async with asyncio.timeout(slowest_s):
                body, has_more = await _collect(receive, most_bytes)
        except TimeoutError as error:
            text = f"The body was not complete after {slowest_s:g} s."
            raise InputError(text, code="body_slow", hint="Send it at once.") from error
        if len(body) <= most_bytes:
            return body
    if has_more:
        await discard_body(headers, receive)
    text = f"The body is larger than {most_bytes} bytes."
    raise InputError(text, code="body_too_large", hint="Send less at once.", evidence={"most_bytes": most_bytes})


async def _collect(receive: Receive, most_bytes: int) -> tuple[bytes, bool]:
    """Return a body, or the beginning of one that is too large, and whether there is more."""
    parts = bytearray()
    has_more = True
    while has_more and len(parts) <= most_bytes:
        message = await receive()
        if message["type"] != "http.request":
            raise InputError("The connection ended before the body did.", code="request_malformed")
        parts += message.get("body", b"")
        has_more = message.get("more_body", False)
    return bytes(parts), has_more


def has_body(headers: Headers) -> bool:
    """Tell whether a request has a body."""
    return "transfer-encoding" in headers or headers.get("content-length", "0").strip() not in {"", "0"}


async def discard_body(headers: Headers, receive: Receive) -> None:
    """Read on for a moment, so that who sends what is refused gets to read why."""
    if "expect" in headers or not has_body(headers):  # who asks before sending has sent nothing
        return
    discarded = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(_DISCARDING_S):
            while discarded < _MOST_DISCARDED:
                message = await receive()
                discarded += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return


def replay_body(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body that was read, once, and then what else comes."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def give() -> Message:
        return waiting.pop() if waiting else await receive()

    return give
