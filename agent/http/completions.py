"""Chat completions: Surehand as a model that any chat front end can talk to. What is said is said in a conversation; no yes counts here."""

import asyncio
import dataclasses
import hashlib
import json
import secrets
from collections import OrderedDict, defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Annotated, Any, Final

import anyio
from fastapi import APIRouter, Depends, Header, Path, Request
from fastapi.responses import StreamingResponse

from agent.http.completion_bodies import (
    MODEL,
    ChatMessage,
    CompletionAnswer,
    CompletionBody,
    ListedModel,
    ModelsAnswer,
    tell_model,
    tell_piece,
    tell_whole,
)
from agent.service.callers import SESSION_PATTERN, Caller
from agent.service.hearing import Heard, Hearing, Tell, tell_approval, tell_nobody
from agent.service.orders import EventRecord, RunOrder, RunTicket
from agent.service.ports import Service
from agent.web.answers import DataResponse, write_json
from agent.web.asking import Asker, Served, of_app
from core.base.errors import RefusedError, SurehandError
from core.base.late_dataclasses import dataclass, replace

_NOTHING: Final = "Say what you want done, for example: go to example.com and read the title."
_SOON_S: Final = 1.0
_STOP_S: Final = 1.0
_DONE: Final = "data: [DONE]\n\n"
_MOST_CHATS: Final = 1000
"""Chats of one principal; the oldest go first."""

_STREAMED: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}}}

router = APIRouter(prefix="/v1", tags=["chat"])


class ChatThreads:
    """Which session a chat acts in: this interface has no name for a chat, only all that was said in it.

    Knows chats again by what was said in them so far, and calls that are sent again by a client that got no answer.
    """

    def __init__(self) -> None:
        self._sessions: defaultdict[str, OrderedDict[str, str]] = defaultdict(OrderedDict)
        self._calls: defaultdict[str, OrderedDict[str, str]] = defaultdict(OrderedDict)

    def find_session(self, principal: str, said: Sequence[ChatMessage], call: str) -> str:
        """Return the session of a chat; a new one where nobody said that before.

        Args:
            said: All before what is said now.
            call: Id of the call; sent again, it finds the same session.
        """
        known = self._sessions[principal].get(_digest(said)) if _has_answers(said) else None
        return known or f"chat-{hashlib.sha256(f'{principal} {call}'.encode()).hexdigest()[:12]}"

    def keep(self, principal: str, said: Sequence[ChatMessage], reply: str, session: str) -> None:
        """Remember where a chat acts, for when it goes on."""
        whole = [*said, ChatMessage(role="assistant", content=reply)]
        _remember(self._sessions[principal], _digest(whole), session)

    def name_call(self, principal: str, body: bytes, *, is_again: bool) -> str:
        """Return the id under which a call is carried out once."""
        digest, known = hashlib.sha256(body).hexdigest(), self._calls[principal]
        if not is_again or digest not in known:
            _remember(known, digest, f"completion-{secrets.token_hex(12)}")
        return known[digest]


def _has_answers(said: Sequence[ChatMessage]) -> bool:
    """Tell whether a chat has begun: who begins with the same words as somebody else is somebody else."""
    return any(each.role == "assistant" for each in said)


def _digest(said: Sequence[ChatMessage]) -> str:
    told = [[each.role, each.text] for each in said if each.role in {"user", "assistant"}]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _remember(known: OrderedDict[str, str], key: str, value: str) -> None:
    known[key] = value
    known.move_to_end(key)
    while len(known) > _MOST_CHATS:
        known.popitem(last=False)


@dataclasses.dataclass(frozen=True, slots=True)  # fastapi reads its signature
class ChatHeaders:
    """What a client may say beside a chat: its session, and whether the call is one that it sends again."""

    session: Annotated[str | None, Header(alias="X-Surehand-Session", pattern=SESSION_PATTERN)] = None
    key: Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200)] = None
    retries: Annotated[str, Header(alias="X-Stainless-Retry-Count", max_length=10)] = (
        "0"  # as OpenAI's own client says it
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """What a person says next in a chat, being carried out.

    Attributes:
        may_come_again: Whether its client gave it an id, and will ask again when it is cut off.
        is_behind: Whether an act waits for a person in its session, so that it waits, too.
        wants_usage: Whether the last piece tells of tokens.
    """

    service: Service
    threads: ChatThreads
    caller: Caller
    ticket: RunTicket
    said: tuple[ChatMessage, ...]
    may_come_again: bool
    is_behind: bool
    wants_usage: bool

    @property
    def name(self) -> str:
        """Id of the completion."""
        return f"chatcmpl-{self.ticket.run_id}"

    async def answer(self, request: Request) -> DataResponse:
        """Answer whole; a client that goes while it waits has the run stopped."""
        hearing = asyncio.ensure_future(self._hear(tell_nobody))
        leaving = asyncio.ensure_future(_await_leaving(request))
        try:
            await asyncio.wait({hearing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not hearing.done():
                await self._stop()
            reply = self._conclude(await hearing)
        finally:
            leaving.cancel()
        run = {"run_id": self.ticket.run_id, "session": self.ticket.session}
        return DataResponse(tell_whole(self.name, reply, run))

    async def stream(self) -> AsyncIterator[str]:
        """Yield the answer in pieces: steps as thoughts, and then the reply."""
        yield _write(tell_piece(self.name, {"role": "assistant", "content": ""}))
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        hearing = asyncio.ensure_future(self._hear(_pass_steps(pieces)))
        hearing.add_done_callback(lambda _: pieces.put_nowait(None))
        try:
            while piece := await pieces.get():
                yield _write(tell_piece(self.name, {"reasoning_content": piece}))
            yield _write(tell_piece(self.name, {"content": self._conclude(await hearing)}))
            for piece in _end(self.name, wants_usage=self.wants_usage):
                yield piece
        finally:
            if not hearing.done():
                hearing.cancel()
                await self._stop()

    async def _hear(self, tell: Tell) -> Heard:
        """Hear what is said out; where it has to wait behind an act that a person must confirm, that is what is heard."""
        hearing = Hearing(self.service, self.caller, tell)
        heard = await hearing.hear(self.ticket.run_id, within_s=_SOON_S if self.is_behind else None)
        if heard.record or heard.approval:
            return heard
        approval = await hearing.find_approval(self.ticket.session)
        return replace(heard, approval=approval) if approval else await hearing.hear(self.ticket.run_id)

    def _conclude(self, heard: Heard) -> str:
        reply = _tell(heard)
        self.threads.keep(self.caller.principal, self.said, reply, self.ticket.session)
        return reply

    async def _stop(self) -> None:
        if self.may_come_again:
            return
        with suppress(SurehandError), anyio.move_on_after(_STOP_S, shield=True):
            await self.service.stop(self.caller, run_id=self.ticket.run_id)


@router.post("/chat/completions", response_model=CompletionAnswer, responses=_STREAMED)
async def complete(
    asker: Asker,
    service: Served,
    threads: Annotated[ChatThreads, of_app("chat_threads")],
    request: Request,
    body: CompletionBody,
    headers: Annotated[ChatHeaders, Depends()],
) -> DataResponse | StreamingResponse:
    """Do what the last message of a chat says, and answer with what came of it."""
    caller = replace(asker, door="completions")
    chosen = headers.session or (body.metadata or {}).get("session", "")
    said = tuple(body.messages)
    if said[-1].role != "user" or not said[-1].text:
        return _answer_at_once(body)
    call = headers.key or threads.name_call(
        caller.principal, await request.body(), is_again=headers.retries not in {"", "0"}
    )
    session = chosen or threads.find_session(caller.principal, said[:-1], call)
    order = RunOrder(text=said[-1].text, session=session, said=True, request_id=call)
    is_behind = await Hearing(service, caller).find_approval(order.session) is not None
    turn = ChatTurn(
        service=service,
        threads=threads,
        caller=caller,
        ticket=await service.begin(caller, order),
        said=said,
        may_come_again=bool(headers.key),
        is_behind=is_behind,
        wants_usage=body.wants_usage,
    )
    return (
        StreamingResponse(turn.stream(), media_type="text/event-stream") if body.stream else await turn.answer(request)
    )


@router.get("/models", response_model=ModelsAnswer)
async def list_models(_: Asker) -> DataResponse:
    """List the models: one."""
    return DataResponse({"object": "list", "data": [tell_model()]})


@router.get("/models/{model}", response_model=ListedModel)
async def read_model(_: Asker, model: Annotated[str, Path(max_length=100)]) -> DataResponse:
    """Return a model."""
    if model != MODEL:
        raise RefusedError(f"No model “{model}”.", code="unknown_path", hint=f"There is one: {MODEL}.")
    return DataResponse(tell_model())


def _answer_at_once(body: CompletionBody) -> DataResponse | StreamingResponse:
    name = "chatcmpl-none"
    if not body.stream:
        return DataResponse(tell_whole(name, _NOTHING, {}))
    first = _write(tell_piece(name, {"role": "assistant", "content": _NOTHING}))
    return StreamingResponse(iter([first, *_end(name, wants_usage=body.wants_usage)]), media_type="text/event-stream")


def _end(name: str, *, wants_usage: bool) -> list[str]:
    usage = [_write(tell_piece(name, None))] if wants_usage else []
    return [_write(tell_piece(name, {}, is_last=True)), *usage, _DONE]


def _tell(heard: Heard) -> str:
    """Return what is said of a run: its reply with what it asks, or what a person has to confirm."""
    if heard.approval:
        return tell_approval(heard.approval)
    record = heard.record or {}
    asked = record.get("question", "")
    reply = str(record.get("reply", ""))
    return reply if not asked or asked in reply else f"{reply} {asked}".strip()


def _pass_steps(pieces: "asyncio.Queue[str | None]") -> Tell:
    async def tell(event: EventRecord) -> None:
        if event["event"] == "step" and event["status"] != "started":
            pieces.put_nowait(f"{event['description']}: {event['status']}\n")

    return tell


def _write(piece: dict[str, Any]) -> str:
    return f"data: {write_json(piece)}\n\n"


async def _await_leaving(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
