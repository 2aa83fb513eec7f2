"""`surehand plan`: the goals and the graph; nothing is done."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from agent.assembly import make_session
from agent.cli.asking import Asked
from agent.cli.exits import BAD_INPUT, SUCCEEDED
from agent.cli.screen.changes import describe_changes
from agent.cli.screen.output import write_error, write_error_text, write_json, write_result
from agent.requests.plan_views import describe_graph, describe_meta_goal, digest_plan, draw_mermaid, draw_tree
from agent.requests.requests import Request
from agent.sessions.planned_requests import PlannedRequest
from agent.sessions.session import AgentSession
from agent.settings.settings import load_settings
from core.base.errors import ErrorInfo, InputError, SurehandError
from core.results.records import to_data


def show_plan(asked: Asked, *, as_json: bool, mermaid: bool, verbose: bool = False) -> int:
    """Plan what was asked, print it, and return the exit code.

    Args:
        asked: What was asked.
        as_json: Whether to print data.
        mermaid: Whether to print a chart.
        verbose: Whether ids and classes of approvals are shown.
    """
    try:
        if as_json and mermaid:
            raise InputError("Choose one of --json and --mermaid.")
        settings = load_settings(asked.workspace)
        request = asked.make_request("plan")
        planned, changes = asyncio.run(_plan(make_session(settings, asked.workspace), request))
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    if planned.errors or planned.orchestration is None:
        _report(planned)
        return BAD_INPUT
    orchestration = planned.orchestration
    if as_json:
        write_json(_describe(planned, changes))
    elif mermaid:
        write_result(draw_mermaid(orchestration.graph) + "\n")
    else:
        write_result((draw_tree(orchestration.graph, with_ids=verbose) or "Nothing to do.") + "\n")
        names = {action_id: f"step {number}" for number, action_id in enumerate(orchestration.graph.nodes, start=1)}
        told = describe_changes(changes, str if verbose else names.__getitem__)
        write_result("".join(f"{line}\n" for line in told))
    for diagnostic in orchestration.meta_goal.diagnostics:
        write_error(ErrorInfo("diagnostic", diagnostic))
    return SUCCEEDED


async def _plan(session: AgentSession, request: Request) -> tuple[PlannedRequest, Sequence[Mapping[str, Any]]]:
    async with session:
        planned = session.plan(request)
        return planned, await session.preview(planned, request)


def _describe(planned: PlannedRequest, changes: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    if planned.orchestration is None:
        return {}
    graph = planned.orchestration.graph
    return {
        **describe_meta_goal(planned.orchestration),
        "plan": describe_graph(graph),
        "plan_digest": digest_plan(graph),
        "diff_preview": to_data(changes),
        "planning_ms": planned.planning_ms,
    }


def _report(planned: PlannedRequest) -> None:
    for error in planned.errors:
        write_error(error)
    if planned.question:
        write_error_text(f"  question: {planned.question}\n")
