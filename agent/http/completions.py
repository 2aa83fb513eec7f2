"""Chat completions: Surehand as a model that any chat front end can talk to. What is said is said in a conversation; no yes counts here."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

import anyio
from fastapi import APIRouter, Header, Path, Request
from fastapi.responses import StreamingResponse

from agent.http.chat_threads import ChatThreads
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
from agent.service.callers import Caller
from agent.service.gates import AccessGate
from agent.service.hearing import Heard, Hearing, Tell, tell_approval, tell_nobody
from agent.service.orders import EventRecord, RunOrder, RunTicket
from agent.service.ports import Service
from agent.service.session_names import SESSION_PATTERN
from agent.web.answers import DataResponse, write_json
from agent.web.asking import Asker
from core.base.errors import RefusedError, SurehandError

_NOTHING: Final = "Say what you want done, for example: go to example.com and read the title."
_SOON_S: Final = 1.0
_STOP_S: Final = 1.0
_DONE: Final = "data: [DONE]\n\n"

SessionHeader = Annotated[str | None, Header(alias="X-Surehand-Session", pattern=SESSION_PATTERN)]
IdempotencyHeader = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200)]
RetryHeader = Annotated[str, Header(alias="X-Stainless-Retry-Count", max_length=10)]
"""How OpenAI's own client says that it sends a call again."""


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """What a person says next in a chat, being carried out.

    Attributes:
        may_come_again: Whether its client gave it an id, and will ask again when it is cut off.
        is_behind: Whether an act waits for a person in its session, so that it waits, too.
        wants_usage: Whether the last piece tells of tokens.
    """

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


class CompletionRoutes:
    """What is asked of the model."""

    def __init__(self, service: Service) -> None:
        """Ask this service."""
        self._service = service
        self._threads = ChatThreads()

    async def complete(
        self,
        asker: Asker,
        request: Request,
        body: CompletionBody,
        session: SessionHeader = None,
        idempotency_key: IdempotencyHeader = None,
        retries: RetryHeader = "0",
    ) -> DataResponse | StreamingResponse:
        """Do what the last message of a chat says, and answer with what came of it."""
        caller = replace(asker, door="completions")
        chosen = session or (body.metadata or {}).get("session", "")
        said = tuple(body.messages)
        if said[-1].role != "user" or not said[-1].text:
            return _answer_at_once(body)
        is_again = retries not in {"", "0"}
        call = idempotency_key or self._threads.name_call(caller.principal, await request.body(), is_again=is_again)
        session = chosen or self._threads.find_session(caller.principal, said[:-1], call)
        order = RunOrder(text=said[-1].text, session=session, said=True, request_id=call)
        is_behind = await Hearing(self._service, caller).find_approval(order.session) is not None
        ticket = await self._service.begin(caller, order)
        turn = ChatTurn(caller, ticket, said, bool(idempotency_key), is_behind, body.wants_usage)
        if body.stream:
            return StreamingResponse(self._stream(turn), media_type="text/event-stream")
        return await self._answer(turn, request)

    async def list_models(self, _: Asker) -> DataResponse:
        """List the models: one."""
        return DataResponse({"object": "list", "data": [tell_model()]})

    async def read_model(self, _: Asker, model: Annotated[str, Path(max_length=100)]) -> DataResponse:
        """Return a model."""
        if model != MODEL:
            raise RefusedError(f"No model “{model}”.", code="unknown_path", hint=f"There is one: {MODEL}.")
        return DataResponse(tell_model())

    async def _answer(self, turn: ChatTurn, request: Request) -> DataResponse:
        """Answer whole; a client that goes while it waits has the run stopped."""
        hearing = asyncio.ensure_future(self._hear(turn, tell_nobody))
        leaving = asyncio.ensure_future(_await_leaving(request))
        try:
            await asyncio.wait({hearing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not hearing.done():
                await self._stop(turn)
            reply = self._conclude(turn, await hearing)
        finally:
            leaving.cancel()
        run = {"run_id": turn.ticket.run_id, "session": turn.ticket.session}
        return DataResponse(tell_whole(turn.name, reply, run))

    async def _stream(self, turn: ChatTurn) -> AsyncIterator[str]:
        """Yield the answer in pieces: steps as thoughts, and then the reply."""
        yield _write(tell_piece(turn.name, {"role": "assistant", "content": ""}))
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        hearing = asyncio.ensure_future(self._hear(turn, _pass_steps(pieces)))
        hearing.add_done_callback(lambda _: pieces.put_nowait(None))
        try:
            while piece := await pieces.get():
                yield _write(tell_piece(turn.name, {"reasoning_content": piece}))
            yield _write(tell_piece(turn.name, {"content": self._conclude(turn, await hearing)}))
            for piece in _end(turn.name, wants_usage=turn.wants_usage):
                yield piece
        finally:
            if not hearing.done():
                hearing.cancel()
                await self._stop(turn)

    async def _hear(self, turn: ChatTurn, tell: Tell) -> Heard:
        """Hear what is said out; where it has to wait behind an act that a person must confirm, that is what is heard."""
        hearing = Hearing(self._service, turn.caller, tell)
        heard = await hearing.hear(turn.ticket.run_id, within_s=_SOON_S if turn.is_behind else None)
        if heard.record or heard.approval:
            return heard
        approval = await hearing.find_approval(turn.ticket.session)
        return replace(heard, approval=approval) if approval else await hearing.hear(turn.ticket.run_id)

    def _conclude(self, turn: ChatTurn, heard: Heard) -> str:
        """Return what is answered, and remember the chat by it."""
        reply = _tell(heard)
        self._threads.keep(turn.caller.principal, turn.said, reply, turn.ticket.session)
        return reply

    async def _stop(self, turn: ChatTurn) -> None:
        if turn.may_come_again:
            return
        with suppress(SurehandError), anyio.move_on_after(_STOP_S, shield=True):
            await self._service.stop(turn.caller, run_id=turn.ticket.run_id)


def make_router(service: Service, _: AccessGate) -> APIRouter:
    """Return the routes."""
    routes, router = CompletionRoutes(service), APIRouter(prefix="/v1", tags=["chat"])
    streamed: dict[int | str, Any] = {200: {"content": {"text/event-stream": {}}}}
    router.add_api_route(
        "/chat/completions",
        routes.complete,
        methods=["POST"],
        response_model=CompletionAnswer,
        responses=streamed,
    )
    router.add_api_route("/models", routes.list_models, methods=["GET"], response_model=ModelsAnswer)
    router.add_api_route("/models/{model}", routes.read_model, methods=["GET"], response_model=ListedModel)
    return router


def _answer_at_once(body: CompletionBody) -> DataResponse | StreamingResponse:
    """Answer a chat in which nobody says anything."""
    name = "chatcmpl-none"
    if not body.stream:
        return DataResponse(tell_whole(name, _NOTHING, {}))
    first = _write(tell_piece(name, {"role": "assistant", "content": _NOTHING}))
    return StreamingResponse(iter([first, *_end(name, wants_usage=body.wants_usage)]), media_type="text/event-stream")


def _end(name: str, *, wants_usage: bool) -> list[str]:
    """Return the pieces that end an answer."""
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
    """Return what passes on each step that has ended, in words."""

    async def tell(event: EventRecord) -> None:
        if event["event"] == "step" and event["status"] != "started":
            pieces.put_nowait(f"{event['description']}: {event['status']}\n")

    return tell


def _write(piece: dict[str, Any]) -> str:
    return f"data: {write_json(piece)}\n\n"


async def _await_leaving(request: Request) -> None:
    """Return when the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
