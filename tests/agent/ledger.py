"""A ledger that outlives the program: a small domain whose acts can be halted right before and right after they take effect.

A crash is told by halting an act and going on from a copy of the journal as it lies on the disk at that moment.
"""

import asyncio
import shutil
from abc import abstractmethod
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from actuators.base import Availability
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.sessions.session_parts import SessionParts
from agent.sessions.undo import UndoRequest
from agent.store.journal.sqlite_journal import SqliteJournal
from core.base.errors import ExpectationError, FileError
from core.execution.executor import PlanExecutor
from core.execution.steps import StepPerformer
from core.goals.meta_goals import Goal
from core.goals.secret_values import NO_VAULT, Secret, Vault
from core.goals.world import WorldState
from core.language.interpreter import GrammarInterpreter
from core.planning.authority import RulesResolver
from core.planning.orchestrator import GoalOrchestrator
from core.planning.planner import GoalPlanner
from core.results.tool_results import Finding, RunResult, ToolOutcome, UndoRecord
from core.rules.param_types import WORD
from core.rules.rule_checks import check_table
from core.rules.rule_types import PlannerRule, RuleKey
from core.rules.type_makers import maybe_secret
from core.tools.ports import ActionContext, Toolset
from core.tools.registry import ToolRegistry

_TEXT = {"text": WORD}
_SECRET_TEXT = {"text": maybe_secret(WORD)}


def _rule(summary: str, **parts: Any) -> PlannerRule:
    given: dict[str, Any] = {"action_class": "actuate", "required_params": ("text",), "param_types": _TEXT} | parts
    return PlannerRule(
        intent="ledger_control",
        summary=summary,
        description_template=summary.capitalize(),
        needs=given.pop("needs", ("ledger",)),
        **given,
    )


LEDGER_RULES: dict[RuleKey, PlannerRule] = {
    ("ledger", "post"): _rule("posted {text}", param_types=_SECRET_TEXT),
    ("ledger", "set"): _rule("set {text}", repeat="safe", undo="inverse"),
    ("ledger", "add"): _rule("added {text}", recovery="compare", undo="inverse", param_types=_SECRET_TEXT),
    ("ledger", "look"): _rule(
        "looked", action_class="observe", repeat="safe", required_params=(), optional_params=("text",), reads="memory"
    ),
    ("ledger", "expect"): _rule("expected {text}", action_class="observe", repeat="safe", needs=("session:desk",)),
    ("ledger", "enter"): _rule("entered {text}", repeat="safe", session_bootstraps=("desk",), provides_substrate=True),
    ("ledger", "write"): _rule("wrote {text}", needs=("ledger", "session:desk")),
}


class LedgerTools(Toolset):
    """The abstract tools."""

    domain = "ledger"
    intent = "ledger_control"
    capability = "ledger"

    @abstractmethod
    async def post(self, context: ActionContext, text: str | Secret) -> ToolOutcome:
        """Post."""

    @abstractmethod
    async def set(self, context: ActionContext, text: str) -> ToolOutcome:
        """Set."""

    @abstractmethod
    async def add(self, context: ActionContext, text: str | Secret) -> ToolOutcome:
        """Add."""

    @abstractmethod
    async def look(self, context: ActionContext, text: str = "") -> ToolOutcome:
        """Look."""

    @abstractmethod
    async def expect(self, context: ActionContext, text: str) -> ToolOutcome:
        """Expect."""

    @abstractmethod
    async def enter(self, context: ActionContext, text: str) -> ToolOutcome:
        """Enter."""

    @abstractmethod
    async def write(self, context: ActionContext, text: str) -> ToolOutcome:
        """Write."""


@dataclass
class Ledger:
    """What outlives the program.

    Attributes:
        lines: What was done, in order.
        value: What was set last.
        halts: The act that is halted, as ``before post`` or ``after post``; empty for none.
        halted: Set once it is.
        released: Set to let it go on after all.
        is_stubborn: Whether what is halted can't be stopped.
        looks: How often somebody looked.
        breaks_on_looking: Whether finding out what became of an act breaks.
    """

    lines: list[str] = field(default_factory=list[str])
    value: str = ""
    halts: str = ""
    halted: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)
    is_stubborn: bool = False
    looks: int = 0
    breaks_on_looking: bool = False

    async def pass_by(self, point: str) -> None:
        """Go on, unless this is where the act is halted for good."""
        if point == self.halts:
            self.halted.set()
            while not self.released.is_set():
                try:
                    await self.released.wait()
                except asyncio.CancelledError:
                    if not self.is_stubborn:
                        raise


class LedgerDesk(LedgerTools):
    """The tools at work."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.is_open = False

    async def _do(self, verb: str, text: str) -> ToolOutcome:
        await self.ledger.pass_by(f"before {verb}")
        self.ledger.lines.append(f"{verb} {text}")
        await self.ledger.pass_by(f"after {verb}")
        return ToolOutcome({"text": text}, "confirmed", {"line": f"{verb} {text}"})

    async def post(self, context: ActionContext, text: str | Secret) -> ToolOutcome:
        return await self._do("post", await _reveal(context, text))

    async def set(self, context: ActionContext, text: str) -> ToolOutcome:
        before, self.ledger.value = self.ledger.value, text
        await self.ledger.pass_by("after set")
        record = UndoRecord("ledger", "set", {"text": before}, {"value": text})
        return ToolOutcome({}, "confirmed", {"value": text}, f"Set {before or 'nothing'} again.", undo_record=record)

    async def add(self, context: ActionContext, text: str | Secret) -> ToolOutcome:
        line = await _reveal(context, text)
        await self._do("add", line)
        return self._tell_added(line)

    def _tell_added(self, text: str) -> ToolOutcome:
        record = UndoRecord("ledger", "strike", {"line": f"add {text}"})
        return ToolOutcome({"text": text}, "confirmed", {"line": f"add {text}"}, "Strike it.", undo_record=record)

    async def look(self, context: ActionContext, text: str = "") -> ToolOutcome:
        self.ledger.looks += 1
        return ToolOutcome({"text": f"{len(self.ledger.lines)}lines", "lines": list(self.ledger.lines)})

    async def expect(self, context: ActionContext, text: str) -> ToolOutcome:
        if text not in self.ledger.lines:
            raise ExpectationError(f"There is no line {text}.")
        return ToolOutcome()

    async def enter(self, context: ActionContext, text: str) -> ToolOutcome:
        self.is_open = True
        self.ledger.lines.append(f"enter {text}")
        return ToolOutcome({}, "confirmed", {})

    async def write(self, context: ActionContext, text: str) -> ToolOutcome:
        assert self.is_open
        return await self._do("write", text)

    async def predict(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"count": len(self.ledger.lines)}

    async def reconcile(
        self, verb: str, context: ActionContext, args: Mapping[str, Any], facts: Mapping[str, Any]
    ) -> Finding:
        if self.ledger.breaks_on_looking:
            raise ZeroDivisionError
        since = self.ledger.lines[facts["count"] :]
        if not since:
            return Finding("not_done", {"lines": facts["count"]})
        if since == [f"add {(line := await _reveal(context, args['text']))}"]:
            return Finding("done", {"line": since[0]}, self._tell_added(line))
        return Finding("unknown", {"since": since})


async def _reveal(context: ActionContext, text: str | Secret) -> str:
    return await context.vault.reveal(text) if isinstance(text, Secret) else text


class LedgerFamily:
    """The ledger as a family of one process."""

    domain = "ledger"
    toolsets: tuple[type[Toolset], ...] = (LedgerTools,)
    capabilities: tuple[str, ...] = ("ledger",)

    def __init__(self, ledger: Ledger) -> None:
        self.desk = LedgerDesk(ledger)

    def assess(self, capability: str) -> Availability:
        return Availability(capability, available=True, reason="it lies here")

    async def provide(self, toolset: type[Toolset]) -> Toolset:
        return self.desk

    def open_sessions(self) -> frozenset[str]:
        return frozenset({"desk"}) if self.desk.is_open else frozenset()

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        ledger = self.desk.ledger
        if record.operation == "set":
            if ledger.value != record.guard["value"]:
                raise FileError(f"The value is {ledger.value} by now.", code="changed_since")
            ledger.value = record.params["text"]
        else:
            await ledger.pass_by("before strike")
            if record.params["line"] not in ledger.lines:
                raise FileError("The line is gone by now.", code="changed_since")
            ledger.lines.remove(record.params["line"])
            await ledger.pass_by("after strike")
        return ToolOutcome({}, "confirmed", {"lines": list(ledger.lines)})

    async def end_lane(self, lane: str) -> None:
        return

    async def close(self) -> None:
        return


def make_ledger_session(ledger: Ledger, folder: Path, vault: Vault = NO_VAULT) -> AgentSession:
    """Return the session of one process at the ledger, with its journal in a folder."""
    registry = ToolRegistry()
    family = LedgerFamily(ledger)
    registry.register(LedgerTools, family.provide)
    check_table(LEDGER_RULES, registry.specs())
    return AgentSession(
        SessionParts(
            interpreter=GrammarInterpreter(),
            orchestrator=GoalOrchestrator(GoalPlanner(LEDGER_RULES)),
            executor=PlanExecutor(StepPerformer(registry, RulesResolver())),
            families=(family,),
            world=WorldState("linux"),
            vault=vault,
            journal=SqliteJournal(folder),
        )
    )


def chain(*steps: tuple[str, Any]) -> tuple[Goal, ...]:
    """Return goals that wait for each other: ``("post", "rent")``."""
    return tuple(
        Goal("ledger", verb, {"text": text}, goal_id=f"g{index}", scope=f"after:g{index - 1}" if index else "root")
        for index, (verb, text) in enumerate(steps)
    )


async def crash(ledger: Ledger, folder: Path, halts: str, *steps: tuple[str, Any]) -> tuple[str, Path]:
    """Run goals one after the other until an act is halted, as ``crash_request`` does."""
    return await crash_goals(ledger, folder, halts, chain(*steps))


async def crash_goals(ledger: Ledger, folder: Path, halts: str, goals: tuple[Goal, ...]) -> tuple[str, Path]:
    """Run goals until an act is halted, as ``crash_request`` does."""
    return await crash_request(ledger, folder, halts, Request(goals=goals))


async def crash_request(
    ledger: Ledger, folder: Path, halts: str, request: Request, vault: Vault = NO_VAULT
) -> tuple[str, Path]:
    """Run a request until an act is halted; return the run, and a folder with the journal as it was left then."""
    ledger.halts = halts
    copy = folder.with_name(f"{folder.name}-left")
    async with make_ledger_session(ledger, folder, vault) as session:
        running = asyncio.ensure_future(session.run(request))
        halted = asyncio.ensure_future(ledger.halted.wait())
        await asyncio.wait({running, halted}, return_when=asyncio.FIRST_COMPLETED)
        assert ledger.halted.is_set(), running.result()
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*.lock"))
        session.stop()
        result: RunResult = await running
    ledger.halts = ""
    return result.run_id, copy


@asynccontextmanager
async def reopen(ledger: Ledger, folder: Path) -> AsyncGenerator[AgentSession]:
    """Give the session of the next process."""
    async with make_ledger_session(ledger, folder) as session:
        yield session


async def crash_undo(ledger: Ledger, folder: Path, run_id: str, halts: str) -> Path:
    """Take a run back until that is halted; return a folder with the journal as it was left then."""
    ledger.halts = halts
    copy = folder.with_name(f"{folder.name}-undoing")
    async with make_ledger_session(ledger, folder) as session:
        undoing = asyncio.ensure_future(session.undo(UndoRequest(run_id=run_id)))
        await ledger.halted.wait()
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*.lock"))
        undoing.cancel()
        await asyncio.wait({undoing})
    ledger.halts = ""
    return copy
