"""SessionParts: what a session is put together from, and what can be read off it."""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from actuators.base import Family, PageLister, SlowStarter
from agent.requests.run_archive import NO_ARCHIVE, RunArchive
from agent.sessions.planner_port import NO_PLANNERS, PlannerHost, refuse_model
from agent.sessions.screens import SessionScreen
from core.base.errors import PolicyError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.scope_paths import ScopePath, begin_scope
from core.base.shortages import explain_system_error
from core.goals.secret_values import NO_VAULT, Vault
from core.goals.world import Capability, WorldState
from core.journal.journal import NO_JOURNAL, Journal
from core.policy.policy import Policy
from core.tools.ports import MAIN_LANE

if TYPE_CHECKING:
    from core.execution.executor import PlanExecutor
    from core.language.meanings.interpretation import GoalInterpreter
    from core.planning.graph import PlanGraph
    from core.planning.orchestrator import GoalOrchestrator
    from core.planning.planners.ports import Model


class MachineCapabilities(Mapping[str, Capability]):
    """The capabilities of all families. Each is looked at once, when it is first needed; a plan needs few of them."""

    def __init__(self, families: Sequence[Family]) -> None:
        self._families = {name: family for family in families for name in family.capabilities}
        self._found: dict[str, Capability] = {}

    def __getitem__(self, name: str) -> Capability:
        if name not in self._found:
            found = self._families[name].assess(name)
            self._found[name] = Capability(found.available, found.reason, found.remedy)
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._families)

    def __len__(self) -> int:
        return len(self._families)


OpenNamed = Callable[[str, Vault], "Model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionParts:
    """What a session is put together from.

    Attributes:
        journal: Where acts are written down before they begin.
        model: Helps where the interpreter understood nothing; None, as always unless somebody asks for one, for no help.
        base_url: Address that relative ones in goals hang below; empty for none.
        session_id: Names the session in the scope of all that is done in it.
    """

    interpreter: "GoalInterpreter"
    orchestrator: "GoalOrchestrator"
    executor: "PlanExecutor"
    families: tuple[Family, ...]
    world: WorldState
    vault: Vault = NO_VAULT
    journal: Journal = NO_JOURNAL
    keeper: RunArchive = NO_ARCHIVE
    policy: Policy = field(default_factory=Policy)
    model: "Model | None" = None
    open_model: OpenNamed = refuse_model
    planners: PlannerHost = NO_PLANNERS
    screen: SessionScreen = field(default_factory=SessionScreen)
    base_url: str = ""
    session_id: str = field(default_factory=lambda: f"s{secrets.token_hex(8)}")

    def scope_run(self, run_id: str, principal: str) -> ScopePath:
        """Return the scope of a run of this session.

        Args:
            principal: Who asked for it; empty for the person at this machine.
        """
        session = begin_scope(principal).child(self.session_id)
        return session.child(run_id) if run_id else session

    def read_world(self) -> WorldState:
        """Return the world as it is now; the machine is looked at when something is asked of it."""
        sessions = frozenset(kind for family in self.families for kind in family.open_sessions())
        capabilities = MachineCapabilities(self.families)
        return replace(self.world, capabilities=capabilities, sessions=sessions, tabs=())

    def prepare(self, graph: "PlanGraph") -> None:
        """Let what a plan will call, and takes its time to start, begin with that while other things are made ready."""
        domains = {action.name.partition(".")[0] for action in graph.nodes.values()}
        for family in self.families:
            if family.domain in domains and isinstance(family, SlowStarter):
                family.prepare()

    def list_pages(self) -> tuple[str, ...]:
        """Return the addresses of the open pages, without those of places that are private."""
        listers = (family for family in self.families if isinstance(family, PageLister))
        return tuple(page for each in listers for page in each.list_pages() if self._may_tell(page))

    def _may_tell(self, page: str) -> bool:
        try:
            self.policy.check_telling(page)
        except PolicyError:
            return False
        return True

    async def end_lane(self, lane: str) -> None:
        """Close what a branch left open."""
        for family in self.families:
            await family.end_lane(lane)

    async def end_lanes(self, graph: "PlanGraph") -> tuple[str, ...]:
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
