"""`surehand run` through a service: the same steps on the screen, the same exit code. Without a loop where nobody can be asked."""

import sys

from agent.cli.asking import Asked, RunOptions
from agent.cli.exits import OUTCOME_UNKNOWN, choose_exit_code
from agent.cli.screen.output import choose_detail, is_at_terminal, report, write_error, write_json
from agent.cli.screen.stopping import halt_by_signals
from agent.cli.serving.choosing import MAIN, ServiceChoice
from agent.cli.serving.following import RunFollower, open_screen, read_event
from agent.cli.serving.ordering import make_order, name_own_option
from agent.remote.http_exchange import BlockingClient, ServiceClient, run_blocking
from agent.remote.remote import RemoteService
from agent.remote.service_file import RunningService
from agent.service.callers import Caller
from agent.service.orders import EventRecord, RunOrder, RunRecord
from core.base.errors import InputError, SurehandError
from core.results.records import from_data
from core.results.tool_results import RunResult

_CALLER = Caller(door="cli")
_NOT_BEGUN = frozenset({"service_missing", "draining"})
"""Codes of a service that ends in this moment, and has begun nothing of what it was asked for."""


def run_through(asked: Asked, options: RunOptions, choice: ServiceChoice) -> int | None:
    """Carry out what was asked in the service of the folder and return the exit code; None where this process shall do it."""
    service = choice.find(asked.workspace, name_own_option(options), may_start=not options.dry_run)
    if service is None:
        return None
    try:
        order = make_order(asked, options, choice.session or MAIN)
    except InputError:
        return None  # whoever runs it here tells what is wrong with it
    try:
        result = _carry_out(service, asked, options, order)
    except SurehandError as error:
        if error.code in _NOT_BEGUN and not choice.session:
            return None
        if error.code != "service_gone":
            raise
        write_error(error)
        return OUTCOME_UNKNOWN
    report(result, choose_detail(quiet=options.quiet, verbose=options.verbose))
    return choose_exit_code(result)


def _carry_out(service: RunningService, asked: Asked, options: RunOptions, order: RunOrder) -> RunResult:
    is_attended = is_at_terminal() and not options.as_json
    if is_attended or sys.platform == "win32":
        from agent.telemetry.library_faults import keep_off_terminal

        keep_off_terminal()
    if is_attended:
        import asyncio  # whoever can be asked answers while the rest goes on

        from agent.cli.serving.passages import ServiceRun

        return asyncio.run(ServiceRun(service, asked, options).carry_out(order))
    if sys.platform == "win32":  # its pipes are the loop's
        import asyncio

        told = asyncio.run(_follow(RemoteService(ServiceClient(service)), options, order))
    else:
        told = run_blocking(_follow(RemoteService(BlockingClient(service)), options, order))
    return from_data(RunResult, told)


async def _follow(remote: RemoteService, options: RunOptions, order: RunOrder) -> RunRecord:
    """Return what came of an order; nothing in it waits but for the service."""
    ticket = await remote.begin(_CALLER, order)
    screen = None if options.as_json else open_screen(options)

    def show(record: EventRecord) -> None:
        if screen is None:
            write_json(record, indent=None)
        elif event := read_event(record):
            screen.show(event)

    try:
        if sys.platform == "win32":
            from agent.cli.serving.watching import RunWatch

            return await RunWatch(remote, _CALLER, show).watch(ticket.run_id)
        with halt_by_signals(lambda: run_blocking(remote.stop(_CALLER, run_id=ticket.run_id))):
            return await RunFollower(remote, _CALLER, show).follow(ticket.run_id)
    finally:
        if screen:
            screen.close()
