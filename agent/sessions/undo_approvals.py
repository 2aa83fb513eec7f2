"""What taking an act back would change, and who must agree to it first."""

from dataclasses import dataclass, replace

from core.addresses.path_parts import lies_inside
from core.approvals.approvals import ApprovalRequest
from core.execution.asking import find_kind, get_approval
from core.execution.run_context import RunContext
from core.journal.run_rows import UNDOING, RecordedRun
from core.planning.action_facts import judge_action
from core.planning.plans import PlannedAction, compute_digest
from core.policy.policy import Policy
from core.policy.policy_rules import Verdict
from core.results.records import to_data
from core.results.tool_results import StepLog
from core.rules.approval_classes import ApprovalClass, choose_stricter
from core.tools.previews import Preview


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoPlan:
    """How an act would be taken back.

    Attributes:
        preview: What that would change; None where its description says it all.
        kind: What must be asked before.
        policy: What may be touched once that is agreed to.
    """

    preview: Preview | None
    kind: ApprovalClass
    verdict: Verdict | None
    outside: tuple[str, ...]
    policy: Policy


async def find_undo_plan(
    run: RecordedRun, action: PlannedAction, preview: Preview | None, today: RunContext
) -> UndoPlan:
    """Return what must be asked before an act is taken back.

    What needs a yes to be done needs one to be taken back. A person is asked where it leaves the folders of today, or where
    a rule asks; nothing that the run had been allowed beforehand counts.

    Raises:
        PolicyError: If today's policy denies it.
    """
    policy = run.narrow_policy(today.policy)
    policy.check_verb(action.name, opt_in=action.rule.opt_in)
    paths = tuple(preview.before) if preview else ()
    real = tuple(await today.find_real(paths)) if policy.has_root_rules and paths else ()
    verdict = judge_action(policy, action, today.world.platform, preview, real)
    outside = _list_outside(paths, policy, today.world.platform)
    asked = choose_stricter(find_kind(replace(action, author=""), (), verdict=verdict), action.rule.approval)
    kind = choose_stricter("confirm", asked) if outside else asked
    roots = (*(policy.roots or ()), *_find_roots(outside, run, today.world.platform))
    return UndoPlan(
        preview=preview, kind=kind, verdict=verdict, outside=outside, policy=replace(policy, roots=roots or None)
    )


async def agree(run: RecordedRun, log: StepLog, way: UndoPlan, today: RunContext) -> None:
    """Return once it was agreed to that an act is taken back.

    Raises:
        ApprovalError: If it wasn't.
    """
    if way.kind == "none":
        return
    action_id = f"{UNDOING}{log.action_id}"
    record = to_data(log.result.undo_record)
    digest = compute_digest("", "undo", run.run_id, {"action": run.graph.nodes[log.action_id].digest, "record": record})
    left = f" — outside the folders that may be used now: {', '.join(way.outside)}" if way.outside else ""
    text = f"Undo: {log.description} ({log.result.undo}){left}"
    approvals = replace(today.approvals, plan_digest=run.plan_digest, principal=run.principal)
    request = ApprovalRequest(action_id, digest, way.kind, text, {})
    await get_approval(
        request, way.preview, way.verdict, replace(today, approvals=approvals), today.limits.budget.find_left(0.0)
    )


def _list_outside(paths: tuple[str, ...], policy: Policy, platform: str) -> tuple[str, ...]:
    if policy.roots is None:
        return ()
    return tuple(path for path in paths if not any(lies_inside(path, root, platform) for root in policy.roots))


def _find_roots(paths: tuple[str, ...], run: RecordedRun, platform: str) -> tuple[str, ...]:
    """Return the folders of the run that paths lie in."""
    roots = run.policy.roots or ()
    return tuple(root for root in roots if any(lies_inside(path, root, platform) for path in paths))
