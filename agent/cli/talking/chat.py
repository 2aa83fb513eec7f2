"""`surehand chat`: a conversation in a terminal."""

import asyncio
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from agent.cli.exits import BAD_INPUT, SUCCEEDED
from agent.cli.screen.output import write_error, write_result
from agent.cli.screen.progress import TerminalProgress
from agent.cli.screen.prompts import TerminalGate
from agent.cli.screen.reports import is_at_terminal
from agent.cli.talking.choosing_settings import choose_settings
from agent.cli.talking.completing import ChatCompleter
from agent.cli.talking.orders import ORDERS, ChatOrders
from agent.cli.talking.reading import HISTORY, ChatHistory, LineReader
from agent.cli.talking.saving import Diary
from agent.service.callers import Caller
from agent.service.orders import EventRecord, RunOrder
from agent.service.ports import Service
from agent.settings.settings import locate_config_folder
from core.base.errors import InputError, SurehandError
from core.base.phrases import escape_text

PERSON: Final = Caller(door="chat")

_WELCOME = "Say what to do, or /help. Tab completes, Ctrl+C stops, Ctrl+D ends.\n"
_NOTHING = "Nothing is running."
_DRAIN_S = 6.0
_MARKS = {"taken_back": "✓", "already": "–", "not_undoable": "⊘", "failed": "✗"}


@dataclass(frozen=True, slots=True)
class ChatWish:
    """How to chat.

    Attributes:
        language: Tag of the language in which it is said; empty leaves it to the settings. A service that runs has its own,
            so that none is gone through where one is given.
    """

    workspace: Path
    session: str
    headed: bool = False
    use_running: bool = True
    language: str = ""


def chat(wish: ChatWish) -> int:
    """Talk until the person ends it, and return the exit code."""
    try:
        if not (is_at_terminal() and sys.stdout.isatty()):
            hint = "surehand run takes a sentence without one."
            raise InputError("A chat needs a terminal.", code="bad_usage", hint=hint)
        if not wish.workspace.is_dir():
            raise InputError(f'The workspace "{wish.workspace}" is not a folder.', hint="Create it, or name another.")
        asyncio.run(_open_chat(wish))
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    return SUCCEEDED


async def _open_chat(wish: ChatWish) -> None:
    from agent.cli.serving.opening import open_service

    settings = choose_settings(wish.workspace, wish.language, headed=wish.headed)
    use_running = wish.use_running and not wish.language
    service = await open_service(settings, wish.workspace, use_running=use_running)
    try:
        await _Chat(service, wish, settings.language).talk()
    finally:
        await service.close(_DRAIN_S)


class _Chat:
    """One person at a terminal and a session of a service."""

    def __init__(self, service: Service, wish: ChatWish, language: str) -> None:
        self._service = service
        self._session = wish.session
        self._diary = Diary()
        self._plan: dict[str, Any] = {"nodes": ()}
        self._is_asked = False
        self._told = ""
        self._orders = ChatOrders(service, PERSON, wish.session, self._diary, wish.workspace)
        completer = ChatCompleter(ORDERS, wish.workspace, self._orders.find_names, language)
        self._reader = LineReader(ChatHistory(locate_config_folder() / HISTORY), completer)

    async def talk(self) -> None:
        """Take line after line."""
        write_result(_WELCOME)
        while (line := await self._reader.read(is_answer=self._is_asked)) is not None:
            try:
                if not await self._take(line.strip()):
                    return
            except SurehandError as error:
                write_error(error)

    async def _take(self, line: str) -> bool:
        """Do what a line says; return whether the chat goes on."""
        if not line.startswith("/"):
            await self._say(line)
            return True
        order, _, rest = line.partition(" ")
        if order == "/undo":
            await self._say("undo")
        elif order == "/status":
            await self._tell_status()
        elif order == "/quit":
            return False
        else:
            await self._orders.obey(order, rest.strip())
        return True

    async def _tell_status(self) -> None:
        """Tell what goes on in the session, whoever began it; else what was told last."""
        known = await self._service.list_sessions(PERSON)
        if any(each.name == self._session and (each.running or each.questions) for each in known):
            await self._say("what are you doing?")
        else:
            write_result(f"{escape_text(self._told or _NOTHING)}\n")

    async def _say(self, text: str) -> None:
        """Say something in the conversation, and show what comes of it."""
        from agent.cli.serving.told_runs import read_event
        from agent.cli.serving.watching import RunWatch

        if not text:
            return
        request_id = f"chat-{secrets.token_hex(12)}"
        order = RunOrder(text=text, said=True, session=self._session, request_id=request_id)
        ticket = await self._service.begin(PERSON, order)
        screen = TerminalProgress(sys.stdout)

        def show(record: EventRecord) -> None:
            self._note(record)
            if event := read_event(record):
                screen.show(event)

        try:
            watch = RunWatch(self._service, PERSON, show, TerminalGate((), screen.hold))
            record = await watch.watch(ticket.run_id)
        finally:
            screen.close()
            self._orders.forget_names()
        self._is_asked = bool(record.get("expects_reply"))
        self._told = str(record["reply"]) or self._told
        if record.get("errors"):
            write_result(f"{escape_text(record['reply'])}\n")
        if undone := record.get("undone"):
            self._show_undone(undone)

    def _note(self, record: EventRecord) -> None:
        """Remember what was done, for whoever saves the conversation."""
        if record["event"] == "accepted":
            self._plan = dict(record["plan"])
        elif record["event"] == "final" and record["steps"]:
            self._diary.note(self._plan, record["steps"])

    def _show_undone(self, undone: Any) -> None:
        for step in undone["steps"]:
            write_result(f"{_MARKS[step['status']]} {escape_text(step['description'])}\n")
            if told := step["error"]["message"] if step.get("error") else step["how"]:
                write_result(f"    {escape_text(told)}\n")
        if any(step["status"] == "taken_back" for step in undone["steps"]):
            self._diary.forget_last()
