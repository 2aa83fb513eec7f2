"""`surehand chat`: a conversation in a terminal. What begins with a stroke is an order; everything else is said."""

import asyncio
import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from agent.cli.declaring import command, make_group
from agent.cli.options import DOING, SERVICE, Option
from agent.cli.screen.output import is_at_terminal, write_error, write_lines
from agent.cli.screen.outputs import describe_changes, list_undone
from agent.cli.screen.progress import TerminalProgress
from agent.cli.screen.prompts import TerminalGate, TerminalSettler
from agent.cli.screen.step_list import StepList
from agent.cli.serving.following import read_event
from agent.cli.serving.questions import PersonsAnswers
from agent.cli.serving.watching import RunWatch
from agent.cli.talking.completing import HISTORY, ChatCompleter, ChatHistory, LineReader, read_names
from agent.cli.talking.places import TalkPlace
from agent.cli.talking.saving import Diary
from agent.service.callers import Caller
from agent.service.orders import EventRecord, RunOrder
from agent.service.ports import Service
from agent.settings.settings import locate_config_folder
from agent.store.private_files import write_whole
from core.base.errors import ActionError, InputError, SurehandError
from core.base.phrases import split_lines

PERSON: Final = Caller(door="chat")
ORDERS: Final[Mapping[str, str]] = {
    "/look": "show what is on the page; with words, the lines nearest to them",
    "/plan": "show the steps that a sentence would take; do nothing",
    "/undo": "take the last run back",
    "/save": "write what was done here as a flow: /save order.yaml",
    "/status": "tell what goes on",
    "/questions": "answer what any run asks you",
    "/help": "show this",
    "/quit": "end the chat",
}
"""The orders, and what they do."""

_WELCOME = "Say what to do, or /help. Tab completes, Ctrl+C stops, Ctrl+D ends."
_NOTHING = "Nothing is running."
_HELP = (
    "Say it in a sentence, such as: open 127.0.0.1:8123/shop and read the title.",
    "While it works, Ctrl+C stops it. A question is answered with y or n, or in words.",
    *(f"  {order:<10}  {meaning}" for order, meaning in ORDERS.items()),
)
_FLOW_ENDINGS = (".yaml", ".yml")
_LOOKING_S = 2.0
_DRAIN_S = 6.0


app = make_group()


@command(app, "chat", "surehand chat", "surehand chat --session shop", panel=DOING)
def chat(
    place: TalkPlace,
    session: Annotated[str, Option("--session NAME", "Act on the pages of this session.", SERVICE)] = "main",
) -> None:
    """Talk with Surehand in this terminal.

    What you say may refer to what was said before. You are asked before files change or programs run.
    """
    if not (is_at_terminal() and sys.stdout.isatty()):
        hint = "surehand run takes a sentence without one."
        raise InputError("A chat needs a terminal.", code="bad_usage", hint=hint)
    asyncio.run(_talk(place, session))


async def _talk(place: TalkPlace, session: str) -> None:
    settings = place.load_settings()
    service = await place.open_service(settings)
    try:
        await _Chat(service, place.workspace, session, settings.language).talk()
    finally:
        await service.close(_DRAIN_S)


class _Chat:
    """One person at a terminal and a session of a service."""

    def __init__(self, service: Service, workspace: Path, session: str, language: str) -> None:
        self._service = service
        self._workspace = workspace
        self._session = session
        self._diary = Diary()
        self._plan: dict[str, Any] = {"nodes": ()}
        self._is_asked = False
        self._told = ""
        self._names: Sequence[str] | None = None
        self._orders = {
            "/look": self._look,
            "/plan": self._show_plan,
            "/undo": lambda _: self._say("undo"),
            "/save": lambda name: asyncio.to_thread(self._save, name),
            "/status": self._tell_status,
            "/questions": self._answer,
            "/help": self._help,
        }
        completer = ChatCompleter(ORDERS, workspace, self._find_names, language)
        self._reader = LineReader(ChatHistory(locate_config_folder() / HISTORY), completer)

    async def talk(self) -> None:
        """Take line after line."""
        write_lines([_WELCOME])
        while (line := await self._reader.read(is_answer=self._is_asked)) is not None:
            order, _, rest = line.strip().partition(" ")
            if order == "/quit":
                return
            try:
                await (self._obey(order, rest.strip()) if order.startswith("/") else self._say(line.strip()))
            except SurehandError as error:
                write_error(error)

    async def _obey(self, order: str, rest: str) -> None:
        if order not in self._orders:
            raise InputError(f"“{order}” is not an order.", code="bad_usage", hint=f"Orders: {', '.join(ORDERS)}.")
        await self._orders[order](rest)

    async def _say(self, text: str) -> None:
        """Say something in the conversation, and show what comes of it."""
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
            answers = PersonsAnswers(self._service, PERSON, TerminalGate((), screen.hold), TerminalSettler(screen.hold))
            record = await RunWatch(self._service, PERSON, show, answers).watch(ticket.run_id)
        finally:
            screen.close()
            self._names = None  # something was done
        self._is_asked = bool(record.get("expects_reply"))
        self._told = str(record["reply"]) or self._told
        if record.get("errors"):
            write_lines([record["reply"]])
        if undone := record.get("undone"):
            self._show_undone(undone["steps"])

    def _note(self, record: EventRecord) -> None:
        """Remember what was done, for whoever saves the conversation."""
        if record["event"] == "accepted":
            self._plan = dict(record["plan"])
        elif record["event"] == "final" and record["steps"]:
            self._diary.note(self._plan, record["steps"])

    def _show_undone(self, steps: Sequence[Mapping[str, Any]]) -> None:
        for step in steps:
            write_lines(list_undone(step))
        if any(step["status"] == "taken_back" for step in steps):
            self._diary.forget_last()

    async def _tell_status(self, _: str) -> None:
        """Tell what goes on in the session, whoever began it; else what was told last."""
        known = await self._service.list_sessions(PERSON)
        if any(each.name == self._session and (each.running or each.questions) for each in known):
            await self._say("what are you doing?")
        else:
            write_lines([self._told or _NOTHING])

    async def _find_names(self) -> Sequence[str]:
        """Return the names of what is on the page, asked for once between two sentences; nothing where no page is open."""
        if self._names is None:
            try:
                async with asyncio.timeout(_LOOKING_S):
                    self._names = read_names(await self._read_page({}))
            except (SurehandError, TimeoutError):
                self._names = ()
        return self._names

    async def _read_page(self, wanted: Mapping[str, str]) -> Mapping[str, Any]:
        known = await self._service.list_sessions(PERSON)
        if not any(each.name == self._session and each.pages for each in known):
            raise ActionError("No page is open.", code="page_missing", hint="Open one: open example.com.")
        return await self._service.look(PERSON, self._session, wanted)

    async def _look(self, words: str) -> None:
        seen = await self._read_page({"find": words} if words else {})
        write_lines(split_lines(str(seen.get("text", ""))))

    async def _show_plan(self, text: str) -> None:
        if not text:
            raise InputError("Which sentence is not said.", code="bad_usage", hint="/plan open example.com.")
        planned = await self._service.plan(PERSON, RunOrder(text=text, session=self._session, mode="plan"))
        steps = StepList()
        steps.read_plan(planned["plan"])
        write_lines([*steps.list_plan(), *describe_changes(planned.get("diff_preview", ()), steps.name)])

    def _save(self, name: str) -> None:
        path = self._workspace / Path(name).expanduser()
        if not name or path.suffix.lower() not in _FLOW_ENDINGS:
            raise InputError("A flow's file ends with .yaml.", code="bad_usage", hint="Name one: /save order.yaml.")
        text = self._diary.write(path.stem)
        if path.exists():
            raise InputError(f"{path.name} is there already.", code="already_exists", hint="Choose another name.")
        try:
            write_whole(path, text.encode("utf-8"))
        except OSError as error:
            why = f"{path} can't be written: {error.strerror or error}."
            raise ActionError(why, code="file_not_written", hint="Choose another place.") from None
        write_lines([f"Saved {path.name}. surehand run {path.name} does it again."])

    async def _answer(self, _: str) -> None:
        answers = PersonsAnswers(self._service, PERSON, TerminalGate(()), TerminalSettler())
        if not await answers.give_open():
            write_lines(["Nothing is asked."])

    async def _help(self, _: str) -> None:
        write_lines(_HELP)
