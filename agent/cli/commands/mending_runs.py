"""Running a flow and going on past its misses with what a person accepted, in the same browser."""

import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

from agent.assembly import make_session
from agent.cli.asking import Asked
from agent.cli.commands.run import carry_out, make_gate
from agent.cli.mending.misses import FlowMiss, locate_misses, read_misses
from agent.cli.screen.progress import TerminalProgress
from agent.cli.screen.reports import is_at_terminal, report
from agent.requests.flow_mending import leave_done
from agent.requests.flows import Flow, load_flow
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import load_settings
from core.results.tool_results import RunResult

Offer = Callable[[Sequence[FlowMiss]], Awaitable[bool]]
"""Shows misses to a person and tells whether all of them were mended."""


async def run_and_mend(asked: Asked, approved: str, offer: Offer, *, headed: bool = False) -> RunResult:
    """Run a flow; at a miss ask, and go on from there with what was accepted. Nothing that was done is done again.

    Args:
        asked: The flow and what it may touch.
        approved: Classes approved beforehand.
        offer: Asks the person.
        headed: Whether the browser is shown.

    Returns:
        What came of the last part.
    """
    progress = TerminalProgress(sys.stdout)
    settings = load_settings(asked.workspace)
    settings = settings.model_copy(update={"headed": headed or settings.headed})
    request = asked.make_request("execute", make_gate(approved, progress if is_at_terminal() else None))
    session = make_session(settings, asked.workspace)
    try:
        return await carry_out(session, _mend_on(session, asked, request, progress, offer))
    finally:
        progress.close()


async def _mend_on(
    session: AgentSession, asked: Asked, request: Request, progress: TerminalProgress, offer: Offer
) -> RunResult:
    done: set[str] = set()
    while True:
        result = await session.run(request, progress.show)
        report(result, "normal")
        flow, path = request.flow, asked.flow_file
        misses = read_misses(result.run_id, result.step_logs)
        if not (flow and path and misses):
            return result
        done |= _find_done(flow, result)
        if not await offer(list(locate_misses(misses, _read(path)))):
            return result
        rest = leave_done(load_flow(path, asked.read_variables()), done)
        if rest is None:
            text = "What is left of the flow can't be done by itself; run the flow again.\n"
            sys.stderr.write(text)
            return result
        request = replace(request, flow=rest, run_id="")


def _find_done(flow: Flow, result: RunResult) -> set[str]:
    """Return where the goals stand of which every step was done."""
    open_ids = {log.goal_id for log in result.step_logs if log.result.status != "ok"}
    seen = {log.goal_id for log in result.step_logs}
    return {place for goal_id, place in flow.places_of_goals.items() if goal_id in seen - open_ids}


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")
