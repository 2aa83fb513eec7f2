"""`surehand plan`: the goals and the graph; nothing is done."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.assembly import make_session
from agent.cli.asking import Asked
from agent.cli.commands.models import give_model
from agent.cli.exits import BAD_INPUT, SUCCEEDED
from agent.cli.screen.changes import describe_changes
from agent.cli.screen.output import write_error, write_error_text, write_json, write_result
from agent.models.serving.wishes import NO_MODEL, ModelWish
from agent.requests.plan_views import describe_graph, describe_meta_goal, digest_plan, draw_mermaid, draw_tree
from agent.requests.requests import Request
from agent.sessions.planned_requests import PlannedRequest
from agent.sessions.session import AgentSession
from agent.settings.settings import load_settings
from core.base.errors import ErrorInfo, InputError, SurehandError
from core.results.records import to_data


@dataclass(frozen=True, slots=True)
class PlanShowing:
    """How a plan is shown, and who helps to make it.

    Attributes:
        as_json: Whether to print data.
        mermaid: Whether to print a chart.
        verbose: Whether ids and classes of approvals are shown.
        model: Which model helps where a sentence is not understood.
    """

    as_json: bool = False
    mermaid: bool = False
    verbose: bool = False
    model: ModelWish = NO_MODEL


def show_plan(asked: Asked, showing: PlanShowing) -> int:
    """Plan what was asked, print it, and return the exit code.

    Args:
        asked: What was asked.
        showing: How it is shown.
    """
    try:
        if showing.as_json and showing.mermaid:
            raise InputError("Choose one of --json and --mermaid.")
        settings = load_settings(asked.workspace)
        session = make_session(settings, asked.workspace)
        give_model(session, showing.model, settings)
        planned, changes = asyncio.run(_plan(session, asked.make_request("plan")))
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    if planned.errors or planned.orchestration is None:
        _report(planned)
        return BAD_INPUT
    orchestration = planned.orchestration
    if showing.as_json:
        write_json(_describe(planned, changes))
    elif showing.mermaid:
        write_result(draw_mermaid(orchestration.graph) + "\n")
    else:
        write_result((draw_tree(orchestration.graph, with_ids=showing.verbose) or "Nothing to do.") + "\n")
        names = {action_id: f"step {number}" for number, action_id in enumerate(orchestration.graph.nodes, start=1)}
        told = describe_changes(changes, str if showing.verbose else names.__getitem__)
        write_result("".join(f"{line}\n" for line in told))
    for diagnostic in orchestration.meta_goal.diagnostics:
        write_error(ErrorInfo("diagnostic", diagnostic))
    return SUCCEEDED


async def _plan(session: AgentSession, request: Request) -> tuple[PlannedRequest, Sequence[Mapping[str, Any]]]:
    async with session:
        request = await session.understand(request, lambda _: None)
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
