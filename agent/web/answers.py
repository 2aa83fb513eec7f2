"""Answers: data as JSON, and every error with its status."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.routing import Match

from core.base.errors import ActionError, ErrorInfo, InputError, RefusedError, SurehandError
from core.results.records import to_data

ErrorKind = Literal["input", "refused", "action", "fault"]
"""Whose fault it is: ``input`` is of what was asked for, ``refused`` may or can't be done here, ``action`` was tried, ``fault`` is ours."""

_KINDS: tuple[tuple[type[SurehandError], ErrorKind], ...] = (
    (InputError, "input"),
    (RefusedError, "refused"),
    (ActionError, "action"),
)
_BY_CODE: Mapping[str, int] = {
    "token_unknown": 401,
    "code_unknown": 403,
    "scope_missing": 403,
    "approval_needs_a_person": 403,
    "refused_by_policy": 403,
    "unknown_run": 404,
    "unknown_session": 404,
    "unknown_question": 404,
    "unknown_artifact": 404,
    "unknown_path": 404,
    "alert_missing": 404,
    "wrong_method": 405,
    "body_slow": 408,
    "body_too_large": 413,
    "wrong_content_type": 415,
    "head_too_large": 431,
    "wrong_host": 421,
    "wrong_origin": 403,
    "request_malformed": 400,
    "unknown_door": 400,
    "over_quota": 429,
    "draining": 503,
}
_OF_STATUS = {
    400: ErrorInfo("request_malformed", "The request can't be read.", "Send JSON."),
    404: ErrorInfo("unknown_path", "Nothing has this address.", "Read /v1/openapi.json."),
    405: ErrorInfo("wrong_method", "This address does not take this method.", "Read /v1/openapi.json."),
}
_BODY_KINDS = frozenset({"text", "said", "goals", "flow"})


class ErrorPart(BaseModel):
    """An error as data."""

    code: str = Field(min_length=1)
    kind: ErrorKind
    message: str
    hint: str = ""
    evidence: dict[str, Any] = Field(default_factory=dict[str, Any])


class ErrorAnswer(BaseModel):
    """What is answered where something is wrong."""

    error: ErrorPart


class DataResponse(Response):
    """JSON in ASCII: what a page or a file name holds never breaks an answer."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return data as bytes."""
        return write_json(content).encode("ascii")


def write_json(data: object) -> str:
    """Return data as JSON in ASCII; numbers that JSON doesn't know are null."""
    try:  # most of it is plain already
        return json.dumps(data, allow_nan=False, default=to_data, separators=(",", ":"))
    except (TypeError, ValueError):
        return json.dumps(_drop_strange(to_data(data)), separators=(",", ":"))


def _drop_strange(data: Any) -> Any:
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {str(key): _drop_strange(each) for key, each in data.items()}
    return [_drop_strange(each) for each in data] if isinstance(data, list) else data


def find_kind(error: SurehandError) -> ErrorKind:
    """Return whose fault an error is."""
    for of, kind in _KINDS:
        if isinstance(error, of):
            return kind
    return "fault"


def answer_error(error: SurehandError) -> DataResponse:
    """Return the answer that tells of an error.

    What fits the API's description and can't be done as things are is 409, unless its code says more; 422 is what does not fit.
    """
    kind = find_kind(error)
    return tell_error(error.info(), _BY_CODE.get(error.code, 500 if kind == "fault" else 409), kind)


def tell_error(info: ErrorInfo, status: int, kind: ErrorKind = "input") -> DataResponse:
    """Return an answer that tells of an error."""
    headers: dict[str, str] = {}
    if status in {429, 503}:
        headers["Retry-After"] = str(max(1, math.ceil(float(info.evidence.get("retry_after_s", 1)))))
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="surehand"'
    return DataResponse(describe_error(info, kind), status, headers)


def describe_error(info: ErrorInfo, kind: ErrorKind) -> dict[str, Any]:
    """Return an error as it is sent."""
    return {"error": {"code": info.code, "kind": kind, **to_data(info)}}


async def on_our_error(_: Request, error: Exception) -> DataResponse:
    """Answer an error that was raised on purpose."""
    return answer_error(error) if isinstance(error, SurehandError) else await on_fault(_, error)


async def on_http_error(request: Request, error: Exception) -> DataResponse:
    """Answer what the framework refuses, such as an unknown address."""
    status = error.status_code if isinstance(error, HTTPException) else 400
    info = _OF_STATUS.get(status, ErrorInfo("request_malformed", "The request can't be answered."))
    answer = tell_error(info, status)
    if status == 405:
        answer.headers["Allow"] = ", ".join(_list_methods(request))
    return answer


def _list_methods(request: Request) -> list[str]:
    """Return what an address takes: several routes may stand at it, and the framework names those of the first."""
    scope = {**request.scope}
    found = [route for route in request.app.routes if route.matches(scope)[0] is not Match.NONE]
    return sorted({method for route in found for method in getattr(route, "methods", None) or ()})


async def on_bad_input(_: Request, error: Exception) -> DataResponse:
    """Answer a body, an address or a header that does not fit; what was sent is not repeated."""
    faults = error.errors() if isinstance(error, RequestValidationError) else ()
    fields = [{"field": _name_field(each["loc"]), "why": str(each["msg"])} for each in faults]
    first = f"Field “{fields[0]['field']}” does not fit: {fields[0]['why']}." if fields else "The request does not fit."
    return tell_error(ErrorInfo("bad_input", first, "Read /v1/openapi.json.", {"fields": fields}), 422)


def _name_field(place: Sequence[int | str]) -> str:
    """Return the name of a field as its sender knows it: without where it was sent, and without the kind of its body."""
    _, *inner = place
    if len(inner) > 1 and inner[0] in _BODY_KINDS:
        inner = inner[1:]
    return ".".join(str(part) for part in inner) or "body"


async def on_fault(_: Request, error: Exception) -> DataResponse:
    """Answer a fault of ours as ours, by its kind; what it says itself may be private, and is in the log."""
    text = f"Surehand failed while it answered: {type(error).__name__}."
    hint = "Report it with what the service wrote to its log. What had begun goes on: ask for the run before you repeat it."
    return tell_error(ErrorInfo("internal_error", text, hint), 500, "fault")


ON_ERRORS: Mapping[Any, Any] = {
    SurehandError: on_our_error,
    HTTPException: on_http_error,
    RequestValidationError: on_bad_input,
    Exception: on_fault,
}
"""What answers each kind of error, as an app takes it."""
