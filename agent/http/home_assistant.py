"""Home Assistant's conversation API: what speaks to `/api/conversation/process` there speaks to Surehand here."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from agent.speech.conversations import SpokenConversations, SpokenReply
from agent.web.answers import DataResponse
from agent.web.asking import Asker, of_app

PATIENCE_S: Final = 8.0
"""Seconds after which it is said that work goes on: Home Assistant's own calls give up after ten."""

_LANGUAGE: Final = "en"
_ANSWERS: Final = frozenset({"answer", "question", "working"})
_OPEN: Final = frozenset({"question", "working"})
_NOT_UNDERSTOOD: Final = frozenset({"no_intent_match", "ambiguous", "missing_slot", "not_understood", "nothing_said"})

ConversationId = Annotated[str, Field(max_length=200)]


class ConversationBody(BaseModel, strict=True):
    """What somebody said; what else Home Assistant's callers send is let go by.

    Attributes:
        conversation_id: The conversation that it goes on with; absent for a new one.
        language: Language of the sentence; replies are in English.
        agent_id: Who is meant, where there are several; here is one.
    """

    text: str = Field(max_length=100_000)
    conversation_id: ConversationId | None = None
    language: Annotated[str, Field(max_length=35)] | None = None
    agent_id: ConversationId | None = None


class PlainSpeech(BaseModel):
    """A text to speak.

    Attributes:
        extra_data: Nothing.
    """

    speech: str
    extra_data: None = None


class SpeechPart(BaseModel):
    """What is to be spoken, by kind."""

    plain: PlainSpeech


class ResponsePart(BaseModel):
    """What came of it.

    Attributes:
        card: Nothing.
        response_type: ``action_done``, ``query_answer`` or ``error``.
        data: Targets; for an error its ``code``.
    """

    speech: SpeechPart
    card: dict[str, Any]
    language: str
    response_type: Literal["action_done", "query_answer", "error"]
    data: dict[str, Any]


class ConversationAnswer(BaseModel):
    """An answer as Home Assistant gives it.

    Attributes:
        conversation_id: The conversation; send it with what is said next.
    """

    response: ResponsePart
    conversation_id: str
    continue_conversation: bool


router = APIRouter(tags=["home-assistant"])


@router.post("/api/conversation/process", response_model=ConversationAnswer)
async def process_conversation(
    asker: Asker, conversations: Annotated[SpokenConversations, of_app("conversations")], body: ConversationBody
) -> DataResponse:
    """Do what somebody says, and return what to say back.

    Send the conversation's id with what is said next, and it acts where this left off. Slots and choices are answered here, and
    a no; a yes to an act is a person's, at another door.
    """
    caller = replace(asker, door="home-assistant")
    conversation = body.conversation_id or secrets.token_hex(13)
    reply = await conversations.hear(caller, conversation, body.text)
    if body.conversation_id is None and reply.kind not in _OPEN:
        await conversations.leave(caller, conversation)
    return DataResponse(_tell(reply, conversation))


def _tell(reply: SpokenReply, conversation: str) -> Mapping[str, Any]:
    response: dict[str, Any] = {
        "speech": {"plain": {"speech": reply.text, "extra_data": None}},
        "card": {},
        "language": _LANGUAGE,
        "response_type": "query_answer" if reply.kind in _ANSWERS else "action_done",
        "data": {"targets": [], "success": [], "failed": []},
    }
    if not reply.is_handled:
        theirs = "no_intent_match" if reply.code in _NOT_UNDERSTOOD else "failed_to_handle"
        response |= {"response_type": "error", "data": {"code": theirs}}
    return {
        "response": response,
        "conversation_id": conversation,
        "continue_conversation": reply.kind == "question",
    }
