"""What begins with a stroke in the chat: looking, planning, saving."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from agent.cli.screen.changes import describe_changes
from agent.cli.screen.output import write_result
from agent.cli.screen.prompts import TerminalGate, TerminalSettler
from agent.cli.screen.step_list import StepList
from agent.cli.talking.completing import read_names
from agent.cli.talking.saving import Diary
from agent.service.callers import Caller
from agent.service.orders import RunOrder
from agent.service.ports import Service
from agent.store.private_files import write_whole
from core.base.errors import ActionError, InputError, SurehandError
from core.base.phrases import split_lines

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

_FLOW_ENDINGS = (".yaml", ".yml")
_LOOKING_S = 2.0
_HELP = (
    "Say it in a sentence, such as: open 127.0.0.1:8123/shop and read the title.\n"
    "While it works, Ctrl+C stops it. A question is answered with y or n, or in words.\n"
)


class ChatOrders:
    """Obeys orders in one session."""

    def __init__(self, service: Service, caller: Caller, session: str, diary: Diary, workspace: Path) -> None:
        """Obey orders there."""
        self._service = service
        self._caller = caller
        self._session = session
        self._diary = diary
        self._workspace = workspace
        self._names: Sequence[str] | None = None
        self._ways: Mapping[str, Callable[[str], Awaitable[None]]] = {
            "/look": self._look,
            "/plan": self._show_plan,
            "/save": self._save,
            "/questions": self._answer,
            "/help": self._help,
        }

    async def obey(self, order: str, rest: str) -> None:
        """Do what an order says.

        Raises:
            SurehandError: If it is unknown or fails.
        """
        way = self._ways.get(order)
        if way is None:
            raise InputError(f"“{order}” is not an order.", code="bad_usage", hint=f"Orders: {', '.join(ORDERS)}.")
        await way(rest)

    async def find_names(self) -> Sequence[str]:
        """Return the names of what is on the page, asked for once between two sentences; nothing where no page is open."""
        if self._names is None:
            try:
                async with asyncio.timeout(_LOOKING_S):
                    self._names = await self._read_names()
            except (SurehandError, TimeoutError):
                self._names = ()
        return self._names

    def forget_names(self) -> None:
        """Ask for the names again: something was done."""
        self._names = None

    async def _read_names(self) -> Sequence[str]:
        known = await self._service.list_sessions(self._caller)
        if not any(each.name == self._session and each.pages for each in known):
            return ()
        return read_names(await self._service.look(self._caller, self._session, {}))

    async def _look(self, words: str) -> None:
        known = await self._service.list_sessions(self._caller)
        if not any(each.name == self._session and each.pages for each in known):
            raise ActionError("No page is open.", code="page_missing", hint="Open one: open example.com.")
        seen = await self._service.look(self._caller, self._session, {"find": words} if words else {})
        write_result("".join(f"{line}\n" for line in split_lines(str(seen.get("text", "")))))

    async def _show_plan(self, text: str) -> None:
        if not text:
            raise InputError("Which sentence is not said.", code="bad_usage", hint="/plan open example.com.")
        planned = await self._service.plan(self._caller, RunOrder(text=text, session=self._session, mode="plan"))
        steps = StepList()
        steps.read_plan(planned["plan"])
        told = [*steps.list_plan(), *describe_changes(planned.get("diff_preview", ()), steps.name)]
        write_result("".join(f"{line}\n" for line in told))

    async def _save(self, name: str) -> None:
        self._keep(name)

    def _keep(self, name: str) -> None:
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
        write_result(f"Saved {path.name}. surehand run {path.name} does it again.\n")

    async def _answer(self, _: str) -> None:
        from agent.cli.serving.questions import PersonsAnswers

        answers = PersonsAnswers(self._service, self._caller, TerminalGate(()), TerminalSettler())
        if not await answers.give_open():
            write_result("Nothing is asked.\n")

    async def _help(self, _: str) -> None:
        width = max(map(len, ORDERS))
        write_result(_HELP + "".join(f"  {order:<{width}}  {meaning}\n" for order, meaning in ORDERS.items()))
