"""A session on a simulated machine."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from agent.assembly import SessionDefaults, make_simulated_session, read_platforms
from agent.requests.words.policy_parts import read_standing_policy
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from agent.simulation.faults import read_fault
from agent.simulation.tools import SimulatedRegistry
from core.addresses.platforms import SEARCH_PLATFORMS, SearchPlatform
from core.planner_rules import VERB_ROWS

if TYPE_CHECKING:
    from agent.simulation.machines import Simulation

Build = Callable[[Mapping[str, SearchPlatform]], "Simulation"]


def open_simulation(build: Build, faults: Sequence[str], settings: Settings) -> AgentSession:
    """Put a session together on a machine in memory; the rules of the person's settings hold on it, too.

    Raises:
        InputError: If a fault or the file of the machine makes no sense.
    """
    verbs = [f"{domain}.{verb}" for domain, verb in VERB_ROWS]
    ordered = [read_fault(each, verbs) for each in faults]
    platforms = {**SEARCH_PLATFORMS, **read_platforms(settings)}
    simulation = build(platforms)
    return make_simulated_session(
        simulation.machine,
        simulation.environment,
        platforms,
        standing=SessionDefaults(policy=read_standing_policy(settings.rules), language=settings.language),
        registry=SimulatedRegistry(simulation.pages, ordered),
    )
