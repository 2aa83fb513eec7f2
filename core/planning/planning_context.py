"""PlanningContext: what planning one goal may look at."""

from dataclasses import dataclass

from core.goals.secret_values import NO_VAULT, Vault
from core.goals.world import WorldState
from core.planning.context import ContextFrame
from core.policy.policy import Policy


@dataclass(frozen=True, slots=True)
class PlanningContext:
    """Everything that planning one goal may look at.

    Attributes:
        base: The folder that the goal's relative paths hang below and that all its paths must lie in, absolute or
            anchored; empty for the workspace, and then anchors and absolute paths may name others.
    """

    world: WorldState
    policy: Policy = Policy()
    frames: tuple[ContextFrame, ...] = ()
    lane: str = "main"
    base: str = ""
    vault: Vault = NO_VAULT
