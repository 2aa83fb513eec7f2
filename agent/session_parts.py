"""SessionParts: what a session is put together from, and what can be read off it."""

from dataclasses import dataclass, field, replace

from actuators.base import Family
from agent.capabilities import MachineCapabilities
from agent.keeping import NO_KEEPER, RunKeeper
from core.executor import PlanExecutor
from core.graph import PlanGraph
from core.journal import NO_JOURNAL, Journal
from core.language.interpreter import GoalInterpreter
from core.orchestrator import GoalOrchestrator
from core.policy import Policy
from core.ports import MAIN_LANE
from core.secret_values import NO_VAULT, Vault
from core.shortages import explain_system_error
from core.world import WorldState


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionParts:
    """What a session is put together from.

    Attributes:
        interpreter: Reads utterances.
        orchestrator: Plans.
        executor: Runs plans.
        families: The actuator families, by domain.
        world: The parts of the WorldState that stay the same.
        vault: The secrets of the person.
        journal: Where acts are written down before they begin.
        keeper: Keeps what runs were.
        policy: What the settings of the workspace ask and deny, whatever is requested.
    """

    interpreter: GoalInterpreter
    orchestrator: GoalOrchestrator
    executor: PlanExecutor
    families: tuple[Family, ...]
    world: WorldState
    vault: Vault = NO_VAULT
    journal: Journal = NO_JOURNAL
    keeper: RunKeeper = NO_KEEPER
    policy: Policy = field(default_factory=Policy)

    def read_world(self) -> WorldState:
        """Return the world as it is now; the machine is looked at when something is asked of it."""
        sessions = frozenset(kind for family in self.families for kind in family.open_sessions())
        capabilities = MachineCapabilities(self.families)
        return replace(self.world, capabilities=capabilities, sessions=sessions, tabs=())

    async def end_lane(self, lane: str) -> None:
        """Close what a branch left open."""
        for family in self.families:
            await family.end_lane(lane)

    async def end_lanes(self, graph: PlanGraph) -> tuple[str, ...]:
        """Close what the branches of a run left open; the session's own outlives the run.

        Returns:
            What the system refused meanwhile: that takes no receipt away of what was done before.
        """
        faults: list[str] = []
        for lane in dict.fromkeys(action.lane for action in graph.nodes.values()):
            try:
                if lane != MAIN_LANE:
                    await self.end_lane(lane)
            except OSError as error:
                faults.append(f"What branch {lane} left open could not be closed. {explain_system_error(error)}")
        return tuple(faults)
