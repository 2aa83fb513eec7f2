"""What a person did on the pages of a run is told in the run as theirs."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agent.assembly import make_session
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.base.errors import UnsupportedError
from core.goals.meta_goals import Goal
from core.results.events import Intervened, Step
from fixtures.site_server import SiteServer
from tests.agent.lamps import LampFamily, make_lamp_session

CENTRE = {"x": 0.5, "y": 0.5}


@pytest.fixture
async def session(tmp_path: Path) -> AsyncIterator[AgentSession]:
    async with make_session(Settings(), tmp_path) as session:
        yield session


async def test_a_run_waits_while_a_person_has_the_page_and_tells_what_they_did(session: AgentSession):
    with SiteServer() as site:
        address = f"{site.url}/table/"
        await session.run(Request(goals=(Goal("browser", "navigate", {"url": address}),)))
        await session.screen.hold()
        events: list[Any] = []
        held = asyncio.Event()

        def follow(event: Any) -> None:
            events.append(event)
            if isinstance(event, Intervened):
                held.set()

        read = Goal("browser", "read", {"target": "title"})
        run = asyncio.create_task(session.run(Request(goals=(read,)), follow))
        await held.wait()
        await session.screen.touch([{"kind": "down", **CENTRE}, {"kind": "up", **CENTRE}, {"kind": "wheel", "dy": 50}])
        assert not [event for event in events if isinstance(event, Step) and event.status != "started"]
        deeds = session.screen.release()
        result = await run
    assert result.outcome == "success"
    assert deeds[-1] == "scrolled"
    assert result.step_logs[0].result.evidence["person"] == list(deeds)
    told = [event for event in events if isinstance(event, Intervened)]
    assert [(event.held, event.deeds) for event in told] == [(True, ()), (False, deeds)]
    assert [event.seq for event in events] == list(range(len(events)))
    lines = [line for line in result.transcript if line["kind"] == "person"]
    assert lines[0]["text"] == "took the pages over"
    assert "scrolled" in lines[1]["text"]


async def test_a_run_that_waits_for_a_person_is_stopped_at_once(session: AgentSession):
    with SiteServer() as site:
        await session.run(Request(goals=(Goal("browser", "navigate", {"url": f"{site.url}/table/"}),)))
        await session.screen.hold()
        begun = asyncio.Event()
        goals = (Goal("browser", "read", {"target": "title"}),)
        run = asyncio.create_task(session.run(Request(goals=goals), lambda _: begun.set()))
        await begun.wait()
        session.stop()
        async with asyncio.timeout(20):
            result = await run
    assert result.outcome == "cancelled"


async def test_a_session_without_pages_says_that_there_is_nothing_to_watch():
    async with make_lamp_session(LampFamily()) as session:
        with pytest.raises(UnsupportedError) as caught:
            await session.screen.hold()
        assert caught.value.code == "no_screen"
        assert session.screen.release() == ()
