"""An exploration is killed by the system; who resumes its run goes on from its checkpoint, as the same run."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from agent.assembly import make_session
from agent.sessions.resume import ResumeRequest
from agent.sessions.undo import UndoRequest
from agent.settings.settings import Settings
from agent.store.session_files import SessionFiles
from agent.testing.scripted_models import ScriptedModel
from core.execution.run_context import make_run_id
from fixtures.site_server import SiteServer
from tests.agent.planners.exploring import Person, propose

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is a signal of other systems")
async def test_a_killed_exploration_goes_on_from_its_checkpoint_as_the_same_run(site: SiteServer, tmp_path: Path):
    run_id = make_run_id()
    command = [
        sys.executable,
        "-m",
        "tests.e2e.planners.dying_exploration",
        str(tmp_path),
        f"{site.url}/shop/catalogue",
    ]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    killed = await asyncio.create_subprocess_exec(*command, run_id, cwd=ROOT, env=environment)
    assert await killed.wait() == -9
    model = ScriptedModel(propose(is_done=True, why="It is typed."))
    async with make_session(Settings(), tmp_path) as session:
        session.use_model(lambda _: model)
        result = await session.resume(ResumeRequest(run_id=run_id, gate=Person(".*")))
        undone = await session.undo(UndoRequest(run_id=run_id, dry=True))
    assert (result.run_id, result.outcome) == (run_id, "success"), (result.errors, result.planner)
    assert [deed["name"] for deed in result.planner["artifacts"]["deeds"]] == [
        "browser.navigate",
        "browser.click",
        "browser.type",
    ]
    shown = {each.label: each.text for each in model.asked[0].data}
    assert "blue-mug" in shown["outline"] or "Blue mug" in shown["outline"], "it is where it was"
    assert 'Click link "Blue mug"' in shown["done before this was cut short"]
    assert undone.errors == ()
    (kept,) = SessionFiles(tmp_path / ".surehand").list_runs()
    assert (kept.run_id, kept.document["outcome"]) == (run_id, "success")
