"""`surehand plan`: the goals and the graph; nothing is done."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agent.assembly import make_session
from agent.cli.asking import Asked, PlanShowing, RunOptions
from agent.cli.commands.models import give_model
from agent.cli.exits import BAD_INPUT, SUCCEEDED
from agent.cli.screen.changes import describe_changes
from agent.cli.screen.output import write_error, write_error_text, write_json, write_result
from agent.remote.told_errors import read_info
from agent.requests.plan_views import draw_mermaid, draw_tree
from agent.requests.requests import Request
from agent.service.callers import Caller
from agent.sessions.planned_requests import PlannedRequest
from agent.sessions.session import AgentSession
from agent.settings.settings import load_settings
from core.base.errors import ErrorInfo, InputError, SurehandError
from core.planning.graph import PlanGraph

if TYPE_CHECKING:
    from agent.cli.serving.choosing import ServiceChoice
    from agent.remote.service_file import RunningService


def show_plan(asked: Asked, showing: PlanShowing, choice: "ServiceChoice") -> int:
    """Plan what was asked, print it, and return the exit code."""
    from agent.hosting.planning import describe_planned

    try:
        if showing.as_json and showing.mermaid:
            raise InputError("Choose one of --json and --mermaid.")
        service = choice.find(asked.workspace, "--model" if showing.model else "", may_start=False)
        if service:
            return _show_told(asyncio.run(_ask(service, asked, choice)), showing)
        settings = load_settings(asked.workspace)
        session = make_session(settings, asked.workspace)
        give_model(session, showing.model, settings)
        planned, changes = asyncio.run(_plan(session, asked.make_request("plan")))
    except SurehandError as error:
        _report(error)
        return BAD_INPUT
    if planned.errors or planned.orchestration is None:
        _report_planned(planned)
        return BAD_INPUT
    graph = planned.orchestration.graph
    return _show(describe_planned(planned, changes), graph, showing)


async def _ask(service: "RunningService", asked: Asked, choice: "ServiceChoice") -> Mapping[str, Any]:
    """Return what the service would do; a session's pages count as open."""
    from agent.cli.serving.choosing import MAIN
    from agent.cli.serving.ordering import make_order
    from agent.remote.http_exchange import ServiceClient
    from agent.remote.remote import RemoteService

    remote = RemoteService(ServiceClient(service))
    order = make_order(asked, RunOptions(dry_run=True), choice.session or MAIN)
    return await remote.plan(Caller(door="cli"), replace(order, request_id=""))


def _show_told(told: Mapping[str, Any], showing: PlanShowing) -> int:
    from agent.cli.serving.told_plans import read_graph

    return _show(told, read_graph(told["plan"]), showing)


def _show(told: Mapping[str, Any], graph: PlanGraph, showing: PlanShowing) -> int:
    if showing.as_json:
        write_json(told)
    elif showing.mermaid:
        write_result(draw_mermaid(graph) + "\n")
    else:
        write_result((draw_tree(graph, with_ids=showing.verbose) or "Nothing to do.") + "\n")
        names = {action_id: f"step {number}" for number, action_id in enumerate(graph.nodes, start=1)}
        lines = describe_changes(told["diff_preview"], str if showing.verbose else names.__getitem__)
        write_result("".join(f"{line}\n" for line in lines))
    for diagnostic in told["diagnostics"]:
        write_error(ErrorInfo("diagnostic", diagnostic))
    return SUCCEEDED


async def _plan(session: AgentSession, request: Request) -> tuple[PlannedRequest, Sequence[Mapping[str, Any]]]:
    async with session:
        request = await session.understand(request, lambda _: None)
        planned = session.plan(request)
        return planned, await session.preview(planned, request)


def _report_planned(planned: PlannedRequest) -> None:
    for error in planned.errors:
        write_error(error)
    if planned.question:
        write_error_text(f"  question: {planned.question}\n")


def _report(error: SurehandError) -> None:
    """Tell why nothing could be planned; a service tells all reasons with the first."""
    reasons = error.evidence.get("errors")
    for each in map(read_info, reasons) if reasons else (error.info(),):
        write_error(each)
    if question := error.evidence.get("question"):
        write_error_text(f"  question: {question}\n")
