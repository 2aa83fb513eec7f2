"""Questions as MCP asks them: a form that the client shows to its person, in both eras of the protocol."""

from typing import Any, Final, Literal

from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp_types import (
    ElicitRequest,
    ElicitRequestedSchema,
    ElicitRequestFormParams,
    ElicitResult,
    InputResponses,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from agent.service.hearing import tell_question
from agent.service.orders import OpenQuestion
from core.base.late_dataclasses import dataclass

Context = ServerRequestContext[Any, Any]

_FIELD: Final = "answer"
_ELSEWHERE: Final = "I confirm it in Surehand"
_NO: Final = "No"


@dataclass(frozen=True, slots=True)
class FormAnswer:
    """What a person said to a form.

    Attributes:
        kind: ``answer`` (the text is the answer), ``no``, ``wait`` (they confirm it elsewhere) or ``nothing`` (they put it away).
    """

    kind: Literal["answer", "no", "wait", "nothing"]
    text: str = ""


def can_elicit(context: Context) -> bool:
    """Tell whether the client shows forms to a person."""
    capabilities = context.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    if elicitation is None or (elicitation.url and not elicitation.form):
        return False
    return is_modern(context) or context.session.can_send_request


def is_modern(context: Context) -> bool:
    """Tell whether the client is answered by what it has to ask, and calls again, as from 2026-07-28 on."""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def make_form(question: OpenQuestion) -> ElicitRequest:
    """Return a question as a form. One about an act has no yes: it can be refused here, and confirmed where Surehand knows that it is a person."""
    return ElicitRequest(
        params=ElicitRequestFormParams(message=tell_question(question), requested_schema=_draw(question))
    )


def _draw(question: OpenQuestion) -> ElicitRequestedSchema:
    choices = [_ELSEWHERE, _NO] if question.kind == "confirm" else list(question.choices)
    answer: dict[str, Any] = {"type": "string", "title": "Answer"}
    if choices:
        answer["enum"] = choices
    return {"type": "object", "properties": {_FIELD: answer}, "required": [_FIELD]}


async def ask_now(context: Context, question: OpenQuestion) -> FormAnswer:
    """Ask while the call goes on, as up to 2025-11-25."""
    try:
        result = await context.session.elicit_form(tell_question(question), _draw(question), context.request_id)
    except MCPError:  # it can't after all; then the question stays open and is told
        return FormAnswer("nothing")
    return read_form(result, question)


def read_response(responses: InputResponses | None, question: OpenQuestion) -> FormAnswer:
    """Return what came back with a call that was made again."""
    result = (responses or {}).get(question.question_id)
    return read_form(result, question) if isinstance(result, ElicitResult) else FormAnswer("nothing")


def read_form(result: ElicitResult, question: OpenQuestion) -> FormAnswer:
    """Return what a form says. Whatever it says, it is no yes to an act."""
    if result.action != "accept":
        return FormAnswer("no" if result.action == "decline" else "nothing")
    text = str((result.content or {}).get(_FIELD) or "").strip()
    if question.kind == "confirm":
        return FormAnswer("no" if text.casefold() == _NO.casefold() else "wait")
    return FormAnswer("answer", text) if text else FormAnswer("nothing")
