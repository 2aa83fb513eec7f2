"""Request: what a front end asks the session to do."""

from typing import TYPE_CHECKING, Literal

from agent.requests.planner_wishes import PlannerWish
from core.approvals.approvals import ApprovalGate, ClassGate
from core.base.budgets import Budget
from core.base.errors import InputError
from core.base.late_dataclasses import dataclass, field
from core.goals.meta_goals import Goal
from core.language.meanings.interpretation import Interpretation
from core.policy.policy import Policy

if TYPE_CHECKING:
    from agent.requests.flows import Flow


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Exactly one of an utterance, goals, a flow or a planner.

    Attributes:
        model: Name of the model of the settings that may be asked; empty for that of the session, if it has any.
        flow: A flow or goals file, read; its policy and budget hold, narrowed by those of the request.
        request_id: The same id never executes twice in a session: the first result is returned. Empty: no such check.
        run_id: Id of the run, where whoever asks has given it one already; empty for a new one.
        mode: ``plan`` stops before anything is done.
        understood: How the utterance was understood in a conversation; None where it stands alone and is yet to be.
        selected_diff_ops: Ids of ``diff_preview``: of the changes that could be shown only these are made, and what depends
            on the others is left out with them. None for all. An id may be followed by ``@`` and the beginning of its
            digest, which must then match.
        granted_secrets: Names of the secrets that goals or an utterance may use; None for all. A flow names its own.
    """

    utterance: str | None = None
    goals: tuple[Goal, ...] | None = None
    flow: "Flow | None" = None
    planner: PlannerWish | None = None
    model: str = ""
    request_id: str = ""
    run_id: str = ""
    mode: Literal["plan", "execute"] = "execute"
    policy: Policy = field(default_factory=Policy)
    budget: Budget = field(default_factory=Budget)
    gate: ApprovalGate = field(default_factory=ClassGate)
    principal: str = ""
    understood: Interpretation | None = None
    selected_diff_ops: tuple[str, ...] | None = None
    granted_secrets: tuple[str, ...] | None = None

    @property
    def secrets(self) -> tuple[str, ...] | None:
        """Names of the secrets that it may use; None for all."""
        return self.flow.secrets if self.flow else self.granted_secrets

    def __post_init__(self) -> None:
        """Check that exactly one thing is asked for.

        Raises:
            InputError: If it isn't.
        """
        given = [each for each in (self.utterance, self.goals, self.flow, self.planner) if each is not None]
        if len(given) != 1:
            raise InputError(f"A request needs one of utterance, goals, flow and planner; this one has {len(given)}.")
