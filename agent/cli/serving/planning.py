"""Planners on the command line: an order to the service of the folder, or to one of this process where there is none."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from agent.cli.asking import choose_settings
from agent.cli.options import HERE, MODELS, Headed, Option, Record, Replay, Workspace
from agent.cli.screen.output import write_error_text
from agent.cli.screen.prompts import TerminalGate
from agent.cli.screen.stopping import stop_by_signals
from agent.cli.serving.models import give_model
from agent.cli.serving.questions import CALLER, PersonsAnswers
from agent.cli.serving.watching import RunWatch
from agent.cli.telemetry import open_telemetry
from agent.models.wishes import ModelWish
from agent.remote.told_errors import read_info
from agent.serving.opening import make_local_service, open_running
from core.base.errors import InputError
from core.base.late_dataclasses import dataclass, field
from core.results.records import to_data

if TYPE_CHECKING:
    from agent.models.guarding import ModelExchange
    from agent.service.orders import EventRecord, RunOrder, RunRecord
    from agent.service.ports import Service
    from agent.sessions.session import AgentSession

_LOOK_S = 0.2


@dataclass(frozen=True, slots=True)
class PlannerTerms:
    """Where a planner is carried out, and what it may ask."""

    workspace: Workspace = HERE
    model: Annotated[str, Option("--model NAME", "The model of your settings that is asked.", MODELS)] = ""
    replay: Replay = None
    record: Record = None
    tokens: Annotated[int | None, Option("--tokens N", "Use at most so many tokens of the model.", MODELS)] = None
    explain: Annotated[bool, Option("--explain", "Show what leaves to the model, and what it answers.", MODELS)] = False
    headed: Headed = False

    @property
    def wish(self) -> ModelWish:
        """The model that is wanted."""
        return ModelWish(self.model, self.replay, self.record)

    @property
    def is_own(self) -> bool:
        """Whether only a process of its own can do that."""
        return bool(self.replay or self.record or self.explain or self.headed)


NO_TERMS = PlannerTerms()


@dataclass(slots=True)
class PlannerPassage:
    """Carries orders for planners out, asks the person here what is asked, and stops them when they say so."""

    terms: PlannerTerms
    show: "Callable[[EventRecord], None]" = field(default=lambda _: None)
    asks: bool = False

    async def carry_out(self, order: "RunOrder") -> "RunRecord":
        """Return what came of an order."""
        service = self._open()
        answers = PersonsAnswers(service, CALLER, TerminalGate(())) if self.asks else None
        try:
            ticket = await service.begin(CALLER, order)
            record = await RunWatch(service, CALLER, self.show, answers).watch(ticket.run_id)
        finally:
            await service.close()
        if not record.get("planner"):  # it came to no planner: no session could be opened, or it was stopped before
            error = read_info(record["errors"][0])
            raise InputError(error.message, code=error.code, hint=error.hint, evidence=error.evidence)
        return record

    async def work(self, capability: str, most: int | None) -> Sequence[Mapping[str, Any]]:
        """Work the backlog off, and return what came of each item."""
        service = self._open()
        stopping: list[asyncio.Future[int]] = []
        answers = PersonsAnswers(service, CALLER, TerminalGate(()))

        async def answer_all() -> None:
            while True:
                await answers.give_open()
                await asyncio.sleep(_LOOK_S)

        asking = asyncio.ensure_future(answer_all()) if self.asks else None
        try:
            with stop_by_signals(lambda: stopping.append(asyncio.ensure_future(service.stop(CALLER)))):
                return await service.work(CALLER, capability=capability, most=most)
        finally:
            if asking:
                asking.cancel()
            await service.close()

    def _open(self) -> "Service":
        """Return the service that runs, or one of this process that has its model as the options say."""
        workspace, terms = self.terms.workspace, self.terms
        settings = choose_settings(workspace, headed=terms.headed)
        if not terms.is_own and (running := open_running(workspace)):
            return running

        def prepare(session: "AgentSession", principal: str) -> None:
            give_model(session, terms.wish, settings, _write_exchange if terms.explain else None)
            session.observe(open_telemetry(settings, workspace, principal))

        return make_local_service(settings, workspace, prepare)


def _write_exchange(exchange: "ModelExchange") -> None:
    write_error_text(f"{json.dumps(to_data(exchange.describe()), ensure_ascii=False)}\n")
