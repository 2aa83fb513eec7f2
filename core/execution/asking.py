"""Asking: an approval request goes to whoever answers, and nothing but yes lets an action go on."""

import asyncio
import math
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace

from core.addresses.own_ground import OwnGround
from core.approvals.approval_texts import describe_action
from core.approvals.approvals import Approval, ApprovalGate, ApprovalRequest, SaidYes, bind_request, is_given_beforehand
from core.base.errors import ApprovalError, PolicyError, SurehandError, tell_fault
from core.base.time_limits import keep_within
from core.execution.run_context import RunContext
from core.execution.taint import find_sources
from core.journal.action_rows import note_approved
from core.planning.action_facts import judge_action, list_paths
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction
from core.policy.policy import Policy
from core.policy.policy_rules import Verdict
from core.results.provenance import Sources, TaintLog
from core.rules.approval_classes import APPROVAL_CLASSES, ApprovalClass, choose_stricter
from core.tools.previews import Preview

_ENDING_S = 0.15
"""Seconds that whoever is asked has to notice that nobody waits for the answer any more."""


async def get_approval(
    request: ApprovalRequest, preview: Preview | None, verdict: Verdict | None, run: RunContext, left_s: float
) -> Approval:
    """Return a yes to a request: of a rule of the policy, or of whoever answers; else raise an ApprovalError."""
    shown = ApprovalRequest(
        request.action_id, request.digest, request.kind, request.text, request.sources, preview=preview
    )
    approvals = replace(run.approvals, lifetime_s=min(run.approvals.lifetime_s, max(left_s, 0.0)))
    bound = bind_request(run.vault.redact(shown), approvals)
    ruled, said_by = is_given_beforehand(bound.kind, verdict), ""
    if ruled:
        run.hooks.on_question(bound, ruled)
    else:
        said_by = await put_question(bound, run, left_s)
    facts = {
        "kind": bound.kind,
        "digest": bound.digest,
        "text": bound.text,
        "approval_id": bound.approval_id,
        "approval_digest": bound.approval_digest,
        "given_by": "rule" if ruled else "answer",
        "said_by": said_by,
    }
    await run.journal.append([note_approved(run.run_id, bound.action_id, facts)], durable=False)
    return Approval(bound, preview, run.approvals.clock)


async def put_question(request: ApprovalRequest, run: RunContext, left_s: float) -> str:
    """Ask, tell that it was asked and what was answered, and return who said yes; empty where that isn't known.

    Raises:
        ApprovalError: If the answer was anything else, or there was none in time.
    """
    run.hooks.on_question(request, None)
    approved = False
    try:
        with run.journal.lend(run.run_id):
            said_by = await ask_for(run.approvals.gate, request, left_s)
        approved = True
        return said_by
    finally:
        run.hooks.on_question(request, approved)


async def ask_for(gate: ApprovalGate, request: ApprovalRequest, left_s: float) -> str:
    """Return once the gate said yes: who did, where that is known.

    Raises:
        ApprovalError: If it said anything else, or nothing in time.
    """
    answer = await _await_answer(gate, request, left_s)
    if isinstance(answer, SaidYes):
        return answer.by
    if answer is True:
        return ""
    hint = (
        f"Approve it: --yes {request.kind}."
        if APPROVAL_CLASSES[request.kind].beforehand
        else "Only a person at the terminal can approve it."
    )
    raise ApprovalError(f"Not approved ({request.kind}): {request.text}.", hint=hint)


async def _await_answer(gate: ApprovalGate, request: ApprovalRequest, left_s: float) -> object:
    limit_s = min(left_s, request.expires_in_s)
    try:
        answering = asyncio.ensure_future(gate.decide(request))
        try:
            answered, _ = await asyncio.wait({answering}, timeout=None if math.isinf(limit_s) else limit_s)
        finally:
            answering.cancel()
            await asyncio.wait({answering}, timeout=_ENDING_S)
        if answered:
            return answering.result()
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


async def follow_links(action: PlannedAction, run: RunContext, timeout_s: float) -> tuple[str, ...]:
    """Return where the paths of an action lead, links followed; nothing where neither a rule of the policy nor Surehand's own folders depend on it.

    Raises:
        DeadlineError: If it takes longer.
        PolicyError: If one of them leads to what Surehand keeps for itself.
    """
    is_asked = run.policy.has_root_rules or bool(run.world.own_folders)
    paths = list_paths(action.rule, action.args, run.world.platform) if is_asked else ()
    if not paths:
        return ()
    text = f"The disk took longer than {timeout_s:g} s to say where the paths of {action.name} lead."
    real = tuple(await keep_within(timeout_s, run.find_real(paths), text))
    own = OwnGround(run.world.own_folders, run.world.platform)
    for each in real:
        own.check(each)
    return real


def is_agreed(action: PlannedAction, verdict: Verdict | None, run: RunContext) -> bool:
    """Tell whether a person agreed to a round with just these arguments, and nothing but what was read has to be asked."""
    is_asked_anyway = action.approval != "none" or verdict == "ask"
    return run.agreed.get(action.action_id) == action.digest and not is_asked_anyway


def list_expected(graph: PlanGraph, policy: Policy, platform: str) -> tuple[ApprovalRequest, ...]:
    """Return what will be asked, or may be once it is known what was read; nothing is bound, and no rule about pages known yet."""
    found: list[ApprovalRequest | None] = []
    for action in graph.nodes.values():
        with suppress(PolicyError):  # what is denied is not asked
            found.append(expect_request(action, judge_action(policy, action, platform)))
    return tuple(each for each in found if each)


def expect_request(action: PlannedAction, verdict: Verdict | None) -> ApprovalRequest | None:
    """Return what will be asked before an action, as far as the policy's verdict is known before the run; None where nothing is."""
    return find_request(action, find_sources(action, TaintLog()), verdict=verdict)


def find_kind(action: PlannedAction, tainted: Collection[str], *, verdict: Verdict | None = None) -> ApprovalClass:
    """Return what must be asked before an action runs.

    A value that a page or tool gave, or a model wrote (a tainted one), raises whatever the table asks for to ``confirm`` at least in an acting
    step, and in any step where it says which file or address: only a person who has seen it may let it through. So does a
    rule of the policy that asks. Of what a model proposed every acting step is asked for: that its values are a person's words
    doesn't say that they asked for this verb.

    Args:
        tainted: The arguments whose value was read, or written by a model.
    """
    locating = any(action.rule.param_types[name].kind != "plain" for name in tainted)
    acting = action.action_class == "actuate"
    risky = (bool(tainted) and (locating or acting)) or (bool(action.author) and acting)
    return choose_stricter("confirm", action.approval) if risky or verdict == "ask" else action.approval


def find_request(action: PlannedAction, sources: Sources, *, verdict: Verdict | None = None) -> ApprovalRequest | None:
    """Return what must be asked before an action runs, or None; the arguments are those of ``find_kind``."""
    kind = find_kind(action, sources, verdict=verdict)
    if kind == "none":
        return None
    return ApprovalRequest(action.action_id, action.digest, kind, describe_action(action, sources), sources)
