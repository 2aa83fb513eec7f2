"""Planners on the command line: an order to the service of the folder, or to one of this process where there is none."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agent.cli.planner_wishes import PlannerTerms
from core.base.errors import InputError

if TYPE_CHECKING:
    from agent.models.guarding import ModelExchange
    from agent.service.orders import EventRecord, RunOrder, RunRecord
    from agent.service.ports import Service
    from agent.sessions.session import AgentSession
    from agent.settings.settings import Settings


_LOOK_S = 0.2


@dataclass(slots=True)
class PlannerPassage:
    """Carries orders for planners out, asks the person here what is asked, and stops them when they say so."""

    terms: PlannerTerms
    show: "Callable[[EventRecord], None]" = field(default=lambda _: None)
    asks: bool = False

    def carry_out(self, order: "RunOrder") -> "RunRecord":
        """Return what came of an order.

        Raises:
            SurehandError: If it can't begin, or the service ended.
        """
        import asyncio

        from agent.settings.settings import load_settings

        settings = load_settings(self.terms.workspace)
        settings = settings.model_copy(update={"headed": self.terms.headed or settings.headed})
        return asyncio.run(self._carry_out(order, settings))

    async def _carry_out(self, order: "RunOrder", settings: "Settings") -> "RunRecord":
        from agent.cli.screen.prompts import TerminalGate
        from agent.cli.serving.questions import PersonsAnswers
        from agent.cli.serving.watching import RunWatch
        from agent.remote.told_errors import read_info
        from agent.service.callers import Caller

        service, caller = await self._open(settings), Caller(door="cli")
        answers = PersonsAnswers(service, caller, TerminalGate(())) if self.asks else None
        try:
            ticket = await service.begin(caller, order)
            record = await RunWatch(service, caller, self.show, answers).watch(ticket.run_id)
        finally:
            await service.close()
        if not record.get("planner"):  # it came to no planner: no session could be opened, or it was stopped before
            error = read_info(record["errors"][0])
            raise InputError(error.message, code=error.code, hint=error.hint, evidence=error.evidence)
        return record

    def work(self, capability: str, most: int | None) -> "Sequence[Mapping[str, Any]]":
        """Work the backlog off, and return what came of each item.

        Raises:
            SurehandError: If the backlog can't be used, or the service ended.
        """
        import asyncio

        from agent.settings.settings import load_settings

        return asyncio.run(self._work(capability, most, load_settings(self.terms.workspace)))

    async def _work(self, capability: str, most: int | None, settings: "Settings") -> "Sequence[Mapping[str, Any]]":
        import asyncio

        from agent.cli.screen.prompts import TerminalGate
        from agent.cli.screen.stopping import stop_by_signals
        from agent.cli.serving.questions import PersonsAnswers
        from agent.service.callers import Caller

        service, caller = await self._open(settings), Caller(door="cli")
        stopping: list[asyncio.Future[int]] = []
        answers = PersonsAnswers(service, caller, TerminalGate(()))

        async def answer_all() -> None:
            while True:
                await answers.give_open()
                await asyncio.sleep(_LOOK_S)

        asking = asyncio.ensure_future(answer_all()) if self.asks else None
        try:
            with stop_by_signals(lambda: stopping.append(asyncio.ensure_future(service.stop(caller)))):
                return await service.work(caller, capability=capability, most=most)
        finally:
            if asking:
                asking.cancel()
            await service.close()

    async def _open(self, settings: "Settings") -> "Service":
        """Return the service that runs, or one of this process that has its model as the options say."""
        from agent.cli.commands.models import give_model
        from agent.cli.serving.opening import make_local_service, open_running
        from agent.cli.telemetry import open_telemetry

        workspace, terms = self.terms.workspace, self.terms
        if not terms.is_own and (running := open_running(workspace)):
            return running

        def prepare(session: "AgentSession", principal: str) -> None:
            give_model(session, terms.wish, settings, write_exchange if terms.explain else None)
            session.observe(open_telemetry(settings, workspace, principal))

        return make_local_service(settings, workspace, prepare)


def write_exchange(exchange: "ModelExchange") -> None:
    """Write to stderr what left to a model, and what came back."""
    from agent.cli.screen.output import write_error_text
    from core.results.records import to_data

    write_error_text(f"{json.dumps(to_data(exchange.describe()), ensure_ascii=False)}\n")
