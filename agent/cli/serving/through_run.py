"""`surehand run` through a service: the same steps on the screen, the same questions, the same exit code."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from agent.cli.asking import Asked, RunOptions
from agent.cli.exits import BAD_INPUT, OUTCOME_UNKNOWN, choose_exit_code
from agent.cli.screen.output import write_error, write_json
from agent.cli.screen.reports import choose_detail, is_at_terminal, report
from agent.cli.serving.choosing import MAIN, ServiceChoice
from agent.cli.serving.ordering import make_order, make_request_id, name_own_option
from agent.cli.serving.told_runs import read_event, read_result
from agent.cli.serving.watching import RunWatch
from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.remote.service_file import RunningService
from agent.service.callers import Caller
from agent.service.orders import EventRecord, RunOrder, RunTicket
from core.base.errors import InputError, SurehandError
from core.results.tool_results import RunResult

if TYPE_CHECKING:
    from agent.cli.screen.progress import TerminalProgress
    from core.approvals.approvals import ApprovalGate

_NOT_BEGUN = frozenset({"service_missing", "draining"})
"""Codes of a service that ends in this moment, and has begun nothing of what it was asked for."""


def run_through(asked: Asked, options: RunOptions, choice: ServiceChoice) -> int | None:
    """Carry out what was asked in the service of the folder and return the exit code; None where this process shall do it."""
    try:
        service = choice.find(asked.workspace, name_own_option(options), may_start=not options.dry_run)
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    if service is None:
        return None
    try:
        order = make_order(asked, options, choice.session or MAIN)
    except InputError:
        return None  # whoever runs it here tells what is wrong with it
    try:
        result = asyncio.run(_RunPassage(service, asked, options).carry_out(order, may_go_without=not choice.session))
    except SurehandError as error:
        write_error(error)
        return OUTCOME_UNKNOWN if error.code == "service_gone" else BAD_INPUT
    if result is None:
        return None
    report(result, choose_detail(quiet=options.quiet, verbose=options.verbose))
    return choose_exit_code(result)


class _RunPassage:
    """One command's way through a service."""

    def __init__(self, service: RunningService, asked: Asked, options: RunOptions) -> None:
        self._remote = RemoteService(ServiceClient(service))
        self._caller = Caller(door="cli")
        self._asked = asked
        self._options = options

    async def carry_out(self, order: RunOrder, *, may_go_without: bool) -> RunResult | None:
        """Return what came of an order; what a sentence lacks is asked of the person here.

        Args:
            may_go_without: Whether None is returned where the service ends just now and has begun nothing.
        """
        try:
            ticket = await self._remote.begin(self._caller, order)
        except SurehandError as error:
            if may_go_without and error.code in _NOT_BEGUN:
                return None
            raise
        result = await self._show(ticket)
        if not (result.errors and result.question and order.text and self._is_attended()):
            return result
        text = await self._complete(order.text)
        if text == order.text:
            return result
        order = replace(order, text=text, request_id=make_request_id())
        return await self._show(await self._remote.begin(self._caller, order))

    async def _show(self, ticket: RunTicket) -> RunResult:
        if self._options.as_json:
            return await self._watch(ticket.run_id, _write, None)
        screen = self._open_screen()  # what draws is imported while the service is at work
        try:
            return await self._watch(ticket.run_id, _RecordScreen(screen).show, screen)
        finally:
            screen.close()

    async def _watch(
        self, run_id: str, show: Callable[[EventRecord], None], screen: "TerminalProgress | None"
    ) -> RunResult:
        gate: ApprovalGate | None = None
        if screen and is_at_terminal():
            from agent.cli.screen.prompts import TerminalGate

            gate = TerminalGate((), screen.hold)
        return read_result(await RunWatch(self._remote, self._caller, show, gate).watch(run_id))

    def _open_screen(self) -> "TerminalProgress":
        from agent.cli.screen.progress import TerminalProgress

        options = self._options
        detail = choose_detail(quiet=options.quiet, verbose=options.verbose)
        return TerminalProgress(sys.stdout, detail, full=options.full)

    def _is_attended(self) -> bool:
        return is_at_terminal() and not self._options.as_json

    async def _complete(self, text: str) -> str:
        """Return a sentence with the answers of the person here; what understands it is imported for that alone."""
        from contextlib import nullcontext

        from agent.assembly import make_session
        from agent.cli.answers import complete_request
        from agent.requests.requests import Request
        from agent.settings.settings import load_settings

        workspace = self._asked.workspace
        async with make_session(load_settings(workspace), workspace) as session:
            completed = await complete_request(Request(utterance=text), session.interpreter, nullcontext)
        return completed.utterance or text


class _RecordScreen:
    """Shows records of events on a screen that takes events."""

    def __init__(self, screen: "TerminalProgress") -> None:
        self._screen = screen

    def show(self, record: EventRecord) -> None:
        """Show one."""
        if event := read_event(record):
            self._screen.show(event)


def _write(record: EventRecord) -> None:
    """Write an event as a line of JSON."""
    write_json(record, indent=None)
