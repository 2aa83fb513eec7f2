"""The shipped planners in a row, over one scripted model, a real browser and a real backlog: what one leaves, the next works on."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.requests.planner_wishes import PlannerWish
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.store.session_files import SessionFiles
from agent.testing.scripted_models import ScriptedModel
from core.base.scope_paths import begin_scope
from core.planning.planners.ports import BacklogItem
from core.results.tool_results import RunResult
from fixtures.site_server import SiteServer
from tests.agent.planners.exploring import Person, call, propose
from tests.agent.planners.extract.extracting import make_list

PLAN = "shopping"
MINE = begin_scope()
PRICES = make_list(article={"type": "string"}, unit_price={"type": "number"})


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A session that works items off, and the backlog as another process sees it."""

    session: AgentSession
    backlog: SqliteBacklog

    async def work_off(self, name: str, by: str, **data: Any) -> RunResult:
        """Add an item for a planner, and have it worked on as a run."""
        await self.backlog.add(MINE, BacklogItem(item_id=name, title=name, plan_id=PLAN, consumed_by=by, data=data))
        return await self.session.run(Request(planner=PlannerWish(capability="", item=name), gate=Person(".*")))

    async def list_states(self) -> dict[str, str]:
        return {item.item_id: item.state for item in await self.backlog.list_items(MINE)}


@pytest.fixture
async def pipeline(session: AgentSession, tmp_path: Path) -> AsyncIterator[Pipeline]:
    model = ScriptedModel(
        propose(call("browser.click", selector='button "Add to basket"')), propose(is_done=True, why="It is in it.")
    )
    session.use_model(lambda _: model)
    backlog = SqliteBacklog(tmp_path / ".surehand")
    yield Pipeline(session, backlog)
    await backlog.close()


async def test_items_are_worked_off_one_after_the_other_each_as_a_run_that_can_be_read_when_it_succeeded(
    pipeline: Pipeline, site: SiteServer, tmp_path: Path
) -> None:
    task = {"task": "Put the blue mug into the basket", "url": f"{site.url}/shop/item/blue-mug"}
    explored = await pipeline.work_off("basket", "explore", **task)
    extracted = await pipeline.work_off("prices", "extract", schema=PRICES, url=f"{site.url}/records/second")
    assert (explored.outcome, extracted.outcome) == ("success", "success"), (explored.errors, extracted.errors)
    assert len(site.received.requests("/shop/basket/add")) == 1
    assert extracted.planner["artifacts"]["records"] == [{"article": "Travel mug", "unit_price": 14.95}]
    assert await pipeline.list_states() == {"basket": "done", "prices": "done"}
    assert await pipeline.backlog.find_coverage(MINE, PLAN) == 1
    moves = [(each.item_id, each.after) for each in await pipeline.backlog.list_transitions(MINE)]
    assert moves == [(name, state) for name in ("basket", "prices") for state in ("pending", "active", "done")]
    kept = SessionFiles(tmp_path / ".surehand")
    assert sorted(kept.list_ids()) == sorted([explored.run_id, extracted.run_id]), "what they did is folded within"
    document = kept.read(explored.run_id)
    done = [log["name"] for log in document["step_logs"]]
    assert done.count("browser.click") == 1
    transcript = document["planner"]["transcript"]
    assert any("browser.click" in str(entry) for entry in transcript)
    assert "browser.click" in document["planner"]["artifacts"]["flow"]


async def test_an_item_whose_planner_fails_has_failed_and_stops_no_other(pipeline: Pipeline, site: SiteServer) -> None:
    failed = await pipeline.work_off("prose", "extract", schema=PRICES, url=f"{site.url}/records/prose")
    assert (failed.outcome, [each.code for each in failed.planner["errors"]]) == ("failed", ["nothing_found"])
    await pipeline.work_off("prices", "extract", schema=PRICES, url=f"{site.url}/records/second")
    assert await pipeline.list_states() == {"prose": "failed", "prices": "done"}
