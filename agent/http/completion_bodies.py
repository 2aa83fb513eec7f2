"""Chat completions as OpenAI's interface has them: what is taken, and what is answered."""

import time
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field, StrictBool

MODEL: Final = "surehand"
_LONGEST_TEXT: Final = 100_000
_MOST_MESSAGES: Final = 10_000
_NO_TOKENS: Final = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}


class TextPart(BaseModel, extra="allow", strict=True):
    """A part of a message; only texts are understood."""

    type: Annotated[str, Field(max_length=50)]
    text: Annotated[str, Field(max_length=_LONGEST_TEXT)] = ""


class ChatMessage(BaseModel, extra="allow", strict=True):
    """A message; what else a client writes beside it is passed over."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Annotated[str, Field(max_length=_LONGEST_TEXT)] | list[TextPart] | None = None

    @property
    def text(self) -> str:
        """What it says."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text").strip()
        return (self.content or "").strip()


class StreamOptions(BaseModel, extra="allow", strict=True):
    """What an answer in pieces is to have besides."""

    include_usage: StrictBool | None = None


class CompletionBody(BaseModel, extra="allow", strict=True):
    """A chat so far. What is for models only, such as a temperature, is passed over.

    Attributes:
        model: Always ``surehand``.
        messages: The chat; the last one is the person's.
        n: How many answers: what is done is done once, and has one.
        stream_options: Whether the last piece tells of tokens.
        metadata: ``session`` names the session that the chat acts in.
    """

    model: Literal["surehand"]
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=_MOST_MESSAGES)]
    n: Literal[1] | None = None
    stream: StrictBool | None = None
    stream_options: StreamOptions | None = None
    metadata: dict[str, str] | None = None

    @property
    def wants_usage(self) -> bool:
        """Whether the last piece tells of tokens."""
        return bool(self.stream_options and self.stream_options.include_usage)


class AnswerMessage(BaseModel):
    """What is answered."""

    role: Literal["assistant"]
    content: str


class CompletionChoice(BaseModel):
    """The one answer that there is."""

    index: int
    message: AnswerMessage
    finish_reason: Literal["stop"]


class CompletionUsage(BaseModel):
    """Tokens of a model that were used: none."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class CompletionAnswer(BaseModel, extra="allow", strict=True):
    """A completion."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[CompletionChoice]
    usage: CompletionUsage


class ListedModel(BaseModel):
    """A model that can be asked."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class ModelsAnswer(BaseModel):
    """The models that can be asked: one."""

    object: Literal["list"]
    data: list[ListedModel]


def tell_model() -> dict[str, Any]:
    """Return the one model."""
    return {"id": MODEL, "object": "model", "created": 0, "owned_by": MODEL}


def tell_whole(completion_id: str, reply: str, more: dict[str, Any]) -> dict[str, Any]:
    """Return a completion whole."""
    message = {"role": "assistant", "content": reply}
    return {
        "id": completion_id,
        "object": "chat.completion",
        "created": int(time.time()),
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": _NO_TOKENS,
        MODEL: more,
    }


def tell_piece(completion_id: str, delta: dict[str, Any] | None, *, is_last: bool = False) -> dict[str, Any]:
    """Return a piece of a completion.

    Args:
        delta: What comes to it; None for the piece that tells of tokens.
    """
    choice = {"index": 0, "delta": delta, "finish_reason": "stop" if is_last else None, "logprobs": None}
    return {
        "id": completion_id,
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": MODEL,
        "choices": [] if delta is None else [choice],
        **({"usage": _NO_TOKENS} if delta is None else {}),
    }
