"""The shipped planners in a row, over one scripted model, a real browser and a real backlog: what one leaves, the next works on."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.planners.back_ends.rules import RuleBasedBackEnd
from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.planners.explore.planner import ExplorePlanner
from agent.planners.extract.planner import ExtractPlanner
from agent.planners.flow import FlowPlanner
from agent.planners.goals import GoalsPlanner
from agent.planners.recover.planner import FailedStep, RecoverPlanner
from agent.planners.registry import DispatcherParts, PlannerRegistry, ToolDispatcher
from agent.planners.session_hands import HandsTerms, SessionHands
from agent.planners.templates.template_files import TemplateFiles
from agent.sessions.session import AgentSession
from agent.testing.clocks import FakeClock
from agent.testing.hosts import HostParts, PlannerTestHost
from agent.testing.scripted_models import ScriptedModel
from core.base.errors import ErrorInfo
from core.goals.meta_goals import Goal
from core.planning.planners.ports import BacklogItem
from core.planning.planners.results import PlannerResult
from core.planning.planners.transcripts import TranscriptEntry
from core.results.planner_events import PlannerEvent
from fixtures.site_server import SiteServer
from tests.agent.planners.exploring import Person, call, propose
from tests.agent.planners.extract.extracting import make_list
from tests.agent.planners.tools import describe_tools

PLAN = "shopping"
ORDER = ("explore", "flow", "extract", "recover", "goals")
PRICES = make_list(article={"type": "string"}, unit_price={"type": "number"})


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The planners, what they share, and who runs them."""

    dispatcher: ToolDispatcher
    host: PlannerTestHost
    model: ScriptedModel
    site: SiteServer

    async def add(self, name: str, **data: Any) -> None:
        last = self.host.results[-1].scope if self.host.results else ""
        item = BacklogItem(
            item_id=name, title=f"{name} for us", plan_id=PLAN, consumed_by=name, produced_by=last, data=data
        )
        await self.host.backlog.add(self.host.session, item)

    async def take_up(self, name: str) -> PlannerResult:
        result = await self.host.take_up(self.dispatcher, name)
        assert result is not None
        assert result.outcome == "success", (name, result.errors, result.diagnostics)
        return result

    async def work_off(self) -> None:
        """Let each planner work on its item, which is made from what the one before left."""
        await self.add("explore", task="Put the blue mug into the basket", url=f"{self.site.url}/shop/item/blue-mug")
        explored = await self.take_up("explore")
        await self.add("flow", flow=explored.artifacts["flow"])
        await self.take_up("flow")
        await self.add("extract", schema=PRICES, url=f"{self.site.url}/records/second")
        extracted = await self.take_up("extract")
        await self.add("recover")
        await self.take_up("recover")
        article = extracted.artifacts["records"][0]["article"]
        await self.add("goals", text=f'write "{article}" to bought.txt')
        await self.take_up("goals")


def register(session: AgentSession, site: SiteServer) -> PlannerRegistry:
    """Return the shipped planners over one session; a person agrees to everything."""
    hands = SessionHands(session, HandsTerms(gate=Person(".*")))
    failed = FailedStep(
        goal=Goal("browser", "expect", {"url": "*/records/*", "timeout": 0}), error=ErrorInfo("timed_out", "Too early.")
    )
    registry = PlannerRegistry()
    registry.register(ExplorePlanner, lambda: ExplorePlanner(hands, describe_tools()))
    registry.register(FlowPlanner, lambda: FlowPlanner(hands))
    registry.register(ExtractPlanner, lambda: ExtractPlanner(hands))
    registry.register(RecoverPlanner, lambda: RecoverPlanner(hands, failed))
    registry.register(GoalsPlanner, lambda: GoalsPlanner(hands, RuleBasedBackEnd(session.interpreter)))
    return registry


@pytest.fixture
async def pipeline(session: AgentSession, site: SiteServer, tmp_path: Path) -> AsyncIterator[Pipeline]:
    clock = FakeClock(moves_by_itself=True)
    state = tmp_path / "state"
    state.mkdir()
    backlog = SqliteBacklog(state, clock=clock)
    parts = DispatcherParts(registry=register(session, site), templates=TemplateFiles(), runs=backlog)
    model = ScriptedModel(
        propose(call("browser.click", selector='button "Add to basket"')), propose(is_done=True, why="It is in it.")
    )
    host = PlannerTestHost(HostParts(model=model, templates=None, backlog=backlog, clock=clock, principal="ada"))
    yield Pipeline(ToolDispatcher(parts), host, model, site)
    await backlog.close()


def list_entries(entry: TranscriptEntry) -> list[TranscriptEntry]:
    return [entry, *(each for inner in entry.inner for each in list_entries(inner))]


async def test_five_planners_in_a_row_do_a_whole_errand_and_the_backlog_advances_by_itself(
    pipeline: Pipeline, site: SiteServer, tmp_path: Path
):
    await pipeline.work_off()
    host = pipeline.host
    assert len(site.received.requests("/shop/basket/add")) == 2, (
        "explored once, and once more by the flow that was left"
    )
    assert (tmp_path / "bought.txt").read_text(encoding="utf-8") == "Travel mug"
    items = await host.backlog.list_items(host.session)
    assert {item.item_id: item.state for item in items} == dict.fromkeys(ORDER, "done")
    assert await host.backlog.find_coverage(host.session, PLAN) == 1
    moves = [(each.item_id, each.after) for each in await host.backlog.list_transitions(host.session)]
    assert moves == [(name, state) for name in ORDER for state in ("pending", "active", "done")]
    pipeline.model.check_all_given()


async def test_checkpoints_transcripts_metadata_and_scopes_say_for_which_run_each_thing_was(pipeline: Pipeline):
    await pipeline.work_off()
    host = pipeline.host
    for number, (name, result) in enumerate(zip(ORDER, host.results, strict=True), 1):
        run = f"local/ada/session/run-{number}"
        assert (result.planner_id, result.scope) == (name, run)
        assert all(entry.scope.startswith(run) for top in result.transcript for entry in list_entries(top))
        kept = await host.backlog.read_checkpoint(host.session, name)
        assert kept
        assert kept["scope"].startswith(run)
        assert kept["completed"]
        told = [each for each in host.events if isinstance(each, PlannerEvent) and each.scope.startswith(run)]
        assert {each.run_id for each in told} == {f"run-{number}"}
        assert (told[0].event_name, told[-1].event_name) == ("planner.started", "planner.completed")
    asked = [str(question.scope) for question in pipeline.model.asked]
    assert all(scope.startswith("local/ada/session/run-1/propose") for scope in asked), asked


async def test_an_item_whose_planner_fails_has_failed_and_what_nobody_waits_for_is_not_taken(pipeline: Pipeline):
    await pipeline.add("flow", flow="goals: [{file.read: {path: missing.txt}}]")
    assert await pipeline.host.take_up(pipeline.dispatcher, "extract") is None
    result = await pipeline.host.take_up(pipeline.dispatcher, "flow")
    assert result
    assert result.outcome == "failed"
    (item,) = await pipeline.host.backlog.list_items(pipeline.host.session)
    assert item.state == "failed"
