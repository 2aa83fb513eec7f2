"""Opening a loop: its rows are there, so each round is bound, judged and agreed to before the first of them begins."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.approvals.approval_texts import describe_action
from core.approvals.approvals import ApprovalRequest, bind_request
from core.base.errors import GoalError, SurehandError
from core.execution.asking import find_kind, put_question
from core.execution.rounds import MAX_STEPS, LoopTerms, OpenLoop, make_rounds, unroll_loop
from core.execution.run_context import StepContext
from core.goals.references import find_references
from core.journal.action_rows import note_approved
from core.journal.run_rows import note_planned
from core.planning.action_facts import judge_action
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction, compute_digest
from core.results.provenance import Sources

_Outputs = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class _BoundRound:
    """A step of a round with its values."""

    action: PlannedAction
    sources: Sources


Bind = Callable[[PlannedAction, StepContext], tuple[PlannedAction, Sources]]
"""Returns an action with its values, and where they came from."""


class LoopOpener:
    """Opens loops by how single steps get their values."""

    def __init__(self, bind: Bind) -> None:
        self._bind = bind

    async def open_loop(self, graph: PlanGraph, opened: OpenLoop, rows: Sequence[Any], terms: LoopTerms) -> PlanGraph:
        """Return the plan with the rounds of a loop in it; as ``open_loop`` says."""
        return await open_loop(graph, opened, rows, terms, self._bind)


async def open_loop(graph: PlanGraph, opened: OpenLoop, rows: Sequence[Any], terms: LoopTerms, bind: Bind) -> PlanGraph:
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
                bound = _bind(action, terms, bind)
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
    """Refuse more rounds than a plan may have steps: loops in loops multiply."""
    steps = len(graph.nodes) + (count - 1) * len(opened.body)
    if steps > MAX_STEPS:
        text = (
            f"With {count:,} rounds of {opened.loop.rows} the plan has {steps:,} steps, and it may have {MAX_STEPS:,}."
        )
        text = f"{text} Nothing of the loop was done."
        raise GoalError(text, code="too_many_rows", hint="Read fewer rows, or split the flow into several.")


def _compare_rows(opened: OpenLoop, rounds: Sequence[Sequence[PlannedAction]], terms: LoopTerms) -> None:
    """Refuse to go on with other rows than the run had when it was interrupted."""
    goals = {action.goal_id for action in opened.body}
    before = {goal: row for goal, row in terms.earlier.items() if goal.rpartition("r")[0] in goals}
    now = {action.goal_id: action.terms.row_digest for one in rounds for action in one}
    if before and before != now:
        text = f"{opened.loop.rows} has other rows now than when the run was interrupted."
        raise GoalError(text, code="rows_changed", hint="Check what was done, and request the rest again.")


def _bind(action: PlannedAction, terms: LoopTerms, bind: Bind) -> _BoundRound | None:
    """Return a step of a round with its values, where somebody has to agree to them; None where nobody has, or not yet."""
    if action.terms.loop or any(each.goal_id not in terms.outputs for each in find_references(action.args)):
        return None  # of a loop within it, which asks for its own rounds, or a value of the round itself, which the step asks about
    run = terms.run
    bound, sources = bind(action, StepContext(run=run, outputs=terms.outputs))
    judge_action(run.policy, bound, run.world.platform)
    is_asked = action.approval == "none" and find_kind(bound, sources) != "none"
    return _BoundRound(bound, sources) if is_asked and action.action_id not in terms.known else None


async def _agree(opened: OpenLoop, count: int, asked: Sequence[tuple[int, _BoundRound]], terms: LoopTerms) -> None:
    """Let a person agree to all rounds at once, and remember what was agreed to."""
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
