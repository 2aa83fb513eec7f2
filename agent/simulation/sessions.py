"""A session on a simulated machine, and faults on purpose: a verb fails with a code, at every call or at one, before its act or after it."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from actuators.verb_table import PLANNER_RULES
from agent.assembly import SessionDefaults, make_simulated_session, read_platforms
from agent.requests.words.policy_parts import read_standing_policy
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.addresses.platforms import SEARCH_PLATFORMS, SearchPlatform
from core.addresses.urls import judge_address
from core.base.errors import (
    ActionError,
    ApprovalError,
    DeadlineError,
    InputError,
    PolicyError,
    SurehandError,
    UnknownOutcomeError,
    UnsupportedError,
)
from core.base.late_dataclasses import dataclass
from core.planner_rules import VERB_ROWS
from core.results.tool_results import ToolCall, ToolOutcome
from core.rules.param_types import URL
from core.rules.params import suggest
from core.tools.ports import ActionContext
from core.tools.registry import ToolRegistry

if TYPE_CHECKING:
    from agent.simulation.machines import Simulation

EVERY = 0
_FAULT = re.compile(
    r"(?P<verb>[a-z]+\.[a-z_]+)=(?P<code>[a-z]+(?:_[a-z]+)*)(?:@(?P<number>[1-9][0-9]{0,5}))?(?P<after>:after)?"
)
_KINDS: Mapping[str, type[SurehandError]] = {
    each.code: each for each in (ApprovalError, DeadlineError, PolicyError, UnknownOutcomeError, UnsupportedError)
}
"""The classes that say more than that an act failed; every other code is an act's that failed."""


@dataclass(frozen=True, slots=True)
class OrderedFault:
    """One thing that goes wrong.

    Attributes:
        verb: ``domain.verb``.
        number: With which call of that verb, from 1; ``EVERY`` (0) for all of them.
        after: Whether the act is done before it fails.
    """

    verb: str
    code: str
    number: int = EVERY
    after: bool = False

    def make_error(self) -> SurehandError:
        """Return the error."""
        text = f"{self.verb} failed on purpose ({self.code}){', after its act' if self.after else ''}."
        error = _KINDS.get(self.code, ActionError)(text, code=self.code, hint="You asked for this fault with --fault.")
        return error.after_act() if self.after else error


def read_fault(text: str, verbs: Iterable[str]) -> OrderedFault:
    """Return a fault as people write it: ``browser.click=target_missing``, ``file.copy=no_space@2:after``.

    Args:
        text: ``DOMAIN.VERB=CODE``, then ``@N`` for the Nth call alone, then ``:after`` for a fault behind the act.

    Raises:
        InputError: If it is written otherwise, or names no verb.
    """
    found = _FAULT.fullmatch(text)
    if found is None:
        hint = "Write DOMAIN.VERB=CODE, such as browser.click=target_missing or file.copy=no_space@2."
        raise InputError(f'--fault "{text}" can\'t be read.', code="bad_usage", hint=hint)
    verb, known = found["verb"], sorted(verbs)
    if verb not in known:
        hint = "surehand rules lists the verbs."
        raise InputError(f'--fault "{text}": unknown verb "{verb}"{suggest(verb, known)}.', code="bad_usage", hint=hint)
    return OrderedFault(verb, found["code"], int(found["number"] or EVERY), after=bool(found["after"]))


class FaultyRegistry(ToolRegistry):
    """Tools that fail as ordered. Calls are counted for each verb, over all branches of a run."""

    def __init__(self, faults: Iterable[OrderedFault] = ()) -> None:
        super().__init__()
        self._faults = tuple(faults)
        self._calls: Counter[str] = Counter()

    async def call(self, call: ToolCall, context: ActionContext) -> ToolOutcome:
        """Call a tool, or fail in its place or behind it."""
        fault = self._take(call.tool)
        if fault and not fault.after:
            raise fault.make_error()
        outcome = await super().call(call, context)
        if fault:
            raise fault.make_error()
        return outcome

    def _take(self, tool: str) -> OrderedFault | None:
        verb = tool.replace("_", ".", 1)
        self._calls[verb] += 1
        matching = (each for each in self._faults if each.verb == verb)
        return next((each for each in matching if each.number in {EVERY, self._calls[verb]}), None)


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
    try:
        href = judge_address(url).href
    except SurehandError:
        return url
    return href.partition("#")[0].partition("?")[0]


Build = Callable[[Mapping[str, SearchPlatform]], "Simulation"]


def open_simulation(build: Build, faults: Sequence[str], settings: Settings) -> AgentSession:
    """Put a session together on a machine in memory; the rules of the person's settings hold on it, too."""
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
