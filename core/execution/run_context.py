"""RunTerms and StepLimits: what a run, and one step of it, is held to."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from core.approvals.approvals import ApprovalGate, ApprovalRequest, ApprovalTerms
from core.base.budgets import Budget
from core.goals.secret_values import NO_VAULT, Vault
from core.goals.world import WorldState
from core.journal.journal import NO_JOURNAL, Journal
from core.planning.plans import PlannedAction
from core.policy.policy import Policy
from core.results.provenance import TaintLog
from core.results.tool_results import StepLog

FindReal = Callable[[Sequence[str]], Awaitable[Sequence[str]]]


async def _find_nothing(_: Sequence[str]) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTerms:
    """What a run is held to.

    Attributes:
        world: The snapshot that was planned with.
        policy: What may be touched.
        budget: How long and how much.
        gate: Who answers approval requests.
        on_start: Told when an action starts.
        on_end: Told when an action ended.
        on_question: Told when an approval is asked for.
        stop: Set to stop the run.
        run_id: The run.
        journal: Where every act is written down before it begins.
        vault: Reveals the secrets that the run may use, and redacts all that were revealed.
        approvals: What all approvals of the run are bound to.
        left_out: Ids of actions that were not selected, and are not run.
        find_real: Returns where paths lead, links followed; asked only where a rule names folders.
        trail: Where the values came from that were read in the run.
    """

    world: WorldState
    policy: Policy
    budget: Budget
    gate: ApprovalGate
    on_start: Callable[[PlannedAction], None] = lambda _: None
    on_end: Callable[[StepLog], None] = lambda _: None
    on_question: Callable[[ApprovalRequest, bool | None], None] = lambda _request, _answer: None
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    run_id: str = ""
    journal: Journal = NO_JOURNAL
    vault: Vault = NO_VAULT
    approvals: ApprovalTerms = field(default_factory=ApprovalTerms)
    left_out: frozenset[str] = frozenset()
    find_real: FindReal = _find_nothing
    trail: TaintLog = field(default_factory=TaintLog)


@dataclass(frozen=True, slots=True)
class StepLimits:
    """What holds for one step beside the terms of its run.

    Attributes:
        left_s: Seconds that are left of the run.
        on_overdue: Told when a tool goes on although its time was up and it was told to end.
        may_act: Asked right before the act; false once nobody waits for the step any more.
    """

    left_s: float = math.inf
    on_overdue: Callable[[], None] = lambda: None
    may_act: Callable[[], bool] = lambda: True


NO_LIMITS = StepLimits()
