"""What was done in a chat, as a flow."""

from pathlib import Path

import pytest

from agent.assembly import make_session
from agent.cli.talking.saving import Diary
from agent.requests.flows import parse_flow
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.approvals.approvals import ApprovalRequest
from core.base.errors import GoalError
from core.goals.references import Reference, Template
from core.results.events import Accepted, Event, Final, to_record
from core.results.records import to_data


class Agreeing:
    """Says yes to everything."""

    async def decide(self, request: ApprovalRequest) -> bool:
        return bool(request.text)


async def do(session: AgentSession, diary: Diary, sentence: str) -> None:
    """Carry out a sentence, and note it as a chat does: by what events say."""
    told: list[Event] = []
    await session.run(Request(utterance=sentence, gate=Agreeing()), told.append)
    (plan,) = (to_data(to_record(each)) for each in told if isinstance(each, Accepted))
    (end,) = (to_data(to_record(each)) for each in told if isinstance(each, Final))
    diary.note(plan["plan"], end["steps"])


@pytest.fixture
def diary() -> Diary:
    return Diary()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder with a file."""
    (tmp_path / "a.txt").write_text("one", encoding="utf-8")
    return tmp_path


async def test_what_was_done_is_planned_again_as_it_was(diary: Diary, tmp_path: Path) -> None:
    async with make_session(Settings(), tmp_path) as session:
        await do(session, diary, 'write "one" to a.txt')
        await do(session, diary, "copy a.txt to b.txt")
        flow = parse_flow(diary.write("copies"))
        planned = session.plan(Request(flow=flow))
    assert planned.errors == ()
    assert [goal.name for goal in flow.goals] == ["file.write", "file.copy"]
    assert planned.orchestration
    first = next(iter(planned.orchestration.graph.nodes.values()))
    assert (first.args["content"], first.args["path"]) == ("one", str(tmp_path / "a.txt"))


async def test_what_a_step_took_from_another_is_a_reference_in_the_flow(diary: Diary, notes: Path) -> None:
    async with make_session(Settings(), notes) as session:
        await do(session, diary, "read a.txt")
        await do(session, diary, "read a.txt and write it to b.txt")
    flow = parse_flow(diary.write("again"))
    assert [goal.name for goal in flow.goals] == ["file.read", "file.read", "file.write"]
    assert flow.goals[2].params["content"] == Reference("g1", "text")


async def test_what_failed_is_left_out(diary: Diary, tmp_path: Path) -> None:
    async with make_session(Settings(), tmp_path) as session:
        await do(session, diary, "read missing.txt")
        with pytest.raises(GoalError, match="Nothing was done yet"):
            diary.write("nothing")
        await do(session, diary, 'write "one" to a.txt')
    assert len(parse_flow(diary.write("one")).goals) == 1


async def test_what_was_taken_back_is_left_out(diary: Diary, tmp_path: Path) -> None:
    async with make_session(Settings(), tmp_path) as session:
        await do(session, diary, 'write "one" to a.txt')
        await do(session, diary, 'write "two" to b.txt')
    diary.forget_last()
    (goal,) = parse_flow(diary.write("one")).goals
    assert goal.params["content"] == "one"


def test_a_text_around_what_was_read_is_kept_as_a_template(diary: Diary) -> None:
    plan = {
        "nodes": [
            {"action_id": "a", "goal_id": "g0", "name": "file.read", "args": {"path": "/x/a.txt"}},
            {
                "action_id": "b",
                "goal_id": "g1",
                "name": "file.write",
                "args": {"path": "/x/b.txt", "content": {"$template": ["It says ${x}: ", {"$ref": "g0.text"}]}},
            },
        ]
    }
    ok = {"status": "ok"}
    diary.note(plan, [{"action_id": "a", "result": ok}, {"action_id": "b", "result": ok}])
    flow = parse_flow(diary.write("told"))
    assert flow.goals[1].params["content"] == Template(("It says ${x}: ", Reference("g0", "text")))
