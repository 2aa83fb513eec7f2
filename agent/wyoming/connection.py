"""One connection of the Wyoming protocol: events in, each answered in its own time, so that a stop never waits.

They are read with caps: nobody on the other end decides how much is kept or how long is waited.
"""

import asyncio
import io
import json
import secrets
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from importlib.metadata import version
from typing import Any, Final

from wyoming.asr import Transcript
from wyoming.error import Error
from wyoming.event import Event, Eventable, write_event
from wyoming.handle import Handled, HandledChunk, HandledStart, HandledStop, NotHandled
from wyoming.info import Attribution, Describe, HandleModel, HandleProgram, Info, IntentModel, IntentProgram
from wyoming.intent import Entity, Intent, IntentsStart, IntentsStop, NotRecognized, Recognize
from wyoming.ping import Ping, Pong

from agent.service.callers import Caller
from agent.service.orders import RunOrder
from agent.speech.conversations import SpokenConversations, SpokenReply
from agent.speech.wording import speak
from core.base.errors import InputError, SurehandError, tell_fault
from core.language.talk.languages import FOLDERS

NAME = "surehand"
_LANGUAGES = list(FOLDERS)
"""What is understood; replies are in English."""


def describe_service() -> Info:
    """Return the description: one program that handles sentences, one that tells what they mean."""
    handling = "Does what you say: in the browser, with files, windows and sound"
    telling = "Tells which goals a sentence means; does nothing"
    handle = HandleProgram(
        **_describe(NAME, handling),
        models=[HandleModel(**_describe("rules", handling), languages=_LANGUAGES)],
        supports_handled_streaming=True,
        supports_home_control=False,
    )
    model = IntentModel(**_describe("rules", telling), languages=_LANGUAGES)
    return Info(handle=[handle], intent=[IntentProgram(**_describe(NAME, telling), models=[model])])


def _describe(name: str, what: str) -> dict[str, Any]:
    attribution = Attribution(name="Surehand", url="")
    return {
        "name": name,
        "attribution": attribution,
        "installed": True,
        "description": what,
        "version": version("surehand"),
    }


VOICE: Final = Caller(door="voice")
"""Who speaks here: the person at this machine; the protocol knows no others. A yes counts only where the settings trust this door."""

_IDLE_S: Final = 600.0
_MOST_AT_ONCE: Final = 8
_LONGEST_ID: Final = 200


class WyomingConnection:
    """Answers what one client sends."""

    def __init__(
        self,
        conversations: SpokenConversations,
        streams: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        self._conversations = conversations
        self._reader, self._writer = streams
        self._writing = asyncio.Lock()
        self._answers: set[asyncio.Task[None]] = set()
        self._own_id = f"c{secrets.token_hex(8)}"

    async def run(self) -> None:
        """Answer until the client goes; what it began goes on in the service."""
        try:
            while (event := await self._hear()) is not None:
                await self._take(event)
            if self._reader.at_eof():
                await asyncio.gather(*self._answers, return_exceptions=True)
        except SurehandError as error:
            await self._write(Error(str(error), error.code))
        finally:
            for answer in self._answers:
                answer.cancel()
            self._writer.close()
            with suppress(OSError):
                await self._writer.wait_closed()
            await self._conversations.leave(VOICE, self._own_id)

    async def _hear(self) -> Event | None:
        """Return the next event; while something is answered the client may say nothing for as long as it takes."""
        try:
            return await read_event(self._reader, None if self._answers else _IDLE_S)
        except OSError:
            return None

    async def _take(self, event: Event) -> None:
        """Begin to answer an event; what is not for us is let go by, as the protocol wants it."""
        if Describe.is_type(event.type):
            await self._write(describe_service())
        elif Ping.is_type(event.type):
            text = event.data.get("text")
            await self._write(Pong(text if isinstance(text, str) else None))
        elif Transcript.is_type(event.type):
            await self._begin_answer(self._handle, event)
        elif Recognize.is_type(event.type):
            await self._begin_answer(self._recognise, event)

    async def _begin_answer(self, answer: Callable[[str, str], Coroutine[Any, Any, None]], event: Event) -> None:
        """Answer what was said beside what goes on, unless very much does."""
        if len(self._answers) < _MOST_AT_ONCE:
            self._begin(answer(*self._read_said(event.data)))
        else:
            await self._write(Error("Too much is asked at once on this connection.", "over_quota"))

    def _begin(self, answer: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(answer)
        self._answers.add(task)
        task.add_done_callback(self._settle)

    def _settle(self, answer: asyncio.Task[None]) -> None:
        """Let an answer that failed be told as a fault of ours, and a client that has gone be gone."""
        self._answers.discard(answer)
        fault = None if answer.cancelled() else answer.exception()
        if fault and not isinstance(fault, OSError):
            text = f"Surehand failed while it answered: {tell_fault(fault)}"
            self._begin(self._write(Error(text, "internal_error")))

    def _read_said(self, data: Mapping[str, Any]) -> tuple[str, str]:
        """Return what was said and in which conversation; a client that names none has the connection's own."""
        text, context = data.get("text"), data.get("context")
        named = context.get("conversation_id") if isinstance(context, dict) else None
        is_named = isinstance(named, str) and 0 < len(named) <= _LONGEST_ID
        return (text if isinstance(text, str) else ""), (named if is_named and isinstance(named, str) else self._own_id)

    async def _handle(self, text: str, conversation: str) -> None:
        reply = await self._conversations.hear(VOICE, conversation, text)
        context = {"conversation_id": conversation, "continue_conversation": reply.kind == "question"}
        await self._write(*_tell_reply(reply, context))

    async def _recognise(self, text: str, conversation: str) -> None:
        """Answer which goals a sentence means; nothing is done."""
        context = {"conversation_id": conversation}
        try:
            plan = await self._conversations.service.plan(VOICE, RunOrder(text=text, mode="plan"))
        except SurehandError as error:
            await self._write(NotRecognized(speak(str(error)), context))
            return
        intents = [_tell_goal(each, context) for each in plan["goals"]]
        listed = [IntentsStart(context), *intents, IntentsStop()] if len(intents) > 1 else intents
        await self._write(*listed)

    async def _write(self, *events: Eventable) -> None:
        """Write events one behind the other and at once; no other answer comes between them."""
        told = io.BytesIO()
        for event in events:
            write_event(event.event(), told)
        async with self._writing:
            self._writer.write(told.getvalue())
            await self._writer.drain()


def _tell_reply(reply: SpokenReply, context: dict[str, Any]) -> list[Eventable]:
    """Return a reply as events: in sentences, and whole for those who don't take it so."""
    if not reply.is_handled:
        return [NotHandled(reply.text, context)]
    first, *others = reply.sentences
    chunks = [HandledChunk(first), *(HandledChunk(f" {each}") for each in others)]
    return [HandledStart(context), *chunks, Handled(reply.text, context), HandledStop()]


def _tell_goal(goal: Mapping[str, Any], context: dict[str, Any]) -> Intent:
    entities = [Entity(str(name), value) for name, value in goal["params"].items()]
    return Intent(f"{goal['domain']}.{goal['verb']}", entities, context=context)


LINE_LIMIT: Final = 64 * 1024
"""Bytes of the line that begins an event."""
DATA_LIMIT: Final = 1024 * 1024
"""Bytes of data, and of a payload, that may follow it."""
EVENT_S: Final = 10.0
"""Seconds within which an event that began is whole."""


async def read_event(reader: asyncio.StreamReader, idle_s: float | None = None) -> Event | None:
    """Return the next event; None where the other end is done, or says nothing for too long.

    Args:
        reader: Made with ``LINE_LIMIT``.
        idle_s: Seconds for which nothing need come; None for no limit.

    Raises:
        InputError: ``bad_event`` if it isn't one, is too large or doesn't come to its end.
    """
    try:
        async with asyncio.timeout(idle_s):
            first = await reader.read(1)
    except TimeoutError:
        return None
    if not first:
        return None
    try:
        async with asyncio.timeout(EVENT_S):
            return await _read_rest(reader, first)
    except TimeoutError:
        raise _refuse("It did not come to its end in time.") from None
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raise _refuse("It is cut short or too long.") from None
    except (ValueError, RecursionError):
        raise _refuse("It is not JSON.") from None


async def _read_rest(reader: asyncio.StreamReader, first: bytes) -> Event:
    line = first if first == b"\n" else first + await reader.readuntil(b"\n")
    head: Any = json.loads(line)
    if not isinstance(head, dict) or not isinstance(head.get("type"), str):
        raise _refuse("It has no type.")
    data: Any = {} if head.get("data") is None else head["data"]
    if length := _read_length(head, "data_length"):
        more: Any = json.loads(await reader.readexactly(length))
        data = {**data, **more} if isinstance(data, dict) and isinstance(more, dict) else None
    if not isinstance(data, dict):
        raise _refuse("Its data is not an object.")
    if length := _read_length(head, "payload_length"):
        await reader.readexactly(length)  # sound, which is for others
    return Event(head["type"], data)


def _read_length(head: dict[str, Any], name: str) -> int:
    length = head.get(name) or 0
    if type(length) is not int or not 0 <= length <= DATA_LIMIT:
        raise _refuse(f"Its {name} is not a number up to {DATA_LIMIT}.")
    return length


def _refuse(why: str) -> InputError:
    return InputError(f"That is not an event of the Wyoming protocol. {why}", code="bad_event")
