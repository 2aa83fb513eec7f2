"""RunContext and StepContext: what a run, and one step of it, is carried out in and held to; passed on as one thing."""

import asyncio
import math
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

from core.approvals.approvals import ApprovalRequest, ApprovalTerms
from core.base.budgets import Budget
from core.base.late_dataclasses import dataclass, field
from core.base.scope_paths import ScopePath, begin_scope
from core.goals.secret_values import NO_VAULT, Vault
from core.goals.world import WorldState
from core.journal.journal import NO_JOURNAL, Journal
from core.outlines.sightings import SightingBook
from core.planning.context import PlanningContext
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction
from core.policy.policy import Policy
from core.results.provenance import TaintLog
from core.results.tool_results import StepLog
from core.tools.ports import ActionContext
from core.tools.previews import NOTHING_SHOWN, Preview, ShownChanges

FindReal = Callable[[Sequence[str]], Awaitable[Sequence[str]]]
Outputs = Mapping[str, Mapping[str, Any]]


async def _find_nothing(_: Sequence[str]) -> Sequence[str]:
    return ()


async def _settle_nothing() -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """How far a run may go; actions left out were not selected, and are not run."""

    budget: Budget = field(default_factory=Budget)
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    left_out: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHooks:
    """Who is told of a run while it goes on, also of a plan with the rounds of a loop whose rows were read."""

    on_start: Callable[[PlannedAction], None] = lambda _: None
    on_end: Callable[[StepLog], None] = lambda _: None
    on_question: Callable[[ApprovalRequest, bool | None], None] = lambda _request, _answer: None
    on_extend: Callable[[PlanGraph], None] = lambda _: None


NO_HOOKS = RunHooks()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What a run is carried out in and held to.

    Attributes:
        limits: How far it may go.
        approvals: Who answers approval requests, and what all approvals of the run are bound to.
        journal: Where every act is written down before it begins.
        vault: Reveals the secrets that the run may use, and redacts all that were revealed.
        agreed: By action id, the digests of rounds that a person agreed to, all together.
        sightings: What its steps see of their elements, where it is a run of a flow file.
    """

    world: WorldState
    policy: Policy = Policy()
    run_id: str = ""
    scope: ScopePath = field(default_factory=begin_scope)
    limits: RunLimits = field(default_factory=RunLimits)
    approvals: ApprovalTerms = field(default_factory=ApprovalTerms)
    hooks: RunHooks = NO_HOOKS
    journal: Journal = NO_JOURNAL
    vault: Vault = NO_VAULT
    find_real: FindReal = _find_nothing
    trail: TaintLog = field(default_factory=TaintLog)
    shown: ShownChanges = NOTHING_SHOWN
    agreed: dict[str, str] = field(default_factory=dict[str, str])
    sightings: SightingBook | None = None

    def name_scope(self, goal_id: str) -> str:
        """Return the scope path of a goal of the run, written out."""
        return str(self.scope.child(goal_id)) if goal_id else str(self.scope)

    def make_planning_context(self, base: str) -> PlanningContext:
        """Return what an action is judged in once its references are bound; its relative paths hang below the base."""
        return PlanningContext(self.world, self.policy, base=base, vault=self.vault)

    def make_action_context(
        self, action: PlannedAction, *, timeout_s: float | None = None, followers: Collection[str] = ()
    ) -> ActionContext:
        """Return what the tool of an action is told beside its arguments, with the verbs that depend on it and its seconds."""
        return ActionContext(
            action_id=action.action_id,
            lane=action.lane,
            timeout_s=action.timeout_s if timeout_s is None else timeout_s,
            followers=followers,
            policy=self.policy,
            run_id=self.run_id,
            vault=self.vault,
            holds_seat=action.rule.holds_seat,
            ends_programs=action.rule.ends_programs,
            scope=self.name_scope(action.goal_id),
            sightings=self.sightings.open_step(action.action_id, action.goal_id) if self.sightings else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StepContext:
    """What one step of a run is carried out in.

    Attributes:
        followers: ``domain.verb`` of the actions that directly depend on the step.
        on_overdue: Told when a tool goes on although its time was up and it was told to end.
        may_act: Asked right before the act; false once nobody waits for the step any more.
        find_shown: Returns what its plan showed that it would change, as long as nothing has acted since.
        hand_over: Takes what writes the step's receipt down, so that other steps need not wait for it; false if nobody does.
        settle: Returns once all that happened before is on the disk and told.
    """

    run: RunContext
    outputs: Outputs = field(default_factory=dict[str, Mapping[str, Any]])
    followers: Collection[str] = ()
    left_s: float = math.inf
    on_overdue: Callable[[], None] = lambda: None
    may_act: Callable[[], bool] = lambda: True
    find_shown: Callable[[], Preview | None] = lambda: None
    hand_over: Callable[[asyncio.Future[StepLog]], bool] = lambda _: False
    settle: Callable[[], Awaitable[None]] = _settle_nothing


def make_run_id() -> str:
    """Return a new run id of 17 characters: random, so that nobody can guess another's."""
    return f"r{secrets.token_hex(8)}"
