"""Asking: an approval request goes to whoever answers, and nothing but yes lets an action go on."""

import asyncio
import math
from collections.abc import Mapping
from dataclasses import replace

from core.approvals.approvals import (
    Approval,
    ApprovalGate,
    ApprovalRequest,
    bind_request,
    find_request,
    is_given_beforehand,
)
from core.base.errors import ApprovalError, SurehandError
from core.base.faults import tell_fault
from core.base.time_limits import keep_within
from core.execution.run_context import RunTerms
from core.journal.action_rows import note_approved
from core.planning.action_facts import is_denied, judge_action, list_paths
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction
from core.policy.policy import Policy
from core.policy.policy_rules import Verdict
from core.results.provenance import TaintLog
from core.rules.rule_types import PlannerRule, RuleKey
from core.tools.previews import Preview

_ENDING_S = 0.15
"""Seconds that whoever is asked has to notice that nobody waits for the answer any more."""


async def get_approval(
    request: ApprovalRequest, preview: Preview | None, verdict: Verdict | None, terms: RunTerms, left_s: float
) -> Approval:
    """Return a yes to a request: of a rule of the policy, or of whoever answers.

    Args:
        request: What must be asked.
        preview: What the act would change and what it aims at.
        verdict: What the rules of the policy say.
        terms: What the run is held to.
        left_s: Seconds that are left of the run.

    Raises:
        ApprovalError: If there is none, or nobody answered in time.
    """
    shown = ApprovalRequest(
        request.action_id, request.digest, request.kind, request.text, request.sources, preview=preview
    )
    approvals = replace(terms.approvals, lifetime_s=min(terms.approvals.lifetime_s, max(left_s, 0.0)))
    bound = bind_request(terms.vault.redact(shown), approvals)
    ruled = is_given_beforehand(bound.kind, verdict)
    if ruled:
        terms.on_question(bound, ruled)
    else:
        await put_question(bound, terms, left_s)
    facts = {
        "kind": bound.kind,
        "digest": bound.digest,
        "text": bound.text,
        "approval_id": bound.approval_id,
        "approval_digest": bound.approval_digest,
        "given_by": "rule" if ruled else "answer",
    }
    await terms.journal.append([note_approved(terms.run_id, bound.action_id, facts)], durable=False)
    return Approval(bound, preview, terms.approvals.clock)


async def put_question(request: ApprovalRequest, terms: RunTerms, left_s: float) -> None:
    """Ask, tell that it was asked and what was answered, and return once the answer was yes.

    Args:
        request: What is asked, bound.
        terms: What the run is held to.
        left_s: Seconds that are left of the run.

    Raises:
        ApprovalError: If the answer was anything else, or there was none in time.
    """
    terms.on_question(request, None)
    approved = False
    try:
        await ask_for(terms.gate, request, left_s)
        approved = True
    finally:
        terms.on_question(request, approved)


async def ask_for(gate: ApprovalGate, request: ApprovalRequest, left_s: float) -> None:
    """Return once the gate said yes.

    Args:
        gate: Who answers.
        request: What is asked.
        left_s: Seconds that are left of the run.

    Raises:
        ApprovalError: If it said anything else, or nothing in time.
    """
    if await _await_answer(gate, request, left_s):
        return
    hint = (
        "Only a person at the terminal can approve it."
        if request.kind == "confirm"
        else f"Approve it: --yes {request.kind}."
    )
    raise ApprovalError(f"Not approved ({request.kind}): {request.text}.", hint=hint)


async def _await_answer(gate: ApprovalGate, request: ApprovalRequest, left_s: float) -> bool:
    """Return whether the gate said yes, and nothing else than yes, while there was time."""
    limit_s = min(left_s, request.expires_in_s)
    try:
        answering = asyncio.ensure_future(gate.decide(request))
        try:
            answered, _ = await asyncio.wait({answering}, timeout=None if math.isinf(limit_s) else limit_s)
        finally:
            answering.cancel()
            await asyncio.wait({answering}, timeout=_ENDING_S)
        if answered:
            return answering.result() is True
        if answering.done() and not answering.cancelled():
            answering.exception()  # whatever it says now is too late
        whole = "the run's time" if left_s <= request.expires_in_s else f"{limit_s:g} s"
        text = f"Nobody answered within {whole} ({request.kind}): {request.text}."
        raise ApprovalError(text, hint="Give the run a larger budget, or answer sooner.")
    except SurehandError:
        raise
    except Exception as error:
        text = f"Nobody could be asked ({request.kind}): {request.text}: {tell_fault(error)}."
        raise ApprovalError(text) from error


async def follow_links(action: PlannedAction, rule: PlannerRule, terms: RunTerms, timeout_s: float) -> tuple[str, ...]:
    """Return where the paths of an action lead, links followed; nothing unless a rule of the policy names folders.

    Args:
        action: What would be done, with its references bound.
        rule: That it was planned by.
        terms: What the run is held to.
        timeout_s: Seconds that the disk has for it.

    Raises:
        DeadlineError: If it takes longer.
    """
    paths = list_paths(rule, action.args, terms.world.platform) if terms.policy.has_root_rules else ()
    if not paths:
        return ()
    text = f"The disk took longer than {timeout_s:g} s to say where the paths of {action.name} lead."
    return tuple(await keep_within(timeout_s, terms.find_real(paths), text))


def is_locating(rule: PlannerRule, names: Mapping[str, object]) -> bool:
    """Tell whether one of these arguments says which file or address."""
    return any(rule.param_types[name].kind != "plain" for name in names)


def list_expected(
    graph: PlanGraph, rules: Mapping[RuleKey, PlannerRule], policy: Policy, platform: str
) -> tuple[ApprovalRequest, ...]:
    """Return what will be asked, or may be once it is known what was read; nothing is bound yet.

    Args:
        graph: The plan.
        rules: That it was planned by.
        policy: What may be touched; of rules about the pages that are acted on nothing is known before the run.
        platform: ``linux``, ``win32`` or ``darwin``.
    """
    found = (_expect(action, rules[(action.domain, action.verb)], policy, platform) for action in graph.nodes.values())
    return tuple(each for each in found if each)


def _expect(action: PlannedAction, rule: PlannerRule, policy: Policy, platform: str) -> ApprovalRequest | None:
    if is_denied(policy, action, rule, platform):
        return None
    sources = TaintLog().find_sources(action.args)
    verdict = judge_action(policy, action, rule, platform)
    return find_request(action, sources, locating=is_locating(rule, sources), verdict=verdict)
