"""A session on a simulated machine."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from actuators.verb_table import PLANNER_RULES
from agent.assembly import SessionDefaults, make_simulated_session, read_platforms
from agent.requests.words.policy_parts import read_standing_policy
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from agent.simulation.faults import FaultyRegistry, OrderedFault, read_fault
from core.addresses.platforms import SEARCH_PLATFORMS, SearchPlatform
from core.addresses.urls import judge_address
from core.base.errors import SurehandError, UnsupportedError
from core.planner_rules import VERB_ROWS
from core.results.tool_results import ToolCall, ToolOutcome
from core.rules.param_types import URL
from core.tools.ports import ActionContext

_BROWSER = {f"{domain}_{verb}": PLANNER_RULES[domain, verb] for domain, verb in PLANNER_RULES if domain == "browser"}

NOT_SIMULATED = frozenset(
    name for name, rule in _BROWSER.items() if any(each.kind == "path" for each in rule.param_types.values())
)
"""Tools of the browser that would read or write files of the real machine."""

_OPENING = frozenset(name for name, rule in _BROWSER.items() if rule.param_types.get("url") is URL)
_BLANK = "about:blank"


class SimulatedRegistry(FaultyRegistry):
    """Tools on a machine in memory."""

    def __init__(self, pages: Collection[str], faults: Iterable[OrderedFault] = ()) -> None:
        super().__init__(faults)
        self._pages = {_strip(url) for url in pages}

    async def call(self, call: ToolCall, context: ActionContext) -> ToolOutcome:
        """Call a tool.

        Raises:
            UnsupportedError: ``not_simulated`` if a machine in memory can't do that.
        """
        if call.tool in NOT_SIMULATED:
            verb = call.tool.replace("_", ".", 1)
            hint = "Run it without --simulate, or leave this step out."
            raise UnsupportedError(f"{verb} is not simulated.", code="not_simulated", hint=hint)
        url = call.params.get("url") if call.tool in _OPENING else None
        if isinstance(url, str) and url != _BLANK and _strip(url) not in self._pages:
            hint = "Declare it under pages in the file that --machine names."
            raise UnsupportedError(f"The simulated machine has no page {url}.", code="not_simulated", hint=hint)
        return await super().call(call, context)


def _strip(url: str) -> str:
    """Return an address as pages are found by: without query and fragment."""
    try:
        href = judge_address(url).href
    except SurehandError:
        return url
    return href.partition("#")[0].partition("?")[0]


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
