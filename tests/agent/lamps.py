"""A small domain with a real back end in memory: lamps in rooms. It needs no browser."""

import asyncio
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from actuators.base import Availability
from agent.sessions.session import AgentSession
from agent.sessions.session_parts import SessionParts
from core.approvals.approvals import ApprovalRequest
from core.base.errors import ActionError
from core.execution.executor import PlanExecutor
from core.execution.steps import StepPerformer
from core.goals.world import WorldState
from core.language.grammars.grammar import Grammar
from core.language.grammars.phrase_files import read_phrases
from core.language.interpreter import GrammarInterpreter
from core.language.talk.languages import load_language
from core.planning.authority import RulesResolver
from core.planning.orchestrator import GoalOrchestrator
from core.planning.planner import GoalPlanner
from core.results.tool_results import ToolOutcome, UndoRecord
from core.rules.param_types import WORD
from core.rules.rule_types import ContextProduction, PlannerRule, RuleKey
from core.tools.ports import ActionContext, Toolset
from core.tools.previews import Preview
from core.tools.registry import ToolRegistry

_LAMP_WORDS = """
== lamp.switch
say light [up] {room:word}
 eg light hall -> room: hall
say light [up]
refuse missing_slot: Which room?
fill room: light {answer}
 eg light
say lamp {room:word}
refuse ambiguous: Shall I light it, or look at it?
choice light it: light {room}
choice look at it: look at {room}
 eg lamp hall

== lamp.look
say look at {room:word}
 eg look at hall -> room: hall

== lamp.smash
say smash {room:word}
 eg smash hall -> room: hall

== lamp.hold
say hold {room:word}
 eg hold hall -> room: hall
"""

_ROOM = {"room": WORD}
_INTENT = "lamp_control"
_NEEDS = ("lamps",)

LAMP_RULES: dict[RuleKey, PlannerRule] = {
    ("lamp", "switch"): PlannerRule(
        action_class="actuate",
        summary="switched {room} {state}",
        description_template="Switch {room} {state}",
        required_params=("room",),
        optional_params=("state",),
        allowed_values={"state": ("on", "off")},
        default_params={"state": "on"},
        context_production=ContextProduction("lamp", ("room",)),
        param_types=_ROOM | {"state": WORD},
        intent=_INTENT,
        needs=_NEEDS,
    ),
    ("lamp", "look"): PlannerRule(
        action_class="observe",
        summary="looked at {room}",
        description_template="Look at {room}",
        required_params=("room",),
        context_consumption={"room": ("lamp", "room")},
        repeat="safe",
        param_types=_ROOM,
        intent=_INTENT,
        needs=_NEEDS,
    ),
    ("lamp", "smash"): PlannerRule(
        action_class="actuate",
        summary="smashed {room}",
        description_template="Smash {room}",
        required_params=("room",),
        approval="apply_diff",
        param_types=_ROOM,
        intent=_INTENT,
        needs=_NEEDS,
    ),
    ("lamp", "enter"): PlannerRule(
        action_class="actuate",
        summary="entered {room}",
        description_template="Enter {room}",
        required_params=("room",),
        session_bootstraps=("house",),
        provides_substrate=True,
        param_types=_ROOM,
        intent=_INTENT,
        needs=_NEEDS,
    ),
    ("lamp", "hold"): PlannerRule(
        action_class="actuate",
        summary="held {room}",
        description_template="Hold {room}",
        required_params=("room",),
        param_types=_ROOM,
        intent=_INTENT,
        needs=_NEEDS,
    ),
}


class LampTools(Toolset):
    """Lamps in rooms."""

    domain = "lamp"
    intent = "lamp_control"
    capability = "lamps"

    @abstractmethod
    async def switch(self, context: ActionContext, room: str, state: str = "on") -> ToolOutcome: ...

    @abstractmethod
    async def look(self, context: ActionContext, room: str) -> ToolOutcome: ...

    @abstractmethod
    async def smash(self, context: ActionContext, room: str) -> ToolOutcome: ...

    @abstractmethod
    async def enter(self, context: ActionContext, room: str) -> ToolOutcome: ...

    @abstractmethod
    async def hold(self, context: ActionContext, room: str) -> ToolOutcome: ...


@dataclass
class Lamps(LampTools):
    """The lamps: what was done to them, and what they show; the one in the cellar is broken."""

    calls: list[str] = field(default_factory=list[str])
    called: asyncio.Condition = field(default_factory=asyncio.Condition)
    shown: dict[str, str] = field(default_factory=dict[str, str])
    holding: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)
    fault: Exception | None = None
    foresees: bool = True
    silent: bool = False

    async def preview(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Preview | None:
        if self.fault:
            raise self.fault
        if not self.foresees:
            self.holding.set()
            await self.released.wait()
        if self.silent:
            return None
        return Preview({"kind": verb, "room": args["room"]}, f"-{args['room']}\n+shards\n")

    async def wait_for_calls(self, count: int) -> None:
        """Wait until lamps are held, and so many calls were made in all."""
        async with self.called:
            await self.called.wait_for(lambda: len(self.calls) >= count)

    async def switch(self, context: ActionContext, room: str, state: str = "on") -> ToolOutcome:
        self.calls.append(f"switch {room} {state}")
        if room == "cellar":
            raise ActionError("The lamp in the cellar is broken.", hint="Buy another.")
        self.shown[room] = state
        return ToolOutcome({"state": state}, "confirmed", {"state": state})

    async def look(self, context: ActionContext, room: str) -> ToolOutcome:
        self.calls.append(f"look {room}")
        return ToolOutcome({"text": f"{room} is {self.shown.get(room, 'off')}"})

    async def smash(self, context: ActionContext, room: str) -> ToolOutcome:
        self.calls.append(f"smash {room}")
        return ToolOutcome(effect="unverified", artifacts=(f"/shards/{room}",))

    async def enter(self, context: ActionContext, room: str) -> ToolOutcome:
        self.calls.append(f"enter {room} in {context.lane.partition(':')[2] or context.lane}")
        return ToolOutcome()

    async def hold(self, context: ActionContext, room: str) -> ToolOutcome:
        self.calls.append(f"hold {room}")
        self.holding.set()
        async with self.called:
            self.called.notify_all()
        await self.released.wait()
        return ToolOutcome()


class LampFamily:
    """The lamps as a family, with what was asked of it."""

    domain = "lamp"
    toolsets: tuple[type[Toolset], ...] = (LampTools,)
    capabilities: tuple[str, ...] = ("lamps",)

    def __init__(self) -> None:
        self.lamps = Lamps()
        self.ended: list[str] = []
        self.closed = 0
        self.assessed: list[str] = []
        self.calls_when_closed: tuple[str, ...] = ()

    def assess(self, capability: str) -> Availability:
        self.assessed.append(capability)
        return Availability("lamps", available=True, reason="they hang here")

    async def provide(self, toolset: type[Toolset]) -> Toolset:
        return self.lamps

    def open_sessions(self) -> frozenset[str]:
        return frozenset()

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        raise ActionError("What was switched stays so.", code="not_undoable")

    async def end_lane(self, lane: str) -> None:
        self.ended.append(lane)

    async def close(self) -> None:
        self.closed += 1
        self.calls_when_closed = tuple(self.lamps.calls)


@dataclass
class Answers:
    """A gate that gives one answer and remembers what was asked."""

    answer: bool
    asked: list[ApprovalRequest] = field(default_factory=list[ApprovalRequest])

    async def decide(self, request: ApprovalRequest) -> bool:
        self.asked.append(request)
        return self.answer


def make_lamp_session(family: LampFamily, interpreter: GrammarInterpreter | None = None) -> AgentSession:
    """Return a session with the lamps and nothing else."""
    registry = ToolRegistry()
    registry.register(LampTools, family.provide)
    return AgentSession(
        SessionParts(
            interpreter=interpreter or GrammarInterpreter(),
            orchestrator=GoalOrchestrator(GoalPlanner(LAMP_RULES)),
            executor=PlanExecutor(StepPerformer(registry, RulesResolver())),
            families=(family,),
            world=WorldState(platform="linux"),
        )
    )


@cache
def load_lamp_language() -> Grammar:
    """Return English with words for lamps in the place of its own."""
    return replace(load_language("en"), verbs=read_phrases(_LAMP_WORDS, "lamps"))
