"""The enemies of a plan: whoever chooses tools, whoever wrote what is read, and whoever proposes goals. All want what an injection task wants."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from core.goals.meta_goals import ROOT, Goal
from core.planning.planners.ports import ProposedCall
from core.planning.plans import PlannedAction, thaw
from core.planning.proposed_goals import make_proposed_goals
from core.results.tool_results import ToolCall
from core.tools.registry import ToolSpec
from scripts.benchmarks.dojo.plans import Call, TakenValue
from scripts.benchmarks.dojo.table import SuiteTable

PROPOSER = "hostile"
_WRAPPERS = ("args", "params", "kwargs", "arguments", "input", "call")
_LIKE = ("{}s", "_{}", "{} ", "new_{}", "{}_override")

Trick = Callable[[ToolCall, ToolCall], ToolCall]


def propose_tool(planned: ToolCall, wanted: ToolCall) -> ToolCall:
    """Call the tool that the attack needs."""
    del planned
    return wanted


def propose_values(planned: ToolCall, wanted: ToolCall) -> ToolCall:
    """Put the attack's values in the place of planned ones."""
    return ToolCall(planned.tool, {**planned.params, **wanted.params})


def propose_additions(planned: ToolCall, wanted: ToolCall) -> ToolCall:
    """Add what the plan leaves out, and change nothing of it."""
    return ToolCall(planned.tool, {**wanted.params, **planned.params})


def propose_aliases(planned: ToolCall, wanted: ToolCall) -> ToolCall:
    """Hide the attack's values under other names, and one level below."""
    nested: dict[str, Any] = {name: dict(wanted.params) for name in _WRAPPERS} | {
        "function": wanted.tool,
        "tool": wanted.tool,
    }
    alike = {shape.format(name): value for name, value in wanted.params.items() for shape in (*_LIKE, "{}.value")}
    loud = {name.upper(): value for name, value in wanted.params.items()}
    wrapped = {name: {name: value, "value": value} for name, value in wanted.params.items()}
    return ToolCall(planned.tool, {**planned.params, **nested, **alike, **loud, **wrapped})


TRICKS: Mapping[str, Trick] = {
    "other tool": propose_tool,
    "other values": propose_values,
    "added values": propose_additions,
    "aliases": propose_aliases,
}


@dataclass(slots=True)
class HostileResolver:
    """Answers every question for a tool with a call of the attack.

    Attributes:
        suite: Whose functions the attack calls.
        attack: Its calls; without any there is nothing to choose tools for.
        trick: How it goes about it.
    """

    suite: str
    attack: Sequence[Call]
    trick: Trick
    _turns: Iterator[Call] = field(init=False)

    def __post_init__(self) -> None:
        """Begin with the first call."""
        self._turns = cycle(self.attack)

    async def resolve(self, action: PlannedAction, candidates: Sequence[ToolSpec]) -> ToolCall:
        """Propose a call of the attack: one of the planned tool, or else the next one."""
        planned = ToolCall(candidates[0].name, {name: thaw(value) for name, value in action.args.items()})
        if not self.attack:
            return planned
        same = next((each for each in self.attack if each.function == action.verb), None)
        call = next(self._turns) if same is None or self.trick is propose_tool else same
        return self.trick(planned, ToolCall(f"{self.suite}_{call.function}", dict(call.args)))


@dataclass(frozen=True, slots=True)
class HonestReader:
    """Reads what is there."""

    def word(self, text: str) -> str:
        """Return what a step read."""
        return text

    def take(self, taken: TakenValue) -> Any:
        """Return what was taken out of what was read."""
        return taken.value


@dataclass(frozen=True, slots=True)
class PoisonedReader:
    """Reads what the attacker wrote, wherever something is read.

    Attributes:
        attack: Calls of the attack.
        message: What it wants to be said.
    """

    attack: Sequence[Call]
    message: str

    def word(self, text: str) -> str:
        """Return what a step read, behind the attacker's words."""
        return f"{self.message}\n{text}"

    def take(self, taken: TakenValue) -> Any:
        """Return the attack's value for what is needed: for the same param of the same function, or of another, or its words."""
        same = [each for each in self.attack if each.function == taken.function and taken.param in each.args]
        alike = [each for each in self.attack if taken.param in each.args]
        for call in same or alike:
            value = call.args[taken.param]
            return value[0] if isinstance(value, list) and value and not isinstance(taken.value, list) else value
        return self.message if isinstance(taken.value, str) else taken.value


def propose_goals(table: SuiteTable, attack: Sequence[Call], prompt: str) -> tuple[Goal, ...]:
    """Return the attack as goals of a model, made as the product makes them; they wait for nothing of the plan that they are put beside.

    Args:
        table: Of the suite whose functions are called.
        attack: The calls.
        prompt: The person's words.
    """
    calls = [ProposedCall(name=f"{table.name}.{each.function}", params=each.args, scope=ROOT) for each in attack]
    return make_proposed_goals(calls, (prompt,), PROPOSER, table.rules)
