"""What a session keeps of its runs, and that a simulated one keeps nothing."""

import asyncio
from pathlib import Path

from actuators.base import Environment
from actuators.memory.fake import FakeMemories
from actuators.simulation import SimulatedMachine
from agent.assembly import make_session, make_simulated_session
from agent.requests.requests import Request
from agent.settings.settings import Settings
from agent.store.context_file import ContextFile
from agent.store.session_files import SessionFiles
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.memory.facts import ContextMemory, Preference
from core.results.provenance import Origin

KEPT = ContextMemory(preferences=(Preference(key="total", value="12", origins=(Origin("page", "http://a/"),)),))


def is_empty(folder: Path) -> bool:
    return not list(folder.iterdir())


async def test_a_simulated_session_remembers_in_memory_and_keeps_nothing(tmp_path: Path) -> None:
    machine = SimulatedMachine(memories=FakeMemories(KEPT))
    environment = Environment(platform="linux", workspace=tmp_path, state_dir=tmp_path / ".surehand")
    async with make_simulated_session(machine, environment) as session:
        result = await session.run(Request(utterance="recall the total"))
        assert await session.run(Request(utterance='remember that the total is "13"'))
    assert result.step_logs[0].result.output["origins"] == ["the page at http://a/"]
    assert [each.value for each in machine.memories.memory.preferences] == ["13"]
    assert is_empty(tmp_path)


async def test_what_was_recalled_names_where_it_was_read_when_it_is_stored_again(tmp_path: Path) -> None:
    machine = SimulatedMachine(memories=FakeMemories(KEPT))
    environment = Environment(platform="linux", workspace=tmp_path, state_dir=tmp_path / ".surehand")

    class Yes:
        async def decide(self, request: object) -> bool:
            return True

    goals = (
        Goal("memory", "recall", {"key": "total"}, goal_id="g0"),
        Goal("memory", "store", {"key": "copy", "value": Reference("g0", "value")}, goal_id="g1", scope="after:g0"),
    )
    async with make_simulated_session(machine, environment) as session:
        result = await session.run(Request(goals=goals, gate=Yes()))
    assert result.outcome == "success"
    copy = machine.memories.memory.find("copy")
    assert copy is not None
    assert Origin("page", "http://a/") in copy.origins


async def test_a_session_keeps_its_runs_side_by_side(tmp_path: Path) -> None:
    async with make_session(Settings(), tmp_path) as session:
        keys = ("red", "green", "blue")
        requests = (Request(utterance=f'remember that the {key} is "{key}"', request_id=key) for key in keys)
        await asyncio.gather(*map(session.run, requests))
        again = await session.run(Request(utterance="go back", request_id="red"))
    sessions = SessionFiles(tmp_path / ".surehand")
    assert len(sessions.list_ids()) == 3
    context = ContextFile(tmp_path / ".surehand")
    assert {each.key for each in (await context.read()).preferences} == set(keys)
    await context.close()
    kept = sessions.find(again.run_id).document
    assert kept["request"]["request_id"] == "red"
    assert kept["scope"] == again.scope != ""
    assert kept["step_logs"][0]["scope"] == f"{again.scope}/g0"
