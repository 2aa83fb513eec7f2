"""`surehand plan`: the goals and the graph; nothing is done."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agent.cli.asking import Asked, PlanShowing, RunOptions
from agent.cli.exits import BAD_INPUT, SUCCEEDED
from agent.cli.screen.output import write_error, write_error_text, write_json, write_lines, write_result
from agent.cli.screen.outputs import describe_changes
from agent.cli.screen.plan_drawings import draw_mermaid, draw_tree
from agent.remote.told_errors import read_info
from agent.service.callers import Caller
from core.base.errors import ErrorInfo, InputError, SurehandError

if TYPE_CHECKING:
    from agent.cli.serving.choosing import ServiceChoice
    from agent.remote.service_file import RunningService


def show_plan(asked: Asked, showing: PlanShowing, choice: "ServiceChoice") -> int:
    """Plan what was asked, print it, and return the exit code."""
    try:
        if showing.as_json and showing.mermaid:
            raise InputError("Choose one of --json and --mermaid.")
        service = choice.find(asked.workspace, "--model" if showing.model else "", may_start=False)
        told = asyncio.run(_ask(service, asked, choice) if service else _plan(asked, showing))
    except SurehandError as error:  # a service tells all reasons with the first
        reasons = error.evidence.get("errors")
        _refuse(map(read_info, reasons) if reasons else [error.info()], error.evidence.get("question", ""))
        return BAD_INPUT
    if told:
        _show(told, showing)
    return SUCCEEDED if told else BAD_INPUT


async def _ask(service: "RunningService", asked: Asked, choice: "ServiceChoice") -> Mapping[str, Any]:
    """Return what the service would do; a session's pages count as open."""
    from agent.cli.serving.choosing import MAIN
    from agent.cli.serving.ordering import make_order
    from agent.remote.http_exchange import ServiceClient
    from agent.remote.remote import RemoteService

    order = make_order(asked, RunOptions(dry_run=True), choice.session or MAIN)
    return await RemoteService(ServiceClient(service)).plan(Caller(door="cli"), replace(order, request_id=""))


async def _plan(asked: Asked, showing: PlanShowing) -> Mapping[str, Any] | None:
    """Return what this process would do; where nothing can be planned, tell why and return None."""
    from agent.assembly import make_session
    from agent.cli.commands.models import give_model
    from agent.hosting.planning import describe_planned
    from agent.settings.settings import load_settings

    settings = load_settings(asked.workspace)
    session = make_session(settings, asked.workspace)
    give_model(session, showing.model, settings)
    request = asked.make_request("plan")
    async with session:
        request = await session.understand(request, lambda _: None)
        planned = session.plan(request)
        changes = await session.preview(planned, request)
    if planned.errors or planned.orchestration is None:
        _refuse(planned.errors, planned.question)
        return None
    return describe_planned(planned, changes)


def _show(told: Mapping[str, Any], showing: PlanShowing) -> None:
    plan = told["plan"]
    if showing.as_json:
        write_json(told)
    elif showing.mermaid:
        write_result(f"{draw_mermaid(plan)}\n")
    else:
        write_result(f"{draw_tree(plan, with_ids=showing.verbose) or 'Nothing to do.'}\n")
        names = {node["action_id"]: f"step {number}" for number, node in enumerate(plan["nodes"], start=1)}
        write_lines(describe_changes(told["diff_preview"], str if showing.verbose else names.__getitem__))
    for diagnostic in told["diagnostics"]:
        write_error(ErrorInfo("diagnostic", diagnostic))


def _refuse(errors: Iterable[ErrorInfo], question: str) -> None:
    for error in errors:
        write_error(error)
    if question:
        write_error_text(f"  question: {question}\n")
