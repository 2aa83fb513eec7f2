"""The tools of a simulated machine: what it can't simulate is refused, what was ordered goes wrong."""

from collections.abc import Collection, Iterable

from actuators.verb_table import PLANNER_RULES
from agent.simulation.faults import FaultyRegistry, OrderedFault
from core.addresses.urls import judge_address
from core.base.errors import SurehandError, UnsupportedError
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
        """Declare what there is."""
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
