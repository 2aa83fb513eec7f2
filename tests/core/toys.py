"""A small family of tools that really run: they wait for events, meet each other, fail, crash and ignore being stopped."""

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from core.approvals.approvals import ApprovalRequest
from core.base.errors import ActionError, ExpectationError
from core.execution.executor import PlanExecutor
from core.execution.run_context import RunContext
from core.execution.steps import StepPerformer
from core.goals.meta_goals import Goal
from core.goals.scopes import build_meta_goal
from core.goals.world import WorldState
from core.planning.authority import RulesResolver, ToolResolver
from core.planning.context import PlanningContext
from core.planning.graph import PlanGraph
from core.planning.orchestrator import GoalOrchestrator
from core.planning.planner import GoalPlanner
from core.results.tool_results import StepLog, ToolOutcome
from core.rules.param_types import FIELDS, OPTIONS, TEXT
from core.rules.rule_checks import check_table
from core.rules.rule_types import PlannerRule, RuleKey
from core.rules.type_makers import integer, listing
from core.tools.ports import ActionContext, Toolset
from core.tools.previews import Preview
from core.tools.registry import ToolRegistry

WORLD = WorldState("linux")


class ToyTools(Toolset):
    """The abstract tools; what each does is said at its implementation."""

    domain = "toy"
    intent = "toy_control"
    capability = "toy"

    @abstractmethod
    async def note(self, context: ActionContext, text: str | tuple[str, ...] | int) -> ToolOutcome:
        """Note."""

    @abstractmethod
    async def look(self, context: ActionContext, text: str) -> ToolOutcome:
        """Look."""

    @abstractmethod
    async def meet(self, context: ActionContext, parties: int, room: str = "") -> ToolOutcome:
        """Meet."""

    @abstractmethod
    async def hang(self, context: ActionContext, text: str = "") -> ToolOutcome:
        """Hang."""

    @abstractmethod
    async def nudge(self, context: ActionContext, text: str = "") -> ToolOutcome:
        """Nudge."""

    @abstractmethod
    async def stare(self, context: ActionContext, text: str = "") -> ToolOutcome:
        """Stare."""

    @abstractmethod
    async def cling(self, context: ActionContext, text: str = "") -> ToolOutcome:
        """Cling."""

    @abstractmethod
    async def fail(self, context: ActionContext, text: str = "") -> ToolOutcome:
        """Fail."""

    @abstractmethod
    async def crash(self, context: ActionContext, text: str = "") -> ToolOutcome:
        """Crash."""

    @abstractmethod
    async def hold(self, context: ActionContext, room: str) -> ToolOutcome:
        """Hold."""

    @abstractmethod
    async def spoil(self, context: ActionContext, fields: dict[str, Any], words: tuple[str, ...] = ()) -> ToolOutcome:
        """Spoil."""

    @abstractmethod
    async def change(self, context: ActionContext, text: str) -> ToolOutcome:
        """Change."""

    @abstractmethod
    async def seek(self, context: ActionContext, text: str = "") -> ToolOutcome:
        """Seek."""

    @abstractmethod
    async def expect(self, context: ActionContext, text: str) -> ToolOutcome:
        """Expect."""

    @abstractmethod
    async def risk(self, context: ActionContext, text: str) -> ToolOutcome:
        """Risk."""


async def foresee_nothing() -> Preview | None:
    """Say that there is nothing to show."""
    return None


class Toys(ToyTools):
    """The tools at work; tests look at what they noted and set the events that they wait for."""

    def __init__(self) -> None:
        self.noted: list[Any] = []
        self.contexts: list[ActionContext] = []
        self.arrived = 0
        self.holding = 0
        self.most_holding = 0
        self.all_met = asyncio.Event()
        self.started = asyncio.Event()
        self.release = asyncio.Event()
        self.foreseen: list[tuple[str, Mapping[str, Any], ActionContext]] = []
        self.foreseeing: Callable[[], Awaitable[Preview | None]] = foresee_nothing
        self.target: Mapping[str, Any] = {}
        self.misses = 0
        self.sought = 0
        self.rows: Any = ()
        self.spoiled: Any = None

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.target

    async def preview(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Preview | None:
        self.foreseen.append((verb, args, context))
        return await self.foreseeing()

    async def note(self, context: ActionContext, text: str | tuple[str, ...] | int) -> ToolOutcome:
        self.contexts.append(context)
        if self.spoiled is not None and text == self.spoiled:
            raise ActionError("The toy is broken.", code="broken")
        self.noted.append(text)
        return ToolOutcome({"text": text}, "confirmed", {"noted": text}, undo="strike it out", artifacts=("/tmp/note",))

    async def look(self, context: ActionContext, text: str) -> ToolOutcome:
        self.contexts.append(context)
        return ToolOutcome({"text": text, "count": 2, "rows": [{"price": 1.5}], "nothing": None})

    async def meet(self, context: ActionContext, parties: int, room: str = "") -> ToolOutcome:
        self.arrived += 1
        if self.arrived == parties:
            self.all_met.set()
        await self.all_met.wait()
        return ToolOutcome()

    async def hang(self, context: ActionContext, text: str = "") -> ToolOutcome:
        self.started.set()
        await self.release.wait()
        return ToolOutcome({"text": text})

    nudge = hang
    stare = hang

    async def cling(self, context: ActionContext, text: str = "") -> ToolOutcome:
        self.started.set()
        while not self.release.is_set():
            try:
                await self.release.wait()
            except asyncio.CancelledError:
                self.noted.append("ignored")
        return ToolOutcome({"text": text})

    async def fail(self, context: ActionContext, text: str = "") -> ToolOutcome:
        error = ActionError("The toy is broken.", code="broken", hint="Mend it.", evidence={"part": "spring"})
        raise error.after_act() if text == "half done" else error

    async def crash(self, context: ActionContext, text: str = "") -> ToolOutcome:
        raise ZeroDivisionError("by zero")

    async def hold(self, context: ActionContext, room: str) -> ToolOutcome:
        self.holding += 1
        self.most_holding = max(self.most_holding, self.holding)
        for _ in range(5):
            await asyncio.sleep(0)
        self.holding -= 1
        return ToolOutcome()

    async def spoil(self, context: ActionContext, fields: dict[str, Any], words: tuple[str, ...] = ()) -> ToolOutcome:
        for value in fields.values():
            if isinstance(value, dict):
                value["selector"] = "#elsewhere"
        fields["more"] = "#more"
        return ToolOutcome()

    async def seek(self, context: ActionContext, text: str = "") -> ToolOutcome:
        self.sought += 1
        if self.sought <= self.misses:
            raise ActionError(f"Miss {self.sought}.", code="missed")
        return ToolOutcome({"text": text, "rows": self.rows, "count": len(self.rows)})

    async def expect(self, context: ActionContext, text: str) -> ToolOutcome:
        if text == "broken":
            raise ActionError("The toy is broken.", code="broken")
        if text not in self.noted:
            raise ExpectationError(f"“{text}” was not noted.")
        return ToolOutcome(evidence={"seen": text})

    change = note
    risk = note


def _make_rule(verb: str, **parts: Any) -> PlannerRule:
    known: dict[str, Any] = {
        "intent": "toy_control",
        "action_class": "actuate",
        "summary": f"did {verb} {{text}}",
        "description_template": f"{verb.capitalize()} {{text}}",
        "optional_params": ("text",),
        "param_types": {"text": TEXT},
        "timeout_s": 20,
    }
    return PlannerRule(**{**known, **parts})


_REQUIRED: dict[str, Any] = {"required_params": ("text",), "optional_params": ()}
_ROOM: dict[str, Any] = {"summary": "was in {room}", "description_template": "Be in {room}"}

TOY_RULES: dict[RuleKey, PlannerRule] = {
    ("toy", "note"): _make_rule("note", **_REQUIRED, param_types={"text": OPTIONS}),
    ("toy", "look"): _make_rule("look", **_REQUIRED, action_class="observe", repeat="safe"),
    ("toy", "meet"): _make_rule(
        "meet",
        **_ROOM,
        required_params=("parties",),
        optional_params=("room",),
        param_types={"parties": integer(1, 9), "room": TEXT},
    ),
    ("toy", "hang"): _make_rule("hang", timeout_s=0.02),
    ("toy", "nudge"): _make_rule("nudge", timeout_s=0.02, repeat="safe"),
    ("toy", "stare"): _make_rule("stare", timeout_s=0.02, action_class="observe", repeat="safe"),
    ("toy", "cling"): _make_rule("cling", resource=("room:{text}",)),
    ("toy", "fail"): _make_rule("fail"),
    ("toy", "crash"): _make_rule("crash"),
    ("toy", "hold"): _make_rule(
        "hold",
        **_ROOM,
        required_params=("room",),
        optional_params=(),
        param_types={"room": TEXT},
        resource=("room:{room}",),
    ),
    ("toy", "spoil"): _make_rule(
        "spoil",
        summary="spoiled",
        description_template="Spoil",
        required_params=("fields",),
        optional_params=("words",),
        param_types={"fields": FIELDS, "words": listing(TEXT)},
    ),
    ("toy", "seek"): _make_rule("seek", action_class="observe", repeat="safe", reads="page"),
    ("toy", "expect"): _make_rule("expect", **_REQUIRED, action_class="observe", repeat="safe"),
    ("toy", "change"): _make_rule("change", **_REQUIRED, approval="apply_diff"),
    ("toy", "risk"): _make_rule("risk", **_REQUIRED, approval="confirm"),
}


def make_toy_registry(toys: Toys) -> ToolRegistry:
    """Return the toys' tools, checked against their table."""

    async def provide(_: type[Toolset]) -> Toolset:
        return toys

    registry = ToolRegistry()
    registry.register(ToyTools, provide)
    check_table(TOY_RULES, registry.specs())
    return registry


def plan_toys(goals: Sequence[Goal]) -> PlanGraph:
    """Return the graph of goals that can all be planned."""
    orchestration = GoalOrchestrator(GoalPlanner(TOY_RULES)).orchestrate(build_meta_goal(goals), PlanningContext(WORLD))
    assert orchestration.failures == ()
    return orchestration.graph


@dataclass(slots=True)
class Asker:
    """A gate that answers as it is told and keeps what it was asked."""

    answer: bool = True
    asked: list[ApprovalRequest] = field(default_factory=list[ApprovalRequest])

    async def decide(self, request: ApprovalRequest) -> bool:
        self.asked.append(request)
        return self.answer


class ToyRun:
    """Runs goals of the toys' table."""

    def __init__(self, resolver: ToolResolver | None = None) -> None:
        self.toys = Toys()
        self.executor = self._make_executor(resolver or RulesResolver())
        self.context = RunContext(world=WORLD)

    def _make_executor(self, resolver: ToolResolver) -> PlanExecutor:
        return PlanExecutor(StepPerformer(make_toy_registry(self.toys), resolver))

    def resolve_by(self, resolver: ToolResolver) -> None:
        """Let somebody else choose the tools."""
        self.executor = self._make_executor(resolver)

    def hold_to(self, **parts: Any) -> None:
        """Change what the run is carried out in; what belongs to its limits, approvals and hooks is put there."""
        context = self.context
        if "approvals" in parts:
            context = replace(context, approvals=parts.pop("approvals"))
        for name in ("limits", "approvals", "hooks"):
            record: Any = getattr(context, name)
            inner = {each.name: parts.pop(each.name) for each in fields(record) if each.name in parts}
            context = replace(context, **{name: replace(record, **inner)})
        self.context = replace(context, **parts)

    async def run(self, *goals: Goal) -> tuple[StepLog, ...]:
        """Plan and execute; return the receipts in plan order."""
        return await self.executor.execute(plan_toys(goals), self.context)


def toy(verb: str, scope: str = "root", **params: Any) -> Goal:
    """Return a goal of the toys' table."""
    return Goal("toy", verb, params, scope=scope)


def statuses(logs: Sequence[StepLog]) -> list[str]:
    """Return how each step ended."""
    return [log.result.status for log in logs]
