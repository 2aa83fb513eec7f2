"""Opening a loop: its rows are there, so each round is bound, judged and agreed to before the first of them begins."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.approvals.approval_texts import describe_action
from core.approvals.approvals import ApprovalRequest, bind_request
from core.base.errors import BudgetError, ErrorInfo, GoalError, InputError, RefusedError, SurehandError
from core.base.late_dataclasses import dataclass, replace
from core.base.time_limits import finish_unless_stopped
from core.execution.asking import find_kind, put_question
from core.execution.binding import bind_step
from core.execution.conditions import decide_loop
from core.execution.receipts import gather_above, leave_out, log_unstarted, record
from core.execution.rounds import MAX_STEPS, LoopTerms, OpenLoop, make_rounds, read_rows, unroll_loop
from core.execution.run_context import StepContext
from core.goals.references import find_references
from core.journal.action_rows import note_approved
from core.journal.run_rows import note_planned
from core.planning.action_facts import judge_action
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction, compute_digest
from core.results.provenance import Sources
from core.results.replies import NOT_NEEDED

if TYPE_CHECKING:
    from core.execution.progress import ExecutionProgress


@dataclass(frozen=True, slots=True)
class _BoundRound:
    """A step of a round with its values."""

    action: PlannedAction
    sources: Sources


async def open_rounds(opened: OpenLoop, progress: "ExecutionProgress") -> None:
    """Put the rounds of a loop, once agreed to, in the place of its body; where they can't be, the body has receipts that say why."""
    outputs = gather_above(opened.body[0], progress)
    left_s = progress.run.limits.budget.find_left(progress.elapsed_s)
    terms = LoopTerms(progress.told_run, outputs, progress.known, progress.earlier, left_s)
    await progress.settle()  # who is asked knows first what came of the steps before
    try:
        decision, rows = decide_loop(opened.loop, outputs, progress.not_needed), ()
        if decision.lack is None:
            rows = read_rows(opened, outputs)
        if not rows:
            lack = decision.lack or ErrorInfo(NOT_NEEDED, f"Not needed: {opened.loop.rows} has no rows.")
            for action in opened.body:
                leave_out(action, replace(decision, lack=lack), progress)
            return
        widened = await finish_unless_stopped(_open_loop(progress.graph, opened, rows, terms), progress.run.limits.stop)
    except SurehandError as error:
        is_refused = isinstance(error, RefusedError | InputError | BudgetError)
        status = "refused" if is_refused else "failed"
        for action in opened.body:
            if not any(each.action_id in progress.graph.parents(action.action_id) for each in opened.body):
                record(progress, log_unstarted(action, status, error.info()))
        return
    if widened:
        progress.graph = widened
        progress.told_run.hooks.on_extend(widened)


async def _open_loop(graph: PlanGraph, opened: OpenLoop, rows: Sequence[Any], terms: LoopTerms) -> PlanGraph:
    """Return the plan with the rounds of a loop, of one row at least, once somebody agreed to them where that is needed.

    Raises:
        SurehandError: If a round may not be done, or nobody agreed; then nothing of the loop may be.
    """
    _check_size(graph, opened, len(rows))
    rounds = make_rounds(opened, rows, terms.run.world)
    _compare_rows(opened, rounds, terms)
    asked: list[tuple[int, _BoundRound]] = []
    for number, one in enumerate(rounds, start=1):
        for action in one:
            try:
                bound = _bind(action, terms)
            except SurehandError as error:
                error.evidence["row"] = number
                text = f"{opened.loop.title.capitalize()} {number}: {error.message} Nothing of the loop was done."
                raise type(error)(text, code=error.code, hint=error.hint, evidence=error.evidence) from None
            asked += [(number, bound)] if bound else []
    await _agree(opened, len(rows), asked, terms)
    widened = unroll_loop(graph, opened, rounds)
    fresh = [action for one in rounds for action in one if action.goal_id not in terms.earlier]
    await terms.run.journal.append([note_planned(terms.run.run_id, action, widened) for action in fresh], durable=False)
    return widened


def _check_size(graph: PlanGraph, opened: OpenLoop, count: int) -> None:
    steps = len(graph.nodes) + (count - 1) * len(opened.body)
    if steps > MAX_STEPS:
        text = (
            f"With {count:,} rounds of {opened.loop.rows} the plan has {steps:,} steps, and it may have {MAX_STEPS:,}."
        )
        text = f"{text} Nothing of the loop was done."
        raise GoalError(text, code="too_many_rows", hint="Read fewer rows, or split the flow into several.")


def _compare_rows(opened: OpenLoop, rounds: Sequence[Sequence[PlannedAction]], terms: LoopTerms) -> None:
    goals = {action.goal_id for action in opened.body}
    before = {goal: row for goal, row in terms.earlier.items() if goal.rpartition("r")[0] in goals}
    now = {action.goal_id: action.terms.row_digest for one in rounds for action in one}
    if before and before != now:
        text = f"{opened.loop.rows} has other rows now than when the run was interrupted."
        raise GoalError(text, code="rows_changed", hint="Check what was done, and request the rest again.")


def _bind(action: PlannedAction, terms: LoopTerms) -> _BoundRound | None:
    """Return a step of a round with its values, where somebody has to agree to them; None where nobody has, or not yet."""
    if action.terms.loop or any(each.goal_id not in terms.outputs for each in find_references(action.args)):
        return None  # of a loop within it, which asks for its own rounds, or a value of the round itself, which the step asks about
    run = terms.run
    bound, sources = bind_step(action, StepContext(run=run, outputs=terms.outputs))
    judge_action(run.policy, bound, run.world.platform)
    is_asked = action.approval == "none" and find_kind(bound, sources) != "none"
    return _BoundRound(bound, sources) if is_asked and action.action_id not in terms.known else None


async def _agree(opened: OpenLoop, count: int, asked: Sequence[tuple[int, _BoundRound]], terms: LoopTerms) -> None:
    if not asked:
        return
    run = terms.run
    title = opened.loop.title
    told = (f"{title} {number}: {describe_action(each.action, each.sources)}" for number, each in asked)
    rows = f"{count} row" if count == 1 else f"{count} rows"
    digests = {each.action.action_id: each.action.digest for _, each in asked}
    sources = {f"{title} {number}": origins for number, each in asked for origins in each.sources.values()}
    digest = compute_digest("", "loop", opened.loop.loop_id, digests)
    text = f"Do this for {rows} of {opened.loop.rows}: {'; '.join(told)}"
    request = ApprovalRequest(asked[0][1].action.action_id, digest, "confirm", text, sources)
    approvals = replace(run.approvals, lifetime_s=min(run.approvals.lifetime_s, max(terms.left_s, 0.0)))
    bound = bind_request(run.vault.redact(request), approvals)
    said_by = await put_question(bound, run, terms.left_s)
    facts = {"kind": bound.kind, "digest": bound.digest, "text": bound.text, "approval_id": bound.approval_id}
    facts |= {"approval_digest": bound.approval_digest, "said_by": said_by}
    row = note_approved(run.run_id, bound.action_id, facts)
    await run.journal.append([row], durable=False)
    run.agreed.update(digests)
