"""What `surehand plan` does: the goals and the graph; nothing is carried out."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agent.cli.asking import Asked, PlanShowing, RunOptions
from agent.cli.exits import BAD_INPUT, SUCCEEDED
from agent.cli.screen.output import write_error, write_error_text, write_json, write_lines, write_result
from agent.cli.screen.outputs import describe_changes
from agent.cli.screen.plan_drawings import draw_mermaid, draw_tree
from agent.cli.serving.choosing import MAIN, ServiceChoice
from agent.cli.serving.ordering import make_order
from agent.remote.told_errors import read_info
from agent.service.callers import Caller
from agent.service.orders import RunOrder
from agent.telemetry.library_faults import keep_off_terminal
from core.base.errors import ErrorInfo, InputError, SurehandError

if TYPE_CHECKING:
    from agent.remote.service_file import RunningService
    from agent.sessions.session_parts import SessionParts
    from agent.settings.settings import Settings

_CALLER: Final = Caller(door="cli")


def print_plan(asked: Asked, showing: PlanShowing, choice: ServiceChoice) -> int:
    """Print the steps that a sentence or file would take, and return the exit code."""
    keep_off_terminal()
    try:
        if showing.as_json and showing.mermaid:
            raise InputError("Choose one of --json and --mermaid.")
        service = choice.find(asked.workspace, "--model" if showing.model else "", may_start=False)
        order = replace(make_order(asked, RunOptions(dry_run=True), choice.session or MAIN), request_id="")
        told = _ask(service, order) if service else _plan(order, asked.workspace, showing)
    except SurehandError as error:
        _refuse(error)
        return BAD_INPUT
    _show(told, showing)
    return SUCCEEDED


def _ask(service: "RunningService", order: RunOrder) -> Mapping[str, Any]:
    """Return what the service would do; a session's pages count as open."""
    import asyncio

    from agent.remote.http_exchange import ServiceClient
    from agent.remote.remote import RemoteService

    return asyncio.run(RemoteService(ServiceClient(service)).plan(_CALLER, order))


def _plan(order: RunOrder, workspace: Path, showing: PlanShowing) -> Mapping[str, Any]:
    """Return what this process would do. Most plans need no loop, and nothing that carries them out."""
    from agent.assembly import make_parts
    from agent.hosting.requesting import plan_at_once
    from agent.settings.unset_settings import find_settings

    settings = find_settings(workspace)
    parts = make_parts(settings, workspace)
    told = plan_at_once(order, _CALLER, parts) if showing.model == PlanShowing().model else None
    return told or _plan_in_session(order, parts, showing, settings)


def _plan_in_session(
    order: RunOrder, parts: "SessionParts", showing: PlanShowing, settings: "Settings"
) -> Mapping[str, Any]:
    import asyncio

    from agent.cli.serving.models import give_model
    from agent.hosting.requesting import plan_order
    from agent.sessions.session import AgentSession

    async def plan() -> Mapping[str, Any]:
        session = AgentSession(parts)
        give_model(session, showing.model, settings)
        async with session:
            return await plan_order(order, _CALLER, session)

    return asyncio.run(plan())


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


def _refuse(error: SurehandError) -> None:
    """Tell why nothing can be planned: all reasons come with the first."""
    reasons = error.evidence.get("errors")
    for each in map(read_info, reasons) if reasons else (error.info(),):
        write_error(each)
    if question := error.evidence.get("question"):
        write_error_text(f"  question: {question}\n")
