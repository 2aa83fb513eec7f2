"""Runs that begin, are taken up or end: what they are carried out in and written down as, and that nobody else in this process has them."""

import asyncio
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from agent.requests.plan_views import digest_plan
from agent.requests.real_paths import find_real_paths
from core.approvals.approvals import ApprovalRequest, ApprovalTerms
from core.base.errors import GoalError, SurehandError
from core.base.time_limits import finish_unless_stopped, keep_within
from core.execution.asking import expect_request
from core.execution.run_context import RunContext, RunLimits
from core.journal.journal import JournalEntry
from core.journal.run_rows import note_end, note_plan
from core.planning.orchestrator import Orchestration
from core.results.tool_results import RunOutcome

if TYPE_CHECKING:
    from agent.requests.requests import Request
    from agent.sessions.planned_requests import PlannedRequest

_LIVE: set[str] = set()


@contextmanager
def hold_run(run_id: str, list_leftovers: Callable[[str], Sequence[asyncio.Task[Any]]]) -> Generator[None]:
    """Keep everybody else in this process from taking a run up, also while acts that were told to end still go on.

    Args:
        list_leftovers: Returns what still goes on of it although it was told to end.

    Raises:
        GoalError: ``run_alive`` if somebody has it.
    """
    if run_id in _LIVE:
        raise GoalError(f"Run {run_id} is still running.", code="run_alive", hint="Wait until it ends, or stop it.")
    _LIVE.add(run_id)
    try:
        yield
    finally:
        _let_go(run_id, set(list_leftovers(run_id)))


def _let_go(run_id: str, waiting: set[asyncio.Task[Any]]) -> None:
    if not waiting:
        _LIVE.discard(run_id)

    def note(task: asyncio.Task[Any]) -> None:
        waiting.discard(task)
        if not waiting:
            _LIVE.discard(run_id)

    for task in tuple(waiting):
        task.add_done_callback(note)


def choose_run(run_ids: Sequence[str], named: str) -> str:
    """Return the run that is meant.

    Args:
        named: An id, the beginning of one, or ``last``.

    Raises:
        GoalError: ``unknown_run`` or ``ambiguous_run``.
    """
    if named == "last" and run_ids:
        return run_ids[0]
    found = [named] if named in run_ids else [each for each in run_ids if named and each.startswith(named)]
    if len(found) == 1:
        return found[0]
    if found:
        hint = f"Did you mean {', '.join(found[:5])}?"
        raise GoalError(f"Several runs begin with “{named}”.", code="ambiguous_run", hint=hint)
    hint = "surehand sessions list shows the saved runs. Runs that only read are not in the journal."
    raise GoalError(f"No run “{named}” in the journal of this workspace.", code="unknown_run", hint=hint)


_ENDING_S = 0.15
"""Seconds that writing down the end of a run has once it is stopped; ``stop`` promises 200 ms in all."""


async def begin_rows(request: "Request", orchestration: Orchestration, run: RunContext) -> bool:
    """Write down that a run begins, and return true.

    Raises:
        JournalError: If that can't be done; then nothing of it may be.
    """
    await run.journal.append(_describe_plan(request, orchestration, run), durable=False)
    return True


def _describe_plan(request: "Request", orchestration: Orchestration, run: RunContext) -> list[JournalEntry]:
    asked = request.utterance or (request.flow.name if request.flow else "") or "goals"
    if request.planner:
        asked = str(request.planner.parameters.get("task") or request.planner.capability)
    facts = {"asked": asked, "plan_digest": digest_plan(orchestration.graph), "principal": request.principal}
    chosen = {
        **facts,
        "scope": str(run.scope),
        "left_out": sorted(run.limits.left_out),
        "secrets": request.secrets,
        "workspace": run.world.workspace,
        **({"planner": request.planner, "model": request.model} if request.planner else {}),
    }
    return note_plan(run.run_id, orchestration.graph, chosen, run.policy)


async def end_rows(run: RunContext, outcome: RunOutcome) -> tuple[str, ...]:
    """Write down that a run ended; return what has to be said if that could not be done."""
    stop, ending = run.limits.stop, run.journal.append([note_end(run.run_id, outcome)], durable=False)
    try:  # another process may be writing, if a person was asked last
        if stop.is_set():
            await keep_within(_ENDING_S, ending, "Another process is writing it.")
        else:
            await finish_unless_stopped(ending, stop)
    except SurehandError as error:
        return (f"The end of the run could not be written to the journal: {error.message}",)
    return ()


def make_run_context(planned: "PlannedRequest", request: "Request") -> RunContext:
    """Return what a planned request is carried out in."""
    return RunContext(
        world=planned.world,
        policy=planned.policy,
        limits=RunLimits(budget=request.budget.narrow(request.flow.budget) if request.flow else request.budget),
        vault=planned.vault,
        find_real=find_real_paths,
        approvals=ApprovalTerms(
            gate=request.gate,
            plan_digest=digest_plan(planned.orchestration.graph) if planned.orchestration else "",
            principal=request.principal,
        ),
    )


def expect_approvals(planned: "PlannedRequest") -> tuple[ApprovalRequest, ...]:
    """Return what will have to be asked, or may have to be; also of a request that could be planned only in part."""
    if planned.orchestration is None:
        return ()
    results = planned.orchestration.results.values()
    found = (expect_request(action, result.verdict) for result in results for action in result.plan)
    return tuple(each for each in found if each)
